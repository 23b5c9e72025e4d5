"""What became of the commands of each session."""

import pytest

from dreadclock.wire.base import Channel
from dreadclock.wire.errors import Code
from dreadclock_server.core.sessions import (
    CLOCKS_DIFFER_MS,
    IDLE_MS,
    OUTCOMES_KEPT,
    SEAT_OUTCOMES_KEPT,
    Answer,
    Done,
    No,
    Sessions,
)

DAY_MS = 24 * 3600 * 1000


def done(seq: int) -> Done:
    return Done({Channel.PUBLIC: seq}, {Channel.PUBLIC: (seq, seq)})


def answers(*numbers: int, session: str = "s") -> list[Answer]:
    return [Answer("gm", session, n, done(n)) for n in numbers]


def test_a_command_that_was_not_answered_is_new():
    sessions = Sessions()
    sessions.remember(answers(1), 0)

    assert sessions.outcome("s", 2) is None
    assert sessions.outcome("another", 1) is None


@pytest.mark.rule("E3")
def test_an_answered_command_has_its_first_outcome():
    sessions = Sessions()
    refused = No(Code.NOT_ALLOWED, {"allowed": "the gm"})
    sessions.remember([*answers(1), Answer("gm", "s", 2, refused)], 0)

    assert sessions.outcome("s", 1) == done(1)
    assert sessions.outcome("s", 2) == refused


@pytest.mark.rule("E3")
def test_what_was_stored_first_stands_whatever_comes_later():
    sessions = Sessions()
    sessions.remember(answers(1), 0)

    sessions.remember([Answer("gm", "s", 1, No(Code.UNKNOWN, {}))], 1)

    assert sessions.outcome("s", 1) == done(1)


def test_64_outcomes_are_kept_and_older_ones_are_duplicates():
    sessions = Sessions()
    sessions.remember(answers(*range(1, 66)), 0)

    assert OUTCOMES_KEPT == 64
    assert sessions.outcome("s", 1) == No(Code.DUPLICATE, {"n": 1})
    assert sessions.outcome("s", 2) == done(2)
    assert sessions.outcome("s", 66) is None


def test_an_outcome_that_comes_late_does_not_push_out_a_later_one():
    sessions = Sessions()
    sessions.remember(answers(*range(2, 66)), 0)

    sessions.remember(answers(1), 0)

    assert sessions.outcome("s", 1) == No(Code.DUPLICATE, {"n": 1})
    assert sessions.outcome("s", 2) == done(2)


def test_a_number_that_was_skipped_is_not_new_any_more():
    sessions = Sessions()
    sessions.remember(answers(1, 3), 0)

    assert sessions.outcome("s", 2) == No(Code.DUPLICATE, {"n": 2})


def test_a_session_is_forgotten_after_seven_idle_days():
    sessions = Sessions()
    sessions.remember(answers(1, session="idle"), 0)
    sessions.remember(answers(1, session="busy"), 0)
    sessions.remember(answers(2, session="busy"), 6 * DAY_MS)
    assert IDLE_MS == 7 * DAY_MS

    sessions.remember(answers(*range(1, 300), session="crowd"), IDLE_MS + 1)

    assert sessions.outcome("idle", 1) is None
    assert sessions.outcome("busy", 1) == done(1)


def test_times_that_go_back_do_not_make_a_session_older():
    sessions = Sessions()
    sessions.remember(answers(1), 5 * DAY_MS)
    sessions.remember(answers(2), 0)

    assert sessions.by_id["s"].last_ms == 5 * DAY_MS


# A seat with more outcomes than are kept


def crowd(size: int, since: int = 0, seat_id: str = "gm") -> list[Answer]:
    """Make a seat's answers, each in a session of its own, as keys of REST commands are."""
    return [Answer(seat_id, f"key-{number}", 1, done(number)) for number in range(since, since + size)]


def test_of_a_seats_sessions_those_used_longest_ago_make_room_and_no_other_seats():
    sessions = Sessions()
    sessions.remember([Answer("player-2", "other", 1, done(1))], 0)
    sessions.remember(crowd(SEAT_OUTCOMES_KEPT), 1)
    sessions.remember(answers(2, session="key-0"), 2)  # the one longest ago, used once more

    assert sessions.outcome("key-1", 1) is None
    assert [sessions.outcome(key, 1) for key in ("key-0", "key-2", "other")] == [done(0), done(2), done(1)]
    sessions.remember(crowd(10_000, since=SEAT_OUTCOMES_KEPT), 3)
    assert len(sessions.by_id) == SEAT_OUTCOMES_KEPT + 1
    assert sessions.outcome("other", 1) == done(1)


def test_a_long_session_makes_room_as_a_whole():
    sessions = Sessions()
    sessions.remember(answers(*range(1, 100), session="long"), 0)
    sessions.remember(crowd(SEAT_OUTCOMES_KEPT - OUTCOMES_KEPT + 1), 1)

    assert (len(sessions.by_id), "long" in sessions.by_id) == (SEAT_OUTCOMES_KEPT - OUTCOMES_KEPT + 1, False)


def test_what_is_kept_does_not_depend_on_where_folding_began():
    whole, part = Sessions(), Sessions()
    for each in (whole, part):
        each.remember(answers(*range(1, 100), session="long"), 0)
        each.remember(crowd(SEAT_OUTCOMES_KEPT), 1)
        each.remember(answers(2, session="key-200"), 2)

    anew = Sessions()  # as from a snapshot
    for key, session in part.by_use():
        anew.remember(
            [Answer(session.seat_id, key, n, outcome) for n, outcome in session.outcomes.items()], session.last_ms
        )
    anew.recall(part.forgotten)
    for each in (whole, anew):
        each.remember(crowd(SEAT_OUTCOMES_KEPT - 2, since=10_000), 3)

    assert anew.by_id == whole.by_id
    assert "key-200" in anew.by_id
    assert anew.forgotten == whole.forgotten == {"gm": 1}


def test_a_session_that_may_have_had_to_make_room_is_not_taken_for_a_new_one():
    sessions, at_ms = Sessions(), 100 * DAY_MS
    assert sessions.may_be_new("gm", at_ms, at_ms)
    sessions.remember(answers(1, session="gone"), at_ms)
    sessions.remember(crowd(SEAT_OUTCOMES_KEPT), at_ms + 1)
    later = at_ms + DAY_MS

    assert not sessions.may_be_new("gm", at_ms - 1, later)
    assert not sessions.may_be_new("gm", at_ms + CLOCKS_DIFFER_MS, later)  # by another node's clock
    assert sessions.may_be_new("gm", at_ms + CLOCKS_DIFFER_MS + 1, later)
    assert sessions.may_be_new("player-2", at_ms - 1, later)
    assert not sessions.may_be_new("player-2", later - IDLE_MS, later)
