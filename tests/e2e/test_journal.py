"""A server whose log is grepped for everything that nobody but its owner may know."""

import asyncio
import json
import signal
import sys
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from dreadclock_server.journal import MOST
from kit.raw import raw_client
from kit.rooms import Table, http_client, open_table
from kit.server import Server, running_server
from kit.waiting import until

ROLL = {"type": "roll_dice", "pool": 1}
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
