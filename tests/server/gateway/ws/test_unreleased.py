"""Who has gone is gone from memory at once, without the garbage collector: it would hold everybody up at some time."""

import asyncio
import gc
import socket
import struct
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, suppress

import pytest
from starlette.requests import Request
from starlette.websockets import WebSocket
from websockets.exceptions import ConnectionClosed
from websockets.server import ServerProtocol

from dreadclock_server.app import Application
from dreadclock_server.core.room import Room
from dreadclock_server.gateway.uvicorn.http_protocol import HttpProtocol
from dreadclock_server.gateway.uvicorn.websocket_protocol import WebSocketProtocol
from dreadclock_server.gateway.ws.connection import CommandReader, Connection
from dreadclock_server.gateway.ws.hub import Hub
from dreadclock_server.gateway.ws.outbox import DirectFrames, DirectSender, QueuedSender
from dreadclock_server.rooms.live import LiveRoom
from dreadclock_server.settings.table import Settings
from kit.event_reader import LINES, event_reader
from kit.raw import RawClient, raw_client
from kit.rooms import Table, open_table
from kit.server import Server
from kit.servers.in_process import in_process
from kit.waiting import until
from server.gateway.ws.test_slow_readers import SLOW_CONSUMER, make_noise, small_socket

KINDS = (
    *(LiveRoom, Room, Hub, Connection, DirectSender, QueuedSender, CommandReader),
    *(WebSocketProtocol, HttpProtocol, ServerProtocol, DirectFrames, WebSocket, Request),
)
ROLL = {"type": "roll_dice", "pool": 1}
UNKNOWN_COUNTDOWN = {"type": "roll_countdown", "countdown_id": "none"}
RESET = struct.pack("ii", 1, 0)
Visit = Callable[[Table], Awaitable[None]]


@pytest.fixture
async def app(server: Server) -> AsyncIterator[tuple[Application, Server]]:
    """A server in this process, on the Valkey of the first one."""
    settings = Settings(limits=False, hello_within_s=0.2, max_connections_per_seat=2)
    async with in_process(server, settings) as served:
        yield served


@pytest.fixture
def uncollected() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def counted() -> Counter[str]:
    """Count what is in memory of those who come and go."""
    return Counter(type(each).__name__ for each in gc.get_objects() if issubclass(type(each), KINDS))


async def put_all_away(app: Application) -> None:
    """Let the rooms that nobody uses leave memory, as they do after a minute."""
    for room in app.rooms.live.values():
        room.last_used = 0.0
    await app.rooms._put_away_idle()


async def assert_all_released(app: Application, before: Counter[str]) -> None:
    """Wait until no more is in memory than before, and else say what is."""

    async def is_released() -> bool:
        await put_all_away(app)
        return counted() == before

    with suppress(AssertionError):
        await until(is_released, 5.0)
    assert counted() == before


async def ended(client: RawClient) -> None:
    with suppress(AssertionError):
        await client.ended()


def reset(client: RawClient) -> None:
    """Vanish without a word."""
    raw: socket.socket = client.socket.transport.get_extra_info("socket")
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
    client.socket.transport.abort()


async def leaves(table: Table) -> None:
    async with table.connected("ann", beat=True) as ann, table.connected("eve"):
        assert (await ann.do(ROLL))["type"] == "ack"


async def vanishes(table: Table) -> None:
    async with table.connected("ann") as ann:
        await ann.order(ROLL)
        reset(ann)


async def asks_for_what_is_refused(table: Table) -> None:
    async with table.connected("ann") as ann:
        assert (await ann.do({"type": "no such"}))["code"] == "bad_command"
        assert (await ann.do(UNKNOWN_COUNTDOWN))["code"] == "unknown"
        assert (await ann.do(ROLL, n=9))["code"] == "out_of_order"


def says(said: str | bytes) -> Visit:
    async def visit(table: Table) -> None:
        async with table.connected("ann") as ann:
            await ann.send(said)
            await ended(ann)

    return visit


def says_instead_of_hello(said: str) -> Visit:
    async def visit(table: Table) -> None:
        async with table.unwelcomed() as client:
            await client.send(said)
            await ended(client)

    return visit


