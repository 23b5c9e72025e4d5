"""A server in this process, whose parts a test can look at, on the Valkey of another one."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import cast

import uvicorn

from dreadclock_server.app import Application, create_app
from dreadclock_server.serving import config_for
from dreadclock_server.settings.table import Settings
from dreadclock_server.store.base import Store
from dreadclock_server.store.preflight import connect
from dreadclock_server.store.valkey import ValkeyStore
from kit.server import Server
from kit.waiting import until


class QuickServer(uvicorn.Server):
    """uvicorn's server, which ends as soon as it is told to: its own looks ten times a second."""

    async def main_loop(self) -> None:
        """Return once it shall end."""
        await self.on_tick(0)
        while not self.should_exit:  # noqa: ASYNC110 - uvicorn has no event for it
            await asyncio.sleep(0.005)


@asynccontextmanager
async def in_process(
    server: Server, settings: Settings, over: Callable[[ValkeyStore], object] = lambda store: store
) -> AsyncIterator[tuple[Application, Server]]:
    """Serve as `dreadclock serve` does, for as long as the block lasts; `over` makes what stands for the store."""
    store = await connect(server.store_url)
    app = create_app(cast(Store, over(store)), settings)
    serving = QuickServer(config_for(app.asgi, settings))
    with listening_socket() as listener:
        task = asyncio.create_task(serving._serve([listener]))
        await until(lambda: serving.started)
        here = Server(server.data)
        here.port = listener.getsockname()[1]
        here.url = f"http://127.0.0.1:{here.port}"
        try:
            yield app, here
        finally:  # of a test that fails, too: the next one would find it in its way
            serving.should_exit = True
            await task
            await store.aclose()


def listening_socket(host: str = "127.0.0.1", family: socket.AddressFamily = socket.AF_INET) -> socket.socket:
    """Return a socket that listens at a free port, one of IPv6 for IPv4 as well.

    asyncio sets TCP_NODELAY only where the socket names its protocol. Without that, replies wait 40 ms for an ACK.
    """
    listener = socket.socket(family, proto=socket.IPPROTO_TCP)
    if family == socket.AF_INET6:
        listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
    listener.bind((host, 0))
    listener.listen()
    return listener
