"""Servers killed with -9, or standing still, while everyone plays: their clients go on elsewhere, and lose nothing."""

import asyncio
import signal

import pytest

from kit.server import Server
from kit.servers.crash_points import POINTS, crash_at
from kit.waiting import until
from kit.workload.amounts import Amounts, seeds
from kit.workload.company import PATIENCE_S, Company, company
from kit.workload.play import Play
from kit.workload.rounds import Rounds

pytestmark = [pytest.mark.faults, pytest.mark.asyncio(loop_scope="session")]
LONGEST_STOP_S = 3.0


async def test_servers_killed_again_and_again_lose_nothing(rounds: Rounds, asked: Amounts):
    for seed in seeds(asked.server_kills):
        async with rounds.play("kills of servers", seed, asked) as play:
            while play.counts["kills"] < asked.server_kills.times:
                await play.some_more(play.chance.randint(1, 2 * asked.server_kills.commands))
                await kill_some(play)
            await stand_still(play)
            await play.all_go_on()


async def kill_some(play: Play) -> None:
    """Kill one server while the others live on, or all of them, or all with Valkey."""
    house, drawn = play.house, play.chance.random()
    victims = house.servers if drawn < 0.2 else [play.chance.choice(house.servers)]
    with_valkey = drawn < 0.1
    await house.kill(*victims)
    if with_valkey:
        await house.valkey.kill()
        await house.valkey.start()
    elif len(victims) < len(house.servers):
        await play.all_go_on()  # elsewhere
    await house.revive(*victims)
    play.counts["kills"] += len(victims)
    play.counts["kills with Valkey"] += len(victims) * with_valkey


async def stand_still(play: Play) -> None:
    """Stop a server for a while."""
    victim = play.chance.choice(play.house.servers)
    victim.send(signal.SIGSTOP)
    try:
        await asyncio.sleep(play.chance.uniform(0.0, LONGEST_STOP_S))
    finally:
        victim.send(signal.SIGCONT)
    play.counts["stops"] += 1


# A server as most people run it: one process, which looks after a Valkey of its own


async def test_a_server_with_a_valkey_comes_back_from_any_kill(mortal: Server, asked: Amounts, figures: list[str]):
    async with company("Alone", 1, mortal, mortal.url, asked.pause_s) as one:
        one.begin()
        for with_valkey in (True, False):
            await acks(one.book.acked + 100, one)
            await mortal.kill(with_valkey=with_valkey)
            await mortal.start()
        await acks(one.book.acked + 100, one)
        await kill_valkey(mortal)
        await acks(one.book.acked + 100, one)
        history = await one.end([mortal])
    figures.append(f"a server alone: 2 kills of it and 2 of its Valkey, {len(history.operations)} commands, none lost")


async def acks(goal: int, one: Company) -> None:
    """Wait until so many commands have been acknowledged."""
    await until(lambda: one.book.acked >= goal, PATIENCE_S)


async def kill_valkey(server: Server) -> None:
    """Kill the embedded Valkey, and return once its successor answers."""
    before = server.valkey_pid
    server.signal_valkey(signal.SIGKILL)
    await until(lambda: server.find_valkey() not in (None, before), PATIENCE_S)


# Valkey killed with -9, or standing still, while everyone plays: nothing is lost, done twice or left out


VALKEY_STOP_S = 3.5  # longer than a store is waited for
AWAY_FOR_LONG = 0.1  # of the times


async def test_a_valkey_killed_again_and_again_loses_nothing(rounds: Rounds, asked: Amounts):
    for seed in seeds(asked.valkey_kills):
        async with rounds.play("kills of Valkey", seed, asked) as play:
            for _ in range(asked.valkey_kills.times):
                await play.some_more(play.chance.randint(1, 2 * asked.valkey_kills.commands))
                await kill_valkey_of(play)
            await valkey_stands_still(play)
            await play.all_go_on()


async def kill_valkey_of(play: Play) -> None:
    """Kill it, and start it again at once or after a while."""
    await play.house.valkey.kill()
    play.counts["kills"] += 1
    if play.chance.random() < AWAY_FOR_LONG:
        await asyncio.sleep(play.chance.uniform(0.0, VALKEY_STOP_S))
        play.counts["away for long"] += 1
    await play.house.valkey.start()


async def valkey_stands_still(play: Play) -> None:
    """Stop it for a while, with all that it has under way."""
    async with play.house.valkey.stopped():
        await asyncio.sleep(play.chance.uniform(0.0, VALKEY_STOP_S))
    play.counts["stops"] += 1


# A server that dies around an append, an acknowledgement or an announcement: whoever was with it loses nothing


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
