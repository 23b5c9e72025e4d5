"""Telling a gm who knocks: all who wait, each time that changes, on those of her connections that asked for it."""

import asyncio
from collections.abc import Set as AbstractSet

import structlog

from dreadclock.wire.frames import Knocks, WaitingKnock, frame_text
from dreadclock_server.gateway import knocks
from dreadclock_server.gateway.ws.connection import Connection
from dreadclock_server.gateway.ws.outbox import Frame
from dreadclock_server.rooms.live import LiveRoom, now_ms
from dreadclock_server.store.base import Store, StoreError

PAUSE_S = 0.1  # between two looks, in which changes are gathered
_log = structlog.get_logger()


class KnockTeller:
    """Tells the connections of a live room on this node."""

    def __init__(self, live: LiveRoom, store: Store, connections: AbstractSet[Connection]) -> None:
        self._live, self._store, self._connections = live, store, connections
        self._is_due = False
        self._telling: asyncio.Task[None] | None = None
        self._expiry: asyncio.TimerHandle | None = None

    def changed(self) -> None:
        """Look, soon, who knocks, and tell those who do not know yet."""
        if not self._listeners():
            return
        self._is_due = True
        if self._telling is None or self._telling.done():
            self._telling = asyncio.create_task(self._tell_soon())

    def _listeners(self) -> list[Connection]:
        return [connection for connection in self._connections if connection.hears_knocks and connection.hears]

    async def _tell_soon(self) -> None:
        while self._is_due:
            self._is_due = False
            try:
                rows = await self._store.knocks(self._live.id)
                self._tell(rows)
                await self._sweep(rows)
            except StoreError as error:
                _log.warning("not settled who knocks", room=self._live.id, error=str(error))
            except Exception:
                _log.exception("bug", room=self._live.id)
            await asyncio.sleep(PAUSE_S)

    def _tell(self, rows: dict[str, str]) -> None:
        waiting = knocks.waiting(rows, self._live.room.view.seats, now_ms())
        text = frame_text(Knocks(waiting=waiting))
        for connection in self._listeners():
            if connection.told_of_knocks != text:
                connection.told_of_knocks = text
                connection.send(Frame(text))
        self._look_at_expiry(waiting)

    async def _sweep(self, rows: dict[str, str]) -> None:
        """Delete what is over: nobody's name is kept longer than it is needed."""
        for knock, text in rows.items():
            if knocks.row_of(text, now_ms()) is None:
                await self._store.change_knock(self._live.id, knock, text, None)

    def _look_at_expiry(self, waiting: tuple[WaitingKnock, ...]) -> None:
        if self._expiry is not None:
            self._expiry.cancel()
        self._expiry = None
        if waiting:
            in_s = max(0, waiting[0].expires_at - now_ms()) / 1000
            self._expiry = asyncio.get_running_loop().call_later(in_s + PAUSE_S, self.changed)
