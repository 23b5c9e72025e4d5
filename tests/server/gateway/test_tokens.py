"""How many tokens a room can have."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from dreadclock.wire.base import Channel, Role
from dreadclock_server.core.sessions import IDLE_MS, SEAT_OUTCOMES_KEPT, Answer, Done, Sessions
from dreadclock_server.gateway import tokens
from dreadclock_server.gateway.sessions import issue, of_key, resumable
from dreadclock_server.store.base import MAX_TOKENS, Store
from dreadclock_server.store.preflight import connect
from kit.rooms import Table

AT_ONCE = 128


@pytest.fixture
async def store(table: Table) -> AsyncIterator[Store]:
    """The store that the table is in."""
    store = await connect(table.server.store_url)
    yield store
    await store.aclose()


async def fill(store: Store, room_id: str, expires_s: int) -> None:
    """Give the gm so many tokens that the room can have no more."""
    for _ in range(MAX_TOKENS // AT_ONCE):
        made = [tokens.make("gm", Role.GM, (), expires_s) for _ in range(AT_ONCE)]
        await asyncio.gather(
            *(store.put_token(room_id, tokens.hash_of(token), tokens.stored(info)) for token, info in made)
        )


async def test_a_room_with_the_most_links_gets_no_more_and_no_seat_without_one(table: Table, store: Store):
    await fill(store, table.id, expires_s=3600)
    before = await table.view()

    async with table.http("gm") as http:
        answer = await http.post(table.path("/invites"), json={"role": "player"})

    assert (answer.status_code, answer.json()["code"]) == (409, "too_many")
    assert answer.json()["detail"] == "The room already has 1024 links, the most it can hold."
    assert await table.view() == before


async def test_links_that_have_expired_make_room(table: Table, store: Store):
    await fill(store, table.id, expires_s=-1)

    await table.invite("cleo", "player")

    assert len(await store.tokens(table.id)) == len(table.grants)


async def test_a_room_with_fewer_keeps_its_expired_links(table: Table, store: Store):
    token, info = tokens.make("gm", Role.GM, (), -1)
    await store.put_token(table.id, tokens.hash_of(token), tokens.stored(info))

    await tokens.demand_room_for_one(store, table.id)

    assert len(await store.tokens(table.id)) == len(table.grants) + 1


# Which sessions a server goes on with


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
