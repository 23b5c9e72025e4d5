"""What became of the commands of each session."""

import pytest

from dreadclock.wire.base import Channel
from dreadclock.wire.errors import Code
from dreadclock_server.core.sessions import IDLE_MS, OUTCOMES_KEPT, Answer, Done, No, Sessions

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
