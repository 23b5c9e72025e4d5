"""Which sessions a server goes on with."""

import pytest

from dreadclock.wire.base import Channel
from dreadclock_server.core.sessions import IDLE_MS, SEAT_OUTCOMES_KEPT, Answer, Done, Sessions
from dreadclock_server.gateway.sessions import issue, of_key, resumable

KEY, ROOM, SEAT = b"k" * 32, "a" * 26, "player-1"
NOW = 10 * IDLE_MS
DONE = Done({Channel.PUBLIC: 1}, {Channel.PUBLIC: (1, 1)})


def used(session: str) -> Answer:
    return Answer(SEAT, session, 1, DONE)


def goes_on(session: str, known: Sessions) -> bool:
    return resumable(KEY, ROOM, SEAT, session, known)


def test_a_session_that_was_never_used_goes_on():
    assert goes_on(issue(KEY, ROOM, SEAT, NOW), Sessions())


def test_a_session_that_is_known_goes_on_however_old_it_is():
    session, known = issue(KEY, ROOM, SEAT, NOW - 2 * IDLE_MS), Sessions()
    known.remember([used(session)], NOW)

    assert goes_on(session, known)


def test_a_session_that_had_to_make_room_does_not_go_on_since_its_commands_would_be_done_twice():
    old, new, known = issue(KEY, ROOM, SEAT, NOW), issue(KEY, ROOM, SEAT, NOW + 1), Sessions()
    known.remember([used(old)], NOW + 1)
    assert goes_on(old, known)

    known.remember([used(of_key(SEAT, str(number))) for number in range(SEAT_OUTCOMES_KEPT)], NOW + 2)

    assert [goes_on(each, known) for each in (old, new)] == [False, True]


@pytest.mark.parametrize(
    ("key", "room", "seat"),
    [(KEY, "b" * 26, SEAT), (KEY, ROOM, "player-2"), (b"l" * 32, ROOM, SEAT)],
    ids=["another room", "another seat", "another key"],
)
def test_a_session_is_one_rooms_and_one_seats_and_signed(key: bytes, room: str, seat: str):
    assert not resumable(key, room, seat, issue(KEY, ROOM, SEAT, NOW), Sessions())
