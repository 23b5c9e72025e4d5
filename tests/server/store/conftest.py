"""Real servers to keep rooms in: the embedded Valkey, and a Redis if the machine has one."""

import secrets
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from dreadclock_server.store.embedded.server import Embedded


@pytest_asyncio.fixture(scope="session", loop_scope="session", params=["valkey", "redis"])
async def valkey(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Embedded]:
    binary = shutil.which("redis-server") if request.param == "redis" else None
    if request.param == "redis" and binary is None:
        pytest.skip("no redis-server on this machine")
    async with Embedded(tmp_path_factory.mktemp(request.param), server=binary) as embedded:
        yield embedded


@pytest.fixture(scope="session")
def server(valkey: Embedded) -> Embedded:
    return valkey


@pytest.fixture
def room() -> str:
    return secrets.token_hex(8)


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    return tmp_path / "data"
