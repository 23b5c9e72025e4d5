"""A guarded uvicorn in this process, around any application."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import uvicorn

from dreadclock_server.gateway.limits.caps import Caps
from dreadclock_server.gateway.uvicorn.http_protocol import ServerConfig
from dreadclock_server.gateway.uvicorn.websocket_protocol import WebSocketProtocol
from kit.servers.in_process import QuickServer, listening_socket
from kit.waiting import until

_CAPS = Caps()


@dataclass
class Guarded:
    """A running server."""

    port: int
    server: uvicorn.Server

    @property
    def sockets(self) -> list[WebSocketProtocol]:
        """The websockets that are open."""
        return [each for each in self.server.server_state.connections if isinstance(each, WebSocketProtocol)]

    @property
    def connections(self) -> int:
        """How many connections of any kind are open."""
        return len(self.server.server_state.connections)


@asynccontextmanager
async def guarded(
    app: Any,
    caps: Caps = _CAPS,
    *,
    within_s: float = 10.0,
    ends_in_s: float = 5.0,
    taken_s: float = 10.0,
    as_ipv6: bool = False,
    **more: Any,
) -> AsyncIterator[Guarded]:
    """Serve an application; a request has `within_s`, a close `ends_in_s`, each part of an answer `taken_s`.

    `as_ipv6`: on a socket of IPv6, that knows 127.0.0.1 as ::ffff:127.0.0.1.
    """
    config = ServerConfig(app, caps, lifespan="off", log_config=None, access_log=False, **more)
    config.request_within_s, config.taken_within_s = within_s, taken_s
    config.load()

    class Impatient(WebSocketProtocol):
        close_within_s = ends_in_s

    config.ws_protocol_class = Impatient
    server = QuickServer(config)
    address = ("::ffff:127.0.0.1", socket.AF_INET6) if as_ipv6 else ("127.0.0.1", socket.AF_INET)
    with listening_socket(*address) as listener:
        serving = asyncio.create_task(server._serve([listener]))
        await until(lambda: server.started)
        try:
            yield Guarded(listener.getsockname()[1], server)
        finally:
            server.should_exit = server.force_exit = True
            await serving
