"""A knock that is withdrawn or over while it is answered, in a store that lets that happen each time."""

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import httpx

from dreadclock_server.app import Application
from dreadclock_server.gateway.knocks import EXPIRES_S, MOST_KNOCKS
from dreadclock_server.rooms.live import now_ms
from dreadclock_server.settings.table import Settings
from dreadclock_server.store.valkey import ValkeyStore
from kit.knocks import Knocker, knock_at, old_knock, seated
from kit.rooms import Table
from kit.server import Server
from kit.servers.in_process import in_process


class Meanwhile:
    """A store in which something happens just before a seat is noted in a knock, or just after one was read."""

    def __init__(self, store: ValkeyStore, moment: str, happens: Callable[[ValkeyStore], Awaitable[object]]) -> None:
        self._store, self._moment, self._happens = store, moment, happens

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def change_knock(self, room: str, knock: str, before: str, after: str | None) -> bool:
        """Change a row, after what happens if it is to name a seat."""
        if after is not None and '"seat_id"' in after.partition('"decision"')[2].partition("}")[2]:
            await self._at("noting")
        return await self._store.change_knock(room, knock, before, after)

    async def knock(self, room: str, knock: str) -> str | None:
        """Return a row as it was before what happens."""
        text = await self._store.knock(room, knock)
        await self._at("read")
        return text

    async def _at(self, moment: str) -> None:
        if moment == self._moment:
            self._moment = "over"
            await self._happens(self._store)


def node(
    table: Table, moment: str, happens: Callable[[ValkeyStore], Awaitable[object]]
) -> AbstractAsyncContextManager[tuple[Application, Server]]:
    """Run a server of such a store."""
    return in_process(table.server, Settings(), lambda store: Meanwhile(store, moment, happens))


async def answered(
    table: Table, ines: Knocker, happens: Callable[[ValkeyStore], Awaitable[object]], **body: object
) -> httpx.Response:
    """Answer a knock by a server of such a store."""
    async with node(table, "noting", happens) as (_, here), table.http("gm", here) as http:
        return await http.post(f"{ines.path}/answer", json={"accept": True, **body})


def withdrawing(table: Table, ines: Knocker) -> Callable[[ValkeyStore], Awaitable[object]]:
    """Delete a knock."""

    async def delete(store: ValkeyStore) -> None:
        text = await store.knock(table.id, ines.knock)
        assert text is not None
        await store.change_knock(table.id, ines.knock, text, None)

    return delete


async def seats(table: Table) -> set[str]:
    """Return the ids of all seats."""
    return set((await table.view())["channels"]["public"]["seats"])


async def test_no_seat_is_left_behind(table: Table):
    before = await seats(table)

    ines = await knock_at(table.server, table.id)
    answer = await answered(table, ines, withdrawing(table, ines))

    assert (answer.status_code, answer.json()["code"]) == (404, "unknown")
    assert await seats(table) == before


async def test_a_seat_that_others_hold_stays(table: Table):
    before = await seats(table)

    ines = await knock_at(table.server, table.id)
    answer = await answered(table, ines, withdrawing(table, ines), seat_id=table.seat("ann"))

    assert answer.status_code == 404
    assert await seats(table) == before


async def test_who_was_told_that_the_knock_is_over_gets_no_seat_of_an_answer_under_way(table: Table):
    before = await seats(table)
    ines = await old_knock(table, (EXPIRES_S - 3) * 1000)
    told: list[dict[str, Any]] = []

    async def hears(_: ValkeyStore) -> None:
        told.append(await ines.state(wait_s=10))

    answer = await answered(table, ines, hears)

    assert told == [{"state": "expired"}]
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown")
    assert await seats(table) == before


async def test_who_asks_as_the_knock_lapses_and_is_answered_gets_the_seat(table: Table):
    ines = await knock_at(table.server, table.id)
    async with node(table, "read", lambda _: seated(table, ines)) as (app, here):
        for number, knock in enumerate([ines.knock, *(f"later-{each}" for each in range(MOST_KNOCKS))]):
            app.lapsed_knocks.put(table.id, knock, now_ms() + number + 1_000, now_ms())

        assert (await ines.state(server=here))["state"] == "seated"
