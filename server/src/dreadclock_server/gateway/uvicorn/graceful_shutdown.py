"""Ending in order: nobody new, everything taken is done and answered, and everybody is told when to come back."""

import asyncio
import signal
import socket
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any

import structlog
import uvicorn

from dreadclock_server.gateway.health import Pulse
from dreadclock_server.gateway.uvicorn.http_protocol import GuardedHttp
from dreadclock_server.gateway.uvicorn.websocket_protocol import GuardedWebSocket
from dreadclock_server.gateway.ws.hubs import Hubs

FAREWELL_S = 2.0  # for clients to take the close frame
_LOOK_AGAIN_S = 0.02
_SLACK_S = 1.0
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Leave:
    """What there is to take leave of, and how long that may take."""

    pulse: Pulse
    hubs: Hubs
    notice_s: float  # before anybody is sent away
    drain_s: float  # after it, for what is under way


class LeavingServer(uvicorn.Server):
    """uvicorn, which tells when it is ready, and on a signal takes its leave; a second signal cuts that short."""

    def __init__(self, config: uvicorn.Config, leave: Leave, on_ready: Callable[[], Awaitable[None]]) -> None:
        super().__init__(config)
        self._leave, self._on_ready = leave, on_ready
        self._until = 0.0  # monotonic: when patience ends

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start up, then tell."""
        await super().startup(sockets)
        if self.started:
            await self._on_ready()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on SIGINT and SIGTERM. uvicorn's own raises them again afterwards, before the store is closed."""
        before = {each: signal.signal(each, self.handle_exit) for each in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Take leave; if that is under way already, end at once."""
        self.force_exit = self.should_exit
        self.should_exit = True
        self._leave.pulse.is_leaving = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take leave, and end."""
        self._leave.pulse.is_leaving = True
        _log.info("leaving")
        self._until = time.monotonic() + self._leave.notice_s + _SLACK_S
        await self._patiently(asyncio.sleep(self._leave.notice_s))
        self._until = time.monotonic() + self._leave.drain_s
        self._take_nobody_new(sockets or [])
        await self._patiently(self._leave.hubs.send_away())
        await self._patiently(self._farewell())
        self.config.timeout_graceful_shutdown = max(1, round(self._until - time.monotonic()))
        await super().shutdown(sockets)
        if self.force_exit:
            await self.lifespan.shutdown()  # which uvicorn leaves out then; it does not take long
        _log.info("left")

    def _take_nobody_new(self, sockets: list[socket.socket]) -> None:
        """Close the door, and each plain connection after the answer that it waits for."""
        for server in self.servers:
            server.close()
        for each in sockets:
            each.close()
        for connection in list(self.server_state.connections):
            if isinstance(connection, GuardedHttp):
                connection.shutdown()

    async def _farewell(self) -> None:
        """Return once everybody has taken the close frame: closing with something unread would make it a reset."""
        for _ in range(round(FAREWELL_S / _LOOK_AGAIN_S)):
            if not any(isinstance(each, GuardedWebSocket) for each in self.server_state.connections):
                return
            await asyncio.sleep(_LOOK_AGAIN_S)

    async def _patiently(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something to its end, unless patience ends before it."""
        task = asyncio.ensure_future(work)
        await asyncio.wait({task}, timeout=_LOOK_AGAIN_S)  # it begins, however little patience there is
        while not task.done() and not self.force_exit and time.monotonic() < self._until:
            await asyncio.wait({task}, timeout=_LOOK_AGAIN_S)
        if not task.done():
            _log.warning("ending before all is done", because="told twice" if self.force_exit else "out of time")
            task.cancel()
        for outcome in await asyncio.gather(task, return_exceptions=True):
            if isinstance(outcome, Exception):
                _log.error("bug", where="leaving", exc_info=outcome)
