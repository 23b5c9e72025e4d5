"""How streams of events end, how many there may be, and what becomes of readers that stop reading."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import pytest

from dreadclock_server.app import Application
from dreadclock_server.gateway.rest import events
from dreadclock_server.gateway.uvicorn.http_protocol import ServerConfig
from dreadclock_server.settings.table import Settings
from kit.event_reader import LINES, SSE, EventReader, event_reader
from kit.rooms import Table, open_table
from kit.server import Server, running_server
from kit.servers.in_process import in_process
from kit.waiting import until
from server.gateway.ws.test_plain_send import plain
from server.gateway.ws.test_slow_readers import make_noise, small_socket

SLOW_CONSUMER, RESTART, REVOKED, DELETED = 4000, 4001, 4502, 4503
ROLL = {"type": "roll_dice", "pool": 1}
MIB = 1 << 20
both = pytest.mark.parametrize("form", [SSE, LINES])
__all__ = ["plain"]  # a fixture


@pytest.fixture
async def here(server: Server) -> AsyncIterator[tuple[Application, Table]]:
    """A room on a server in this process, with few places."""
    settings = Settings(
        limits=False, max_connections_per_seat=2, max_connections_per_room=4, max_connections_per_address=6
    )
    async with in_process(server, settings) as (app, served):
        yield app, await open_table(served)


async def test_a_revoked_token_ends_its_streams_everywhere_and_no_others(table: Table, second: Server):
    late = await table.invite("late", "player")
    async with (
        event_reader(table, "late") as late_here,
        event_reader(table, "late", LINES, server=second) as late_there,
        event_reader(table, "ann") as ann,
        table.http("gm") as http,
    ):
        for each in (late_here, late_there, ann):
            await each.expect("presence")
        assert (await http.delete(table.path(f"/tokens/{late['token_id']}"))).status_code == 204
        for each in (late_here, late_there):
            assert await each.ended() == (REVOKED, "this token was revoked")
        assert (await http.post(table.path("/commands"), json=ROLL)).status_code == 200
        assert (await ann.expect("record")).data["event"]["type"] == "dice_rolled"
    async with event_reader(table, "late", last_id=late_here.last_id) as late_again:
        assert (await late_again.refusal())["code"] == "unauthorised"


async def test_a_seat_that_is_gone_hears_that_and_a_deleted_room_ends_all(table: Table):
    async with event_reader(table, "ann") as ann, event_reader(table, "ben") as ben, table.http("gm") as http:
        for each in (ann, ben):
            await each.expect("presence")
        removed = {"type": "remove_seat", "seat_id": table.seat("ann")}
        assert (await http.post(table.path("/commands"), json=removed)).status_code == 200
        assert (await ann.expect("record")).data["event"]["type"] == "seat_removed"
        assert await ann.ended() == (REVOKED, "this seat is gone")
        assert (await http.delete(table.path(), params={"confirm": table.title})).status_code == 204
        assert await ben.ended() == (DELETED, "the room was deleted")


@both
async def test_a_server_that_ends_says_so_at_once_and_the_next_one_goes_on(server: Server, tmp_path: Path, form: str):
    async with running_server(tmp_path / "leaving", store=server.store_url) as leaving:
        table = await open_table(leaving)
        async with event_reader(table, "ann", form) as ann:
            await ann.expect("presence", here={table.seat("ann"): 1})
            stopping = asyncio.create_task(leaving.stop())
            assert await ann.ended() == (RESTART, "this server restarts: come back within 100 ms")
            await asyncio.wait_for(stopping, 10)
        async with table.at(server).http("ben") as http:
            assert (await http.post(table.path("/commands"), json=ROLL)).status_code == 200
        async with event_reader(table, "ann", form, ann.last_id, server=server) as back:
            assert (await back.next()).data["resumed"] is True
            assert (await back.next()).text == (await table.at(server).log("ann"))[-1]


async def test_streams_count_among_the_connections_of_seat_room_and_address(here: tuple[Application, Table]):
    app, table = here
    limiter = app.metrics.counted_in[0]
    async with AsyncExitStack() as stack:

        async def refused(name: str) -> object:
            reader = await stack.enter_async_context(event_reader(table, name))
            refusal = await reader.refusal()
            assert (reader.status, refusal["code"], reader.headers["retry-after"]) == (429, "rate_limited", "10")
            return refusal["details"]["cap"]

        async def taken(name: str) -> EventReader:
            reader = await stack.enter_async_context(event_reader(table, name))
            await reader.expect("presence")
            return reader

        await stack.enter_async_context(table.connected("ann"))
        leaves = await taken("ann")
        assert await refused("ann") == "per_seat"
        await taken("eve")
        await taken("eve")
        assert await refused("eve") == "per_room"
        other = await open_table(table.server)
        await stack.enter_async_context(other.connected("gm"))
        await stack.enter_async_context(event_reader(other, "gm"))
        await until(lambda: limiter.in_all == 6)
        assert await refused("ben") == "per_address"
        leaves.vanish()
        await until(lambda: limiter.in_all == 5)
        await taken("ann")
    await until(lambda: limiter.in_all == 0)
    assert {cap: count for cap, count in limiter.turned_away.items() if count} == {
        "per_seat": 1,
        "per_room": 1,
        "per_address": 1,
    }


async def test_who_asks_too_often_is_told_when_to_come_again(server: Server, tmp_path: Path):
    environment = {"DREADCLOCK_LIMITS": "yes", "DREADCLOCK_LIMIT_JOINS": "1/min:2"}
    async with running_server(tmp_path / "limited", store=server.store_url, environment=environment) as limited:
        table = (await open_table(server)).at(limited)
        for _ in range(2):
            async with event_reader(table, "ann") as ann:
                assert await ann.head() == 200
        async with event_reader(table, "ann") as ann:
            assert await ann.head() == 429
            assert int(ann.headers["retry-after"]) > 1


@both
async def test_an_idle_stream_sends_a_sign(here: tuple[Application, Table], monkeypatch: pytest.MonkeyPatch, form: str):
    monkeypatch.setattr(events, "HEARTBEAT_S", 0.02)
    async with event_reader(here[1], "ann", form) as ann:
        while ann.heartbeats < 3:
            assert await ann.take()
        assert {each.kind for each in ann.told} == {"welcome", "presence"}


async def test_under_other_servers_streams_come_whole_and_end(plain: Table):
    async with event_reader(plain, "ann") as ann, plain.http("gm") as http:
        await ann.expect("presence")
        for _ in range(3):
            assert (await http.post(plain.path("/commands"), json=ROLL)).status_code == 200
        while len(ann.texts()) < 3:
            await ann.next()
        removed = {"type": "remove_seat", "seat_id": plain.seat("ann")}
        assert (await http.post(plain.path("/commands"), json=removed)).status_code == 200
        assert (await ann.ended())[0] == REVOKED
        assert ann.texts() == (await plain.log("gm"))[-4:]


async def reads_on(reader: EventReader) -> None:
    """Read all that comes, however long nothing does."""
    while await reader.take():
        pass


async def test_who_stops_reading_is_cut_others_hear_all_and_memory_stays_small(table: Table, figures: list[str]):
    async with AsyncExitStack() as stack:
        gm = await stack.enter_async_context(table.connected("gm"))
        reads = await stack.enter_async_context(event_reader(table, "eve"))
        await reads.expect("welcome")  # what happened before it comes within the view, not as records

        async def make_noise_that_is_read(turn: int) -> None:
            """Make less noise than what a reader may be behind, and let the one that reads take it."""
            before = len(gm.texts())
            await make_noise(gm, turn)
            for _ in gm.texts()[before:]:
                await reads.expect("record")

        for turn in range(12):
            await make_noise_that_is_read(turn)  # as much as the server has room for anyway
        still = [
            await stack.enter_async_context(
                event_reader(table, "eve", form, reads.last_id, sock=small_socket(table.server.port))
            )
            for form in [SSE, LINES] * 5
        ]
        await asyncio.gather(*(each.expect("welcome") for each in still))  # none of them is slow yet
        before, heard = _resident(table.server), len(gm.texts())
        for turn in range(12, 24):
            await make_noise_that_is_read(turn)
        grown = _resident(table.server) - before
        figures.append(f"10 readers who took nothing of {len(''.join(gm.texts())) >> 20} MiB: {grown >> 20} MiB")
        assert grown < len(still) * MIB
        assert reads.texts() == gm.texts()
        for each in still:
            with suppress(EOFError, ConnectionError):
                assert (await each.ended())[0] == SLOW_CONSUMER
            assert len(each.texts()) < len(gm.texts()) - heard
        await gm.expect("presence", here={"gm": 1, table.seat("eve"): 1})
    for each in still[:2]:
        async with event_reader(table, "eve", last_id=each.last_id) as back:
            assert (await back.next()).data["resumed"] is True
            await back.expect("presence")
            assert each.texts() + back.texts() == gm.texts()[heard:]


async def test_who_takes_nothing_ever_again_is_forgotten_without_an_error(
    here: tuple[Application, Table], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    app, table = here
    monkeypatch.setattr(ServerConfig, "taken_within_s", 0.2)
    async with (
        table.connected("gm") as gm,
        event_reader(table, "eve", sock=small_socket(table.server.port)) as eve,
        event_reader(table, "eve") as reads,
    ):
        await asyncio.gather(eve.expect("presence"), reads.expect("presence"))  # both hear all that follows
        listening = asyncio.create_task(reads_on(reads))
        for turn in range(12):
            await make_noise(gm, turn)
        await until(lambda: len(app.hubs.all()[0].connections) == 2)
        await until(lambda: reads.texts() == gm.texts())
        listening.cancel()
    assert [record for record in caplog.records if record.levelname in ("ERROR", "CRITICAL")] == []


def _resident(server: Server) -> int:
    """Give the bytes of memory that a server's process has."""
    pages = int(Path(f"/proc/{server.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")
