"""What people do all the time takes as few presses as it may, and no longer than it did."""

import asyncio
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from kit.browser.actions import ACTIONS, Action, one_table
from kit.browser.company import company_at
from kit.browser.hands import Work
from kit.server import Server


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def measure(browser: Browser, server: Server) -> AsyncIterator[Callable[[Action], Awaitable[Work]]]:
    """The table at which all is done, one after the other."""
    async with company_at(browser, server) as company, one_table(company) as measure:
        yield measure


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.name)
async def test_it_takes_as_few_presses_as_it_may(
    measure: Callable[[Action], Awaitable[Work]], action: Action, figures: list[str]
):
    work = await measure(action)

    figures.append(f"{action.name}: {work.presses} presses, {work.seconds:.1f} s")
    assert work.presses <= action.at_most, work


async def test_the_program_that_counts_them_prints_its_table():
    program = Path(__file__).parents[1] / "bench/presses.py"
    done = await asyncio.create_subprocess_exec(sys.executable, program, "undo", stdout=PIPE, stderr=PIPE)
    out, err = await done.communicate()

    assert done.returncode == 0, err.decode()
    assert [line.split(" | ")[0] for line in out.decode().splitlines()[2:]] == ["| undo"]
