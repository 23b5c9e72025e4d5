"""A stub of Foundry's server: it keeps a world, and tells everybody of every change, as the real one may do.

Settings of the world, users' flags, messages and combats go to all who are there; messages that are whispered, too,
which is the worst that the real one could do. A query goes to the one user whom it is for.
"""

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.responses import FileResponse
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from kit.waiting import until

STUB = Path(__file__).parent / "stub"
GM_ROLE = 4
PLAYERS_MAY = {"round", "turn"}  # change of a combat


class Denied(Exception):
    """A user asked for what users of that role may not do."""


@dataclass
class World:
    """What Foundry's server keeps, as JSON, by kind and id."""

    users: dict[str, dict[str, Any]]
    settings: dict[str, Any] = field(default_factory=dict)
    messages: dict[str, dict[str, Any]] = field(default_factory=dict)
    combats: dict[str, dict[str, Any]] = field(default_factory=dict)

    def text(self) -> str:
        """Return all of it."""
        return json.dumps([self.users, self.settings, self.messages, self.combats])


class Host:
    """Everyone's connections to a world."""

    def __init__(self, users: Mapping[str, str]) -> None:
        """Make a world; `users`: a name for each id, gms' ids begin with gm."""
        made = {
            user: {"_id": user, "name": name, "role": GM_ROLE if user.startswith("gm") else 1, "flags": {}}
            for user, name in users.items()
        }
        self.world = World(made)
        self.sockets: dict[WebSocket, str] = {}
        self.sent: dict[str, list[str]] = {user: [] for user in users}  # all that each user's browser was told
        self.written = 0  # messages, those that were taken away again among them
        self.asked: list[tuple[str, str, str]] = []  # queries: from whom, to whom, by which name
        self.url = ""
        self.flagging: list[str] = []  # users whose flags were to be changed
        self.takes_flags = asyncio.Event()  # until it is set, that waits
        self.takes_flags.set()

    async def serve(self, socket: WebSocket) -> None:
        """Serve one browser."""
        await socket.accept()
        user = socket.query_params["user"]
        self.sockets[socket] = user
        try:
            await self._send(
                socket, {"type": "world", "world": vars(self.world), "active": list(self.sockets.values())}
            )
            await self._tell({"type": "active", "active": list(self.sockets.values())})
            while True:
                await self._take(socket, user, json.loads(await socket.receive_text()))
        except WebSocketDisconnect:
            pass
        finally:
            del self.sockets[socket]
            await self._tell({"type": "active", "active": list(self.sockets.values())})

    async def _take(self, socket: WebSocket, user: str, asked: dict[str, Any]) -> None:
        try:
            answer = await {"query": self._query, "answer": self._answer, "emit": self._emit}.get(
                asked["op"], self._change
            )(user, asked)
            await self._send(socket, {"type": "reply", "n": asked["n"], "value": answer})
        except Denied as denied:
            await self._send(socket, {"type": "reply", "n": asked["n"], "error": str(denied)})

    async def _change(self, user: str, asked: dict[str, Any]) -> Any:
        changes: dict[str, Callable[[str, dict[str, Any]], Any]] = {
            "setting": self._set,
            "flags": self._set_flags,
            "message": self._write,
            "unwrite": self._unwrite,
            "combat": self._move,
        }
        if asked["op"] == "flags":
            self.flagging.append(asked["id"])
            await self.takes_flags.wait()
        value = changes[asked["op"]](user, asked)
        await self._tell({"type": asked["op"], "by": user, "asked": asked, "value": value})
        return value

    def _is_gm(self, user: str) -> bool:
        return bool(self.world.users[user]["role"] == GM_ROLE)

    def _set(self, user: str, asked: dict[str, Any]) -> Any:
        if not self._is_gm(user):
            raise Denied("only a gm changes settings of the world")
        self.world.settings[asked["key"]] = asked["value"]
        return asked["value"]

    def _set_flags(self, user: str, asked: dict[str, Any]) -> Any:
        if asked["id"] != user and not self._is_gm(user):
            raise Denied("these flags are another user's")
        self.world.users[asked["id"]]["flags"] = asked["flags"]
        return asked["flags"]

    def _write(self, user: str, asked: dict[str, Any]) -> Any:
        message = {**asked["message"], "_id": secrets.token_hex(8), "author": user}
        self.world.messages[message["_id"]] = message
        self.written += 1
        return message

    def _unwrite(self, user: str, asked: dict[str, Any]) -> Any:
        if asked["id"] not in self.world.messages:
            raise Denied("there is no such message any more")
        if self.world.messages[asked["id"]]["author"] != user and not self._is_gm(user):
            raise Denied("this message is another user's")
        del self.world.messages[asked["id"]]
        return asked["id"]

    def _move(self, user: str, asked: dict[str, Any]) -> Any:
        if not self._is_gm(user) and not set(asked["changes"]) <= PLAYERS_MAY:
            raise Denied("players change the round and the turn alone")
        combat = self.world.combats.setdefault(asked["id"], {"_id": asked["id"], "round": 0, "turn": 0, "flags": {}})
        for key, value in asked["changes"].items():
            combat[key] = {**combat["flags"], **value} if key == "flags" else value
        return combat

    async def _query(self, user: str, asked: dict[str, Any]) -> Any:
        self.asked.append((user, asked["to"], asked["name"]))
        there = [socket for socket, who in self.sockets.items() if who == asked["to"]]
        if not there:
            raise Denied("this user is not here")
        question = {"type": "query", "of": user, "n": asked["n"], "name": asked["name"], "data": asked["data"]}
        await self._send(there[-1], question)
        return None

    async def _emit(self, user: str, asked: dict[str, Any]) -> None:
        """Tell a module's message to all other browsers, without keeping anything."""
        for socket, who in list(self.sockets.items()):
            if who != user:
                await self._send(socket, {"type": "emit", "name": asked["name"], "data": asked["data"]})

    async def _answer(self, user: str, asked: dict[str, Any]) -> Any:
        for socket, who in list(self.sockets.items()):
            if who == asked["to"]:
                await self._send(socket, {"type": "answer", "n": asked["of"], "value": asked["value"]})
        return None

    async def _tell(self, frame: dict[str, Any]) -> None:
        for socket in list(self.sockets):
            await self._send(socket, frame)

    async def _send(self, socket: WebSocket, frame: dict[str, Any]) -> None:
        if socket not in self.sockets:  # it left while others were told
            return
        text = json.dumps(frame)
        self.sent[self.sockets[socket]].append(text)
        with suppress(WebSocketDisconnect, RuntimeError):  # it is leaving
            await socket.send_text(text)


