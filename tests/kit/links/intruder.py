"""A peer that says whatever bytes it likes, to a websocket or to nothing in particular."""

import asyncio
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

WITHIN_S = 15.0
CUT = 0  # in place of a close code: the connection ended without one
_KEY = "dGhlIHNhbXBsZSBub25jZQ=="
TEXT, CONTINUATION, CLOSE, PING, PONG = 1, 0, 8, 9, 10


def frame(
    payload: bytes = b"", opcode: int = TEXT, *, fin: bool = True, masked: bool = True, reserved: int = 0
) -> bytes:
    """Write one frame as a client does, or as it may not."""
    size = len(payload)
    first = (0x80 if fin else 0) | reserved | opcode
    length = size if size < 126 else 126 if size < 1 << 16 else 127
    extended = b"" if size < 126 else size.to_bytes(2 if size < 1 << 16 else 8, "big")
    header = bytes((first, (0x80 if masked else 0) | length)) + extended
    if not masked:
        return header + payload
    mask = os.urandom(4)
    return header + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))


class Intruder:
    """One TCP connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    def send(self, data: bytes) -> None:
        """Send bytes without waiting."""
        self._writer.write(data)

    @property
    def unsent(self) -> int:
        """How many bytes the other side has not taken off our hands."""
        return self._writer.transport.get_write_buffer_size()

    @property
    def has_nothing_to_read(self) -> bool:
        """Whether nothing has come in that was not read."""
        return not self._reader._buffer  # type: ignore[attr-defined]

    async def ask(self, path: str, host: str = "127.0.0.1") -> bytes:
        """Ask for a websocket, and return the status line of the answer; empty if there is none."""
        self.send(
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {_KEY}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        return (await self.head()).split(b"\r\n")[0]

    async def head(self) -> bytes:
        """Read an HTTP answer without its body; empty if there is none."""
        async with asyncio.timeout(WITHIN_S):
            try:
                return await self._reader.readuntil(b"\r\n\r\n")
            except (asyncio.IncompleteReadError, ConnectionError):
                return b""

    async def next(self) -> tuple[int, bytes]:
        """Read one frame: its opcode and what is in it. Raises IncompleteReadError at the end."""
        async with asyncio.timeout(WITHIN_S):
            first, second = await self._reader.readexactly(2)
            size = second & 0x7F
            if size > 125:
                size = int.from_bytes(await self._reader.readexactly(2 if size == 126 else 8), "big")
            return first & 0x0F, await self._reader.readexactly(size)

    async def take(self, most: int) -> None:
        """Read what has come in, up to so many bytes."""
        async with asyncio.timeout(WITHIN_S):
            await self._reader.read(most)

    async def closed_with(self) -> int:
        """Read on to the end, and return the close code, or CUT."""
        code = CUT
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                opcode, payload = await self.next()
                if opcode == CLOSE:
                    code = int.from_bytes(payload[:2], "big")
        return code

    async def is_cut(self) -> bool:
        """Wait for the end of the connection, whatever comes before it, and tell that it came."""
        async with asyncio.timeout(WITHIN_S):
            with suppress(ConnectionError):
                while await self._reader.read(1 << 16):
                    pass
        return True


@asynccontextmanager
async def intruder(
    port: int, *, host: str = "127.0.0.1", as_host: str | None = None, small: bool = False
) -> AsyncIterator[Intruder]:
    """Connect; as another address of this machine, or with room for little, if asked."""
    sock = socket.socket()
    if small:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    if as_host is not None:
        sock.bind((as_host, 0))
    sock.setblocking(False)
    await asyncio.get_running_loop().sock_connect(sock, (host, port))
    reader, writer = await asyncio.open_connection(sock=sock)
    try:
        yield Intruder(reader, writer)
    finally:
        writer.transport.abort()
