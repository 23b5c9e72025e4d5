"""How the JavaScript client in Node.js leaves a network that went silent, in a network namespace."""

from collections.abc import AsyncIterator

import pytest

import dreadclock
from dreadclock.wire.base import Channel
from kit.links.namespaces import Network, needs_networks, network
from kit.puppet import Puppet, needs_node, puppet
from kit.rooms import open_table
from kit.server import Server
from kit.waiting import until

pytestmark = [needs_node, needs_networks]
LOOK_MS = 14_000  # a clock that jumps further between two looks at it has slept


@pytest.fixture
async def net(server: Server) -> AsyncIterator[Network]:
    async with network(server.port) as net:
        yield net


@pytest.mark.parametrize("silence", ["cut", "forget_flows"])
async def test_a_network_that_went_silent_is_noticed(server: Server, net: Network, silence: str):
    table = await open_table(server)
    gm_link = f"{server.url}/r/{table.id}#{table.token('gm')}"
    async with puppet(*net.command) as client, dreadclock.connect(gm_link) as gm:
        await client.do("connect", link=f"{net.url}/r/{table.id}#{table.token('ann')}")
        getattr(net, silence)()
        acknowledged = await gm.roll_dice(1)
        await until(lambda: is_doubted(client))
        if silence == "cut":
            await client.do("lost")
            net.heal()

        await client.do("until", seqs={"public": acknowledged.positions[Channel.PUBLIC]})
        net.heal()  # else Node.js would wait for an answer to the close frame of the dead connection


async def is_doubted(client: Puppet) -> bool:
    """Let 14 s pass, and tell whether the client doubts its connection."""
    await client.do("sleep", ms=LOOK_MS)
    await client.do("ticks")
    return bool((await client.do("look"))["heard"]["doubts"])
