"""OBS: switch scenes and fill text sources on events, over obs-websocket 5."""

import asyncio
import base64
import hashlib
import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_websocket
from websockets.exceptions import ConnectionClosed, WebSocketException

from dreadclock.client.room import Room
from dreadclock.narration import Narrator
from dreadclock.wire.records import Record
from dreadclock.wire.views import View
from dreadclock_server.tools.relay.calls import Backoff, Stopped
from dreadclock_server.tools.relay.moments import Moments
from dreadclock_server.tools.relay.settings import ObsSettings
from dreadclock_server.tools.relay.tasks import together

HELLO, IDENTIFY, IDENTIFIED, REQUEST, RESPONSE = 0, 1, 2, 6, 7
RPC_VERSION = 1
_NOT_LET_IN = 4009
_MOST_BYTES = 1024 * 1024  # bytes of a message
_log = logging.getLogger("dreadclock.relay")
# WARNING, because `websockets` logs whole messages at the level DEBUG.
_websocket_log = logging.getLogger("dreadclock.relay.websocket")
_websocket_log.setLevel(logging.WARNING)


class Unfit(Exception):
    """The server does not speak obs-websocket 5. The message says what the server did."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request to OBS. A later request for the same `thing` replaces an earlier one in the queue."""

    thing: str
    type: str
    data: dict[str, Any]


def proof_of(password: str, salt: str, challenge: str) -> str:
    """Return the authentication string for a password. `salt` and `challenge` come from OBS."""
    return _digest(_digest(password + salt) + challenge)


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


class Obs:
    """Sends the requests of the cues to an OBS. A cue says what OBS does at some types of events."""

    def __init__(self, name: str, settings: ObsSettings, password: str | None, narrator: Narrator) -> None:
        self._name, self._settings, self._password, self._narrator = name, settings, password, narrator
        self._numbers = count(1)
        self._time = asyncio.get_running_loop().time

    async def run(self, room: Room) -> None:
        """Carry out the cues until the room is closed.

        Raises Stopped if OBS does not accept the password, and ConnectionEnded when the room is closed.
        """
        moments = Moments(room, self._settings.channels, self._asked)
        await together(moments.listen(), self._drive(moments))

    def _asked(self, record: Record, after: View, before: View) -> tuple[Asked, ...] | None:
        """Return the requests of all cues for an event; None if there are none."""
        asked: list[Asked] = []
        for cue in self._settings.when:
            if record.event.type not in cue.events:
                continue
            if cue.source is not None:
                text = cue.text if cue.text is not None else self._narrator.told(record, after, before)
                data = {"inputName": cue.source, "inputSettings": {"text": text}, "overlay": True}
                asked.append(Asked(f"source {cue.source}", "SetInputSettings", data))
            if cue.scene is not None:
                asked.append(Asked("scene", "SetCurrentProgramScene", {"sceneName": cue.scene}))
        return tuple(asked) or None

    async def _drive(self, moments: Moments[tuple[Asked, ...]]) -> None:
        """Send requests. The connection is opened for the first request, and opened again when it is lost."""
        backoff, waiting = Backoff(longest_s=10.0), dict[str, tuple[float, Asked]]()
        while True:
            if not waiting:
                await self._gather(moments, waiting)
            try:
                async with self._connected() as socket:
                    backoff.failures = 0
                    while True:
                        await self._ask_all(socket, waiting)
                        await self._gather(moments, waiting)
            except (OSError, WebSocketException, TimeoutError, Unfit) as error:
                wait_s = backoff.next_s()
                _log.warning("%s: OBS is out of reach (%s); the next try is in %.0f s", self._name, _why(error), wait_s)
                await asyncio.sleep(wait_s)
                self._forget(waiting)

    async def _gather(self, moments: Moments[tuple[Asked, ...]], waiting: dict[str, tuple[float, Asked]]) -> None:
        """Wait for requests. The last request for a thing replaces earlier requests for the same thing."""
        while True:
            fresh_until, asked = await moments.next()
            waiting.update({request.thing: (fresh_until, request) for request in asked})
            if not moments.has_more():
                return

    def _forget(self, waiting: dict[str, tuple[float, Asked]]) -> None:
        for thing, (fresh_until, _) in list(waiting.items()):
            if self._time() > fresh_until:
                del waiting[thing]

    async def _ask_all(self, socket: ClientConnection, waiting: dict[str, tuple[float, Asked]]) -> None:
        for thing, (_, asked) in list(waiting.items()):
            await self._ask(socket, asked)
            del waiting[thing]

    async def _ask(self, socket: ClientConnection, asked: Asked) -> None:
        """Send a request. Log a warning if OBS refuses it."""
        number = str(next(self._numbers))
        await _send(socket, REQUEST, {"requestType": asked.type, "requestId": number, "requestData": asked.data})
        async with asyncio.timeout(self._settings.timeout_s):
            while True:
                op, said = await _received(socket)
                if op == RESPONSE and said.get("requestId") == number:
                    break
        status = said.get("requestStatus")
        if not isinstance(status, dict) or status.get("result") is not True:
            code = status.get("code") if isinstance(status, dict) else None
            _log.error(
                "%s: OBS did not do %s (code %s): is there such a %s?", self._name, asked.type, code, asked.thing
            )

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[ClientConnection]:
        """Connect and authenticate.

        Raises Stopped if the password is missing or wrong, and Unfit if this is no obs-websocket 5.
        """
        timeout_s = self._settings.timeout_s
        async with open_websocket(
            self._settings.url,
            compression=None,
            max_size=_MOST_BYTES,
            open_timeout=timeout_s,
            close_timeout=2,
            proxy=None,
            subprotocols=["obswebsocket.json"],  # type: ignore[list-item]
            logger=_websocket_log,
        ) as socket:
            try:
                async with asyncio.timeout(timeout_s):
                    await self._identify(socket)
            except ConnectionClosed as closed:
                if closed.rcvd is not None and closed.rcvd.code == _NOT_LET_IN:
                    raise Stopped("OBS does not take its password") from None
                raise
            yield socket

    async def _identify(self, socket: ClientConnection) -> None:
        op, hello = await _received(socket)
        if op != HELLO:
            raise Unfit("it did not say hello")
        asked = hello.get("authentication")
        proof = {}
        if isinstance(asked, dict):
            if self._password is None:
                raise Stopped("OBS asks for a password, and the settings name none")
            proof = {"authentication": proof_of(self._password, str(asked.get("salt")), str(asked.get("challenge")))}
        await _send(socket, IDENTIFY, {"rpcVersion": RPC_VERSION, "eventSubscriptions": 0, **proof})
        op, _ = await _received(socket)
        if op != IDENTIFIED:
            raise Unfit("it refused the relay's login")


async def _send(socket: ClientConnection, op: int, data: dict[str, Any]) -> None:
    await socket.send(json.dumps({"op": op, "d": data}, ensure_ascii=False))


async def _received(socket: ClientConnection) -> tuple[int, dict[str, Any]]:
    """Receive a message: its op code and its data. Raises Unfit if it is malformed."""
    try:
        message = json.loads(await socket.recv())
    except (ValueError, RecursionError):
        raise Unfit("it sent something that is no JSON") from None
    if not isinstance(message, dict) or not isinstance(message.get("d"), dict):
        raise Unfit("it sent a message of another protocol")
    return message.get("op", -1), message["d"]


def _why(error: Exception) -> str:
    return str(error) if isinstance(error, Unfit) else type(error).__name__
