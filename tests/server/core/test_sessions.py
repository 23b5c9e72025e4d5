"""What became of the commands of each session."""

import base64

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dreadclock.wire.base import Channel
from dreadclock.wire.errors import Code
from dreadclock_server.core import sessions as core_sessions
from dreadclock_server.core.sessions import IDLE_MS, OUTCOMES_KEPT, SEAT_OUTCOMES_KEPT, Answer, Done, No, Sessions
from kit.examples import examples

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


# What remains of a session that is forgotten


def issued(at_ms: int, name: str = "") -> str:
    """Make an id as of a session that was issued then."""
    return base64.urlsafe_b64encode(at_ms.to_bytes(6, "big")).decode() + name


def test_a_session_that_may_have_had_to_make_room_is_not_taken_for_a_new_one():
    sessions, at_ms = Sessions(), 100 * DAY_MS
    assert not sessions.may_be_forgotten("gm", issued(at_ms))
    sessions.remember(answers(1, session=issued(at_ms)), at_ms)
    sessions.remember(crowd(SEAT_OUTCOMES_KEPT), at_ms + 1)

    assert sessions.may_be_forgotten("gm", issued(at_ms))
    assert sessions.may_be_forgotten("gm", issued(at_ms, "of the same ms"))
    assert sessions.may_be_forgotten("gm", issued(at_ms - 1))
    assert not sessions.may_be_forgotten("gm", issued(at_ms + 1))
    assert not sessions.may_be_forgotten("player-2", issued(at_ms))


def test_a_session_forgotten_by_a_clock_that_was_set_forward_is_not_new_when_it_is_set_back():
    sessions, at_ms = Sessions(), 100 * DAY_MS
    sessions.remember(answers(1, session=issued(at_ms)), at_ms)
    sessions.remember([Answer("player-2", "other", n, done(n)) for n in range(1, 301)], at_ms + 9 * DAY_MS)

    assert sessions.outcome(issued(at_ms), 1) is None
    assert sessions.may_be_forgotten("gm", issued(at_ms))


def test_a_refusal_that_is_stored_late_does_not_make_a_forgotten_session_known_again():
    sessions, session = Sessions(), issued(100 * DAY_MS)
    sessions.remember(answers(1, session=session), 100 * DAY_MS)
    sessions.remember(answers(*range(1, 301), session="other"), 109 * DAY_MS)

    sessions.remember(answers(2, session=session), 100 * DAY_MS)

    assert sessions.may_be_forgotten("gm", session)
    assert session not in sessions.by_id


def test_no_clock_makes_the_outcome_of_a_key_forgotten():
    sessions = Sessions()
    sessions.remember(crowd(1), 0)
    sessions.remember(answers(*range(1, 301)), 365 * DAY_MS)

    assert sessions.outcome("key-0", 1) == done(0)


def test_a_new_session_is_issued_after_all_that_were_forgotten_whatever_the_clock_says():
    sessions, now_ms = Sessions(), 100 * DAY_MS
    assert sessions.issue_ms("gm", now_ms) == now_ms
    sessions.recall({"gm": now_ms + 365 * DAY_MS})

    assert sessions.issue_ms("gm", now_ms) == now_ms + 365 * DAY_MS + 1
    assert sessions.issue_ms("player-2", now_ms) == now_ms


class Seat:
    """A seat's commands, sent and sent again in many sessions and under keys to a room whose clock goes astray.

    What it does twice is a bug: a command that the room takes for new although it was done.
    """

    def __init__(self, clock_ms: int) -> None:
        self.sessions, self.now_ms = Sessions(), clock_ms
        self.sent: list[tuple[str, int]] = []
        self.waiting: list[Answer] = []  # refusals, which are stored with something later
        self.done: set[tuple[str, int]] = set()
        self.since: dict[str, set[str]] = {}  # by key: the sessions that were used since its command was done

    def send(self, session: str, n: int) -> None:
        known = self.sessions
        if known.outcome(session, n) is None and not known.may_be_forgotten("gm", session):
            assert (session, n) not in self.done
            self.done.add((session, n))
            self.sent.append((session, n))
            for key, others in self.since.items():
                others.update({session} - {key})
            known.remember([Answer("gm", session, n, done(n))], self.now_ms)

    def jump(self, by_ms: int, place: int) -> None:
        self.now_ms = max(0, self.now_ms + by_ms)

    def begin(self, commands: int, place: int) -> None:
        session = issued(self.sessions.issue_ms("gm", self.now_ms), str(place))
        for n in range(1, commands + 1):
            self.send(session, n)

    def resend(self, which: int, place: int) -> None:
        session, n = self.sent[which]
        if session.startswith("key-"):
            self.use(session)
        else:
            self.send(session, n)

    def nonsense(self, which: int, place: int) -> None:
        session = self.sent[which][0]
        n = max((n for each, n in self.sent if each == session), default=0) + 1
        if not self.sessions.may_be_forgotten("gm", session) and self.sessions.outcome(session, n) is None:
            self.waiting.append(Answer("gm", session, n, No(Code.UNKNOWN, {})))

    def store(self, _: None, place: int) -> None:
        self.sessions.remember(self.waiting, self.now_ms)
        self.waiting = []

    def key(self, number: int, place: int) -> None:
        self.use(f"key-{number}")

    def use(self, key: str) -> None:
        """Use a key, which says nothing of its age: once it is forgotten, its command is done anew."""
        if (key, 1) in self.done and key not in self.sessions.by_id:
            assert 4 * len(self.since[key]) > 24 - 4  # it had to make room
            self.done.remove((key, 1))
        if (key, 1) not in self.done:  # to ask for the answer again keeps it no longer
            self.since[key] = set()
        self.send(key, 1)

    def load(self, _: None, place: int) -> None:
        """Go on as from a snapshot."""
        anew = Sessions()
        for key, each in self.sessions.by_use():
            anew.remember([Answer("gm", key, n, outcome) for n, outcome in each.outcomes.items()], each.last_ms)
        anew.recall(self.sessions.forgotten)
        self.sessions = anew


YEAR_MS = 365 * DAY_MS
JUMPS = st.tuples(st.just("jump"), st.integers(-YEAR_MS, YEAR_MS) | st.sampled_from((-9 * DAY_MS, 9 * DAY_MS)))
STEPS = st.lists(
    JUMPS
    | st.tuples(st.just("begin"), st.integers(1, 9))  # a session, and that many commands in it
    | st.tuples(st.just("resend"), st.integers(0, 10_000))
    | st.tuples(st.just("key"), st.integers(0, 9))
    | st.tuples(st.just("nonsense"), st.integers(0, 10_000))
    | st.tuples(st.just("store"), st.none())
    | st.tuples(st.just("load"), st.none()),
    max_size=40,
)


@pytest.mark.rule("E3")
@examples(60)
@given(steps=STEPS)
@example(steps=[("key", 0), *[("begin", 4)] * 5, ("resend", 0), ("begin", 4), ("resend", 0)])
def test_nothing_is_done_twice_by_clocks_that_jump_and_sessions_that_make_room(steps: list[tuple[str, int]]):
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"OUTCOMES_KEPT": 4, "SEAT_OUTCOMES_KEPT": 24, "_PRUNE_EVERY": 4}.items():
            patch.setattr(core_sessions, name, value)
        seat = Seat(2 * YEAR_MS)
        for place, (what, number) in enumerate(steps):
            if what in ("resend", "nonsense"):
                if not seat.sent:
                    continue
                number %= len(seat.sent)
            getattr(seat, what)(number, place)
