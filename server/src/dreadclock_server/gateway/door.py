"""uvicorn's HTTP protocol at the door: not too many connections, and none that waits for ever with its request.

A websocket begins as an HTTP connection, so this is where a flood of either is met, before anything is read.
"""

import asyncio
from functools import partial
from http import HTTPStatus
from typing import Any

import h11
from uvicorn import Config
from uvicorn.middleware.proxy_headers import _TrustedHosts
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from dreadclock_server.gateway.caps import Caps, Census
from dreadclock_server.gateway.guard import GuardedWebSocket

REQUEST_WITHIN_S = 10.0  # from its beginning to its last byte
LINGER_S = 1.0  # for those who are turned away to read why
MOST_LINGERING = 64
_UNFINISHED = (h11.IDLE, h11.SEND_BODY)  # the client's states before and in the middle of a request


class GuardedConfig(Config):
    """uvicorn's configuration, with the caps at the door."""

    request_within_s = REQUEST_WITHIN_S

    def __init__(self, app: Any, caps: Caps, **more: Any) -> None:
        super().__init__(app, http=GuardedHttp, ws=GuardedWebSocket, ws_per_message_deflate=False, **more)
        self.census, self.lingering = Census(caps), 0
        self.proxies = _TrustedHosts(self.forwarded_allow_ips)  # their addresses speak for others


class GuardedHttp(H11Protocol):
    """One connection, until it closes or becomes a websocket."""

    config: GuardedConfig

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._timer: asyncio.TimerHandle | None = None
        self._host: str | None = None  # as counted in; None: not counted
        self._is_turned_away = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Let it in, if there is room."""
        super().connection_made(transport)
        host = self.client[0] if self.client else ""
        status = self.config.census.enter(host, exempt=host in self.config.proxies)
        if status is None:
            self._host = host
            self._wait_at_most(self.config.request_within_s)
        else:
            self._turn_away(status)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it out."""
        super().connection_lost(exc)
        self._wait_no_more()
        self._leave()

    def data_received(self, data: bytes) -> None:
        """Read, and limit the wait for what is still missing of a request."""
        if self._is_turned_away:
            self.transport.close()
            return
        super().data_received(data)
        if self.transport.get_protocol() is not self or self.conn.their_state not in _UNFINISHED:
            self._wait_no_more()
        elif self._timer is None and not self.transport.is_closing():
            self._wait_at_most(self.config.request_within_s)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand over to the websocket's protocol, and count it out when that ends."""
        super().handle_websocket_upgrade(event)
        heir = self.transport.get_protocol()
        assert isinstance(heir, GuardedWebSocket)
        assert self._host is not None
        heir.on_lost = partial(self.config.census.leave, self._host)  # it does not keep all of this alive
        self._host = None

    def _turn_away(self, status: int) -> None:
        """Say why, and close as soon as the other side has spoken: closing earlier could lose the answer."""
        self._is_turned_away = True
        self.config.lingering += 1
        phrase = HTTPStatus(status).phrase
        self.transport.write(
            f"HTTP/1.1 {status} {phrase}\r\nConnection: close\r\nRetry-After: 10\r\nContent-Length: 0\r\n\r\n".encode()
        )
        self._wait_at_most(LINGER_S if self.config.lingering <= MOST_LINGERING else 0.0)

    def _wait_at_most(self, seconds: float) -> None:
        self._timer = self.loop.call_later(seconds, self.transport.abort)

    def _wait_no_more(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _leave(self) -> None:
        if self._is_turned_away:
            self._is_turned_away = False
            self.config.lingering -= 1
        if self._host is not None:
            self.config.census.leave(self._host)
            self._host = None
