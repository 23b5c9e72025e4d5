"""An OBS that speaks obs-websocket 5: greets, asks for its password, and does what it is asked."""

import base64
import hashlib
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

SALT, CHALLENGE = "lM1GncleQOaCu9lT1yeUZhFYnqhsLLP1G5lAGo3ixaI=", "+IxH4CnCiqpX1rM9scsNynZzbOe4KhDeYcTNS3PDaeY="


class StubObs:
    """`asked` are the requests that it got; it has these `scenes` and `sources`."""

    def __init__(self, password: str | None = None) -> None:
        self.password = password
        self.scenes, self.sources = {"Doom", "Table"}, {"Last roll"}
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.hellos = 0
        self.url = ""
        self._connections: set[ServerConnection] = set()

    @asynccontextmanager
    async def listening(self, port: int = 0) -> AsyncIterator["StubObs"]:
        """Listen for as long as the block lasts."""
        async with serve(self._serve, "127.0.0.1", port, subprotocols=["obswebsocket.json"]) as server:  # type: ignore[list-item]
            self.url = f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"
            yield self

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.url.rpartition(":")[2])

    def cut(self) -> None:
        """Cut all connections."""
        for connection in self._connections:
            connection.transport.abort()

    async def _serve(self, connection: ServerConnection) -> None:
        self.hellos += 1
        self._connections.add(connection)
        try:
            await self._converse(connection)
        except ConnectionClosed:
            pass
        finally:
            self._connections.discard(connection)

    async def _converse(self, connection: ServerConnection) -> None:
        hello: dict[str, Any] = {"obsWebSocketVersion": "5.5.0", "rpcVersion": 1}
        if self.password is not None:
            hello["authentication"] = {"challenge": CHALLENGE, "salt": SALT}
        await connection.send(json.dumps({"op": 0, "d": hello}))
        identify = json.loads(await connection.recv())
        assert (identify["op"], identify["d"]["rpcVersion"]) == (1, 1)
        if self.password is not None and identify["d"].get("authentication") != _proof(self.password):
            await connection.close(4009, "Authentication failed.")
            return
        await connection.send(json.dumps({"op": 2, "d": {"negotiatedRpcVersion": 1}}))
        async for text in connection:
            await self._do(connection, json.loads(text))

    async def _do(self, connection: ServerConnection, message: dict[str, Any]) -> None:
        assert message["op"] == 6
        asked = message["d"]
        data = asked["requestData"]
        self.asked.append((asked["requestType"], data))
        known = data.get("sceneName") in self.scenes or data.get("inputName") in self.sources
        status = {"result": known, "code": 100 if known else 600}
        await connection.send(json.dumps({"op": 5, "d": {"eventType": "CurrentProgramSceneChanged"}}))
        done = {"requestType": asked["requestType"], "requestId": asked["requestId"], "requestStatus": status}
        await connection.send(json.dumps({"op": 7, "d": done}))


def _proof(password: str) -> str:
    """Work out the answer from the protocol's words: base64(sha256(base64(sha256(password + salt)) + challenge))."""
    secret = base64.b64encode(hashlib.sha256((password + SALT).encode()).digest())
    return base64.b64encode(hashlib.sha256(secret + CHALLENGE.encode()).digest()).decode()
