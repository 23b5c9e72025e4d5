"""One batch: decided in order, each command once, a bug ends its own command alone."""

import pytest

from dreadclock.wire.base import Channel, Role
from dreadclock.wire.errors import Code, Refused
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.families.room import JoinSeat
from dreadclock_server.core.sessions import SEAT_OUTCOMES_KEPT, Answer, Done, No, Outcome, Sessions
from dreadclock_server.gateway.sessions import issue
from dreadclock_server.rooms.answers import QueuedCommand, from_json
from dreadclock_server.rooms.live import Attempt, decide_batch
from dreadclock_server.rooms.log import Log, Tail, batch_of
from dreadclock_server.rooms.size import Size
from dreadclock_server.store.base import EMPTY
from dreadclock_server.store.codec import Entry, decode
from kit.tables import ANN, GM, Loaded, Order, Table, command_of, loaded

ROLL = {"type": "roll_dice", "pool": 1}
UNKNOWN = {"type": "roll_countdown", "countdown_id": "ghost"}


def ignore(outcome: Outcome | None) -> None:
    raise AssertionError("an attempt replies to nobody")


def pending(order: Order | Refused, n: int, session: str = "s", by: Actor = GM) -> QueuedCommand:
    command = order if isinstance(order, Refused) else command_of(order)
    return QueuedCommand(by, command, session, n, ignore)


def tried(
    *batch: QueuedCommand,
    dice: Loaded | None = None,
    sessions: Sessions | None = None,
    unsaved: tuple[Answer, ...] = (),
) -> Attempt:
    table = Table()
    log = Log(table.room, EMPTY, sessions or Sessions(), Tail(table.room.positions), unsaved=list(unsaved))
    dice = dice or loaded()
    result = decide_batch(log, batch, size=Size(), dice=dice, now_ms=5, fresh=table.fresh)
    dice.assert_used()
    return result


def stored(result: Attempt) -> Entry:
    batch = batch_of(1, "b", result.now_ms, result.room, result.written, result.counts, result.answers)
    return decode(batch.entry)


def outcomes(result: Attempt) -> list[Outcome]:
    return [outcome for _, outcome in result.replies]


def remembered(*answers: Answer) -> Sessions:
    sessions = Sessions()
    sessions.remember(answers, 0)
    return sessions


DONE = Done({Channel.PUBLIC: 3}, {})
REFUSED = No(Code.UNKNOWN, {"kind": "countdown", "id": "ghost"})


def test_each_command_is_decided_after_what_those_before_it_brought_about():
    start = {"type": "start_countdown", "id": "fever", "name": "Fever", "pool": 1}

    result = tried(pending(start, 1), pending({"type": "roll_countdown", "countdown_id": "fever"}, 2), dice=loaded(2))

    last = Table().room.seq(Channel.PUBLIC)
    assert outcomes(result) == [
        Done({Channel.PUBLIC: last + 1, Channel.GM: 0}, {Channel.PUBLIC: (last + 1, last + 1)}),
        Done({Channel.PUBLIC: last + 2, Channel.GM: 0}, {Channel.PUBLIC: (last + 2, last + 2)}),
    ]
    assert [each.record.seq for each in result.written] == [last + 1, last + 2]
    assert result.room.seq(Channel.PUBLIC) == last + 2


def test_a_refused_command_leaves_the_batch_as_it_was():
    result = tried(pending(UNKNOWN, 1), pending(ROLL, 2), dice=loaded(1))

    assert outcomes(result)[0] == REFUSED
    assert len(result.written) == 1
    assert [answer.n for answer in result.answers] == [1, 2]


@pytest.mark.rule("E3")
def test_a_command_twice_in_a_batch_is_done_once():
    result = tried(pending(ROLL, 1), pending(ROLL, 1), dice=loaded(1))

    first, second = outcomes(result)
    assert first == second
    assert (len(result.written), len(result.answers), result.repeats) == (1, 1, 1)


@pytest.mark.rule("E3")
def test_a_command_that_was_answered_before_gets_its_first_outcome_and_brings_about_nothing():
    sessions = remembered(Answer("gm", "s", 1, DONE))

    result = tried(pending(ROLL, 1), sessions=sessions)

    assert (outcomes(result), result.written, result.answers, result.repeats) == ([DONE], [], [], 1)


def test_an_outcome_that_is_not_stored_yet_is_an_answer_all_the_same():
    result = tried(pending(ROLL, 1), unsaved=(Answer("gm", "s", 1, REFUSED),))

    assert (outcomes(result), result.answers, result.repeats) == ([REFUSED], [], 1)


def test_what_another_node_stored_comes_before_what_is_not_stored_yet():
    sessions = remembered(Answer("gm", "s", 1, DONE))

    result = tried(pending(ROLL, 1), sessions=sessions, unsaved=(Answer("gm", "s", 1, REFUSED),))

    assert outcomes(result) == [DONE]


