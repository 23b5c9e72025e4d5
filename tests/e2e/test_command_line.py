"""The command line against a real server: what one sends, another sees."""

import asyncio
import signal
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from dreadclock.cli import main
from kit.rooms import Table
from kit.server import free_port

PROGRAM = (sys.executable, "-m", "dreadclock.cli")
Captured = pytest.CaptureFixture[str]
FEVER = '{"type": "start_countdown", "id": "fever", "name": "Fever", "pool": 3, "visibility": "%s"}'


def link(table: Table, name: str) -> str:
    return table.grants[name]["link"]


async def run(*arguments: str) -> int:
    return await asyncio.to_thread(main, arguments)


async def test_what_the_gm_sends_is_told_and_others_watch_it(table: Table, capsys: Captured) -> None:
    assert await run("send", link(table, "gm"), FEVER % "public") == 0
    assert await run("send", link(table, "gm"), '{"type": "roll_countdown", "countdown_id": "fever"}') == 0
    assert '"Fever" counts down: 3 dice, slow.\nGm rolled "Fever": ' in capsys.readouterr().out

    assert await run("watch", link(table, "eve"), "--once") == 0
    picture = capsys.readouterr().out
    assert picture.startswith(f"{table.title}   turn 1\n")
    assert "● Eve (spectator)" in picture
    assert "○ Gm (gm)" in picture
    assert "  Fever  " in picture


@pytest.mark.parametrize(("visibility", "seen"), [("sealed", True), ("gm", False)])
async def test_a_spectator_watches_secrets_from_outside(
    table: Table, capsys: Captured, visibility: str, seen: bool
) -> None:
    secret = (FEVER % visibility).replace('"id": "fever", ', "")
    assert await run("send", link(table, "gm"), secret) == 0
    capsys.readouterr()

    assert await run("watch", link(table, "eve"), "--once") == 0
    picture = capsys.readouterr().out
    assert ("sealed: Fever (countdown)" in picture, "Fever" in picture) == (seen, seen)


async def test_a_refusal_of_the_rules_is_a_sentence_and_exit_code_1(table: Table, capsys: Captured) -> None:
    assert await run("send", link(table, "eve"), FEVER % "public") == 1
    assert await run("send", link(table, "gm"), '{"type": "roll_countdown", "countdown_id": "fever"}') == 1

    assert capsys.readouterr().err.splitlines() == [
        "Only the gm or a player may do that.",
        "There is no countdown with the id fever here.",
    ]


async def test_a_token_that_opens_nothing_is_a_sentence_and_exit_code_1(table: Table, capsys: Captured) -> None:
    wrong = link(table, "gm")[:-4] + "AAAA"

    assert await run("watch", wrong) == 1
    assert capsys.readouterr() == ("", "There is no such room, or the token does not open it.\n")


async def test_ctrl_c_ends_watching_quietly(table: Table) -> None:
    process = await asyncio.create_subprocess_exec(*PROGRAM, "watch", link(table, "eve"), stdout=PIPE, stderr=PIPE)
    async with table.connected("gm") as gm:
        here = {"gm": 1, table.seat("eve"): 1}
        await gm.expect("presence", here=here)
        process.send_signal(signal.SIGINT)
        output = await process.communicate()

    assert (process.returncode, output) == (130, (b"", b""))


async def test_ctrl_c_ends_serving_as_a_success(tmp_path: Path) -> None:
    serving = [*PROGRAM, "serve", "--port", str(free_port()), "--data", str(tmp_path / "data")]
    process = await asyncio.create_subprocess_exec(*serving, stdout=PIPE, stderr=PIPE)
    assert process.stdout is not None
    while b"Ctrl-C" not in await process.stdout.readline():
        assert process.returncode is None
    process.send_signal(signal.SIGINT)
    await process.communicate()

    assert process.returncode == 0
