"""A past that is changed or set back under a relay that is connected: loudly said, and gone on from."""

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import pytest_asyncio

from dreadclock.wire.base import Channel
from dreadclock_server.store.embedded.server import Embedded
from dreadclock_server.store.preflight import connect
from kit.cheating.company import Company, gathered
from kit.cheating.rewriting import kept as stored
from kit.cheating.rewriting import replaced
from kit.cheating.server import Cheater, cheater_on
from kit.relay.discord import StubDiscord, shown
from kit.relay.running import begun, kept, relaying, webhook, written
from kit.relay.stubs import Stub
from kit.waiting import until

pytestmark = pytest.mark.asyncio(loop_scope="module")

QUICK = "retries_s = [0.05, 0.05]\ntimeout_s = 5\n"
SOON_S = 30.0


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


async def roll(company: Company, name: str) -> None:
    await company.gm_does({"type": "roll_dice", "pool": 1, "name": name})


def link(company: Company) -> str:
    return f"{company.cheater.url}/r/{company.table.id}#{company.table.token('eve')}"


def told(stub: Stub) -> list[tuple[str, str]]:
    """List the types and ids that were sent."""
    return [(json.loads(call.body)["type"], call.headers["webhook-id"]) for call in stub.calls]


async def test_a_past_that_is_set_back_is_told_and_the_same_numbers_come_under_other_ids(
    company: Company, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    stub, room = Stub(), company.table.id
    before = stored(company.cheater.store_url, room)
    async with stub.listening(), relaying(path := written(tmp_path, link(company), webhook(stub.url, QUICK))):
        await begun(path)
        await roll(company, "one")
        await until(lambda: len(stub.calls) == 1)
        seq = company.ann.positions[Channel.PUBLIC].seq
        await until(lambda: (known := kept(path)) is not None and not known.pending)

        await company.past_is_set_back(before)
        await until(lambda: len(stub.calls) == 2, SOON_S)
        await roll(company, "another")
        await until(lambda: len(stub.calls) == 3, SOON_S)

    assert told(stub) == [
        ("dice_rolled", f"{room}_public_{seq}"),
        ("past_changed", f"{room}_past_2"),
        ("dice_rolled", f"{room}_public_{seq}_2"),
    ]
    assert b"another" in stub.calls[2].body
    assert "hook: the room's past was changed" in caplog.text


async def test_a_story_says_that_the_past_was_changed(company: Company, tmp_path: Path) -> None:
    discord = StubDiscord()
    target = '[targets.story]\nkind = "discord"\nurl = "file:discord"\ntracker = false\nstory = true\n'
    path = written(tmp_path, link(company), target)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(discord.listening())
        (tmp_path / "discord").write_text(discord.webhook)
        await stack.enter_async_context(relaying(path))
        await begun(path, "story")
        face = company.ann.view.rolls["r3"].faces[0]
        await company.past_is_changed(replaced('"id":"r3"', f'"faces":[{face},', f'"faces":[{face % 6 + 1},'))
        await until(lambda: len(discord.posted) == 1, SOON_S)
        await roll(company, "another")
        await until(lambda: len(discord.posted) == 2, SOON_S)

    assert discord.posted[0]["content"].startswith("The past of this table was changed")
    assert '"another"' in shown(discord.posted[1]["content"])
