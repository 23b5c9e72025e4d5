"""Real servers to keep rooms in: the embedded Valkey, and a Redis if the machine has one."""

import secrets
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from redis.asyncio import Redis

from dreadclock_server.store.embedded.server import Embedded
from dreadclock_server.store.preflight import connect
from dreadclock_server.store.valkey import ValkeyStore


@pytest_asyncio.fixture(scope="session", loop_scope="session", params=["valkey", "redis"])
async def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Embedded]:
    binary = shutil.which("redis-server") if request.param == "redis" else None
    if request.param == "redis" and binary is None:
        pytest.skip("no redis-server on this machine")
    async with Embedded(tmp_path_factory.mktemp(request.param), server=binary) as embedded:
        yield embedded


@pytest.fixture
async def store(server: Embedded) -> AsyncIterator[ValkeyStore]:
    store = await connect(server.url)
    yield store
    await store.aclose()


@pytest.fixture
async def other(server: Embedded) -> AsyncIterator[ValkeyStore]:
    """Another node's view of the same server."""
    store = await connect(server.url)
    yield store
    await store.aclose()


@pytest.fixture
async def admin(server: Embedded) -> AsyncIterator[Redis]:
    """A plain client, for what an operator or an accident does to the server."""
    client = Redis.from_url(server.url)
    yield client
    await client.aclose()


@pytest.fixture
def room() -> str:
    return secrets.token_hex(8)


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    return tmp_path / "data"
