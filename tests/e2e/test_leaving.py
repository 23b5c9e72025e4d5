"""Servers that are told to end: what they took is done, who was there comes back, and nobody waits for ever."""

import asyncio
import json
import signal
import sys
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from dreadclock.wire.records import Record
from dreadclock_server.journal import MOST
from kit.links.listeners import Listener, all_agree, listener
from kit.links.proxy import Proxy
from kit.links.relays import Relay, listening
from kit.raw import WITHIN_S, RawClient, raw_client
from kit.rooms import Table, http_client, open_table
from kit.server import Server, running_server
from kit.waiting import until

ROLL = {"type": "roll_dice", "pool": 1}
AT_ONCE = 8  # commands that each player has under way
PATIENT = {"DREADCLOCK_DRAIN_S": "120", "DREADCLOCK_DRAIN_NOTICE_S": "120"}


@asynccontextmanager
async def rolling(*players: Listener) -> AsyncIterator[Counter[str]]:
    """Let everyone roll without pause; give the notes of what was acknowledged."""
    acked, going = Counter[str](), True

    async def roll_on(player: Listener, line: int) -> None:
        number = 0
        while going:
            number += 1
            note = f"{player.name}/{line}/{number}"
            await player.room.submit({**ROLL, "note": note})
            acked[note] += 1

    async with asyncio.TaskGroup() as group:
        for player in players:
            for line in range(AT_ONCE):
                group.create_task(roll_on(player, line))
        try:
            yield acked
        finally:
            going = False


def notes_of(log: list[Record]) -> Counter[str]:
    """Count the notes of all rolls."""
    return Counter(note for record in log if (note := getattr(record.event, "note", None)) is not None)


async def test_clients_move_to_another_server_and_see_everything_once(server: Server, tmp_path: Path):
    async with running_server(tmp_path / "leaving", store=server.store_url) as leaving:
        table = await open_table(server)
        await table.invite("zoe", "player")
        async with listening(Relay(leaving.port, server.port)) as switch, AsyncExitStack() as stack:
            names = ("gm", "ann", "eve")
            everyone = [await stack.enter_async_context(listener(table, name, url=switch.url)) for name in names]
            stays = await stack.enter_async_context(listener(table, "ben"))
            async with rolling(*everyone[:2], stays) as acked:
                await until(lambda: acked.total() > 100)
                assert switch.taken == {leaving.port: 3, server.port: 0}
                async with begun(table.at(leaving)) as call:
                    leaving.send(signal.SIGTERM)
                    await until(lambda: is_closed(leaving.port))
                    assert b"HTTP/1.1 200 OK" in await call()
                await leaving.gone()
                before = acked.total()
                await until(lambda: acked.total() > before + 100 and switch.taken[server.port] == 3)
            everybody = [*everyone, stays]
            log = await all_agree(table, everybody, [server])
            here = {table.seat(name): 1 for name in (*names, "ben")}
            await until(lambda: all(each.room.here == here for each in everybody))
        assert (leaving.ended_before_with, notes_of(log)) == (0, acked + Counter(["by REST"]))


async def test_what_was_taken_is_answered_before_everybody_is_sent_away(server: Server, tmp_path: Path):
    async with running_server(tmp_path / "leaving", store=server.store_url) as leaving:
        table = await open_table(leaving)
        async with table.connected("ann") as ann:
            rolling = asyncio.create_task(roll_until_closed(ann))
            await until(lambda: len(ann.frames) > 100)
            leaving.send(signal.SIGTERM)
            await rolling
            assert (await ann.ended())[0] == 4001
        await leaving.gone()
        rolled = [text for text in await table.at(server).log("ann") if '"dice_rolled"' in text]
        assert len(rolled) == sum(frame["type"] == "ack" for frame in ann.parsed_frames())


async def roll_until_closed(client: RawClient) -> None:
    """Roll with some more under way at any time."""
    with suppress(ConnectionClosed):
        numbers = [await client.order(ROLL) for _ in range(AT_ONCE)]
        while True:
            numbers.append(await client.order(ROLL))
            await client.reply(numbers.pop(0))


async def test_before_it_takes_leave_it_says_so_and_goes_on_and_a_second_signal_ends_it(server: Server, tmp_path: Path):
    async with running_server(tmp_path / "patient", store=server.store_url, environment=PATIENT) as patient:
        table = await open_table(patient)
        patient.send(signal.SIGTERM)
        await until(lambda: is_away(patient))
        async with http_client(patient) as http:
            assert (await http.get("/readyz")).text == "this server is shutting down\n"
            assert (await http.get("/healthz")).status_code == 200
        async with table.connected("ann") as ann:
            assert (await ann.do(ROLL))["type"] == "ack"
            patient.send(signal.SIGTERM)
            assert await ann.ended() == (4001, "this server restarts: come back within 100 ms")
        await patient.gone()
        assert patient.ended_before_with == 0


