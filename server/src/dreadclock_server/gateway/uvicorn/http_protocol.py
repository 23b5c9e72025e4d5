"""uvicorn's HTTP protocol with limits on the number of connections, the rate of requests, and waiting times.

A websocket begins as an HTTP connection. So these limits stop floods of HTTP connections and of websockets.
"""

import asyncio
import socket
from functools import partial
from http import HTTPStatus
from ipaddress import IPv4Network
from typing import Any

import h11
import structlog
from uvicorn import Config
from uvicorn.middleware.proxy_headers import _TrustedHosts
from uvicorn.protocols.http.h11_impl import H11Protocol

from dreadclock_server.gateway.limits.caps import Caps, ConnectionLimiter, address_of
from dreadclock_server.gateway.limits.rates import LOG_LINES, Buckets, Rate
from dreadclock_server.gateway.uvicorn.strict_http import StrictConnection
from dreadclock_server.gateway.uvicorn.websocket_protocol import WebSocketProtocol

REQUEST_WITHIN_S = 10.0  # from the first to the last byte of a request
LINGER_S = 1.0  # how long a refused client may take to read the answer
MOST_LINGERING = 64
MOST_OF_A_HEAD = 1 << 16  # bytes of a request head
MOST_AFTERWARDS = 1 << 18  # bytes of a body that a client may send after the answer
TAKEN_WITHIN_S = 10.0  # a client must read some of an answer within this time
GONE_AFTER_S = 40  # the kernel ends a connection whose data is not acknowledged for this long
_log = structlog.get_logger()
_UNFINISHED = (h11.IDLE, h11.SEND_BODY)  # states of the client: before a request, and in the middle of a request


class ServerConfig(Config):
    """uvicorn's configuration, with our protocol classes and their limits.

    `pace`: the rate limit of requests from an address. Requests beyond this limit wait.
    """

    request_within_s = REQUEST_WITHIN_S
    taken_within_s = TAKEN_WITHIN_S

    def __init__(self, app: Any, caps: Caps, pace: Rate | None = None, **more: Any) -> None:
        super().__init__(app, http=HttpProtocol, ws=WebSocketProtocol, ws_per_message_deflate=False, **more)
        self.connection_limiter, self.lingering, self.pace = ConnectionLimiter(caps), 0, Buckets(pace)
        self.logged = Buckets(LOG_LINES)
        self.forwarded_allow_ips = _as_ipv6_sees_them(self.forwarded_allow_ips)
        # Proxies, whose connections carry requests of other clients.
        self.proxies = _TrustedHosts(self.forwarded_allow_ips)


def _as_ipv6_sees_them(trusted: list[str] | str) -> list[str] | str:
    """Return the trusted proxies, and also their IPv4 addresses in the form of an IPv6 socket: ::ffff:192.0.2.1."""
    names = trusted if isinstance(trusted, list) else [name.strip() for name in trusted.split(",")]
    return trusted if "*" in names else [*names, *filter(None, map(_mapped, names))]


def _mapped(name: str) -> str | None:
    try:
        network = IPv4Network(name)
    except ValueError:
        return None
    return f"::ffff:{network.network_address}/{96 + network.prefixlen}"


