"""People at a table on a real server, of whom every byte that they are sent is kept."""

import json
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection

from dreadclock.wire.fold import fold
from dreadclock.wire.records import Record
from dreadclock.wire.views import View
from kit.links.relays import Relay, listening
from kit.raw import Frame, RawClient, parsed, raw_client
from kit.rooms import Table, open_table
from kit.server import Server

_ELSEWHERE = ("ben", "eve", "timer")
_NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
_SHORT = httpx.Limits(keepalive_expiry=2.0)  # the server closes an idle connection after 5 s
OUTSIDERS = ("ann", "ben", "eve", "bot", "timer")  # who see no secrets: players, a spectator, integrations


class Person:
    """Somebody at a table; all that the server sends her, by websocket and REST, is in `tap`."""

    channels = frozenset(("public",))

    def __init__(self, table: Table, name: str, tap: Relay) -> None:
        self.table, self.name, self.tap = table, name, tap
        bearer = {"Authorization": f"Bearer {table.token(name)}"}
        self.http = httpx.AsyncClient(base_url=tap.url, headers=bearer, verify=_NO_TLS, timeout=20.0, limits=_SHORT)
        self.seat = table.seat(name)
        self.frames: list[str] = []  # of all her connections
        self.public = 0  # the seq up to which she has heard the public channel
        self.told = 0  # the public seq that the latest reply to her named
        self._client: RawClient | None = None
        self._stack, self._sockets = AsyncExitStack(), list[ClientConnection]()
        self._read = 0

    @property
    def is_here(self) -> bool:
        """Whether she is connected."""
        return self._client is not None

    @property
    def client(self) -> RawClient:
        """Her connection."""
        assert self._client is not None
        return self._client

    @property
    def url(self) -> str:
        """Where the room's websocket is, by way of her tap."""
        return self.tap.url.replace("http:", "ws:") + f"/ws/{self.table.id}"

    async def connect(self, **hello: object) -> Frame:
        """Open the websocket and be welcomed."""
        self._client = await self._stack.enter_async_context(raw_client(self.url))
        self._sockets.append(self._client.socket)
        self._read = 0
        welcome = await self._client.hello(self.table.token(self.name), **hello)
        if "view" not in welcome:  # what she missed follows, or a reset does
            known: Any = hello["positions"]
            self.public = known["public"]["seq"] if welcome["resumed"] else -1
        await self.hear_to(welcome["positions"]["public"]["seq"])
        return welcome

    async def thrown_out(self) -> int:
        """Wait until the server closes the websocket, and return its close code."""
        code, _ = await self.client.ended()
        await self.leave()
        return code

    async def cut(self) -> None:
        """Cut all connections, whatever state they are in."""
        for socket in self._sockets:
            socket.transport.abort()
        await self._stack.aclose()
        await self.http.aclose()

    async def leave(self) -> None:
        """Close the websocket."""
        if self._client is not None:
            self.take_in()
            await self._stack.aclose()
            self._client = None

    def take_in(self) -> list[Frame]:
        """Look at the frames that have arrived since last asked."""
        texts = self.client.frames[self._read :]
        self._read += len(texts)
        self.frames += texts
        frames = [parsed(text) for text in texts]
        for frame in frames:
            self.heard(frame)
        return frames

    def see_channels(self, *named: Mapping[str, object]) -> None:
        """See that she is told of no channel but her own."""
        assert {channel for each in named for channel in each} <= self.channels, f"{self.name} was told of {named}"

    def heard(self, frame: Frame) -> None:
        """Take in one frame."""
        self.see_channels(frame.get("positions", {}), frame.get("heads", {}))
        if "view" in frame:
            self.public = frame["positions"]["public"]["seq"]
        elif frame["type"] == "events":
            self.public = frame["heads"].get("public", {"seq": self.public})["seq"]

    async def hear_to(self, seq: int) -> None:
        """Read on until the public channel was heard up to a number."""
        self.take_in()
        while self.public < seq:
            await self.client.next()
            self.take_in()

    async def do(self, command: Mapping[str, object], *, rest: bool = False, key: str | None = None) -> Frame:
        """Give a command by websocket or REST, and return its final reply."""
        if rest:
            headers = {"Idempotency-Key": key} if key else {}
            answer = await self.http.post(self.table.path("/commands"), content=json.dumps(command), headers=headers)
            reply: Frame = answer.json()
        else:
            reply = await self.client.do(command)
            self.take_in()
        self.told = reply.get("positions", {}).get("public", self.told)
        self.see_channels(reply.get("positions", {}), reply.get("events", {}))
        return reply


