"""Connections to a Redis or Valkey, set so that no command is ever sent twice behind our back."""

import asyncio
from collections.abc import Awaitable
from typing import Any, Protocol
from urllib.parse import urlsplit

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.connection import (
    AbstractConnection,
    Connection,
    SSLConnection,
    UnixDomainSocketConnection,
    parse_url,
)
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

MAX_CONNECTIONS = 32
SOCKET_TIMEOUT_S = 2.0


class Client(Protocol):
    """What we use of redis-py's client, which has no types of its own for it."""

    connection_pool: Any

    def execute_command(self, *command: Any) -> Awaitable[Any]: ...

    def pipeline(self, transaction: bool) -> Any: ...

    async def aclose(self) -> None: ...


class _CancellableSend(AbstractConnection):
    """A connection whose sends can be cancelled, and that sends nothing but what it is told.

    redis-py wraps each send in asyncio.wait_for(), which before Python 3.12 loses a cancellation
    that arrives in the tick in which the send ends. asyncio.timeout() does not.
    """

    async def send_packed_command(self, command: Any, check_health: bool = True) -> None:
        if not self.is_connected:
            await self.connect_check_health(check_health=False)
        assert self._writer is not None
        try:
            async with asyncio.timeout(self.socket_timeout):
                self._writer.writelines([command] if isinstance(command, bytes) else command)
                await self._writer.drain()
        except BaseException as error:
            await self.disconnect(nowait=True)
            if isinstance(error, TimeoutError):
                raise RedisTimeoutError("the server takes no data") from error
            if isinstance(error, OSError):
                raise RedisConnectionError(f"the connection broke: {error}") from error
            raise


class TcpConnection(_CancellableSend, Connection):
    """For redis:// addresses."""


class TlsConnection(_CancellableSend, SSLConnection):
    """For rediss:// addresses."""


class UnixConnection(_CancellableSend, UnixDomainSocketConnection):
    """For unix:// addresses."""


_CLASSES: dict[type[AbstractConnection], type[AbstractConnection]] = {
    Connection: TcpConnection,
    SSLConnection: TlsConnection,
    UnixDomainSocketConnection: UnixConnection,
}

_DEFAULTS: dict[str, Any] = {
    "max_connections": MAX_CONNECTIONS,
    "timeout": SOCKET_TIMEOUT_S,
    "socket_timeout": SOCKET_TIMEOUT_S,
    "socket_connect_timeout": SOCKET_TIMEOUT_S,
}


def make_client(url: str) -> Client:
    """Make a client of a redis://, rediss:// or unix:// address; connects nowhere yet.

    The address may carry username, password, database and redis-py's own options (`ssl_ca_certs`,
    `socket_timeout` ...). Raises ValueError or TypeError if it makes no sense.
    """
    options: dict[str, Any] = dict(parse_url(url))
    kind = _CLASSES[options.pop("connection_class", Connection)]
    ours = {"decode_responses": False, "protocol": 2, "retry": Retry(NoBackoff(), 0)}
    pool = BlockingConnectionPool(connection_class=kind, **(_DEFAULTS | options | ours))
    kind(**pool.connection_kwargs)  # an unknown option shows itself here
    client: Client = Redis.from_pool(pool)
    return client


def redacted(url: str) -> str:
    """Give an address without user, password and options, to be shown."""
    parts = urlsplit(url)
    place = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{place}{parts.path}"
