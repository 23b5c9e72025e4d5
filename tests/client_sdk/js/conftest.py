"""One client in JavaScript for all tests of a file: to start a process takes longer than most of them."""

from collections.abc import AsyncIterator

import pytest_asyncio

from kit.puppet import Puppet, puppet


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def program() -> AsyncIterator[Puppet]:
    """The process."""
    async with puppet() as program:
        yield program


@pytest_asyncio.fixture(loop_scope="module")
async def visitor(program: Puppet) -> AsyncIterator[Puppet]:
    """A client that is in no room, and that nobody told anything."""
    yield program
    await program.do("reset")
