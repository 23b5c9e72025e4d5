"""Running servers and rooms for the tests that need one. Servers are started when first asked for and serve the whole session."""

from collections.abc import AsyncIterator, Generator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio

from kit.rooms import Table, open_table
from kit.server import Server

OPERATOR_KEY = "the operator's key"


@asynccontextmanager
async def _running(server: Server) -> AsyncIterator[Server]:
    await server.start()
    yield server
    await server.close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Server]:
    """A server with its embedded Valkey, as `dreadclock serve` starts it."""
    async with _running(Server(tmp_path_factory.mktemp("server") / "data")) as server:
        yield server


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def second(server: Server, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Server]:
    """A second process on the first one's Valkey, which others can reach: it has a key, a name and pages of its own."""
    environment = {
        "DREADCLOCK_OPERATOR_KEY": OPERATOR_KEY,
        "DREADCLOCK_ALLOWED_HOSTS": "tables.example",
        "DREADCLOCK_ALLOWED_ORIGINS": "https://pages.example",
        "DREADCLOCK_PUBLIC_URL": "https://tables.example/play/",
        "DREADCLOCK_HELLO_WITHIN_S": "2",
    }
    data = tmp_path_factory.mktemp("second") / "data"
    async with _running(Server(data, store=server.store_url, host="0.0.0.0", environment=environment)) as second:
        yield second


@pytest.fixture
def operator_key() -> str:
    """What opening a room on the second server takes."""
    return OPERATOR_KEY


@pytest.fixture
async def table(server: Server) -> Table:
    """A fresh room on the first server, with a gm, ann and ben (players) and eve (a spectator)."""
    return await open_table(server)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def shared_table(server: Server) -> Table:
    """A room like `table` for all tests of a module, which leave nothing in it that the others could stumble over."""
    return await open_table(server)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data directory for a server of the test's own."""
    return tmp_path / "data"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show the end of every running server's log under a failure."""
    report = yield
    if report.failed:
        for each in Server.running:
            report.sections.append((f"log of {each.url}", each.last_words()))
    return report
