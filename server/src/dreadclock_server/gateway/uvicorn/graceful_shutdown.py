"""Graceful shutdown: refuse new connections, answer the queued commands, and tell clients when to reconnect."""

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

from dreadclock_server.gateway.health import Health
from dreadclock_server.gateway.uvicorn.http_protocol import HttpProtocol
from dreadclock_server.gateway.uvicorn.websocket_protocol import WebSocketProtocol
from dreadclock_server.gateway.ws.hubs import Hubs

CLOSE_FRAMES_S = 2.0  # how long to wait for clients to receive their close frames
_LOOK_AGAIN_S = 0.02
_SLACK_S = 1.0
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class ShutdownPlan:
    """The parts of the server that a shutdown uses, and its time limits."""

    health: Health
    hubs: Hubs
    notice_s: float  # how long to wait before connections are closed; /readyz answers 503 meanwhile
    drain_s: float  # how long to wait then for unfinished calls and commands


class GracefulServer(uvicorn.Server):
    """uvicorn's server. It calls `on_ready`, and shuts down gracefully on a signal, or at once on a second signal."""

    def __init__(self, config: uvicorn.Config, plan: ShutdownPlan, on_ready: Callable[[], Awaitable[None]]) -> None:
        super().__init__(config)
        self._plan, self._on_ready = plan, on_ready
        self._until = 0.0  # monotonic time at which the current period ends

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start up, then call `on_ready`."""
        await super().startup(sockets)
        if self.started:
            await self._on_ready()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on SIGINT and SIGTERM. uvicorn's own method would raise the signals again at its end, before the store
        is closed.
        """
        before = {signum: signal.signal(signum, self.handle_exit) for signum in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for signum, handler in before.items():
                signal.signal(signum, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin the shutdown. On a second signal, end at once."""
        self.force_exit = self.should_exit
        self.should_exit = True
        self._plan.health.is_leaving = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Wait for the notice period. Then stop listening, answer the queued commands, and close all connections."""
        self._plan.health.is_leaving = True
        _log.info("leaving")
        self._until = time.monotonic() + self._plan.notice_s + _SLACK_S
        await self._in_time(asyncio.sleep(self._plan.notice_s))
        self._until = time.monotonic() + self._plan.drain_s
        self._stop_listening(sockets or [])
        await self._in_time(self._plan.hubs.send_away())
        await self._in_time(self._wait_for_close_frames())
        self.config.timeout_graceful_shutdown = max(1, round(self._until - time.monotonic()))
        await super().shutdown(sockets)
        if self.force_exit:
            await self.lifespan.shutdown()  # uvicorn skips this after a second signal, but it is fast
        _log.info("left")

    def _stop_listening(self, sockets: list[socket.socket]) -> None:
        """Accept no more connections, and close each HTTP connection after its current answer."""
        for server in self.servers:
            server.close()
        for listener in sockets:
            listener.close()
        for connection in list(self.server_state.connections):
            if isinstance(connection, HttpProtocol):
                connection.shutdown()

    async def _wait_for_close_frames(self) -> None:
        """Wait up to CLOSE_FRAMES_S until all websockets are closed, so that clients can read the last frames."""
        for _ in range(round(CLOSE_FRAMES_S / _LOOK_AGAIN_S)):
            if not any(isinstance(connection, WebSocketProtocol) for connection in self.server_state.connections):
                return
            await asyncio.sleep(_LOOK_AGAIN_S)

    async def _in_time(self, work: Coroutine[Any, Any, None]) -> None:
        """Run `work` until it ends, the time is up, or a second signal comes."""
        task = asyncio.ensure_future(work)
        # Wait at least once, so that the task starts even if no time is left.
        await asyncio.wait({task}, timeout=_LOOK_AGAIN_S)
        while not task.done() and not self.force_exit and time.monotonic() < self._until:
            await asyncio.wait({task}, timeout=_LOOK_AGAIN_S)
        if not task.done():
            _log.warning("ending before all is done", because="told twice" if self.force_exit else "out of time")
            task.cancel()
        for outcome in await asyncio.gather(task, return_exceptions=True):
            if isinstance(outcome, Exception):
                _log.error("bug", where="leaving", exc_info=outcome)
