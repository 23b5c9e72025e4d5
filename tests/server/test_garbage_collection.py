"""What Python's garbage collector looks at, and when."""

import gc
import subprocess
import sys
import weakref
from collections.abc import Iterator

import pytest

from dreadclock_server.garbage_collection import collecting
from dreadclock_server.rooms.counters import histogram
from kit.histograms import observed
from kit.waiting import until

MANY_OBJECTS = """
import gc
from dreadclock_server import garbage_collection
garbage_collection.configure()
before = [each["collections"] for each in gc.get_stats()]
kept = [[] for _ in range(500_000)]
print(*(each["collections"] - earlier for each, earlier in zip(gc.get_stats(), before)))
"""


class Knot:
    """Something that holds itself."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def old_garbage() -> Iterator[weakref.ref[Knot]]:
    """A reference cycle that nobody holds, and that only a look at everything finds."""
    gc.collect()
    gc.disable()
    knot = Knot()
    gc.collect()
    found = weakref.ref(knot)
    del knot
    yield found
    gc.enable()


def test_only_young_objects_are_looked_at_and_only_once_however_many_there_are():
    done = subprocess.run([sys.executable, "-c", MANY_OBJECTS], capture_output=True, text=True, check=True, timeout=60)
    youngest, *older = map(int, done.stdout.split())

    assert youngest > 40
    assert older == [0, 0]


@pytest.mark.parametrize(("is_empty", "few_blocks"), [(True, -sys.maxsize), (False, sys.maxsize)])
async def test_a_full_collection_runs_if_idle_or_small(old_garbage: weakref.ref[Knot], is_empty: bool, few_blocks: int):
    async with collecting(histogram("pauses", ""), lambda: is_empty, 0.001, few_blocks):
        await until(lambda: old_garbage() is None)


async def test_not_all_is_looked_at_while_it_is_much_and_somebody_is_there(old_garbage: weakref.ref[Knot]):
    asked = 0

    def is_empty() -> bool:
        nonlocal asked
        asked += 1
        return False

    async with collecting(histogram("pauses", ""), is_empty, 0.001, -sys.maxsize):
        await until(lambda: asked > 3)
    assert old_garbage() is not None


async def test_each_collection_is_noted_with_how_long_it_took():
    pauses = histogram("pauses", "")
    async with collecting(pauses, lambda: False):
        gc.collect(0)
        gc.collect(1)
        count, total_s = observed(pauses)
        assert count >= 2
        assert 0 < total_s < 10
    noted = observed(pauses)

    gc.collect(0)

    assert observed(pauses) == noted