async def breaks_the_websocket_protocol(table: Table) -> None:
    async with table.connected("ann") as ann:
        ann.socket.transport.write(b"\x93\x81\0\0\0\0a")  # an opcode that is reserved
        await ended(ann)


async def says_no_hello(table: Table) -> None:
    async with table.unwelcomed() as client:
        await ended(client)


async def shows_a_wrong_token(table: Table) -> None:
    async with table.unwelcomed() as client:
        await client.send({"type": "hello", "v": 1, "token": "x" * 22})
        await ended(client)


async def seeks_an_unknown_room(table: Table) -> None:
    async with raw_client(table.server.websocket_url + "a" * 26) as client:
        await client.send({"type": "hello", "v": 1, "token": table.token("gm")})
        await ended(client)


async def is_one_too_many(table: Table) -> None:
    async with table.connected("ann"), table.connected("ann"), table.unwelcomed() as third:
        await third.send({"type": "hello", "v": 1, "token": table.token("ann")})
        await ended(third)


async def has_too_many_commands_unanswered(table: Table) -> None:
    async with table.connected("ann") as ann:
        with suppress(ConnectionClosed):
            for _ in range(200):
                await ann.order(ROLL)
        await ended(ann)


async def is_revoked(table: Table) -> None:
    late = await table.invite("late", "player")
    async with table.connected("late") as client, table.http("gm") as http:
        assert (await http.delete(table.path(f"/tokens/{late['token_id']}"))).status_code == 204
        await ended(client)


async def is_removed(table: Table) -> None:
    late = await table.invite("late", "player")
    async with table.connected("late") as client, table.connected("gm") as gm:
        assert (await gm.do({"type": "remove_seat", "seat_id": late["seat_id"]}))["type"] == "ack"
        await ended(client)


async def is_in_a_room_that_is_deleted(table: Table) -> None:
    other = await open_table(table.server, "Doomed")
    async with other.connected("gm") as client, other.http("gm") as http:
        assert (await http.delete(other.path(), params={"confirm": "Doomed"})).status_code == 204
        await ended(client)


async def reads_too_slowly(table: Table) -> None:
    address = table.server.websocket_url + table.id
    async with table.connected("gm") as gm, raw_client(address, sock=small_socket(table.server.port)) as eve:
        await eve.hello(table.token("eve"))
        eve.socket.transport.pause_reading()
        for turn in range(12):
            await make_noise(gm, turn)
        eve.socket.transport.resume_reading()
        assert (await eve.ended())[0] == SLOW_CONSUMER


async def reads_events(table: Table) -> None:
    async with event_reader(table, "ann") as ann, event_reader(table, "gm", LINES) as gm:
        for each in (ann, gm):
            await each.expect("presence")
        async with table.http("gm") as http:
            assert (await http.post(table.path("/commands"), json=ROLL)).status_code == 200
        await ann.expect("record")
        ann.vanish()
    async with event_reader(table, "ann", last_id=ann.last_id) as ann:
        await ann.expect("welcome", resumed=True)


async def asks_for_events_that_are_refused(table: Table) -> None:
    async with event_reader(table, "ann", last_id="1") as ann:
        assert (await ann.refusal())["code"] == "bad_request"
    async with event_reader(table, "ann") as first, event_reader(table, "ann") as second:
        for each in (first, second):
            await each.expect("presence")
        async with event_reader(table, "ann") as third:
            assert (await third.refusal())["code"] == "rate_limited"


async def reads_events_until_revoked(table: Table) -> None:
    late = await table.invite("late", "player")
    async with event_reader(table, "late") as reader, table.http("gm") as http:
        await reader.expect("presence")
        assert (await http.delete(table.path(f"/tokens/{late['token_id']}"))).status_code == 204
        assert (await reader.ended())[0] == 4502


async def stops_reading_events(table: Table) -> None:
    sock = small_socket(table.server.port)
    async with table.connected("gm") as gm, event_reader(table, "eve", sock=sock) as eve:
        await eve.expect("presence")
        for turn in range(12):
            await make_noise(gm, turn)
        with suppress(EOFError, OSError):
            await eve.ended()


