"""Python's garbage collector, so set that nobody waits long for it.

Memory is given back by reference counts alone: who ends (a connection, a request, a room that is put away) cuts the
reference cycles it is in. The collector is for the few cycles that are made and dropped within moments, such as those
of an error and its traceback, and looks at the youngest objects only, and at each of them once: what it takes for that
is 0.3 to 1 us an object, a roll leaves some 16 that stay (its record, its outcome, how to take it back), and to look at
them twice or thrice, as Python's own generations do, took a tenth of a roll. A live room with its gm's connection is
some 190 objects, so that a look at everything takes 150 ms with 800 rooms, and longer than clients wait with 10,000. So
all is looked at only while that is little, or while nobody is there who would notice. Hence a cycle that gets old
before it is dropped may stay for as long as the server is busy: `dreadclock_unreleased` counts those that should have
gone.

Freezing (gc.freeze) what is old, instead of not looking at it, would take the same pauses away, and could never give
back what was frozen by mistake.
"""

import asyncio
import gc
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Literal

from prometheus_client import Histogram

# Objects, looked at in about 3 ms. By bursts.py (100 rooms, 7 rounds of processes) a roll takes 0.95 of the CPU
# that it takes with 2,500, as more objects have gone by themselves when the collector looks; p99 rises by 4 %.
YOUNG = 10_000
NEVER = 1 << 30
LOOK_AT_ALL_EVERY_S = 60.0
FEW_BLOCKS = 20_000  # of memory, 10 ms; a live room with a connection takes 370
_Phase = Literal["start", "stop"]


def configure() -> None:
    """Leave out what was imported, which stays, and let Python collect only young objects, each once."""
    gc.freeze()
    gc.set_threshold(YOUNG, NEVER, NEVER)


@asynccontextmanager
async def collecting(
    pauses: Histogram,
    is_empty: Callable[[], bool],
    every_s: float = LOOK_AT_ALL_EVERY_S,
    few_blocks: int = FEW_BLOCKS,
) -> AsyncIterator[None]:
    """Collect everything now and then within the block, if it is little or `is_empty`; note all `pauses`, in s."""
    with _timed(pauses):
        looking = asyncio.create_task(_look_at_all(is_empty, every_s, few_blocks), name="garbage")
        try:
            yield
        finally:
            looking.cancel()
            with suppress(asyncio.CancelledError):
                await looking


async def _look_at_all(is_empty: Callable[[], bool], every_s: float, few_blocks: int) -> None:
    before = sys.getallocatedblocks()
    while True:
        await asyncio.sleep(every_s)
        if is_empty() or sys.getallocatedblocks() - before <= few_blocks:
            gc.collect()


@contextmanager
def _timed(pauses: Histogram) -> Iterator[None]:
    began_s = 0.0

    def note(phase: _Phase, info: dict[str, int]) -> None:
        nonlocal began_s
        now_s = time.perf_counter()
        if phase == "start":
            began_s = now_s
        else:
            pauses.observe(now_s - began_s)

    gc.callbacks.append(note)
    try:
        yield
    finally:
        gc.callbacks.remove(note)
