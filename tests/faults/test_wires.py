"""All that can happen on the wire, between clients and servers and between servers and Valkey, while everyone plays."""

import pytest

from kit.links.faulty_links import Fault
from kit.workload.amounts import Amounts, seeds
from kit.workload.rounds import Rounds

pytestmark = [pytest.mark.faults, pytest.mark.asyncio(loop_scope="session")]
PAUSE_S = 0.1  # between two faults


@pytest.fixture(autouse=True)
def clients_that_ask_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let clients ask every few seconds whether the server is still there, for they cannot know it from silence."""
    monkeypatch.setattr("dreadclock.client.connection.PING_S", 5)


async def test_whatever_happens_on_the_wire_nothing_is_lost(rounds: Rounds, asked: Amounts):
    for seed in seeds(asked.faults):
        async with rounds.play("faults of TCP", seed, asked) as play:
            await play.some_more(asked.faults.commands)
            for wires in ([play.house.front], play.house.backs):
                fired = await play.storm(wires, asked.faults.times // 2, PAUSE_S)
                assert fired.keys() == set(Fault)
                play.counts["faults"] += fired.total()
                play.counts.update({str(fault): count for fault, count in fired.items()})
                await play.all_go_on()
