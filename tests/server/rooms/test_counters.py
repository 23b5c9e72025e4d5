"""Counting what happens."""

from dreadclock.wire.commands import COMMAND
from dreadclock.wire.errors import Code, Refused
from dreadclock_server.core.sessions import Done, No
from dreadclock_server.rooms.answers import QueuedCommand
from dreadclock_server.rooms.counters import Counters
from kit.tables import GM

ROLL = COMMAND.validate_python({"type": "roll_dice", "pool": 1})


def value(counters: Counters, name: str, **labels: str) -> float | None:
    return counters.registry.get_sample_value(f"dreadclock_{name}", labels)


def test_a_batch_counts_its_commands_by_type_and_its_refusals_by_code():
    counters = Counters()
    unreadable = Refused(Code.BAD_COMMAND, problem="")
    counters.answered(
        [
            (QueuedCommand(GM, ROLL, "", 1, print), Done({}, {})),
            (QueuedCommand(GM, ROLL, "", 2, print), No(Code.UNKNOWN, {})),
            (QueuedCommand(GM, unreadable, "", 3, print), No(Code.BAD_COMMAND, {})),
        ],
        repeats=1,
    )
    assert value(counters, "commands_total", type="roll_dice") == 2
    assert value(counters, "commands_total", type="unreadable") == 1
    assert (
        value(counters, "refusals_total", code="unknown") == value(counters, "refusals_total", code="bad_command") == 1
    )
    assert value(counters, "refusals_total", code="rate_limited") == 0
    assert value(counters, "repeats_total") == 1
    assert value(counters, "batch_commands_sum") == 3


def test_batches_are_counted_up_to_the_first_bound_that_is_not_below_their_size():
    counters = Counters()
    for size in (1, 2, 3, 300):
        counters.answered([(QueuedCommand(GM, ROLL, "", 1, print), Done({}, {}))] * size, repeats=0)
    counts = {bound: value(counters, "batch_commands_bucket", le=bound) for bound in ("1", "2", "4", "256", "+Inf")}
    assert counts == {"1": 1, "2": 2, "4": 3, "256": 3, "+Inf": 4}


def test_bytes_count_once_for_each_connection():
    counters = Counters()
    counters.sent(100, 3)
    counters.sent(5, 1)
    assert (value(counters, "sent_bytes_total"), value(counters, "sent_frames_total")) == (305, 4)


def test_only_who_came_back_counts_among_the_resumes():
    counters = Counters()
    for outcome in ("fresh", "exact", "exact"):
        counters.welcomed(outcome)
    assert value(counters, "connections_opened_total") == 3
    assert value(counters, "resumes_total", outcome="exact") == 2
    assert value(counters, "resumes_total", outcome="fresh") is None
