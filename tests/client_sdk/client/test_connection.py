"""Connections that are lost, refused and found again, over real websockets."""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator

import pytest

from dreadclock.client.connection import MOST_VIOLATIONS, Backoff
from dreadclock.client.links import Link
from dreadclock.client.outcomes import ViewReplaced
from dreadclock.client.room import Room, connect
from dreadclock.wire.base import Channel
from dreadclock.wire.errors import Code, ConnectionEnded, ProtocolViolation, Refused
from dreadclock.wire.events import UnknownEvent
from dreadclock.wire.frames import ResetReason
from kit.servers.table_server import TableServer
from kit.table import ROOM, Log, Table, rolled
from kit.waiting import until

SOON = Backoff(first_s=0.001, longest_s=0.01)


@pytest.fixture
async def server() -> AsyncIterator[TableServer]:
    async with TableServer(Channel.PUBLIC) as server:
        yield server


@pytest.fixture
async def room(server: TableServer) -> AsyncIterator[Room]:
    async with connect(server.url, ROOM, "token", backoff=SOON, dice_secrets=False) as room:
        yield room


# The first connection


async def test_a_link_opens_a_room(server: TableServer) -> None:
    async with connect(str(Link(server.url + "/tables", ROOM, "token")), client="a bot") as room:
        assert (room.seat, room.session, room.durability) == ("gm", "session-1", "memory")

    assert server.paths == [f"/tables/ws/{ROOM}"]
    (hello,) = server.table.hellos
    assert (hello.token, hello.client and hello.client.name) == ("token", "a bot")
    await until(lambda: server.closed_with == [1000])


async def test_a_server_of_this_machine_is_reached_without_proxy(server: TableServer, monkeypatch: pytest.MonkeyPatch):
    for name in ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)

    async with connect(server.url, ROOM, "token") as room:
        assert room.seat == "gm"


async def test_a_server_that_is_not_there_is_told_at_once() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{unused.getsockname()[1]}"

        with pytest.raises(ConnectionEnded, match="cannot be reached"):
            async with connect(address, ROOM, "token"):
                pass


@pytest.mark.parametrize("code", [4001, 4501])
async def test_a_server_that_turns_one_away_at_first_is_told_at_once(server: TableServer, code: int) -> None:
    server.turned_away.append((code, "no such room"))

    with pytest.raises(ConnectionEnded, match="no such room") as ended:
        async with connect(server.url, ROOM, "token"):
            pass

    assert ended.value.code == code


@pytest.mark.parametrize("frame", ["hello yourself", b"\x00"])
async def test_a_server_that_speaks_something_else_is_told_at_once(server: TableServer, frame: str | bytes) -> None:
    server.garbled.append(frame)

    with pytest.raises(ProtocolViolation):
        async with connect(server.url, ROOM, "token"):
            pass


@pytest.mark.parametrize("arguments", [("http://host", ROOM), ("http://host", None, "token"), ("http://host",)])
async def test_half_a_link_is_a_mistake(arguments: tuple[str]) -> None:
    with pytest.raises(ValueError, match="link"):
        async with connect(*arguments):
            pass


