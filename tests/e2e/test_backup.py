"""Backups by the command line: made of a server that is played on, brought back, served again, and noticed."""

import asyncio
import json
from pathlib import Path

import pytest

from dreadclock.cli import main
from kit.links.listeners import listener
from kit.rooms import Table, http_client, open_table
from kit.server import Server, running_server
from kit.servers.processes import store_on
from kit.waiting import until

Captured = pytest.CaptureFixture[str]


async def run(*arguments: str | Path) -> int:
    return await asyncio.to_thread(main, [str(each) for each in arguments])


def roll(note: str) -> dict[str, object]:
    return {"type": "roll_dice", "pool": 1, "note": note}


async def notes(table: Table) -> list[str]:
    records = [json.loads(text) for text in await table.log("gm")]
    return [each["event"]["note"] for each in records if each["event"].get("note")]


async def go_back(server: Server, saved: Path) -> None:
    """Bring a backup back into the place of what was played since."""
    await server.stop()
    server.data.rename(server.data.with_name("aside"))
    assert await run("restore", saved, "--data", server.data) == 0
    await server.start()


async def test_a_restored_server_is_as_it_was_and_who_saw_more_is_told(tmp_path: Path, capsys: Captured):
    async with running_server(tmp_path / "data") as server:
        await until((server.data / "links.json").exists)
        links = json.loads((server.data / "links.json").read_text())
        table = await open_table(server)
        async with listener(table, "gm") as gm, listener(table, "ann") as ann:
            await gm.room.submit(roll("before"))
            await until(lambda: len(ann.heard) > 0)
            async with table.connected("ben") as ben:
                at_the_backup, session = ben.positions(), ben.welcome["session"]
            assert await run("backup", tmp_path, "--data", server.data) == 0
            saved = next(tmp_path.glob("dreadclock-*.backup"))  # noqa: ASYNC240
            await gm.room.submit(roll("after"))
            await until(lambda: len(ann.heard) > 1)
            async with table.connected("ben") as ben:
                after_it = ben.positions()

            await go_back(server, saved)

            await until(lambda: bool(gm.resets and ann.resets))
            assert [each.resets[0].reason for each in (gm, ann)] == ["forked", "forked"]
            assert all(each.room.alarms for each in (gm, ann))
            assert await notes(table) == ["before"]
            await gm.room.submit(roll("another"))
        async with table.connected("ben", positions=after_it) as ben:
            assert ben.welcome["resumed"] is False
            assert (await ben.expect("reset"))["reason"] == "forked"
        async with table.connected("ben", positions=at_the_backup, session=session) as ben:
            assert (ben.welcome["resumed"], ben.welcome["session"]) == (True, session)
        assert await notes(table) == ["before", "another"]
        assert json.loads((server.data / "links.json").read_text()) == links
        assert links["tokens"]["gm"] in server.log_text()
        async with http_client(server, links["tokens"]["gm"]) as http:
            assert (await http.get(f"/api/rooms/{links['room_id']}")).is_success
    said = capsys.readouterr().out
    assert f"Saved: {saved}\n" in said
    assert f"Restored: {saved}\n" in said
    assert "2 rooms, " in said


async def test_a_backup_is_checked_and_refusals_are_sentences_with_exit_code_1(tmp_path: Path, capsys: Captured):
    data = tmp_path / "data"
    async with store_on(data):
        assert await run("backup", tmp_path / "saved", "--data", data) == 0
        assert await run("restore", tmp_path / "saved", "--data", data) == 1
        assert await run("backup", tmp_path / "saved", "--data", data) == 1
    assert await run("backup", "--verify", tmp_path / "saved") == 0
    (tmp_path / "saved").write_bytes((tmp_path / "saved").read_bytes()[:-20])
    assert await run("backup", "--verify", tmp_path / "saved") == 1
    assert await run("backup", tmp_path / "other", "--data", tmp_path / "nothing") == 1

    said = capsys.readouterr()
    assert f"Sound: {tmp_path}/saved\n" in said.out
    refused, overwriting, spoiled, missing = said.err.splitlines()
    assert refused == f"A server runs on {tmp_path}/data: stop it, or restore into another directory."
    assert overwriting == f"{tmp_path}/saved is there already: a backup never replaces a file."
    assert spoiled.startswith(f"{tmp_path}/saved is no backup, or was damaged: ")
    assert missing.startswith(f"There is no store in {tmp_path}/nothing: ")


async def test_what_is_missing_is_a_misuse(capsys: Captured):
    assert await run("backup") == 2
    assert await run("restore") == 2
    assert "arget" in capsys.readouterr().err
