"""Stretches of wire between clients and servers, or between servers and their Valkey, on which anything may happen.

    async with wired(lambda: [("127.0.0.1", 7717)], Random(1)) as wire:
        ...  # connect to wire.port
        wire.strike(Fault.RESET)

A fault strikes one connection. It counts once it has done harm: a delay once something was delayed.
"""

import asyncio
import socket
import struct
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from enum import StrEnum
from random import Random
from typing import Any

from kit.links.relays import Ends, Passage, gone, listening

Address = tuple[str, int] | str
"""A host and port, or the path of a unix socket."""
Shape = Callable[[bytes], bytes]
"""Changes what a server sends on one connection."""

LONGEST_S = 3.0
SLOW_BYTES_PER_S = 10_000
_MOST_AT_ONCE = 1 << 16
_MOST_SINGLE = 256  # bytes that are sent one by one
_SLOW_FOR_S = 1.0
_CUT_AGAIN_S = 0.1
_NO_LINGERING = struct.pack("ii", 1, 0)  # closing sends a reset


class Fault(StrEnum):
    """What can happen to a connection."""

    RESET = "reset"
    CLIENT_GONE = "client gone"  # half-open: the server hears nothing of it
    SERVER_GONE = "server gone"  # half-open: the client hears nothing of it
    DELAY = "delay"
    SINGLE_BYTES = "single bytes"
    CUT = "cut mid-frame"
    BLACK_HOLE = "black hole"
    SLOW = "10 kB/s"


_AT_ONCE = (Fault.RESET, Fault.CLIENT_GONE, Fault.SERVER_GONE)
_HALF_OPEN = (Fault.CLIENT_GONE, Fault.SERVER_GONE)


class Wire(Passage):
    """Passes bytes on between those who connect and one of `targets`, which are asked for anew each time."""

    def __init__(self, targets: Callable[[], Sequence[Address]], chance: Random, shape: Callable[[], Shape]) -> None:
        super().__init__()
        self.counts = Counter[Fault]()
        self.longest_s = LONGEST_S
        self._targets, self._chance, self._shape = targets, chance, shape
        self._links: set[Link] = set()

    @property
    def websocket_url(self) -> str:
        """Where websockets begin."""
        return f"ws://127.0.0.1:{self.port}/ws/"

    @property
    def store_url(self) -> str:
        """Where a server finds its store."""
        return f"redis://127.0.0.1:{self.port}"

    def strike(self, fault: Fault) -> bool:
        """Let a fault happen to one connection, and tell whether there was one that had none yet."""
        whole = [link for link in self._links if link.fault is None]
        if whole:
            self._chance.choice(whole).strike(fault)
        return bool(whole)

    def cut(self) -> None:
        """End all connections at once, and those that half were."""
        for link in list(self._links):
            link.end()

    async def carry(self, near: Ends) -> None:
        far = await self._reach()
        if far is None:
            await gone(near[1])
            return
        link = Link(near, far, self)
        self._links.add(link)
        try:
            await link.carry(self._shape())
        finally:
            self._links.discard(link)

    async def _reach(self) -> Ends | None:
        """Connect to a target that answers, whichever; None if there is none."""
        targets = list(self._targets())
        self._chance.shuffle(targets)
        for target in targets:
            with suppress(OSError):
                if isinstance(target, str):
                    return await asyncio.open_unix_connection(target)
                return await asyncio.open_connection(*target)
        return None

    def for_s(self) -> float:
        """Draw how long a fault lasts."""
        return self._chance.uniform(0.0, self.longest_s)

    def piece_of(self, data: bytes) -> bytes:
        """Draw a beginning that is not all of it."""
        return data[: self._chance.randrange(len(data))]

    async def finish(self) -> None:
        """Return once all connections have ended, those that were still being made, too."""
        while self._tasks:
            self.cut()
            await asyncio.wait(self._tasks, timeout=_CUT_AGAIN_S)


