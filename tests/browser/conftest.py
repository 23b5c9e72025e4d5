"""Tests in a real browser: one Chromium for all of them, a context of its own for everyone at a table."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Generator
from functools import wraps
from inspect import iscoroutinefunction
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

import dreadclock
from kit.browser.chromium import MISSING, chromium, find_chromium
from kit.browser.company import Company, company_at, link
from kit.browser.reuse import Places
from kit.evenings.prepared import evening_orders
from kit.foundry.users import Foundry, Gathering, running_foundry
from kit.owlbear import owlbear_origin
from kit.rooms import Table, open_table
from kit.server import Server
from kit.strategies.picks import Fields

HERE = Path(__file__).parent
WITHIN_MS = 20_000  # what must come to be seen is; other tests may keep the machine busy
STUCK_S = 300.0
REQUIRED = bool(os.environ.get("DREADCLOCK_REQUIRE_BROWSER"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run these tests in the loop that the browser lives in; without a browser, skip them."""
    ours = [item for item in items if item.path.is_relative_to(HERE)]
    missing = ours and not REQUIRED and find_chromium() is None
    for item in ours:
        if iscoroutinefunction(item.obj):  # type: ignore[attr-defined]
            item.obj = limited(item.obj)  # type: ignore[attr-defined]
        item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)
        if missing:
            item.add_marker(pytest.mark.skip(reason=MISSING))


def limited(test: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
    """Let a test that waits for ever for a page's answer fail, and say where."""

    @wraps(test)
    async def run(*given: Any, **named: Any) -> None:
        async with asyncio.timeout(STUCK_S):
            await test(*given, **named)

    return run


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say so where the pages were not tested."""
    skipped = [report for report in terminalreporter.getreports("skipped") if MISSING in str(report.longrepr)]
    if skipped:
        terminalreporter.section("the pages were not tested")
        terminalreporter.line(f"{len(skipped)} tests were skipped: {MISSING}.")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show under a failure what the pages complained of."""
    report = yield
    if report.failed and Company.present is not None:
        report.sections.append(("complaints of the pages", "\n".join(Company.present.complaints()) or "none"))
    return report


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """The one browser."""
    path = find_chromium()
    if path is None:
        pytest.fail(f"DREADCLOCK_REQUIRE_BROWSER is set, but {MISSING}")
    expect.set_options(timeout=WITHIN_MS)
    async with chromium(path, draws=False) as browser:
        yield browser


@pytest.fixture(scope="session")
def places(browser: Browser) -> Places:
    """The pages that tests use one after another."""
    return Places(browser)


@pytest_asyncio.fixture(loop_scope="session")
async def company(browser: Browser, server: Server, places: Places) -> AsyncIterator[Company]:
    """Whoever comes to this test's table; nobody's page may have complained of anything by the end."""
    async with company_at(browser, server, places) as company:
        yield company


@pytest_asyncio.fixture(loop_scope="session")
async def room(table: Table) -> AsyncIterator[dreadclock.Room]:
    """The gm's connection to this test's table, beside the pages."""
    async with dreadclock.connect(link(table, "gm")) as room:
        yield room


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def origin() -> AsyncIterator[str]:
    """The origin of the one stub of Owlbear Rodeo."""
    async with owlbear_origin() as origin:
        yield origin


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def foundry(browser: Browser, origin: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Foundry]:
    """The one stub of Foundry, with a server that lets its pages in, and Owlbear Rodeo's; every test has a world and a
    table of its own.
    """
    async with running_foundry(browser, tmp_path_factory.mktemp("foundry"), frames=(origin,)) as foundry:
        yield foundry


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def world(foundry: Foundry) -> AsyncIterator[Gathering]:
    """A world of Foundry and a table for all tests of a module, each of which says who is among it."""
    async with foundry.gather() as gathered:
        yield gathered


@pytest_asyncio.fixture(loop_scope="session")
async def here(world: Gathering) -> AsyncIterator[Gathering]:
    """The world, with whoever the test before left there; only what is rolled from now on counts."""
    async with world.part():
        yield world


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def evening(server: Server) -> Table:
    """A room in which a bit of everything is under way, in public, sealed and the gm's alone; nobody changes it."""
    table = await open_table(server)
    async with dreadclock.connect(link(table, "gm")) as room:
        await room.set_policy(physical_dice="everyone")
        for order in evening_orders():
            await room.submit(told_apart(order))
    return table


def told_apart(order: Fields) -> Fields:
    """Give what a command starts a name or a purpose of its own, as people do."""
    if "id" not in order:
        return order
    if order["type"].startswith("propose_"):
        return {**order, "purpose": f"{order.get('purpose', '')} {order['id']}".strip()}
    return {**order, "name": f"{order['name']} {order['id']}"} if "name" in order else order
