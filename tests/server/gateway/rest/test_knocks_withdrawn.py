"""A knock that is withdrawn while it is answered, in a store that lets that happen each time."""

from typing import Any, cast

import httpx

from dreadclock_server.app import create_app
from dreadclock_server.settings import Settings
from dreadclock_server.store.base import Store
from dreadclock_server.store.preflight import connect
from dreadclock_server.store.valkey import ValkeyStore
from kit.knocks import Knocker, knock_at
from kit.rooms import Table
from kit.servers.guarded import guarded


class Withdrawing:
    """A store in which a knock is gone just before its seat would be noted."""

    def __init__(self, store: ValkeyStore) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def change_knock(self, room: str, knock: str, before: str, after: str | None) -> bool:
        """Delete the row first, if it is to name a seat."""
        if after is not None and '"seat_id"' in after.partition('"decision"')[2].partition("}")[2]:
            await self._store.change_knock(room, knock, before, None)
        return await self._store.change_knock(room, knock, before, after)


async def answered(table: Table, ines: Knocker, **body: object) -> httpx.Response:
    """Answer a knock by a server of such a store."""
    store = await connect(table.server.store_url)
    app = create_app(cast(Store, Withdrawing(store)), Settings())
    async with guarded(app.asgi) as node, table.http("gm") as http:
        address = f"http://127.0.0.1:{node.port}{table.path('/knocks')}/{ines.knock}/answer"
        answer = await http.post(address, json={"accept": True, **body})
    await app.api.hubs.aclose()
    await app.rooms.aclose()
    await store.aclose()
    return answer


async def seats(table: Table) -> set[str]:
    """Return the ids of all seats."""
    return set((await table.view())["channels"]["public"]["seats"])


async def test_no_seat_is_left_behind(table: Table):
    before = await seats(table)

    answer = await answered(table, await knock_at(table.server, table.id))

    assert (answer.status_code, answer.json()["code"]) == (404, "unknown")
    assert await seats(table) == before


async def test_a_seat_that_others_hold_stays(table: Table):
    before = await seats(table)

    answer = await answered(table, await knock_at(table.server, table.id), seat_id=table.seat("ann"))

    assert answer.status_code == 404
    assert await seats(table) == before
