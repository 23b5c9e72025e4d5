"""Opening a room that goes on from an export."""

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Sequence
from tempfile import TemporaryFile
from typing import Any

import pytest

from dreadclock.export import read_header, write_export
from dreadclock.wire.base import Channel
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.events import CountdownRolled
from dreadclock.wire.records import Record
from dreadclock_server import import_worker
from dreadclock_server.evening.verify import verify
from dreadclock_server.gateway.rest import imports, workers
from kit.rooms import Table, http_client
from kit.server import Server

COMMANDS = (
    {"type": "add_character", "id": "rook", "name": "Rook", "owner": "player-1", "attributes": {"Wits": 3}},
    {"type": "start_countdown", "id": "air", "name": "Air", "pool": 30, "owner": "player-1"},
    {"type": "start_countdown", "id": "gas", "name": "Gas", "pool": 30, "visibility": "sealed"},
    {"type": "start_countdown", "id": "gm-worm", "name": "Worm", "pool": 30, "visibility": "gm"},
    {"type": "start_clock", "id": "tide", "name": "Tide", "size": 6},
    {"type": "tick_clock", "clock_id": "tide", "by": 2},
    {"type": "roll_countdown", "countdown_id": "gas"},
    {"type": "roll_countdown", "countdown_id": "air"},
    {"type": "end_turn"},
)


async def exported(table: Table, name: str = "gm", commands: Sequence[dict[str, Any]] = COMMANDS) -> bytes:
    """Export the room as somebody sees it, after a few commands of the gm."""
    async with table.http("gm") as http:
        for command in commands:
            answer = await http.post(table.path("/commands"), json=command)
            assert answer.status_code == 200, answer.text
    async with table.connected(name) as client:
        log_id, positions = client.welcome["log_id"], client.welcome["positions"]
    records = [Record.model_validate_json(text) for text in await table.log(name)]
    lines = "".join(write_export(table.id, log_id, map(Channel, positions), records)).encode()
    heads = read_header(lines.partition(b"\n")[0]).heads
    assert {channel: head.model_dump() for channel, head in heads.items()} == positions
    return lines


async def test_a_room_goes_on_where_its_export_stopped(table: Table, server: Server):
    data = await exported(table)
    old = await table.view()

    async with http_client(server) as http:
        answer = await http.post("/api/rooms/import", content=data)
    assert answer.status_code == 201, answer.text
    opened = answer.json()
    async with http_client(server, opened["gm"]["token"]) as http:
        path = f"/api/rooms/{opened['room_id']}"
        new = (await http.get(path)).json()
        rolled = [
            (await http.post(f"{path}/commands", json={"type": "roll_countdown", "countdown_id": each})).status_code
            for each in ("air", "gas", "gm-worm")
        ]
        invited = await http.post(f"{path}/invites", json={"role": "player", "seat_id": "player-1"})

    assert opened["room_id"] != table.id
    public, was = new["channels"]["public"], old["channels"]["public"]
    assert (public["title"], public["turn"], public["seats"]) == (was["title"], 2, was["seats"])
    assert public["characters"] == was["characters"]
    assert public["clocks"]["tide"] == was["clocks"]["tide"]
    assert public["countdowns"]["air"]["pool"] == was["countdowns"]["air"]["pool"]
    assert list(public["sealed"]) == ["gas"]
    assert public["sealed"]["gas"]["key"] != was["sealed"]["gas"]["key"]
    hidden, were = new["channels"]["gm"]["countdowns"], old["channels"]["gm"]["countdowns"]
    assert {key: one["pool"] for key, one in hidden.items()} == {key: one["pool"] for key, one in were.items()}
    assert rolled == [200, 200, 200]
    assert invited.status_code == 201


async def test_a_room_that_goes_on_is_exported_and_goes_on_in_turn(table: Table, server: Server):
    data = await exported(table)
    for _ in range(2):
        async with http_client(server) as http:
            answer = await http.post("/api/rooms/import", content=data)
        assert answer.status_code == 201, answer.text
        opened = answer.json()
        data = await exported(Table(server, opened["room_id"], "", {"gm": opened["gm"]}), commands=COMMANDS[-3:])
        assert verify(data).faults == ()


async def test_what_a_player_exports_goes_on_without_the_gms_secrets(table: Table, server: Server):
    data = await exported(table, "ann")

    async with http_client(server) as http:
        opened = (await http.post("/api/rooms/import", params={"title": "Our own"}, content=data)).json()
    async with http_client(server, opened["gm"]["token"]) as http:
        view = (await http.get(f"/api/rooms/{opened['room_id']}")).json()["channels"]

    assert view["public"]["title"] == "Our own"
    assert view["public"]["sealed"] == {}
    assert view["gm"]["countdowns"] == {}
    assert "air" in view["public"]["countdowns"]


async def test_the_new_room_names_the_head_that_the_export_leads_to(table: Table, server: Server):
    data = await exported(table)
    header = json.loads(data.partition(b"\n")[0])

    async with http_client(server) as http:
        opened = (await http.post("/api/rooms/import", content=data)).json()
    async with http_client(server, opened["gm"]["token"]) as http:
        log = (await http.get(f"/api/rooms/{opened['room_id']}/log")).text.splitlines()

    events = [json.loads(text) for text in log]
    origins = {each["channel"]: each["event"]["origin"] for each in events if each["event"]["type"] == "room_continued"}
    assert origins == {
        channel: {"room": table.id, "log_id": header["log_id"], **head} for channel, head in header["heads"].items()
    }


