"""The command line against a real server: what one sends, another sees."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from dreadclock.cli import main
from kit.rooms import Table
from kit.server import Server, free_port
from kit.servers import nursery
from kit.waiting import until

PROGRAM = (sys.executable, "-m", "dreadclock.cli")
Captured = pytest.CaptureFixture[str]
FEVER = '{"type": "start_countdown", "id": "fever", "name": "Fever", "pool": 30, "visibility": "%s"}'


def link(table: Table, name: str) -> str:
    return table.grants[name]["link"]


async def run(*arguments: str) -> int:
    return await asyncio.to_thread(main, arguments)


async def test_what_the_gm_sends_is_told_and_others_watch_it(table: Table, capsys: Captured) -> None:
    assert await run("send", link(table, "gm"), FEVER % "public") == 0
    assert await run("send", link(table, "gm"), '{"type": "roll_countdown", "countdown_id": "fever"}') == 0
    assert 'The countdown "Fever" starts: 30 dice, slow. (id fever)\nGm rolled "Fever": ' in capsys.readouterr().out

    assert await run("watch", link(table, "eve"), "--once") == 0
    picture = capsys.readouterr().out
    assert picture.startswith(f"{table.title}   turn 1\n")
    assert "● Eve (spectator)" in picture
    assert "○ Gm (gm)" in picture
    assert "  Fever [fever]  " in picture


@pytest.mark.parametrize("name", ["ann", "Ann the Bold"], ids=["an-id-of-nobody", "no-id-at-all"])
async def test_inviting_to_a_seat_by_its_name_lists_the_ids_of_seats(table: Table, capsys: Captured, name: str):
    assert await run("invite", link(table, "gm"), "--seat", name) == 2

    players = f"{table.seat('ann')} (Ann), {table.seat('ben')} (Ben)"
    sentence = f"Invalid value for --seat: no player seat has the id '{name}'. Ids of player seats: {players}.\n"
    assert capsys.readouterr() == ("", sentence)


async def test_a_room_is_opened_people_are_invited_and_printed_ids_name_things(server: Server, capsys: Captured):
    async def said(*arguments: str) -> list[str]:
        assert await run(*arguments) == 0
        return capsys.readouterr().out.splitlines()

    (gm,) = await said("open", server.url, "The sunken chapel")
    (ines,) = await said("invite", gm, "--role", "player", "--name", "Ines")
    (bot,) = await said("invite", gm, "--role", "integration", "--name", "Bot", "--scope", "turns")
    (again,) = await said("invite", gm, "--seat", "player-1")

    assert await said("send", ines, '{"type": "add_character", "name": "Rook"}') == [
        "Rook came into play (of Ines). (id character-1)"
    ]
    assert await said("send", again, '{"type": "propose_check", "character_id": "character-1", "score": 3}') == [
        "Ines proposes the check of Rook: 3 dice; it waits for the gm. (id check-1)"
    ]
    assert await said("send", gm, '{"type": "adjust_check", "check_id": "check-1", "approve": true}') == [
        "Gm set the check of Rook to 3 dice."
    ]
    assert await said("send", bot, '{"type": "end_turn"}') == ["Turn 1 is over."]
    watched = await said("watch", gm, "--once")
    assert "  Rook [check-1]              3 dice  waiting for the roll, 88% to succeed" in watched


async def test_ctrl_c_ends_watching_quietly(table: Table) -> None:
    process = await asyncio.create_subprocess_exec(*PROGRAM, "watch", link(table, "eve"), stdout=PIPE, stderr=PIPE)
    async with table.connected("gm") as gm:
        await gm.expect("presence", here={"gm": 1, table.seat("eve"): 1})
        assert process.stdout is not None
        assert (await process.stdout.readline()).startswith(b"Record ")
        process.send_signal(signal.SIGINT)
        output = await process.communicate()

    assert (process.returncode, output) == (130, (b"", b""))


async def test_ctrl_c_ends_serving_as_a_success(tmp_path: Path) -> None:
    serving, log = ["serve", "--port", str(free_port()), "--data", str(tmp_path / "data")], tmp_path / "log"
    with log.open("wb") as output:
        process = nursery.start(nursery.COMMAND, serving, os.environ, output, "kit.servers.warm")
    await until(lambda: process.poll() is not None or "Ctrl-C" in log.read_text())
    process.send_signal(signal.SIGINT)
    await until(lambda: process.poll() is not None)

    assert process.returncode == 0
