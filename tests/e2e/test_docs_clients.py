"""The clients that docs/clients.md prints: each hears the table, rolls, and comes back when the server was killed."""

import asyncio
import os
import shutil
from asyncio.subprocess import PIPE, STDOUT, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from kit.pages import block_of
from kit.rooms import Table, open_table
from kit.server import Server

PAGE = (Path(__file__).parents[2] / "docs/clients.md").read_text(encoding="utf-8")
WEBSOCAT = os.environ.get("DREADCLOCK_WEBSOCAT") or shutil.which("websocat")
NODE = ("node", "--experimental-websocket", "--input-type=module", "--eval")
EXAMPLES = {"js": (*NODE, block_of(PAGE, "js")), "bash": ("bash", "-euc", block_of(PAGE, "bash"))}


@asynccontextmanager
async def running(table: Table, folder: Path, *command: str) -> AsyncIterator[Process]:
    """Run an example as ann, and end it, with all that it started."""
    environment = os.environ | {"DREADCLOCK_LINK": table.grants["ann"]["link"]}
    program = await asyncio.create_subprocess_exec(
        *command, cwd=folder, env=environment, stdin=PIPE, stdout=PIPE, stderr=STDOUT, start_new_session=True
    )
    try:
        yield program
    finally:
        with suppress(ProcessLookupError):
            os.killpg(program.pid, 9)
        await program.communicate()


async def said(program: Process, text: str) -> str:
    """Read lines until one has a text in it."""
    assert program.stdout is not None
    lines = [""]
    async with asyncio.timeout(30):
        while text not in lines[-1]:
            lines.append((await program.stdout.readline()).decode())
            assert lines[-1], "".join(lines)[-2000:]
    return lines[-1]


async def roll(table: Table, note: str) -> int:
    async with table.http("ben") as http:
        command = {"type": "roll_dice", "pool": 1, "note": note}
        answer = (await http.post(table.path("/commands"), json=command)).json()
    seq: int = answer["events"]["public"][0]
    return seq


@pytest.mark.skipif(shutil.which("node") is None or shutil.which("curl") is None, reason="there is no Node or no curl")
@pytest.mark.parametrize("language", EXAMPLES)
async def test_an_example_rolls_hears_and_comes_back_to_what_it_missed(mortal: Server, tmp_path: Path, language: str):
    table = await open_table(mortal)
    async with running(table, tmp_path, *EXAMPLES[language]) as program:
        await said(program, "dice_rolled")
        seqs = [await roll(table, "one")]
        await said(program, number(language, seqs[0]))
        await mortal.kill()
        await mortal.start()
        seqs = [await roll(table, "missed"), await roll(table, "missed, too")]
        for seq in seqs:
            await said(program, number(language, seq))
        async with table.http("gm") as http:
            await http.delete(table.path(f"/tokens/{table.grants['ann']['token_id']}"))
        await said(program, "this token was revoked")
        async with asyncio.timeout(30):
            if language == "js":
                assert await program.wait() == 0
            else:
                await said(program, "401")
                assert await program.wait() == 0


def number(language: str, seq: int) -> str:
    """Give what an example prints of a record."""
    return f"{seq} player-2 dice_rolled" if language == "js" else f'"seq":{seq},'


@pytest.mark.skipif(WEBSOCAT is None, reason="there is no websocat; DREADCLOCK_WEBSOCAT says where it is")
async def test_websocat_rolls_and_hears(table: Table, tmp_path: Path):
    script = block_of(PAGE, "sh").replace("| websocat", f"| {WEBSOCAT}")
    async with running(table, tmp_path, "sh", "-euc", script) as program:
        await said(program, '"type":"welcome"')
        await said(program, '"type":"ack"')
        await said(program, f'"seq":{await roll(table, "one")},')
        assert program.stdin is not None
        program.stdin.write(b'{"type": "command", "n": 2, "command": {"type": "roll_dice", "pool": 3}}\n')
        await said(program, '"n":2')
