"""How many tokens a room can have."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from dreadclock.wire.base import Role
from dreadclock_server.gateway import tokens
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
