"""Servers and rooms for the tests that need them: servers run from when first asked for to the end of the session."""

import gc
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Generator, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from hypothesis import settings
from redis.asyncio import Redis

from dreadclock_server.store.embedded.server import Embedded
from dreadclock_server.store.preflight import connect
from dreadclock_server.store.valkey import ValkeyStore
from kit.rooms import Table, open_table
from kit.server import Server, running_server

OPERATOR_KEY, METRICS_KEY = "the operator's key", "the key of the figures"
settings.register_profile("without times", deadline=None)  # machines are shared: times belong in benchmarks
settings.load_profile("without times")
_LONG = {
    *("test_pages_types.py", "test_setup_env.py", "test_kills.py", "test_killed_readers.py", "test_two_processes.py"),
    *("test_module.py", "test_calls.py", "test_demo.py", "test_full_memory.py", "test_full_disk.py"),
    *("test_leaving.py", "test_backup.py", "test_sudden_death.py", "test_architecture.py", "test_docs.py"),
}
_FIGURES = pytest.StashKey[list[str]]()


@pytest.fixture(scope="session")
def state_homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Name folders for the state that clients keep, one for each test; they are made when something is kept."""
    return map(tmp_path_factory.mktemp("state").joinpath, map(str, count(1)))


@pytest.fixture(autouse=True)
def state_home(state_homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep what clients remember out of the home of whoever runs the tests; programs that tests start inherit it."""
    home = next(state_homes)
    monkeypatch.setenv("XDG_STATE_HOME", str(home))
    return home


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Server]:
    """A server with its embedded Valkey, as `dreadclock serve` starts it."""
    async with running_server(tmp_path_factory.mktemp("server") / "data") as server:
        yield server


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def second(server: Server, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Server]:
    """A second process on the first one's Valkey, which others can reach: it has a key, a name and pages of its own."""
    environment = {
        "DREADCLOCK_OPERATOR_KEY": OPERATOR_KEY,
        "DREADCLOCK_METRICS_KEY": METRICS_KEY,
        "DREADCLOCK_ALLOWED_HOSTS": "tables.example",
        "DREADCLOCK_ALLOWED_ORIGINS": "https://pages.example",
        "DREADCLOCK_PUBLIC_URL": "https://tables.example/play/",
        "DREADCLOCK_HELLO_WITHIN_S": "2",
    }
    data = tmp_path_factory.mktemp("second") / "data"
    async with running_server(data, store=server.store_url, host="0.0.0.0", environment=environment) as second:
        yield second


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def mortal(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Server]:
    """A server that a test may kill, if it starts it again."""
    async with running_server(tmp_path_factory.mktemp("mortal") / "data") as mortal:
        yield mortal


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def valkey(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Embedded]:
    """An embedded Valkey without a server on it."""
    async with Embedded(tmp_path_factory.mktemp("valkey")) as embedded:
        yield embedded


@pytest.fixture
async def store(valkey: Embedded) -> AsyncIterator[ValkeyStore]:
    """A node's view of it."""
    store = await connect(valkey.url)
    yield store
    await store.aclose()


other = store  # another node's view


@pytest.fixture
async def admin(valkey: Embedded) -> AsyncIterator[Redis]:
    """A plain client, for what an operator or an accident does to it."""
    client = Redis.from_url(valkey.url)
    yield client
    await client.aclose()


def pytest_configure(config: pytest.Config) -> None:
    """Heed Ctrl-C, as do programs that tests start, also where all of it was started in the background.

    Let what was compiled be kept, whatever the environment says: hundreds of programs are started, and each would
    compile the sources anew.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)
    gc.disable()
    config.option.loadscopereorder = False  # else files of few tests, however long they take, would come last


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with files that take long, so that no process works on one of them when the others are done.

    Spread the tests of the pages evenly among the others: these need the processor, and most others wait for something.
    """
    files = {item.path: item.path.parent.name == "browser" for item in items}
    kinds = ([path for path, of_pages in files.items() if of_pages is kind] for kind in (True, False))
    places = {path: place / len(kind) for kind in kinds for place, path in enumerate(kind)}
    items.sort(key=lambda item: (item.path.name not in _LONG, places[item.path]))


def pytest_collection_finish() -> None:
    """Look for garbage from now on, and leave out what is there for the whole session: then that takes no time."""
    gc.enable()
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="module", autouse=True)
def leaks_fail_where_they_were_made() -> Iterator[None]:
    """Look for what a module left open, which would else fail whatever test is running when it is found.

    What is still there by then is left out of later looks: else all of them would take a tenth of the tests' time.
    """
    yield
    gc.collect()
    gc.freeze()


@pytest.fixture
def operator_key() -> str:
    """What opening a room on the second server takes."""
    return OPERATOR_KEY


@pytest.fixture
def metrics_key() -> str:
    """What reading the figures of the second server takes."""
    return METRICS_KEY


@pytest.fixture
async def table(server: Server) -> Table:
    """A fresh room on the first server, with a gm, ann and ben (players) and eve (a spectator)."""
    return await open_table(server)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def shared_table(server: Server) -> Table:
    """A room like `table` for all tests of a module, which leave nothing in it that the others could stumble over."""
    return await open_table(server)


@pytest.fixture
def figures(request: pytest.FixtureRequest) -> list[str]:
    """Lines to show after the tests."""
    return request.config.stash.setdefault(_FIGURES, [])


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hand the figures of one of several processes to the one that shows them."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["figures"] = session.config.stash.get(_FIGURES, [])


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take the figures of another process."""
    node.config.stash.setdefault(_FIGURES, []).extend(getattr(node, "workeroutput", {}).get("figures", []))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Show the figures."""
    lines = config.stash.get(_FIGURES, [])
    if lines:
        terminalreporter.section("figures")
        for line in lines:
            terminalreporter.line(line)


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