def sends(*said: bytes) -> Visit:
    """Make a visit that sends bytes, of which some name the room and a token, and goes when it is answered."""

    async def visit(table: Table) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", table.server.port)
        names = {b"ROOM": table.id.encode(), b"TOKEN": table.token("gm").encode()}
        for text in said:
            for name, value in names.items():
                text = text.replace(name, value)
            writer.write(text)
            with suppress(OSError):
                await writer.drain()
        with suppress(OSError):
            await reader.readline()
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()

    return visit


async def calls(table: Table) -> None:
    async with table.http("gm") as http:
        for path in ("", "/log", "/tokens"):
            assert (await http.get(table.path(path))).status_code == 200
        assert (await http.post(table.path("/commands"), json=ROLL)).status_code == 200
        assert (await http.post(table.path("/commands"), json=UNKNOWN_COUNTDOWN)).status_code == 404
        assert (await http.post(table.path("/commands"), json={"type": "no such"})).status_code == 422
        assert (await http.post(table.path("/invites"), json={"role": "nobody"})).status_code == 422
        assert (await http.get(table.path(), headers={"Authorization": "Bearer no"})).status_code == 401
        assert (await http.get("/api/no/such")).status_code == 404
        assert (await http.get("/metrics")).status_code == 200


async def hangs_up_in_the_middle_of_a_body(table: Table) -> None:
    head = f"POST {table.path('/commands')} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {table.token('gm')}"
    reader, writer = await asyncio.open_connection("127.0.0.1", table.server.port)
    writer.write(f"{head}\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n".encode())
    assert b" 100 " in await reader.readline()
    writer.transport.abort()


HANDSHAKE = b"GET /ws/ROOM HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
VISITS: list[Visit] = [
    *(leaves, vanishes, asks_for_what_is_refused, says_no_hello, shows_a_wrong_token, seeks_an_unknown_room),
    *(breaks_the_websocket_protocol, has_too_many_commands_unanswered, is_one_too_many, reads_too_slowly),
    *(is_revoked, is_removed, is_in_a_room_that_is_deleted, calls, hangs_up_in_the_middle_of_a_body),
    *(reads_events, asks_for_events_that_are_refused, reads_events_until_revoked, stops_reading_events),
]
SAYINGS: dict[str, Visit] = {
    "a bad frame": says("no frame"),
    "bytes": says(b"no text"),
    "a bad hello": says_instead_of_hello("no hello"),
    "a handshake without a key": sends(HANDSHAKE + b"Sec-WebSocket-Version: 13\r\n\r\n"),
    "a handshake with a bad key": sends(HANDSHAKE + b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: A\r\n\r\n"),
    "a handshake elsewhere": sends(HANDSHAKE.replace(b"/ws/ROOM", b"/elsewhere") + b"\r\n"),
    "no HTTP": sends(b"\x16\x03\x01\r\n\r\n"),
    "endless headers": sends(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ", b"x" * 100_000),
}


@pytest.mark.usefixtures("uncollected")
@pytest.mark.parametrize("visit", VISITS, ids=lambda visit: visit.__name__)
async def test_who_visits_leaves_nothing_in_memory(app: tuple[Application, Server], visit: Visit):
    await assert_leaves_nothing(*app, visit)


@pytest.mark.usefixtures("uncollected")
@pytest.mark.parametrize("said", SAYINGS)
async def test_who_says_what_is_wrong_leaves_nothing_in_memory(app: tuple[Application, Server], said: str):
    await assert_leaves_nothing(*app, SAYINGS[said])


async def assert_leaves_nothing(app: Application, here: Server, visit: Visit) -> None:
    before = counted()

    await visit(await open_table(here))

    await assert_all_released(app, before)


@pytest.mark.usefixtures("uncollected")
async def test_a_room_that_something_keeps_is_told_as_unreleased_until_it_goes(app: tuple[Application, Server]):
    application, here = app
    table = await open_table(here)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(table.connected("gm"))
        kept = [application.rooms.live[table.id]]
    await until(lambda: not application.hubs.all())
    await put_all_away(application)
    assert 'dreadclock_unreleased{what="room"} 1.0' in application.metrics.text().decode()

    kept.clear()

    await until(lambda: 'dreadclock_unreleased{what="room"} 0.0' in application.metrics.text().decode())
