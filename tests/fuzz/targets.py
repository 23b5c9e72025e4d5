"""What is fuzzed: everything that reads bytes of strangers. A target raises if it finds a fault.

Each takes any bytes at all, and returns whatever they are, unless the code under it does what it says it never does.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from uvicorn.server import ServerState

from dreadclock.export import BrokenExport, read_export
from dreadclock.wire.commands import COMMAND
from dreadclock.wire.errors import ProtocolViolation, Refused
from dreadclock.wire.frames import MAX_FRAME_BYTES
from dreadclock_server.core.room import empty_room
from dreadclock_server.evening.verify import verify
from dreadclock_server.gateway.limits.caps import Caps
from dreadclock_server.gateway.parsing import parse_command, read_command, read_hello
from dreadclock_server.gateway.uvicorn.http_protocol import ServerConfig
from dreadclock_server.gateway.uvicorn.websocket_protocol import WebSocketProtocol
from dreadclock_server.rooms.log import BrokenLog, from_snapshot
from dreadclock_server.store.base import Position
from kit.tables import LOG, ROOM

HANDSHAKE = (
    b"GET /ws/x HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
_OPENING = empty_room(ROOM, LOG)
Target = Callable[[bytes], None]
_TURNS = 8  # of the loop, in which the application hears what was read


class Fault(AssertionError):
    """Something happened that must not, whatever the bytes are."""


class _Faults(logging.Handler):
    """Turns what would be logged as a bug into a fault."""

    def emit(self, record: logging.LogRecord) -> None:
        raise Fault(record.getMessage()) from (record.exc_info[1] if record.exc_info else None)


class Pipe(asyncio.Transport):
    """The other side of a connection: swallows what is written, as far as it is open."""

    def __init__(self) -> None:
        super().__init__()
        self.written, self._closing = bytearray(), False

    def write(self, data: Any) -> None:
        """Take bytes."""
        self.written += data

    def get_write_buffer_size(self) -> int:
        """Say that all is sent."""
        return 0

    def is_closing(self) -> bool:
        """Tell whether this side hung up."""
        return self._closing

    def close(self) -> None:
        """Hang up."""
        self._closing = True

    abort = close

    def pause_reading(self) -> None:
        """Go on: the bytes are here already, as if they had come at once."""

    def resume_reading(self) -> None:
        """Go on."""


async def _application(scope: Any, receive: Any, send: Any) -> None:
    """Read what a room's websocket would read."""
    await receive()
    await send({"type": "websocket.accept"})
    read: Callable[[str], object] = read_hello
    while (message := await receive())["type"] == "websocket.receive":
        text = message.get("text")
        if len((text or "").encode() or message.get("bytes") or b"") > MAX_FRAME_BYTES:
            raise Fault("a message is larger than any may be")
        try:
            if text is not None:
                read(text)
                read = read_command
        except ProtocolViolation as violation:
            await send({"type": "websocket.close", "code": 4500, "reason": str(violation)[:30]})


@contextmanager
def frames() -> Iterator[Target]:
    """The guarded protocol on a connection in memory: the handshake, then any bytes, cut anywhere."""
    config = ServerConfig(_application, Caps(), lifespan="off", log_config=None, access_log=False)
    config.load()
    log, faults = logging.getLogger("dreadclock_server.gateway.uvicorn.websocket_protocol"), _Faults(logging.ERROR)
    log.addHandler(faults)
    with asyncio.Runner() as runner:
        yield lambda data: runner.run(_read(config, data[1:], data[0] * 8 if data[:1] > b"\0" else len(data) + 1))
    log.removeHandler(faults)


async def _read(config: ServerConfig, data: bytes, size: int) -> None:
    """Let a connection read `data` in pieces of `size`, and end it."""
    protocol, pipe = WebSocketProtocol(config, ServerState(), {}), Pipe()
    protocol.connection_made(pipe)
    for piece in (HANDSHAKE, *(data[at : at + size] for at in range(0, len(data), size))):
        if not pipe.is_closing():
            protocol.data_received(piece)
        await asyncio.sleep(0)
    protocol.connection_lost(None)
    for _ in range(_TURNS):
        await asyncio.sleep(0)
    if protocol.tasks:
        raise Fault("the application goes on after the connection ended")


def commands(data: bytes) -> None:
    """Read a text as a hello, as a command frame and as a command on its own."""
    text = data.decode(errors="replace")
    for read in (read_hello, read_command):
        try:
            read(text)
        except ProtocolViolation as violation:
            str(violation).encode()
    try:
        command = parse_command(text)
    except Refused as refused:
        str(refused).encode()
    else:
        if COMMAND.validate_json(command.model_dump_json(exclude_none=True)) != command:
            raise Fault("a command reads otherwise once it was written")


def exports(data: bytes) -> None:
    """Read a file as an export, and audit it."""
    report = verify(data)
    try:
        read_export(data)
    except BrokenExport as broken:
        if report.sound:
            raise Fault("an export is sound that cannot be read") from broken


def snapshots(data: bytes) -> None:
    """Read what the store may hold as a room's snapshot."""
    try:
        from_snapshot(_OPENING, Position(1, "0" * 64), data)
    except BrokenLog:
        return


TARGETS: dict[str, Callable[[], AbstractContextManager[Target]]] = {
    "frames": frames,
    "commands": lambda: nullcontext(commands),
    "exports": lambda: nullcontext(exports),
    "snapshots": lambda: nullcontext(snapshots),
}