@asynccontextmanager
async def begun(table: Table) -> AsyncIterator[Callable[[], Awaitable[bytes]]]:
    """Begin a REST call of a roll; give what ends it and returns the whole answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", table.server.port)
    head = f"POST {table.path('/commands')} HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: 100-continue\r\n"
    body = b'{"type": "roll_dice", "pool": 1, "note": "by REST"}'
    authority = f"Authorization: Bearer {table.token('zoe')}\r\nContent-Length: {len(body)}\r\n\r\n"
    writer.write((head + authority).encode())
    async with asyncio.timeout(WITHIN_S):
        assert b"100" in await reader.readline()  # the body is being waited for

    async def end() -> bytes:
        writer.write(body)
        async with asyncio.timeout(WITHIN_S):
            return await reader.read()

    yield end
    writer.close()


async def is_closed(port: int) -> bool:
    """Tell whether nobody listens at a port."""
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return True
    writer.close()
    return False


async def test_a_store_that_is_silent_does_not_keep_it_from_ending(server: Server, tmp_path: Path):
    environment = {"DREADCLOCK_DRAIN_S": "0.5"}
    target = server.store_url.removeprefix("unix://")
    async with (
        Proxy(tmp_path / "wire", target) as wire,
        running_server(tmp_path / "leaving", store=wire.url, environment=environment) as leaving,
    ):
        table = await open_table(leaving)
        async with table.connected("ann") as ann:
            await ann.do(ROLL)
            wire.silent = True
            await ann.order(ROLL)
            await until(lambda: is_away(leaving))
            leaving.send(signal.SIGTERM)
            assert (await ann.ended())[0] == 4001
        await leaving.gone()
        assert leaving.ended_before_with == 0
        assert "out of time" in leaving.log_text()


async def is_away(server: Server) -> bool:
    """Tell whether a server would rather have nobody sent to it."""
    async with http_client(server) as http:
        return (await http.get("/readyz")).status_code == 503


# A server whose log is grepped for everything that nobody but its owner may know


OPERATOR_KEY, METRICS_KEY = "the-operators-canary", "the-metrics-canary"
CANARY = "hidden-canary"
SCANS = 300
BAD_TOKEN = "b4dc4n4ryb4dc4n4ryb4dc"
SETTINGS = {
    "DREADCLOCK_ACCESS_LOG": "yes",
    "DREADCLOCK_FIRST_ROOM": "no",
    "DREADCLOCK_LOG_LEVEL": "debug",
    "DREADCLOCK_METRICS_KEY": METRICS_KEY,
    "DREADCLOCK_OPERATOR_KEY": OPERATOR_KEY,
}


@pytest.fixture
async def talkative(tmp_path: Path) -> AsyncIterator[Server]:
    """A server that logs all it can."""
    async with running_server(tmp_path / "talkative", environment=SETTINGS) as talkative:
        yield talkative


async def provoke(table: Table) -> None:
    """Do everything that could make a server write too much."""
    server = table.server
    async with table.connected("gm") as gm, table.connected("eve"):
        await gm.do({"type": "start_countdown", "id": f"gm-{CANARY}", "name": CANARY, "pool": 3, "visibility": "gm"})
        await gm.do({"type": "roll_countdown", "countdown_id": f"gm-{CANARY}", "note": CANARY})
        await gm.do({"type": "roll_countdown", "countdown_id": CANARY, "faces": "canary"})
    for frame in (
        {"type": "hello", "v": 1, "token": BAD_TOKEN},
        f'{{"type": "hello", "token": "{CANARY}", "{CANARY}": 1}}',
        b"\xff" + CANARY.encode(),
    ):
        async with table.unwelcomed() as stranger:
            await stranger.send(frame)
            await stranger.ended()
    async with raw_client(f"{server.websocket_url}{table.id}?token={BAD_TOKEN}") as stranger:
        await stranger.send("{")
        await stranger.ended()
    async with http_client(server, BAD_TOKEN) as http:
        assert (await http.get(table.path())).status_code == 401
        assert (await http.get(f"/api/rooms/{BAD_TOKEN}?token={CANARY}")).status_code == 401
        assert (await http.get(f"/{BAD_TOKEN}")).status_code == 404
        assert (await http.post("/api/rooms", json={"title": CANARY})).status_code == 401
        assert (await http.get("/metrics")).status_code == 401
    async with http_client(server, METRICS_KEY) as http:
        assert (await http.get("/metrics")).status_code == 200
    async with table.http("ann") as http:
        await http.post(table.path("/commands"), json={**ROLL, "note": CANARY}, headers={"Idempotency-Key": CANARY})


async def test_no_key_token_or_hidden_thing_is_ever_logged(talkative: Server):
    table = await open_table(talkative, operator_key=OPERATOR_KEY)
    await provoke(table)
    await scan(talkative.port)
    talkative.signal_valkey(signal.SIGKILL)
    await until(lambda: talkative.find_valkey() is not None)
    await provoke(table)
    await talkative.stop()

    text = talkative.log_text()
    tokens = [grant["token"] for grant in table.grants.values()]
    secrets = [OPERATOR_KEY, METRICS_KEY, CANARY, BAD_TOKEN, "canary", table.title, *tokens]
    assert [secret for secret in secrets if secret.lower() in text.lower()] == []
    entries = [read(line) for line in text.splitlines() if not line.startswith("Dreadclock serves")]
    told = Counter(entry["timestamp"][:19] for entry in entries if entry["event"].startswith("Invalid HTTP"))
    assert max(told.values()) <= 2 * MOST  # a second of the wall clock may lie in two of the server's
    assert told.total() + sum(entry.get("left_out", 0) for entry in entries) >= SCANS
    (serving,) = [entry for entry in entries if entry["event"] == "serving"]
    assert (serving["host"], serving["port"], serving["data"]) == ("127.0.0.1", talkative.port, str(talkative.data))
    assert {"the embedded Valkey ended (code 137): starting it again", "the embedded Valkey is back"} <= {
        entry["event"] for entry in entries
    }
    assert {"serving", "http", "websocket", "leaving", "left"} <= {entry["event"] for entry in entries}
    assert any(entry.get("path") == "/ws/{room}" and entry.get("room") == table.id for entry in entries)
    assert {entry["status"] for entry in entries if entry["event"] == "http"} >= {200, 201, 401, 404}
    sockets = [entry for entry in entries if entry["event"] == "websocket"]
    assert {entry["path"] for entry in sockets} == {"/ws/{room}"}
    assert {4500, 4501} <= {entry["status"] for entry in sockets}


async def scan(port: int) -> None:
    """Send what is no HTTP, again and again, as scanners do."""
    for _ in range(SCANS):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"{CANARY}\r\n\r\n".encode())
        await reader.read()
        writer.close()


def read(line: str) -> dict[str, Any]:
    """Read an entry, which has what every entry has."""
    entry: dict[str, Any] = json.loads(line)
    assert {"timestamp", "level", "event"} <= entry.keys()
    return entry


UNWRITABLE = """
import os
reading, writing = os.pipe()
os.close(reading)
os.dup2(writing, 2)
os.dup2(os.open("/dev/full", os.O_WRONLY), 1)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is no /dev/full")
async def test_a_log_that_cannot_be_written_costs_nothing_but_its_lines(tmp_path: Path):
    server = Server(tmp_path / "unheard", environment={"DREADCLOCK_FIRST_ROOM": "no"})
    server.prelude = UNWRITABLE
    await server.start()
    try:
        table = await open_table(server)
        async with table.connected("ann") as ann, http_client(server) as http:
            server.signal_valkey(signal.SIGSTOP)  # about which there is much to say
            rolled = await ann.order(ROLL)
            await ann.expect("pending", n=rolled)
            server.signal_valkey(signal.SIGCONT)
            assert (await ann.reply(rolled))["type"] == "ack"

            async def is_ready() -> bool:
                return (await http.get("/readyz")).status_code == 200

            await until(is_ready)
            assert (await ann.do(ROLL))["type"] == "ack"
            server.send(signal.SIGTERM)
            assert (await ann.ended())[0] == 4001
        await server.gone()
        assert server.ended_before_with == 0
    finally:
        await server.close()


READER_GONE = "import os; reading, writing = os.pipe(); os.close(reading); os.dup2(writing, 1)"
CLOSED = "import os, sys; os.closerange(0, 3); sys.stdin = sys.stdout = sys.stderr = None"  # as `<&- >&- 2>&-` does


@pytest.mark.parametrize("prelude", [READER_GONE, CLOSED], ids=["reader gone", "closed"])
async def test_a_server_whose_stdout_nobody_reads_opens_its_first_room_and_serves(tmp_path: Path, prelude: str):
    server = Server(tmp_path / "unread")
    server.prelude = prelude
    await server.start()
    try:
        await until((server.data / "links.json").exists)
        async with http_client(server) as http:
            assert (await http.get("/readyz")).status_code == 200
        await server.stop()
        assert server.ended_before_with == 0
    finally:
        await server.close()