async def test_a_token_is_never_logged(server: TableServer, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        async with connect(server.url, ROOM, "very-secret"):
            pass

    logged = [record.getMessage() for record in caplog.records if record.name != "websockets.server"]
    assert "very-secret" not in "".join(logged)


# Coming back


@pytest.mark.parametrize("code", [None, 1000, 1012, 4000, 4001])
async def test_a_lost_connection_comes_back_and_misses_nothing(server: TableServer, room: Room, code: int | None):
    events = room.events()
    await server.happen(rolled(1))
    server.cut() if code is None else await server.close(code)
    server.table.log.write(rolled(2))
    await until(lambda: server.connected == 1)
    await server.happen(rolled(3))

    assert [await anext(events) for _ in range(3)] == [rolled(1), rolled(2), rolled(3)]
    assert room.view == server.table.log.view
    assert [hello.session for hello in server.table.hellos] == [None, "session-1"]


async def test_after_the_end_of_a_server_the_return_is_spread_over_the_time_that_it_asks_for(server: TableServer):
    half = Backoff(first_s=0.001, longest_s=0.01, chance=lambda: 0.5)
    clock = asyncio.get_running_loop().time
    async with connect(server.url, ROOM, "token", backoff=half, dice_secrets=False):
        began = clock()
        await server.close(4001, "this server restarts: come back within 300 ms")
        await until(lambda: len(server.table.hellos) == 2)
        assert clock() - began >= 0.15
        server.cut()
        await until(lambda: len(server.table.hellos) == 3)


async def test_a_command_whose_reply_was_lost_is_done_once(server: TableServer, room: Room) -> None:
    server.keep_silent()
    submitted = [asyncio.create_task(room.roll_dice(1, name=f"roll {number}")) for number in range(3)]
    await until(lambda: len(server.table.done) == 1)
    server.cut()
    server.speak()

    acknowledged = await asyncio.gather(*submitted)

    assert [len(server.table.done), len(server.table.log.records)] == [3, 3]
    assert [each.records for each in acknowledged] == [(record,) for record in server.table.log.records]


async def test_a_server_that_was_away_is_found_again(server: TableServer, room: Room) -> None:
    await server.stop()
    submitted = asyncio.create_task(room.roll_dice(1))
    await asyncio.sleep(0)
    await server.start()

    assert (await submitted).n == 1


async def test_a_server_that_lost_its_log_is_reported(server: TableServer, room: Room) -> None:
    events = room.events()
    await server.happen(rolled(1))
    server.table = Table(Channel.PUBLIC)
    server.table.log.write(rolled(2))
    server.cut()

    assert await anext(events) == rolled(1)
    assert await anext(events) == ViewReplaced(ResetReason.FORKED)
    assert room.view == server.table.log.view


async def test_commands_that_waited_for_a_view_go_out_once_it_is_there(server: TableServer, room: Room) -> None:
    await server.happen(rolled(1))
    await room.wait_for(lambda view: bool(view.rolls))
    server.table.log = Log(Channel.PUBLIC)
    server.table.log.write(rolled(2))
    server.keep_waiting()
    server.cut()
    submitted = asyncio.create_task(room.roll_dice(pool=1))
    await until(lambda: not room.connected)
    server.welcome()

    async with asyncio.timeout(20):
        assert (await submitted).n == 1


async def test_of_what_only_newer_servers_know_the_view_is_asked_for_anew(server: TableServer, room: Room) -> None:
    records = room.records()
    struck = await server.happen(UnknownEvent.model_validate({"type": "bell_struck", "bell": {"times": 3}}))
    assert await anext(records) == struck
    async with asyncio.timeout(20):
        assert await anext(records) == ViewReplaced(ResetReason.ASKED)
    rolled_on = await server.happen(rolled(1))

    assert await anext(records) == rolled_on
    assert (room.complete, room.view) == (True, server.table.log.view)
    assert (room.connected, len(server.table.hellos)) == (True, 1)


async def test_a_frame_that_does_not_fit_is_left_out_and_asked_for_again(server: TableServer, room: Room) -> None:
    events = room.events()
    server.table.log.write(rolled(1))
    await server.tell(server.table.log.frame().replace("[1,2,3]", "[6,6,6]"))

    assert await anext(events) == rolled(1)
    assert server.closed_with == [1002]
    assert room.view == server.table.log.view


async def test_a_server_that_keeps_breaking_the_protocol_is_given_up(server: TableServer, room: Room) -> None:
    events = room.events()
    server.garbled.extend(["no frame"] * 2)

    await server.tell("no frame")

    with pytest.raises(ConnectionEnded, match="keeps breaking the protocol"):
        await anext(events)


@pytest.mark.parametrize("progress", ["an event", "an answer"])
async def test_a_server_that_gets_on_between_its_mistakes_is_forgiven(server: TableServer, room: Room, progress: str):
    for number in range(MOST_VIOLATIONS + 1):
        await server.tell("no frame")
        await until(lambda: len(server.closed_with) == number + 1 and server.connected == 1)  # noqa: B023
        if progress == "an event":
            await server.happen(rolled(number))
        else:
            with pytest.raises(Refused):
                await room.reveal("fever")
        await room.wait_for(lambda view: view == server.table.log.view)

    assert len(server.table.hellos) == MOST_VIOLATIONS + 2


async def test_a_frame_beyond_all_bounds_is_a_violation_too(server: TableServer, room: Room) -> None:
    events = room.events()
    server.garbled.extend(["x" * (8 * 1024 * 1024 + 1)] * 3)
    await server.close(4001)

    with pytest.raises(ConnectionEnded, match="keeps breaking the protocol"):
        await anext(events)


# The end


@pytest.mark.parametrize("code", [4500, 4502, 4503])
async def test_a_server_that_says_do_not_come_back_ends_everything(server: TableServer, room: Room, code: int) -> None:
    server.keep_silent()
    events = room.events()
    submitted = asyncio.create_task(room.roll_dice(1))
    waiting = asyncio.create_task(room.wait_for(lambda view: view.turn > 1))
    await until(lambda: server.commands == 1)

    await server.close(code, "enough")

    for awaitable in (submitted, waiting, anext(events), room.roll_dice(1), room.wait_for(lambda view: False)):
        with pytest.raises(ConnectionEnded, match="enough") as ended:
            await awaitable
        assert ended.value.code == code
    assert len(server.table.hellos) == 1


async def test_a_client_that_may_not_come_back_is_told_on_its_return(server: TableServer, room: Room) -> None:
    events = room.events()
    server.turned_away.append((4501, "no such room"))

    server.cut()

    with pytest.raises(ConnectionEnded, match="no such room"):
        await anext(events)


async def test_patience_with_an_absent_server_may_have_an_end(server: TableServer) -> None:
    async with connect(server.url, ROOM, "token", backoff=SOON, give_up_after_s=0) as room:
        events = room.events()
        await server.stop()

        with pytest.raises(ConnectionEnded, match="out of reach"):
            await anext(events)


async def test_closing_ends_iterators_quietly_and_commands_with_a_reason(server: TableServer) -> None:
    async with connect(server.url, ROOM, "token") as room:
        events = room.events()
        await server.happen(rolled(1))
        await room.wait_for(lambda view: bool(view.rolls))
        server.keep_silent()
        submitted = asyncio.create_task(room.roll_dice(1))
        await until(lambda: server.commands == 1)

    assert [event async for event in events] == [rolled(1)]
    assert [event async for event in room.events()] == []
    with pytest.raises(ConnectionEnded, match="this client"):
        await submitted
    with pytest.raises(ConnectionEnded, match="this client"):
        await room.roll_dice(1)


async def test_who_is_turned_away_for_a_while_stays_away_for_as_long(server: TableServer, room: Room) -> None:
    server.not_upgraded.append((429, "1"))
    time = asyncio.get_running_loop().time
    began = time()

    server.cut()

    assert (await room.roll_dice(1)).n == 1
    assert time() - began >= 1
    assert not server.not_upgraded


@pytest.mark.parametrize(
    ("status", "why"),
    [(429, "takes no more connections for now, its limit is reached"), (502, "answers, but opens no websocket")],
)
async def test_a_refusal_is_no_absence(server: TableServer, caplog: pytest.LogCaptureFixture, status: int, why: str):
    server.not_upgraded.append((status, "1"))
    with pytest.raises(ConnectionEnded, match=why):
        async with connect(server.url, ROOM, "token"):
            pass
    async with connect(server.url, ROOM, "token") as room:
        server.not_upgraded.append((status, "0"))
        caplog.set_level("INFO", "dreadclock.connection")
        server.cut()
        await room.roll_dice(1)

    assert any(why in record.getMessage() for record in caplog.records)


async def test_who_was_told_to_stay_away_once_does_not_wait_so_long_again(server: TableServer, room: Room):
    server.not_upgraded.append((503, "1"))
    server.turned_away.extend([(4001, "this server restarts")] * 8)
    time = asyncio.get_running_loop().time
    began = time()

    server.cut()

    assert (await room.roll_dice(1)).n == 1
    assert 1 <= time() - began < 8
    assert not server.turned_away


# Refusals that are tried again


async def test_what_the_server_cannot_take_is_sent_until_it_can(server: TableServer, room: Room) -> None:
    server.table.obstacles.extend([Refused(Code.UNAVAILABLE)] * 3 + [Refused(Code.RATE_LIMITED, retry_ms=1)])

    acknowledged = await asyncio.gather(*(room.roll_dice(1, name=f"roll {number}") for number in range(5)))

    assert [each.n for each in acknowledged] == [1, 2, 3, 4, 5]
    assert [record.seq for each in acknowledged for record in each.records] == [1, 2, 3, 4, 5]


async def test_what_the_server_cannot_take_for_too_long_is_refused_with_all_that_followed(server: TableServer) -> None:
    server.table.obstacles.extend([Refused(Code.UNAVAILABLE)] * 2)
    async with connect(server.url, ROOM, "token", backoff=SOON, retry_for_s=0, dice_secrets=False) as room:
        outcomes = await asyncio.gather(room.roll_dice(1), room.roll_dice(1), return_exceptions=True)

        assert [each.code for each in outcomes if isinstance(each, Refused)] == [Code.UNAVAILABLE] * 2
        assert server.table.done == []
        server.table.obstacles.clear()
        assert (await room.roll_dice(1)).n == 1


async def test_patience_with_what_cannot_be_taken_begins_anew_with_each_success(server: TableServer) -> None:
    async with connect(server.url, ROOM, "token", backoff=SOON, retry_for_s=0.05, dice_secrets=False) as room:
        for number in range(10):
            server.table.obstacles.append(Refused(Code.RATE_LIMITED, retry_ms=20))
            assert (await room.roll_dice(1)).n == number + 1


async def test_a_forgotten_session_is_replaced_and_its_commands_are_in_doubt(server: TableServer, room: Room) -> None:
    server.keep_silent()
    submitted = asyncio.create_task(room.roll_dice(1))
    await until(lambda: server.commands == 1)
    server.table.sessions.clear()
    server.speak()
    server.cut()

    with pytest.raises(Refused) as refused:
        await submitted

    assert refused.value.code is Code.SESSION_EXPIRED
    assert (await room.roll_dice(1)).n == 1
    assert room.session == "session-2"


# Backoff


@pytest.mark.parametrize(("attempt", "longest_s"), [(0, 0.05), (1, 0.1), (6, 3.2), (7, 5.0), (100_000, 5.0)])
def test_the_longest_wait_doubles_up_to_a_bound(attempt: int, longest_s: float) -> None:
    assert Backoff(chance=lambda: 1.0).delay_s(attempt) == pytest.approx(longest_s)
    assert Backoff(chance=lambda: 0.0).delay_s(attempt) == 0


def test_waits_are_spread_over_all_of_that_time() -> None:
    delays = [Backoff().delay_s(7) for _ in range(200)]

    assert min(delays) < 1 < 4 < max(delays)
    assert max(delays) <= 5