def test_a_number_below_the_latest_that_is_remembered_no_more_is_a_duplicate():
    sessions = remembered(Answer("gm", "s", 5, DONE))

    assert outcomes(tried(pending(ROLL, 4), sessions=sessions)) == [No(Code.DUPLICATE, {"n": 4})]


@pytest.mark.rule("E3")
def test_in_a_session_that_made_room_while_its_connection_stayed_nothing_is_done_again():
    session, sessions = issue(b"key", Table().room.room_id, "gm", 1), remembered()
    sessions.remember([Answer("gm", session, 1, DONE)], 0)
    sessions.remember([Answer("gm", f"key-{number}", 1, DONE) for number in range(SEAT_OUTCOMES_KEPT)], 1)

    result = tried(pending(ROLL, 1, session), pending(ROLL, 2, session), sessions=sessions)

    assert outcomes(result) == [No(Code.SESSION_EXPIRED, {})] * 2
    assert (result.written, result.answers) == ([], [])


def test_the_same_number_in_two_sessions_is_two_commands():
    result = tried(pending(ROLL, 1, "s"), pending(ROLL, 1, "t"), dice=loaded(1, 2))

    assert len(result.written) == 2


def test_a_command_without_a_session_is_not_remembered():
    result = tried(pending(ROLL, 1, session=""), pending(ROLL, 1, session=""), dice=loaded(1, 2))

    assert (len(result.written), result.answers, result.repeats) == (2, [], 0)


def test_a_command_that_could_not_be_read_is_answered_in_its_turn():
    result = tried(pending(Refused(Code.BAD_COMMAND, problem="what?"), 1), pending(ROLL, 2), dice=loaded(1))

    assert outcomes(result)[0] == No(Code.BAD_COMMAND, {"problem": "what?"})
    assert [answer.n for answer in result.answers] == [1, 2]


def test_nothing_to_do_is_done_without_events():
    [outcome] = outcomes(tried(pending({"type": "set_policy", "physical_dice": "off"}, 1)))

    assert isinstance(outcome, Done)
    assert outcome.events == {}


class Broken(Loaded):
    """Dice that fall off the table."""

    def take(self, count: int) -> tuple[int, ...]:
        raise RuntimeError("a die is missing")


def test_a_bug_in_a_decision_ends_that_command_alone(capsys: pytest.CaptureFixture[str]):
    result = tried(pending(ROLL, 1), pending({"type": "end_turn"}, 2), pending(ROLL, 3), dice=Broken())

    assert [type(outcome) for outcome in outcomes(result)] == [No, Done, No]
    assert outcomes(result)[0] == No(Code.BUG, {})
    assert len(result.written) == 1
    assert "bug" in capsys.readouterr().out


def test_a_refusal_that_cannot_be_written_is_a_bug_of_its_own_command_alone(capsys: pytest.CaptureFixture[str]):
    result = tried(pending(Refused(Code.UNKNOWN, id=2**64), 1), pending({"type": "end_turn"}, 2))

    assert outcomes(result)[0] == No(Code.BUG, {})
    assert stored(result).texts
    assert "bug" in capsys.readouterr().out


def test_an_entry_stores_the_outcomes_and_the_records_of_its_batch():
    result = tried(pending(ROLL, 1), pending(UNKNOWN, 2, by=ANN), dice=loaded(1))

    entry = stored(result)

    assert (entry.batch_id, entry.at_ms, entry.heads) == ("b", 5, result.room.positions)
    assert entry.texts == [each.text for each in result.written]
    assert [from_json(row) for row in entry.answers] == result.answers


def test_the_outcome_of_a_command_names_its_events_in_each_channel():
    order = {"type": "roll_dice", "pool": 1, "visibility": "sealed"}

    [outcome] = outcomes(tried(pending(order, 1), dice=loaded(1)))

    last = Table().room.seq(Channel.PUBLIC)
    assert outcome == Done(
        {Channel.PUBLIC: last + 1, Channel.GM: 2}, {Channel.PUBLIC: (last + 1, last + 1), Channel.GM: (1, 2)}
    )


def test_the_outcome_of_a_command_that_made_a_seat_names_it_as_long_as_it_is_in_memory():
    result = tried(QueuedCommand(GM, JoinSeat(Role.PLAYER, "Kim"), "s", 1, ignore))

    [outcome], [stored_row] = outcomes(result), stored(result).answers
    assert isinstance(outcome, Done)
    assert outcome.new_seat is not None
    assert result.room.view.seats[outcome.new_seat].name == "Kim"
    assert from_json(stored_row).outcome == outcome
    assert from_json(stored_row).outcome == Done(outcome.positions, outcome.events, None)
    assert stored_row[3].keys() == {"at", "events"}
