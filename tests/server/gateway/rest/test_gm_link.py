"""A new link for a gm who lost hers: the operator makes it, and nobody else."""

import asyncio
import stat

import pytest

from dreadclock.cli import main
from dreadclock.cli.installed import LINKS_KEY_FILE
from kit.rooms import Table, http_client
from kit.server import Server

UNKNOWN = "a" * 26


async def asked(server: Server, room: str, key: str | None) -> tuple[int, dict[str, object]]:
    """Ask for a gm's link with a key, and return status and body."""
    async with http_client(server, key) as http:
        answer = await http.post(f"/api/rooms/{room}/gm-link")
    return answer.status_code, answer.json()


async def test_the_operators_key_makes_a_gm_link_which_the_gm_is_shown(table: Table, second: Server, operator_key: str):
    status, grant = await asked(second, table.id, operator_key)

    assert (status, grant["seat_id"]) == (201, "gm")
    assert grant["link"] == f"https://tables.example/play/r/{table.id}#{grant['token']}"
    async with http_client(second, str(grant["token"])) as http:
        rows = (await http.get(table.path("/tokens"))).json()
    made = {row["token_id"]: row.get("made_by") for row in rows}
    assert made.pop(grant["token_id"]) == "operator"
    assert set(made.values()) == {None}
    entries = [line for line in second.log_text().splitlines() if "the operator made a link" in line]
    assert len(entries) == 1
    assert table.id in entries[0]
    assert str(grant["token_id"]) in entries[0]
    assert str(grant["token"]) not in second.log_text()


async def test_an_unknown_room_is_answered_like_a_wrong_key(table: Table, second: Server, operator_key: str):
    wrong = await asked(second, table.id, "a wrong key of theirs")

    assert wrong[0] == 401
    assert await asked(second, UNKNOWN, operator_key) == wrong
    assert await asked(second, "no-room", operator_key) == wrong
    assert await asked(second, table.id, table.token("gm")) == wrong
    assert await asked(second, table.id, None) == wrong


async def test_without_an_operators_key_it_takes_the_secret_in_the_data_folder(table: Table):
    path = table.server.data / LINKS_KEY_FILE
    secret = path.read_text().strip()

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert len(secret) >= 32
    assert secret not in table.server.log_text()
    assert (await asked(table.server, table.id, None))[0] == 401  # though it comes from this machine
    assert (await asked(table.server, table.id, secret))[0] == 201
    assert await asked(table.server, UNKNOWN, secret) == await asked(table.server, table.id, "wrong")


async def test_the_command_makes_the_link_on_the_servers_machine(table: Table, capsys: pytest.CaptureFixture[str]):
    address, data = f"{table.server.url}/r/{table.id}", str(table.server.data)
    assert await asyncio.to_thread(main, ["rooms", "link", f"{address}#lost", "--data", data]) == 0

    link = capsys.readouterr().out.strip()
    assert link.startswith(f"{address}#")
    async with http_client(table.server, link.partition("#")[2]) as http:
        rows = (await http.get(table.path("/tokens"))).json()
    assert sorted(row.get("made_by", "") for row in rows if row["seat_id"] == "gm") == ["", "operator"]


async def test_a_mistake_is_named(table: Table, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("DREADCLOCK_OPERATOR_KEY", raising=False)
    address = f"{table.server.url}/r/{table.id}"
    nowhere = ["--data", str(table.server.data / "nowhere")]

    assert await asyncio.to_thread(main, ["rooms", "link", address, *nowhere]) == 1
    assert "This needs the operator's key" in capsys.readouterr().err
    assert await asyncio.to_thread(main, ["rooms", "link", address, "--operator-key", "a wrong key"]) == 1
    assert "There is no such room" in capsys.readouterr().err
    assert await asyncio.to_thread(main, ["rooms", "link", "http://host/elsewhere", *nowhere]) == 2
    assert capsys.readouterr().err == "Invalid value for ROOM: a room's address looks like http://host:port/r/ROOM.\n"
