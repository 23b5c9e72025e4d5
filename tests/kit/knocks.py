"""Knocking at a room without the SDK, and answering as its gm."""

from dataclasses import dataclass
from typing import Any

import httpx

from dreadclock.wire.base import Role
from dreadclock_server.gateway import knocks
from dreadclock_server.gateway.knocks import Row
from dreadclock_server.rooms.live import now_ms
from dreadclock_server.store.preflight import connect
from kit.rooms import Table, http_client
from kit.server import Server

NOWHERE = "abcdefghijklmnopqrstuvwxyz"


@dataclass
class Knocker:
    """Somebody who knocked."""

    server: Server
    path: str
    secret: str
    said: dict[str, Any]

    @property
    def knock(self) -> str:
        """The id of the knock."""
        return self.path.rpartition("/")[2]

    async def ask(self, wait_s: int = 0, server: Server | None = None, secret: str | None = None) -> httpx.Response:
        """Ask what became of it."""
        async with http_client(server or self.server, secret or self.secret) as http:
            return await http.get(self.path, params={"wait_s": wait_s})

    async def state(self, wait_s: int = 0, server: Server | None = None) -> dict[str, Any]:
        """Ask, and return what it is told."""
        answer = await self.ask(wait_s, server)
        assert answer.status_code == 200, answer.text
        told: dict[str, Any] = answer.json()
        return told

    async def forget(self) -> None:
        """Say that the seat arrived, or is not wanted any more."""
        async with http_client(self.server, self.secret) as http:
            assert (await http.delete(self.path)).status_code == 204


async def post_knock(server: Server, room_id: str, **body: object) -> httpx.Response:
    """Knock, and return whatever is answered."""
    async with http_client(server) as http:
        return await http.post(f"/api/rooms/{room_id}/knocks", json=body)


async def knock_at(server: Server, room_id: str, name: str = "Ines", **more: object) -> Knocker:
    """Knock at a room."""
    answer = await post_knock(server, room_id, name=name, **more)
    assert answer.status_code == 201, answer.text
    said = answer.json()
    return Knocker(server, f"/api/rooms/{room_id}/knocks/{said['knock']}", said["secret"], said)


async def old_knock(table: Table, ms_ago: int, name: str = "Ines", **more: Any) -> Knocker:
    """Put a knock into the store as it came so long ago."""
    store = await connect(table.server.store_url, rehearse=False)
    knock, secret, expires_at = knocks.issue(table.id, now_ms() - ms_ago)
    row = Row(name=name, wants=Role.PLAYER, expires_at=expires_at, **more)
    assert await store.put_knock(table.id, knock, row.text(), now_ms(), knocks.MOST_KNOCKS)
    await store.aclose()
    return Knocker(table.server, table.path(f"/knocks/{knock}"), secret, {})


async def answer(table: Table, knocker: Knocker, by: str = "gm", **body: Any) -> httpx.Response:
    """Answer a knock."""
    async with table.http(by) as http:
        return await http.post(f"{table.path('/knocks')}/{knocker.knock}/answer", json=body)


async def seated(table: Table, knocker: Knocker, **body: Any) -> dict[str, Any]:
    """Give somebody a seat, and return what the gm is told."""
    given = await answer(table, knocker, accept=True, **body)
    assert given.status_code == 200, given.text
    told: dict[str, Any] = given.json()
    return told
