"""Configure Python's garbage collector so that it causes no long pauses.

Reference counts free nearly all memory: connections, requests and evicted rooms break their own reference cycles when
they end. The collector is only needed for short-lived cycles, such as an error and its traceback. So it traverses
only young objects, each of them once.

- Traversal costs 0.3 to 1 us per object. A roll leaves some 16 objects (its record, its outcome, its undo entry).
  With Python's default generations, each object is traversed two or three times. This took a tenth of the time
  of a roll.
- A live room with its gm's connection has some 190 objects. A full collection takes 150 ms with 800 rooms. With 10,000
  rooms, it takes longer than clients wait. So full collections run only while there are few objects, or no live rooms.
- So a cycle that survives its first collection stays in memory until the next full collection.
The metric `dreadclock_unreleased` counts connections and rooms that have ended but are still in memory.

`gc.freeze` for old objects would avoid the same pauses, but could never free an object that was frozen by mistake.
"""

import asyncio
import gc
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Literal

from prometheus_client import Histogram

# A collection starts after this many new objects; their traversal takes about 3 ms. With 10,000 instead of 2,500, a
# roll needs 5 % less CPU, because more objects are freed before a collection. The 99th percentile of the latency rises
# by 4 % (bench/bursts.py, 100 rooms, 7 rounds of processes).
YOUNG = 10_000
NEVER = 1 << 30
LOOK_AT_ALL_EVERY_S = 60.0
# Full collections run while at most this many blocks of memory were added since the start. Their traversal takes
# 10 ms. A live room with a connection has 370 blocks.
FEW_BLOCKS = 20_000
_Phase = Literal["start", "stop"]


def configure() -> None:
    """Exclude all current objects from collections. Let automatic collections traverse each new object only once."""
    gc.freeze()
    gc.set_threshold(YOUNG, NEVER, NEVER)


@asynccontextmanager
async def collecting(
    pauses: Histogram,
    is_empty: Callable[[], bool],
    every_s: float = LOOK_AT_ALL_EVERY_S,
    few_blocks: int = FEW_BLOCKS,
) -> AsyncIterator[None]:
    """Run a full collection every `every_s`, if there are few objects or `is_empty()`.

    Records the durations of all collections in `pauses`, in s. `few_blocks`: if at most this
    many blocks of memory were added, there are few objects.
    """
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