class Stub:
    """Where worlds are hosted, one after the other."""

    def __init__(self, url: str = "") -> None:
        self.url = url
        self.host = Host({})

    def begin(self, users: Mapping[str, str]) -> Host:
        """Make a new world; whoever opens the page from now on is in it."""
        self.host = Host(users)
        self.host.url = self.url
        return self.host

    async def serve(self, socket: WebSocket) -> None:
        """Serve one browser in the world that it came into."""
        await self.host.serve(socket)


@asynccontextmanager
async def hosting(module: Path, handlebars: Path) -> AsyncIterator[Stub]:
    """Serve worlds with the module in this folder, for as long as the block lasts."""
    stub = Stub()
    routes = [
        Route("/game", lambda _: FileResponse(STUB / "game.html")),
        Route("/handlebars.js", lambda _: FileResponse(handlebars)),
        WebSocketRoute("/socket", stub.serve),
        Mount("/stub", StaticFiles(directory=STUB)),
        Mount("/modules/dreadclock", StaticFiles(directory=module)),
    ]
    config = uvicorn.Config(Starlette(routes=routes), port=0, log_config=None, ws="websockets-sansio", lifespan="off")
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server._serve())  # which leaves the signals of this process alone
    await until(lambda: server.started)
    stub.url = f"http://localhost:{server.servers[0].sockets[0].getsockname()[1]}"
    try:
        yield stub
    finally:
        server.should_exit = True
        await serving
