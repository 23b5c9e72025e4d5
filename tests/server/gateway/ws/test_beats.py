"""Heartbeats: frames for clients that cannot see pings, and only for those that asked for them."""

from collections.abc import AsyncIterator

import pytest

from dreadclock_server.gateway.ws import connection
from dreadclock_server.settings.table import Settings
from kit.rooms import Table, open_table
from kit.server import Server
from kit.servers.in_process import in_process

ROLL = {"type": "roll_dice", "pool": 1}


@pytest.fixture
async def hasty(server: Server, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Server]:
    """A server in this process whose heart beats fast."""
    assert connection.BEAT_EVERY_S == 20.0
    monkeypatch.setattr(connection, "BEAT_EVERY_S", 0.02)
    async with in_process(server, Settings(limits=False)) as (_, here):
        yield here


@pytest.fixture
async def table(server: Server) -> Table:
    return await open_table(server)


async def test_who_asks_for_heartbeats_hears_them_between_all_else(table: Table, hasty: Server):
    async with table.connected("ann", hasty, beat=True) as ann:
        for _ in range(3):
            assert await ann.expect("beat") == {"type": "beat"}
            assert (await ann.do(ROLL))["type"] == "ack"
        assert "view" in ann.welcome


async def test_who_did_not_ask_hears_none(table: Table, hasty: Server):
    async with table.connected("gm", hasty, beat=True) as gm, table.connected("ann", hasty) as ann:
        for _ in range(10):
            await gm.expect("beat")
        assert (await ann.do(ROLL))["type"] == "ack"

    assert "beat" not in {frame["type"] for frame in ann.parsed_frames()}


async def test_whoever_is_closed_hears_none_after_the_close_frame(table: Table, hasty: Server):
    async with table.connected("ann", hasty, beat=True) as ann:
        await ann.expect("beat")
        async with table.http("gm") as http:
            tokens = (await http.get(table.path("/tokens"))).json()
            (of_ann,) = [token["token_id"] for token in tokens if token["seat_id"] == table.seat("ann")]
            await http.delete(table.path(f"/tokens/{of_ann}"))
        assert (await ann.ended())[0] == 4502
