"""A server that dies around an append, an acknowledgement or an announcement: whoever was with it loses nothing."""

import asyncio

import pytest

from kit.server import Server
from kit.servers.crash_points import POINTS, crash_at
from kit.workload.amounts import Amounts, seeds
from kit.workload.play import Play
from kit.workload.rounds import Rounds

pytestmark = [pytest.mark.faults, pytest.mark.asyncio(loop_scope="session")]
STIR_S = 0.3


async def test_a_server_that_dies_at_any_point_loses_nothing(rounds: Rounds, asked: Amounts):
    for seed in seeds(asked.kill_points):
        async with rounds.play("kill points", seed, asked) as play:
            victim = play.chance.choice(play.house.servers)
            await play.house.kill(victim)
            for point in play.chance.sample(POINTS, min(asked.kill_points.times, len(POINTS))):
                await play.some_more(asked.kill_points.commands)
                await die_at(play, victim, point)
            await play.house.revive(victim)
            await play.all_go_on()


async def die_at(play: Play, victim: Server, point: str) -> None:
    """Start a server that dies at a point, and have it die of that."""
    victim.prelude = crash_at(point, play.chance)
    stirring = asyncio.create_task(stir(play))
    try:
        await victim.dies_by_itself()
    finally:
        stirring.cancel()
        await asyncio.gather(stirring, return_exceptions=True)
        victim.prelude = ""
    assert f"dies {point}" in victim.last_words()
    play.counts["kills"] += 1


async def stir(play: Play) -> None:
    """Cut everyone off now and then, so that they come to the crash_at server, too."""
    while True:
        play.house.front.cut()
        await asyncio.sleep(play.chance.uniform(0.0, 10 * STIR_S))
