"""Whether a server can serve now: heard from its store again and again, and noticed when that falls silent."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest
from structlog.testing import capture_logs

from dreadclock_server.gateway.health import Health
from dreadclock_server.store.base import Memory, Store
from dreadclock_server.store.preflight import connect
from kit.histograms import observed
from kit.server import Server
from kit.waiting import until

MIB = 1024 * 1024


class Holding:
    """A store that answers pings only while it is let."""

    def __init__(self, store: Store) -> None:
        self.lets = asyncio.Event()
        self.lets.set()
        self._store = store
        self.says: Memory | None = None  # of its memory

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def ping(self) -> None:
        """Answer, or wait until it may be answered."""
        await self.lets.wait()
        await self._store.ping()

    async def memory(self) -> Memory | None:
        """Say what it is told to say."""
        return self.says


@pytest.fixture
async def holding(server: Server) -> AsyncIterator[Holding]:
    store = await connect(server.store_url)
    yield Holding(store)
    await store.aclose()


@asynccontextmanager
async def felt(holding: Holding) -> AsyncIterator[Health]:
    """Measure health often, for as long as the block lasts."""
    health = Health(cast(Store, holding), every_s=0.01, patience_s=0.3, memory_every_s=0.001)
    await health.start()
    try:
        yield health
    finally:
        await health.aclose()


async def test_a_store_that_gives_no_answer_is_noticed_before_its_deadline_and_so_is_its_return(holding: Holding):
    async with felt(holding) as health:
        await until(lambda: health.objection is None)
        holding.lets.clear()
        await until(lambda: health.objection is not None)
        counted = observed(health.round_trip_s)[0]
        holding.lets.set()
        await until(lambda: health.objection is None)
        await until(lambda: observed(health.round_trip_s)[0] > counted)


async def test_a_server_that_has_never_heard_from_its_store_is_not_ready(holding: Holding):
    holding.lets.clear()
    async with felt(holding) as health:
        assert health.objection is not None
        holding.lets.set()
        await until(lambda: health.objection is None)


async def test_who_is_about_to_end_says_so_before_anything_else(holding: Holding):
    async with felt(holding) as health:
        health.is_leaving = True
        assert health.objection == "this server is shutting down"


async def test_a_loop_that_is_held_up_shows_in_its_lag(holding: Holding):
    async with felt(holding) as health:
        before = observed(health.lag_s)[1]
        time.sleep(0.2)  # noqa: ASYNC251
        await until(lambda: observed(health.lag_s)[1] > before + 0.15)


async def test_a_memory_that_is_nearly_full_is_warned_of_once_for_each_time_it_gets_there(holding: Holding):
    with capture_logs() as log:
        async with felt(holding) as health:
            for used in (10, 79, 80, 79, 85, 71, 80, 69, 75, 80):
                holding.says = Memory(used * MIB, 100 * MIB)
                await until(lambda: health.memory == holding.says)

    told = [(each["event"], each.get("used_mib")) for each in log]
    nearly, again = "the memory of the store is nearly full", "there is room in the memory of the store again"
    assert told == [(nearly, 80), (again, None), (nearly, 80)]


async def test_a_memory_without_a_limit_or_that_is_kept_secret_is_not_warned_of(holding: Holding):
    with capture_logs() as log:
        async with felt(holding) as health:
            for says in (Memory(MIB, 0), None):
                holding.says = says
                await until(lambda: health.memory == holding.says)

    assert log == []
