"""The listener for the announcements of other servers.

It notices when its connection is lost. After a reconnect, it reports that announcements may have been lost.
"""

import asyncio
import logging
import random
from collections.abc import Callable
from typing import Any

from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError

from dreadclock_server.store.keys import channel, room_of

_SILENCE_S = 2.0
_START_S = 4.0
_FIRST_PAUSE_S = 0.05
_LONGEST_PAUSE_S = 4.0

_log = logging.getLogger(__name__)


class ValkeyListener:
    """Receives announcements by pub/sub; a `Listener` (see base.py).

    A single task reads from the connection. Callers of `watch` and `unwatch` write to it.
    """

    def __init__(
        self,
        make_connection: Callable[[], AbstractConnection],
        on_message: Callable[[str, bytes], None],
        on_gap: Callable[[], None],
        *,
        silence_s: float = _SILENCE_S,
        start_s: float = _START_S,
    ) -> None:
        """`make_connection`: called for each connection, in the task that `start` creates.

        `silence_s`: after this time without a message, the listener pings the server, and waits as long again
        for the answer. `start_s`: how long `start` waits for the first connection.
        """
        self._make_connection = make_connection
        self._on_message = on_message
        self._on_gap = on_gap
        self._silence_s = silence_s
        self._start_s = start_s
        self._rooms: set[str] = set()
        self._confirmations: dict[str, asyncio.Future[None]] = {}
        self._missed: set[str] = set()  # after a reconnect: rooms whose new subscription is not confirmed yet
        self._connection: AbstractConnection | None = None
        self._connected = asyncio.Event()
        self._is_lost = False  # whether the loss of the connection was logged; each outage is logged once
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._task = asyncio.create_task(self._stay_connected())
        try:
            async with asyncio.timeout(self._start_s):
                await self._connected.wait()
        except TimeoutError:
            self._note_lost("the store does not answer")

    async def watch(self, room: str) -> None:
        if room not in self._rooms:
            self._rooms.add(room)
            self._confirmations[room] = asyncio.get_running_loop().create_future()
            await self._send("SUBSCRIBE", channel(room))
        confirmation = self._confirmations.get(room)
        if confirmation is not None and self._connection is not None:
            await asyncio.wait({confirmation})

    async def unwatch(self, room: str) -> None:
        if room in self._rooms:
            self._rooms.discard(room)
            self._settle(room)
            self._confirm(room)
            await self._send("UNSUBSCRIBE", channel(room))

    def hears(self, room: str) -> bool:
        """Return whether the server has confirmed the subscription of a room on this connection."""
        is_subscribed = room in self._rooms and room not in self._confirmations and room not in self._missed
        return is_subscribed and self._connection is not None

    async def aclose(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    async def _send(self, *command: str) -> None:
        """Send a command if there is a connection. Ignores errors: the reading task notices a broken connection."""
        connection = self._connection
        if connection is None or not connection.is_connected:
            return
        try:
            await connection.send_command(*command, check_health=False)
        except (RedisError, OSError) as error:
            _log.debug("the connection for announcements of other servers broke: %s", error)

    async def _stay_connected(self) -> None:
        clock = asyncio.get_running_loop().time
        pause_s = _FIRST_PAUSE_S
        while True:
            began = clock()
            try:
                await self._hear()
            except (RedisError, OSError) as error:
                self._note_lost(error)
            except Exception:
                _log.exception("announcements of other servers are not received: a bug")
            if clock() - began > _LONGEST_PAUSE_S:
                pause_s = _FIRST_PAUSE_S
            await asyncio.sleep(pause_s * random.uniform(0.5, 1.5))
            pause_s = min(pause_s * 2, _LONGEST_PAUSE_S)

    def _note_lost(self, why: object) -> None:
        if not self._is_lost:
            self._is_lost = True
            _log.warning("announcements of other servers are not received: %s", why)

    def _note_heard(self) -> None:
        if self._is_lost:
            self._is_lost = False
            _log.info("announcements of other servers are received again")

    async def _hear(self) -> None:
        """Connect, subscribe to all rooms again, and handle messages until the connection is lost."""
        connection: Any = self._make_connection()
        try:
            await connection.connect()
            self._connection = connection
            self._missed = set(self._rooms)
            if self._rooms:
                await self._send("SUBSCRIBE", *(channel(room) for room in self._rooms))
            self._connected.set()
            while True:
                for message in await self._next(connection):
                    self._take(message)
                self._note_heard()
        finally:
            self._connection = None
            for room in tuple(self._confirmations):
                self._settle(room)
            await connection.disconnect(nowait=True)

    async def _next(self, connection: Any) -> list[Any]:
        messages: list[Any] = await connection.read_burst(self._silence_s)
        if not messages and connection.is_connected:
            await connection.send_command("PING", check_health=False)
            messages = await connection.read_burst(self._silence_s)
        if not messages:
            raise RedisConnectionError("the store is silent")
        return messages

    def _take(self, message: Any) -> None:
        if isinstance(message, RedisError):
            raise message
        kind = message[0]
        if kind == b"message":
            self._call(self._on_message, room_of(message[1].decode()), message[2])
        elif kind == b"subscribe":
            room = room_of(message[1].decode())
            self._settle(room)
            self._confirm(room)

    def _confirm(self, room: str) -> None:
        """Remove a room from `_missed`: it is subscribed again after a reconnect, or no longer watched.

        Calls `on_gap` when no room is left in `_missed`.
        """
        if room in self._missed:
            self._missed.discard(room)
            if not self._missed:
                self._call(self._on_gap)

    def _settle(self, room: str) -> None:
        confirmation = self._confirmations.pop(room, None)
        if confirmation is not None and not confirmation.done():
            confirmation.set_result(None)

    def _call(self, callback: Callable[..., None], *arguments: Any) -> None:
        try:
            callback(*arguments)
        except Exception:
            _log.exception("a listener's callback failed")
