"""Rooms on a running server, opened and entered without the SDK."""

import hashlib
import ssl
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from typing import Any

import httpx

from dreadclock.wire.records import room_bytes
from kit.raw import RawClient, raw_client
from kit.server import Server

if find_spec("sniffio") is None:  # httpcore would look for it along the whole path, five times for each call
    sys.modules["sniffio"] = None  # type: ignore[assignment]


@cache
def _no_tls() -> ssl.SSLContext:
    """Spare every client the reading of certificates that nobody asks for."""
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def http_client(server: Server, token: str | None = None) -> httpx.AsyncClient:
    """Make a client for a server's REST calls, with a token's authority or without."""
    headers = {"Authorization": f"Bearer {token}"} if token is not None else {}
    return httpx.AsyncClient(base_url=server.url, headers=headers, verify=_no_tls(), timeout=20.0)


@dataclass
class Table:
    """A room with a gm, two players (ann and ben) and a spectator (eve)."""

    server: Server
    id: str
    title: str
    grants: dict[str, dict[str, str]]  # by name

    def token(self, name: str) -> str:
        """Give somebody's token."""
        return self.grants[name]["token"]

    def seat(self, name: str) -> str:
        """Give somebody's seat."""
        return self.grants[name]["seat_id"]

    def http(self, name: str, server: Server | None = None) -> httpx.AsyncClient:
        """Make a REST client with somebody's authority."""
        return http_client(server or self.server, self.token(name))

    def at(self, server: Server) -> "Table":
        """Give the same room as another server shows it."""
        return replace(self, server=server)

    def path(self, rest: str = "") -> str:
        """Give the address of a REST call about the room."""
        return f"/api/rooms/{self.id}{rest}"

    @asynccontextmanager
    async def unwelcomed(self, server: Server | None = None, **more: Any) -> AsyncIterator[RawClient]:
        """Open the room's websocket, without a hello."""
        async with raw_client((server or self.server).websocket_url + self.id, **more) as client:
            yield client

    @asynccontextmanager
    async def connected(self, name: str, server: Server | None = None, **hello: object) -> AsyncIterator[RawClient]:
        """Open the room's websocket as somebody, and be welcomed."""
        async with self.unwelcomed(server) as client:
            await client.hello(self.token(name), **hello)
            yield client

    async def log(self, name: str = "gm", **after: int) -> list[str]:
        """Give the room's records as somebody sees them, in their canonical texts."""
        async with self.http(name) as http:
            answer = await http.get(self.path("/log"), params=after)
        assert answer.status_code == 200, answer.text
        return answer.text.splitlines()

    async def view(self, name: str = "gm", server: Server | None = None) -> dict[str, Any]:
        """Give the room's view as somebody sees it."""
        async with self.http(name, server) as http:
            answer = await http.get(self.path())
        assert answer.status_code == 200, answer.text
        view: dict[str, Any] = answer.json()
        return view

    async def invite(self, name: str, role: str, by: httpx.AsyncClient | None = None, **more: object) -> dict[str, str]:
        """Make a token and note it under a name; `by` is a client with the gm's authority, if there is one already."""
        async with nullcontext(by) if by else self.http("gm") as http:
            answer = await http.post(self.path("/invites"), json={"role": role, "name": name.title(), **more})
        assert answer.status_code == 201, answer.text
        self.grants[name] = answer.json()
        return self.grants[name]


async def open_table(
    server: Server, title: str = "The Sunken Chapel", operator_key: str | None = None, **policy: str
) -> Table:
    """Open a room with its four seats, over one connection: most tests begin with this."""
    async with http_client(server, operator_key) as http:
        answer = await http.post("/api/rooms", json={"title": title, "policy": policy} if policy else {"title": title})
        assert answer.status_code == 201, answer.text
        table = Table(server, answer.json()["room_id"], title, {"gm": answer.json()["gm"]})
        http.headers["Authorization"] = f"Bearer {table.token('gm')}"
        for name, role in (("ann", "player"), ("ben", "player"), ("eve", "spectator")):
            await table.invite(name, role, http)
    return table


def chained(room_id: str, log_id: str, channel: str, texts: Sequence[str]) -> str:
    """Work out a channel's head from its records, from nothing but the protocol's two formulas."""
    head = hashlib.sha256(b"log1/open\0" + room_bytes(room_id) + bytes.fromhex(log_id) + channel.encode()).digest()
    for text in texts:
        body = text.encode()
        head = hashlib.sha256(b"log1/record\0" + head + len(body).to_bytes(4, "big") + body).digest()
    return head.hex()
