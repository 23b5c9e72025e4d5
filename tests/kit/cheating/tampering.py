"""A server that cheats: what stands between a client and an honest one, and changes frames on their way."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_websocket
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from kit.server import Server

Change = Callable[[dict[str, Any]], dict[str, Any] | None]


def unchanged(frame: dict[str, Any]) -> dict[str, Any]:
    return frame


class Tamperer:
    """Listens under `url`. Frames of one JSON object go through `to_server` and `to_client`; None swallows one.

    `sent` keeps the commands as the clients sent them, each as the text of its frame.
    """

    def __init__(self, server: Server) -> None:
        self.url = ""
        self.to_server: Change = unchanged
        self.to_client: Change = unchanged
        self.sent: list[str] = []
        self._server = server
        self._connections: set[ServerConnection] = set()

    def cut(self) -> None:
        """Cut all connections without a word."""
        for connection in self._connections:
            connection.transport.abort()

    async def serve(self, client: ServerConnection) -> None:
        """Pass one connection on until either side closes it."""
        assert client.request is not None
        address = f"{self._server.url.replace('http', 'ws', 1)}{client.request.path}"
        async with open_websocket(address, compression=None, max_size=None) as server:
            self._connections.add(client)
            passing = [
                asyncio.create_task(self._pass(client, server, "to_server")),
                asyncio.create_task(self._pass(server, client, "to_client")),
            ]
            await asyncio.wait(passing, return_when=asyncio.FIRST_COMPLETED)
            for each in passing:
                each.cancel()
            await asyncio.gather(*passing, return_exceptions=True)
            self._connections.discard(client)

    async def _pass(
        self, source: ServerConnection | ClientConnection, target: ServerConnection | ClientConnection, way: str
    ) -> None:
        try:
            async for text in source:
                changed = self._changed(str(text), way)
                if changed is not None:
                    await target.send(changed)
        except ConnectionClosed:
            return

    def _changed(self, text: str, way: str) -> str | None:
        if text.startswith('{"heads"'):
            return text  # events, which hold together by their hashes
        frame = json.loads(text)
        if frame["type"] == "command":
            self.sent.append(text)
        changed = getattr(self, way)(frame)
        return text if changed is frame else changed and json.dumps(changed)


@asynccontextmanager
async def tampering(server: Server) -> AsyncIterator[Tamperer]:
    """Put a tamperer before a server."""
    one = Tamperer(server)
    async with serve(one.serve, "127.0.0.1", 0, compression=None, close_timeout=1) as listening:
        one.url = f"http://127.0.0.1:{next(iter(listening.sockets)).getsockname()[1]}"
        yield one
