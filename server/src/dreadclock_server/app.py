"""The server put together: a store, live rooms, and the gateway around them."""

from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketClose

from dreadclock_server.gateway import http, operators
from dreadclock_server.gateway.hubs import Hubs
from dreadclock_server.gateway.socket import Gate, serve_connection
from dreadclock_server.rooms.register import Rooms
from dreadclock_server.settings import Settings
from dreadclock_server.store.base import Store

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class KnownHosts:
    """Answer only to the server's own names, so that no page elsewhere can reach it through a visitor."""

    def __init__(self, app: Any, names: tuple[str, ...]) -> None:
        self._app, self._names = app, frozenset(name.lower() for name in names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket") or self._is_known(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocketClose(1008)(scope, receive, send)
        else:
            await PlainTextResponse("This server does not go by that name.\n", 421)(scope, receive, send)

    def _is_known(self, scope: Scope) -> bool:
        hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        return len(hosts) == 1 and host_name(hosts[0]) in self._names


def host_name(header: str) -> str:
    """Return the name in a Host header, without port and brackets."""
    name, _, port = header.rpartition(":")
    if not name or not port.isdigit():
        name = header
    return name.removeprefix("[").removesuffix("]").lower()


@dataclass(frozen=True, slots=True)
class Application:
    """A server put together: `asgi` is what an ASGI server runs."""

    asgi: KnownHosts
    api: http.Api

    @property
    def rooms(self) -> Rooms:
        """The live rooms."""
        return self.api.rooms


def create_app(store: Store, settings: Settings) -> Application:
    """Put a server together around a store."""
    rooms = Rooms(store)
    hubs = Hubs(rooms)
    gate = Gate(rooms, hubs, settings.allowed_origins)
    api = http.Api(rooms, hubs, settings.operator_key, settings.public_url)

    async def websocket(socket: WebSocket) -> None:
        await serve_connection(socket, gate)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await rooms.start()
        hubs.start()
        yield
        await hubs.aclose()
        await rooms.aclose()

    routes = [*http.routes(api), *operators.routes(api), WebSocketRoute("/ws/{room}", websocket)]
    return Application(KnownHosts(Starlette(routes=routes, lifespan=lifespan), settings.allowed_hosts), api)
