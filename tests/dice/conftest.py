"""The embedded Valkey that rooms with dice are kept in, and a server on it that can cheat."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from redis.asyncio import Redis

from dreadclock_server.store.embedded.server import Embedded
from dreadclock_server.store.preflight import connect
from dreadclock_server.store.valkey import ValkeyStore
from kit.cheating.company import Company, gathered
from kit.cheating.server import Cheater, cheater_on


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def valkey(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Embedded]:
    async with Embedded(tmp_path_factory.mktemp("dice")) as embedded:
        yield embedded


@pytest.fixture
async def store(valkey: Embedded) -> AsyncIterator[ValkeyStore]:
    store = await connect(valkey.url)
    yield store
    await store.aclose()


@pytest.fixture
async def admin(valkey: Embedded) -> AsyncIterator[Redis]:
    """A plain client, for what an operator or an accident does to the server."""
    client = Redis.from_url(valkey.url)
    yield client
    await client.aclose()


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
