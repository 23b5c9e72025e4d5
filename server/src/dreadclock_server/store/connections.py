"""Connections to a Redis or Valkey server. redis-py's own retries are off, so that no command is sent twice without our
knowledge.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, Protocol
from urllib.parse import urlsplit

import hiredis
from redis._parsers.hiredis import NOT_ENOUGH_DATA
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
_LONGEST_BURST = 64  # messages in a burst


class RedisClient(Protocol):
    """The part of redis-py's client that we use, with types."""

    connection_pool: Any

    def execute_command(self, *command: Any) -> Awaitable[Any]: ...

    def pipeline(self, transaction: bool) -> Any: ...

    async def aclose(self) -> None: ...


class _CancellableSend(AbstractConnection):
    """A connection that sends no commands by itself, and whose sends can be cancelled.

    redis-py wraps each send in asyncio.wait_for(). Before Python 3.12, this loses a cancellation that arrives in
    the tick in which the send ends. asyncio.timeout() loses no cancellation.
    """

    async def send_packed_command(self, command: Any, check_health: bool = True) -> None:
        if not self.is_connected:
            await self.connect_check_health(check_health=False)
        assert self._writer is not None
        async with self._whole("takes no data"):
            if self._writer.transport.is_closing():  # uvloop would raise a RuntimeError at the next line
                raise ConnectionResetError("the other side is gone")
            self._writer.writelines([command] if isinstance(command, bytes) else command)
            await self._writer.drain()

    async def read_answers(self, count: int) -> list[Any]:
        """Return the next `count` answers. An error answer of the server is returned, not raised."""
        async with self._whole("gives no answer"):
            answers: list[Any] = []
            while len(answers) < count:
                answers.append(await self._read_response_from_parser())
                answers += self._come_in(count - len(answers))
            return answers

    def _come_in(self, most: int) -> list[Any]:
        """Return up to `most` answers that are already in the buffer, without the slower coroutines of redis-py."""
        parser: Any = self._parser
        gets, answers = parser._reader.gets, list[Any]()
        while len(answers) < most and (answer := gets()) is not NOT_ENOUGH_DATA:
            if isinstance(answer, RedisConnectionError):
                raise answer
            answers.append(answer)
        return answers

    async def read_burst(self, within_s: float) -> list[Any]:
        """Wait up to `within_s` for a message. Return it with the messages that follow at once; empty if none comes."""
        messages: list[Any] = []
        with suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                messages.append(await self._read_response_from_parser())
                while len(messages) < _LONGEST_BURST and await self.can_read():
                    messages.append(await self._read_response_from_parser())
        return messages

    @asynccontextmanager
    async def _whole(self, trouble: str) -> AsyncIterator[None]:
        """Close the connection if the block fails, is cancelled or takes longer than the socket timeout.

        Raises RedisTimeoutError after the timeout, and RedisConnectionError instead of an OSError. `trouble`: what the
        server does wrong after the timeout, for the message.
        """
        try:
            async with asyncio.timeout(self.socket_timeout):
                yield
        except BaseException as error:
            await self.disconnect(nowait=True)
            if isinstance(error, TimeoutError):
                raise RedisTimeoutError(f"the server {trouble}") from error
            if isinstance(error, OSError):
                raise RedisConnectionError(f"the connection broke: {error}") from error
            raise


class TcpConnection(_CancellableSend, Connection):
    """A connection to a redis:// address."""


class TlsConnection(_CancellableSend, SSLConnection):
    """A connection to a rediss:// address."""


class UnixConnection(_CancellableSend, UnixDomainSocketConnection):
    """A connection to a unix:// address."""


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


def make_client(url: str) -> RedisClient:
    """Make a client for a redis://, rediss:// or unix:// address. Does not connect yet.

    The address may have username, password, database and options of redis-py (`ssl_ca_certs`,
    `socket_timeout` ...). Raises ValueError or TypeError if it is malformed or has an unknown option.
    """
    options: dict[str, Any] = dict(parse_url(url))
    kind = _CLASSES[options.pop("connection_class", Connection)]
    ours = {"decode_responses": False, "protocol": 2, "retry": Retry(NoBackoff(), 0)}
    pool = BlockingConnectionPool(connection_class=kind, **(_DEFAULTS | options | ours))
    kind(**pool.connection_kwargs)  # check the options: this raises for an unknown option
    client: RedisClient = Redis.from_pool(pool)
    return client


async def round_trip(client: RedisClient, commands: Sequence[tuple[Any, ...]]) -> list[Any]:
    """Send commands together and return their answers. An error answer of the server is returned, not raised."""
    connection = await client.connection_pool.get_connection()
    try:
        await connection.send_packed_command(b"".join([hiredis.pack_command(command) for command in commands]))
        answers: list[Any] = await connection.read_answers(len(commands))
        return answers
    finally:
        await client.connection_pool.release(connection)


def redacted(url: str) -> str:
    """Return an address without user, password and options, safe to show."""
    parts = urlsplit(url)
    place = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{place}{parts.path}"
