"""The embedded Valkey, with two nodes' views of it."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from redis.asyncio import Redis

from dreadclock_server.store.embedded.server import Embedded
from dreadclock_server.store.preflight import connect
from dreadclock_server.store.valkey import ValkeyStore
from kit.nodes import opened


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def valkey(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Embedded]:
    async with Embedded(tmp_path_factory.mktemp("rooms")) as embedded:
        yield embedded


@pytest.fixture
async def store(valkey: Embedded) -> AsyncIterator[ValkeyStore]:
    store = await connect(valkey.url)
    yield store
    await store.aclose()


@pytest.fixture
async def other(valkey: Embedded) -> AsyncIterator[ValkeyStore]:
    """Another node's view of the same server."""
    store = await connect(valkey.url)
    yield store
    await store.aclose()


@pytest.fixture
async def admin(valkey: Embedded) -> AsyncIterator[Redis]:
    """A plain client, for what an operator or an accident does to the server."""
    client = Redis.from_url(valkey.url)
    yield client
    await client.aclose()


@pytest.fixture
async def room_id(store: ValkeyStore) -> str:
    """A room with its gm and Ann."""
    return await opened(store)
