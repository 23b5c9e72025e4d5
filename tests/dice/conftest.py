"""A server that can cheat, on the embedded Valkey."""

from collections.abc import AsyncIterator

import pytest_asyncio

from dreadclock_server.store.embedded.server import Embedded
from dreadclock_server.store.preflight import connect
from kit.cheating.company import Company, gathered
from kit.cheating.server import Cheater, cheater_on


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def cheater(valkey: Embedded) -> AsyncIterator[Cheater]:
    store = await connect(valkey.url)
    async with cheater_on(store, valkey.url) as cheater:
        yield cheater
    await store.aclose()


@pytest_asyncio.fixture(loop_scope="module")
async def company(cheater: Cheater) -> AsyncIterator[Company]:
    async with gathered(cheater) as company:
        yield company
