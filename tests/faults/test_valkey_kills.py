"""Valkey killed with -9, or standing still, while everyone plays: nothing is lost, done twice or left out."""

import asyncio

import pytest

from kit.workload.amounts import Amounts, seeds
from kit.workload.play import Play
from kit.workload.rounds import Rounds

pytestmark = [pytest.mark.faults, pytest.mark.asyncio(loop_scope="session")]
LONGEST_STOP_S = 3.5  # longer than a store is waited for
AWAY_FOR_LONG = 0.1  # of the times


async def test_a_valkey_killed_again_and_again_loses_nothing(rounds: Rounds, asked: Amounts):
    for seed in seeds(asked.valkey_kills):
        async with rounds.play("kills of Valkey", seed, asked) as play:
            for _ in range(asked.valkey_kills.times):
                await play.some_more(play.chance.randint(1, 2 * asked.valkey_kills.commands))
                await kill(play)
            await stand_still(play)
            await play.all_go_on()


async def kill(play: Play) -> None:
    """Kill it, and start it again at once or after a while."""
    await play.house.valkey.kill()
    play.counts["kills"] += 1
    if play.chance.random() < AWAY_FOR_LONG:
        await asyncio.sleep(play.chance.uniform(0.0, LONGEST_STOP_S))
        play.counts["away for long"] += 1
    await play.house.valkey.start()


async def stand_still(play: Play) -> None:
    """Stop it for a while, with all that it has under way."""
    async with play.house.valkey.stopped():
        await asyncio.sleep(play.chance.uniform(0.0, LONGEST_STOP_S))
    play.counts["stops"] += 1