class HttpProtocol(H11Protocol):
    """One connection, until it closes or becomes a websocket."""

    config: ServerConfig

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.conn = StrictConnection(h11.SERVER, MOST_OF_A_HEAD)
        self._timer: asyncio.TimerHandle | None = None
        self._host: str | None = None  # the address under which the connection is counted; None if it is not counted
        self._is_turned_away = False
        self._afterwards = 0  # bytes of a body received after the answer
        self._held: asyncio.TimerHandle | None = None  # set while the next request waits for the rate limit
        self._is_counted = False  # whether the current request is counted
        # How many bytes the client had not read at the last check, and the timer of the next check.
        self._unread: tuple[int, asyncio.TimerHandle] | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection, or refuse it if there are too many."""
        super().connection_made(transport)
        _end_when_nothing_arrives(transport)
        host = self.client[0] if self.client else ""
        status = self.config.connection_limiter.enter(host, exempt=host in self.config.proxies)
        if status is None:
            self._host = host
            self._wait_at_most(self.config.request_within_s)
        else:
            self._log_limit(status, host)
            self._turn_away(status)

    def _log_limit(self, status: int, host: str) -> None:
        """Log that a limit turns connections away, once a minute for each address."""
        setting = "max_connections" if status == HTTPStatus.SERVICE_UNAVAILABLE else "max_connections_per_address"
        if not self.config.logged.take((setting, address_of(host))):
            _log.warning("limit reached: connections are turned away", limit=setting, client=host)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection, and stop its timers."""
        super().connection_lost(exc)
        self._wait_no_more()
        self._stop_checking()
        if self._held is not None:
            self._held.cancel()
        self._ending()

    def data_received(self, data: bytes) -> None:
        """Handle incoming bytes, and limit the time for the rest of a request."""
        if self._is_turned_away:
            self.transport.close()
            return
        if self.conn.our_state is h11.DONE and self.conn.their_state is h11.SEND_BODY:
            self._afterwards += len(data)
            if self._afterwards > MOST_AFTERWARDS:
                self.transport.abort()
                return
        super().data_received(data)
        self._wait_for_the_rest()

    def handle_events(self) -> None:
        """Handle the next request as soon as the rate limit allows it. A request that is counted already continues."""
        if self._held is not None:
            return
        wait_ms = self._count_ms()
        if wait_ms:
            self.transport.pause_reading()
            self._held = self.loop.call_later(wait_ms / 1000, self._let_go)
        else:
            super().handle_events()

    def on_response_complete(self) -> None:
        """Prepare for the next request, which is counted again."""
        self._is_counted = False
        super().on_response_complete()

    def _count_ms(self) -> int:
        """Count a request when its first byte arrives. If the rate limit is reached, return how many ms it must wait,
        else 0.
        """
        has_begun = self.conn.their_state is h11.IDLE and self.conn.trailing_data[0]
        if self._is_counted or not has_begun or self._host is None or self._host in self.config.proxies:
            return 0
        wait_ms = self.config.pace.take(address_of(self._host))
        self._is_counted = not wait_ms
        return wait_ms

    def _let_go(self) -> None:
        self._held = None
        if not self.transport.is_closing():
            self.transport.resume_reading()
            self.handle_events()
            self._wait_for_the_rest()

    def _wait_for_the_rest(self) -> None:
        """Start a time limit if a part of the request is missing, or stop it if not."""
        if self.transport.get_protocol() is not self or self.conn.their_state not in _UNFINISHED:
            self._wait_no_more()
        elif self._timer is None and not self.transport.is_closing():
            self._wait_at_most(self.config.request_within_s)

    def pause_writing(self) -> None:
        """Start checking that the client keeps reading the answer."""
        super().pause_writing()
        self._check_progress()

    def resume_writing(self) -> None:
        """Stop checking: the answer was sent."""
        super().resume_writing()
        self._stop_checking()

    def _check_progress(self) -> None:
        unread = self.transport.get_write_buffer_size()
        if self._unread is not None and unread >= self._unread[0]:
            self.transport.abort()
        else:
            self._unread = unread, self.loop.call_later(self.config.taken_within_s, self._check_progress)

    def _stop_checking(self) -> None:
        if self._unread is not None:
            self._unread[1].cancel()
            self._unread = None

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand over to the websocket protocol, which stops counting the connection when it ends."""
        super().handle_websocket_upgrade(event)
        heir = self.transport.get_protocol()
        assert isinstance(heir, WebSocketProtocol)
        assert self._host is not None
        # not a bound method of this object, which would then stay in memory
        heir.on_lost = partial(self.config.connection_limiter.leave, self._host)
        self._host = None

    def _turn_away(self, status: int) -> None:
        """Answer with the status. Then wait for data, at most LINGER_S: closing at once could lose the answer."""
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

    def _ending(self) -> None:
        if self._is_turned_away:
            self._is_turned_away = False
            self.config.lingering -= 1
        if self._host is not None:
            self.config.connection_limiter.leave(self._host)
            self._host = None


def _end_when_nothing_arrives(transport: asyncio.Transport) -> None:
    """Make the kernel end a connection if the other machine is gone, after GONE_AFTER_S instead of 15 minutes."""
    tcp: socket.socket = transport.get_extra_info("socket")
    if hasattr(socket, "TCP_USER_TIMEOUT") and tcp.family in (socket.AF_INET, socket.AF_INET6):
        tcp.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE_AFTER_S * 1000)