class Link:
    """One connection on a wire."""

    def __init__(self, near: Ends, far: Ends, wire: Wire) -> None:
        self.fault: Fault | None = None
        self._near, self._far, self._wire = near, far, wire
        self._over = asyncio.Event()
        self._timers: list[asyncio.TimerHandle] = []
        self._slow_until = 0.0

    async def carry(self, shape: Shape) -> None:
        """Pass bytes on in both directions until one side closes or a fault ends it."""
        up = asyncio.create_task(self._pump(self._near[0], self._far[1], bytes))
        down = asyncio.create_task(self._pump(self._far[0], self._near[1], shape))
        try:
            await self._over.wait()
        finally:
            up.cancel()
            down.cancel()
            await asyncio.gather(up, down, return_exceptions=True)
            for timer in self._timers:
                timer.cancel()
            await gone(self._near[1])
            await gone(self._far[1])

    def strike(self, fault: Fault) -> None:
        """Let a fault happen, now or to what is sent next."""
        self.fault = fault
        if fault not in _AT_ONCE:
            return
        self._wire.counts[fault] += 1
        if fault is Fault.RESET:
            self._reset()
        else:
            _abort(self._near[1] if fault is Fault.CLIENT_GONE else self._far[1])
            self._later(self._reset)

    def end(self) -> None:
        """Close both sides."""
        self._over.set()

    def _later(self, do: Callable[[], None]) -> None:
        self._timers.append(asyncio.get_running_loop().call_later(self._wire.for_s(), do))

    def _reset(self) -> None:
        _abort(self._near[1])
        _abort(self._far[1])
        self.end()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, shape: Shape) -> None:
        with suppress(OSError):
            while data := await reader.read(_MOST_AT_ONCE):
                await self._pass(shape(data), writer)
            await writer.drain()
        if self.fault not in _HALF_OPEN:
            self.end()

    async def _pass(self, data: bytes, writer: asyncio.StreamWriter) -> None:
        """Pass on what was read, in whatever way the fault of this connection would have it."""
        fault = self.fault
        if fault is None or not data:
            writer.write(data)
        elif fault is Fault.SLOW:
            await self._slowly(data, writer)
        elif fault is Fault.BLACK_HOLE:
            self._swallow()
        elif fault not in _HALF_OPEN:
            await self._harm(fault, data, writer)
        if not writer.is_closing():
            await writer.drain()

    async def _harm(self, fault: Fault, data: bytes, writer: asyncio.StreamWriter) -> None:
        """Let a fault happen to these bytes alone."""
        self.fault = None
        self._wire.counts[fault] += 1
        if fault is Fault.CUT:
            writer.write(self._wire.piece_of(data))
            self.end()
        elif fault is Fault.DELAY:
            await asyncio.sleep(self._wire.for_s())
            writer.write(data)
        else:
            for place in range(min(len(data), _MOST_SINGLE)):
                writer.write(data[place : place + 1])
                await asyncio.sleep(0)
            writer.write(data[_MOST_SINGLE:])

    def _swallow(self) -> None:
        if not self._timers:
            self._wire.counts[Fault.BLACK_HOLE] += 1
            self._later(self._reset)

    async def _slowly(self, data: bytes, writer: asyncio.StreamWriter) -> None:
        clock = asyncio.get_running_loop().time
        if self._slow_until == 0.0:
            self._wire.counts[Fault.SLOW] += 1
            self._slow_until = clock() + _SLOW_FOR_S
        until = self._slow_until
        step = SLOW_BYTES_PER_S // 20
        while data and clock() < until:
            writer.write(data[:step])
            await writer.drain()
            await asyncio.sleep(0.05)
            data = data[step:]
        writer.write(data)
        if self._slow_until == until <= clock():  # the other direction may have ended it, and another fault begun
            self.fault, self._slow_until = None, 0.0


def wired(
    targets: Callable[[], Sequence[Address]], chance: Random, shape: Callable[[], Shape] = lambda: bytes
) -> AbstractAsyncContextManager[Wire]:
    """Put up a wire for as long as the block lasts."""
    return listening(Wire(targets, chance, shape))


def _abort(writer: asyncio.StreamWriter) -> None:
    """Close without a word that could be waited for: the other side sees a reset."""
    transport: Any = writer.transport
    raw = transport.get_extra_info("socket")
    if raw is not None and raw.family != socket.AF_UNIX and not transport.is_closing():
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGERING)
    transport.abort()
