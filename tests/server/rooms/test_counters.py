"""Counting what happens: plain numbers that say what they should."""

from dreadclock.wire.commands import COMMAND
from dreadclock.wire.errors import Code, Refused
from dreadclock_server.core.sessions import Done, No
from dreadclock_server.rooms.answers import QueuedCommand
from dreadclock_server.rooms.counters import Counters, Histogram
from kit.tables import GM

ROLL = COMMAND.validate_python({"type": "roll_dice", "pool": 1})


def test_an_observation_counts_up_to_the_first_bound_that_is_not_below_it():
    histogram = Histogram((1, 2, 5))
    for value in (0.5, 1, 2, 4, 5, 6):
        histogram.note(value)
    assert histogram.cumulated() == [("1", 2), ("2", 3), ("5", 5), ("+Inf", 6)]
    assert histogram.total == 18.5


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
    assert dict(counters.commands) == {type(ROLL): 2, Refused: 1}
    assert +counters.refusals == {Code.UNKNOWN: 1, Code.BAD_COMMAND: 1}
    assert (counters.repeats, counters.batch_size.total) == (1, 3)


def test_bytes_count_once_for_each_connection():
    counters = Counters()
    counters.sent(100, 3)
    counters.sent(5, 1)
    assert (counters.sent_bytes, counters.sent_frames) == (305, 4)