SPOILED: list[tuple[Callable[[bytes], bytes], str]] = [
    (lambda data: b"", "line 1"),
    (lambda data: b"\xff" * 100, "line 1"),
    (lambda data: data.partition(b"\n")[0] + b"\n", "public ends at record 0"),
    (lambda data: data[:-1], "its line does not end"),
    (lambda data: data.replace(b'"Tide"', b'"Tide!"'), "does not hash to its head"),
    (lambda data: data + data.splitlines(keepends=True)[-1], "is in its place"),
]


def problem_of(data: bytes) -> str:
    """Let an export be checked, in this process; return what is wrong with it."""
    return import_worker.Findings.model_validate_json(import_worker.answer(data)).problem or ""


async def test_a_spoiled_export_is_refused_with_the_line(table: Table, server: Server):
    data = await exported(table)
    assert problem_of(data) == ""
    assert [problem for spoil, problem in SPOILED if problem not in problem_of(spoil(data))] == []

    spoil, problem = SPOILED[-1]
    async with http_client(server) as http:
        answer = await http.post("/api/rooms/import", content=spoil(data))

    assert (answer.status_code, answer.json()["code"]) == (422, "bad_request")
    assert problem in answer.json()["detail"]


async def test_an_evening_against_the_rules_is_refused_however_well_it_is_chained(table: Table):
    lines = (await exported(table)).splitlines()
    header = read_header(lines[0])
    records = [Record.model_validate_json(json.dumps(json.loads(line)["record"])) for line in lines[1:]]
    forged = [_kept_one_die(record) for record in records]
    data = "".join(write_export(header.room, header.log_id, header.channels, forged)).encode()

    assert forged != records
    assert "does not hold at line" in problem_of(data)


def _kept_one_die(record: Record) -> Record:
    event = record.event
    if not isinstance(event, CountdownRolled):
        return record
    return record.model_copy(update={"event": event.model_copy(update={"remaining": event.remaining + 1})})


async def test_a_bad_title_is_refused(table: Table, server: Server):
    data = await exported(table)

    async with http_client(server) as http:
        answer = await http.post("/api/rooms/import", params={"title": "x" * 65}, content=data)

    assert (answer.status_code, answer.json()["code"]) == (422, "bad_request")


# Checked in a process of its own


async def refusal(monkeypatch: pytest.MonkeyPatch, program: str, data: bytes = b"") -> str:
    """Import with another program as the one that checks."""
    monkeypatch.setattr(imports, "_WORKER", ("-c", program))
    with TemporaryFile() as export:
        export.write(data)
        export.seek(0)
        with pytest.raises(Refused) as refused:
            await imports.continuation(export, None)
    return refused.value.sentence


async def test_an_export_is_read_by_another_process_alone(monkeypatch: pytest.MonkeyPatch):
    reader = "import json, os, sys; said = f'{sys.stdin.read()}, read by a child of {os.getppid()}'; "
    reader += "print(json.dumps({'problem': said}))"

    sentence = await refusal(monkeypatch, reader, b"whatever it is")

    assert f"whatever it is, read by a child of {os.getpid()}" in sentence


@pytest.mark.parametrize(
    "program",
    ["raise SystemExit(3)", "import os, signal; os.kill(os.getpid(), signal.SIGXCPU)", "import time; time.sleep(3600)"],
    ids=["it fails", "it takes too long", "it stands still"],
)
async def test_an_import_that_takes_too_much_is_given_up(monkeypatch: pytest.MonkeyPatch, program: str):
    monkeypatch.setattr(workers, "PATIENCE_S", 0.5)
    started: list[Process] = []
    start = asyncio.create_subprocess_exec

    async def noted(*command: str, **how: Any) -> Process:
        started.append(await start(*command, **how))
        return started[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", noted)

    assert "takes more time or memory than an import may" in await refusal(monkeypatch, program)
    assert [process.returncode for process in started] != [None]


async def test_a_mistake_of_ours_is_no_fault_of_the_export(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(imports, "_WORKER", ("-c", "raise KeyError('ours')"))

    with TemporaryFile() as export, pytest.raises(RuntimeError, match=r"KeyError: 'ours'"):
        await imports.continuation(export, None)


async def test_an_import_may_take_only_so_much_memory_and_time():
    check = "from dreadclock_server import worker as w; w.limit(); import resource as r; "
    check += "print(r.getrlimit(r.RLIMIT_CPU)[1], r.getrlimit(r.RLIMIT_AS)[1], os.nice(0) > before); bytearray(1 << 30)"

    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", f"import os; before = os.nice(0); {check}", stdout=PIPE, stderr=PIPE
    )
    said, error = await process.communicate()

    assert said.decode().split() == ["60", str(1 << 30), "True"]
    assert error.decode().strip().endswith("MemoryError")


async def test_more_than_a_room_takes_over_is_refused(table: Table, monkeypatch: pytest.MonkeyPatch):
    data = await exported(table)
    monkeypatch.setattr(import_worker, "MOST_FOUND_BYTES", 2_000)

    found = import_worker.Findings.model_validate_json(import_worker.answer(data))

    assert found == import_worker.Findings(problem="it has more things than a room can take over")


def test_an_export_is_refused_for_whatever_reason_a_room_cannot_go_on_from_it(monkeypatch: pytest.MonkeyPatch):
    def refuse(data: bytes) -> import_worker.Findings:
        raise Refused(Code.TOO_MANY, limit=256, what="dice lanes")

    monkeypatch.setattr(import_worker, "examined", refuse)

    assert b"256 dice lanes" in import_worker.answer(b"")


async def test_a_line_of_too_many_parts_is_not_looked_through(table: Table):
    header, _, _ = (await exported(table)).partition(b"\n")
    record = b'{"head":"' + b"0" * 64 + b'","record":{"event":{' + b'"a":1,' * 200_001

    found = import_worker.examined(header + b"\n" + record + b"\n")

    assert found.problem is not None
    assert found.problem.endswith("it has too many parts")
