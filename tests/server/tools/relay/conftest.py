"""A gm who plays at a table, and stubs that hear of it."""

from collections.abc import AsyncIterator

import pytest

import dreadclock
from kit.relay.discord import StubDiscord
from kit.relay.running import link_of
from kit.relay.stubs import Stub
from kit.rooms import Table


@pytest.fixture
async def stub() -> AsyncIterator[Stub]:
    """A receiver of calls."""
    async with Stub().listening() as stub:
        yield stub


@pytest.fixture
async def discord() -> AsyncIterator[StubDiscord]:
    """A Discord with one webhook."""
    discord = StubDiscord()
    async with discord.listening():
        yield discord


@pytest.fixture
async def gm(table: Table) -> AsyncIterator[dreadclock.Room]:
    """The gm's connection."""
    async with dreadclock.connect(link_of(table, "gm"), dice_secrets=False) as room:
        yield room