class Keeper(Person):
    """The gm, who sees everything."""

    channels = frozenset(("public", "gm"))

    def __init__(self, table: Table, name: str, tap: Relay) -> None:
        super().__init__(table, name, tap)
        self.records: list[Record] = []
        self.view = View(channels={})
        self.secret = 0  # the seq up to which she has heard the gm channel
        self.told_secret = 0

    def heard(self, frame: Frame) -> None:
        super().heard(frame)
        if frame["type"] == "welcome":
            self.secret = frame["positions"]["gm"]["seq"]
            self.view = View.model_validate_json(json.dumps(frame["view"]))
        elif frame["type"] == "events":
            self.secret = frame["heads"].get("gm", {"seq": self.secret})["seq"]
            for each in frame["records"]:
                record = Record.model_validate_json(json.dumps(each))
                self.records.append(record)
                self.view = fold(self.view, record)

    async def do(self, command: Mapping[str, object], *, rest: bool = False, key: str | None = None) -> Frame:
        reply = await super().do(command, rest=rest, key=key)
        self.told_secret = reply.get("positions", {}).get("gm", self.told_secret)
        while self.secret < self.told_secret:
            await self.client.next()
            self.take_in()
        return reply


class Company:
    """Everyone at a table."""

    def __init__(self, table: Table, gm: Keeper, outsiders: dict[str, Person]) -> None:
        self.table, self.gm, self.outsiders = table, gm, outsiders

    @property
    def everyone(self) -> list[Person]:
        """All of them, the gm first."""
        return [self.gm, *self.outsiders.values()]

    def person(self, name: str) -> Person:
        """Find somebody."""
        return self.gm if name == "gm" else self.outsiders[name]

    def sent(self) -> dict[str, int]:
        """Count the bytes that each outsider has been sent."""
        return {name: len(each.tap.bytes) for name, each in self.outsiders.items()}

    async def settle(self) -> None:
        """Return once everyone has heard what the commands so far brought about."""
        seq = max(each.told for each in self.everyone)
        for each in self.everyone:
            if each.is_here:
                await each.hear_to(seq)

    async def close(self) -> None:
        """Let everyone go, however the evening ended."""
        for each in self.everyone:
            await each.cut()


@asynccontextmanager
async def gathered(
    server: Server, other: Server | None = None, policy: Mapping[str, object] | None = None
) -> AsyncIterator[Company]:
    """Open a room with everyone connected, each through a tap of her own; some to the `other` node, if there is one."""
    table = await open_table(server)
    await table.invite("bot", "integration")
    await table.invite("timer", "integration", scopes=["turns"])
    async with AsyncExitStack() as stack:
        ports = {name: (other or server if name in _ELSEWHERE else server).port for name in ("gm", *OUTSIDERS)}
        taps = {name: await stack.enter_async_context(listening(Relay(port))) for name, port in ports.items()}
        gm = Keeper(table, "gm", taps["gm"])
        company = Company(table, gm, {name: Person(table, name, taps[name]) for name in OUTSIDERS})
        try:
            for each in company.everyone:
                await each.connect()
            if policy:
                await gm.do({"type": "set_policy", **policy})
                await company.settle()
            yield company
        finally:
            await company.close()
