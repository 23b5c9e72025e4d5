"""A server that rolls in the name of somebody who is away: she is told as she comes back, and not of honest rolls."""

from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

import dreadclock
from dreadclock import Room
from dreadclock.client.trust.alarms import RollAlarm
from dreadclock.client.trust.dice_secrets import DiceSecrets
from dreadclock.dice.flaws import Flaw
from dreadclock.wire.base import Channel
from kit.cheating import ways as ways
from kit.cheating.company import ROLL, Company
from kit.cheating.server import Cheat, Cheater
from kit.rooms import Table, open_table

pytestmark = pytest.mark.asyncio(loop_scope="module")
Mark = tuple[Flaw, int | None]
TYPED: dict[str, Any] = {"type": "roll_dice", "pool": 2, "faces": [3, 6]}


@pytest_asyncio.fixture(loop_scope="module")
async def table(cheater: Cheater) -> Table:
    return await open_table(cheater.server, physical_dice="everyone")


def come(cheater: Cheater, table: Table, device: Path, name: str = "ann") -> AbstractAsyncContextManager[Room]:
    """Take somebody's seat on a device, with a program that was just started."""
    return dreadclock.connect(cheater.url, table.id, table.token(name), dice_secrets=DiceSecrets(device))


async def told(cheater: Cheater, table: Table, device: Path, name: str = "ann", times: int = 0) -> list[Mark]:
    """Come back, go again once what was missed is looked through, and say which records are called what."""
    async with come(cheater, table, device, name) as room:
        await room.wait_for(lambda _: len(room.alarms) >= times, timeout_s=10)
    return marks(room)


async def gm_does(table: Table, order: dict[str, Any], name: str = "gm") -> None:
    async with table.http(name) as http:
        answer = await http.post(table.path("/commands"), json=order)
    assert answer.status_code == 200, answer.text


async def forges(cheater: Cheater, table: Table, times: int = 1) -> list[int]:
    """Let the server roll as Ann without a token, and return the numbers of those records."""
    cheat: Cheat = ways.in_the_name_of(table.seat("ann"), token=False)
    seqs = []
    for _ in range(times):
        with cheater.cheating(cheat):
            await gm_does(table, ROLL)
        seqs.append(cheater.rooms.live[table.id].room.seq(Channel.PUBLIC))
    return seqs


def marks(room: Room) -> list[Mark]:
    """Say which records are called what."""
    return [
        (each.flaw, each.record.seq if each.record else None) for each in room.alarms if isinstance(each, RollAlarm)
    ]


async def test_each_roll_without_a_token_that_was_forged_while_she_was_away_is_named(
    cheater: Cheater, table: Table, tmp_path: Path
):
    async with come(cheater, table, tmp_path) as ann:
        await ann.submit(ROLL)
    seqs = await forges(cheater, table, 2)

    assert await told(cheater, table, tmp_path, times=2) == [(Flaw.NOT_SENT, seq) for seq in seqs]
    assert await told(cheater, table, tmp_path) == []


async def test_each_roll_without_a_token_that_is_forged_while_she_looks_on_is_named(company: Company):
    for _ in range(2):
        with company.cheater.cheating(ways.in_the_name_of(company.ann.seat, token=False)):
            await company.gm_does(ROLL)

    await company.named()
    assert [flaw for flaw, _ in marks(company.ann)] == [Flaw.NOT_SENT] * 2


async def test_her_own_rolls_of_last_time_are_no_news(cheater: Cheater, table: Table, tmp_path: Path):
    """Nor are those of another program on her device; dice that she typed in show no token."""
    async with come(cheater, table, tmp_path) as ann:
        await ann.submit(ROLL)
        async with come(cheater, table, tmp_path) as other:
            for room in (ann, other, ann):
                await room.submit(ROLL)
            await other.submit(TYPED)
        await ann.submit(TYPED)
    await gm_does(table, ROLL)

    assert await told(cheater, table, tmp_path) == []


async def test_rolls_of_a_program_that_crashed_are_no_news(cheater: Cheater, table: Table, tmp_path: Path):
    """It noted nothing at its end; what its tokens do not speak for was noted at once."""
    async with come(cheater, table, tmp_path):
        pass
    async with come(cheater, table, tmp_path) as crashed:
        await crashed.submit(TYPED)
        await crashed.submit(ROLL)
        assert await told(cheater, table, tmp_path) == []


async def test_her_rolls_by_other_ways_are_marked_and_those_on_another_device_with_tokens_once(
    cheater: Cheater, table: Table, tmp_path: Path
):
    async with come(cheater, table, tmp_path / "one"):
        pass
    async with come(cheater, table, tmp_path / "two") as other:
        for _ in range(3):
            await other.submit(ROLL)
    await gm_does(table, ROLL, "ann")

    named = await told(cheater, table, tmp_path / "one", times=2)
    assert [flaw for flaw, _ in named] == [Flaw.NOT_SENT] * 2


async def test_another_seat_on_the_same_device_hides_nothing_from_her(cheater: Cheater, table: Table, tmp_path: Path):
    async with come(cheater, table, tmp_path):
        pass
    seqs = await forges(cheater, table)
    assert await told(cheater, table, tmp_path, "ben") == []

    assert await told(cheater, table, tmp_path, times=1) == [(Flaw.NOT_SENT, seqs[0])]


async def test_who_never_was_there_before_is_told_nothing_of_rolls_in_her_name(
    cheater: Cheater, table: Table, tmp_path: Path
):
    """She knows nothing of what her seat did: `dreadclock verify` says on what its rolls rest."""
    await forges(cheater, table)

    assert await told(cheater, table, tmp_path) == []
