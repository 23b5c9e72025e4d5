"""Announcements that are lost, doubled, late or out of order: they are hints, and everyone hears all the same."""

import time

import pytest

from kit.links.announced import Mischief
from kit.rooms import open_table
from kit.workload.amounts import Amounts, seeds
from kit.workload.play import Play
from kit.workload.rounds import Rounds

pytestmark = [pytest.mark.faults, pytest.mark.asyncio(loop_scope="session")]
MIXED = {Mischief.LOST: 20, Mischief.DOUBLED: 20, Mischief.LATE: 20, Mischief.SWAPPED: 20}
NONE_COME = {Mischief.LOST: 100}


async def test_announcements_may_come_as_they_like_or_not_at_all(rounds: Rounds, asked: Amounts, figures: list[str]):
    for seed in seeds(asked.announcements):
        async with rounds.play("announcements", seed, asked) as play:
            town = play.house.town
            town.odds = MIXED
            await play.some_more(asked.announcements.commands * asked.announcements.times)
            await play.all_go_on()
            assert town.counts.keys() == set(Mischief)

            town.odds = NONE_COME
            await play.some_more(asked.announcements.commands)
            late_s = await hear_elsewhere(play, asked.announcements.times)
            await play.all_go_on()
            play.counts.update({f"announcements {name}": count for name, count in town.counts.items()})
        figures.append(f"with no announcement at all, another server's clients heard within {max(late_s):.2f} s")


async def hear_elsewhere(play: Play, rolls: int) -> list[float]:
    """Roll on one server in a quiet room, and say how late somebody on another heard of it each time."""
    here, there = play.house.servers[:2]
    table, late_s = await open_table(here), list[float]()
    async with table.connected("ann", here) as writer, table.connected("eve", there) as listener:
        for _ in range(rolls):
            assert (await writer.do({"type": "roll_dice", "pool": 1}))["type"] == "ack"
            acked_at = time.monotonic()
            await listener.expect("events")
            late_s.append(time.monotonic() - acked_at)
    return late_s
