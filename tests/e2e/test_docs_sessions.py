"""Run the sessions and examples of docs/ as printed: they give what the pages say."""

import asyncio
import io
import os
import re
import shutil
import sys
from asyncio.subprocess import PIPE, STDOUT, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, redirect_stderr, redirect_stdout, suppress
from pathlib import Path

import pytest
from rich.console import Console

import dreadclock
from dreadclock.cli import main
from dreadclock.narration import Narrator
from dreadclock_server.tools.watch import paint
from kit.browser.company import link
from kit.browser.scene import flooded_vault
from kit.pages import Session, block_of, steps_of
from kit.rooms import Table, open_table
from kit.server import Server
from kit.waiting import until

ROOT = Path(__file__).parents[2]
LEAST_STEPS = 10


@pytest.mark.parametrize("name", ["rules-checks.md", "rules-totals.md", "rules-races.md", "rules-countdowns.md"])
async def test_the_session_of_a_page_goes_as_the_page_says(server: Server, name: str) -> None:
    page = (ROOT / "docs" / name).read_text()
    steps = steps_of(page)
    session = await Session.begin(server, page)

    assert [(step.text, await session.play(step)) for step in steps] == [(step.text, step.told) for step in steps]
    assert len(steps) >= LEAST_STEPS


# `dreadclock` for a shell: its arguments and stdin go to this process, since each start of Python would take 0.6 s.
DREADCLOCK = """
dreadclock() {
    { printf '%s\\0' "$@"; [ "${!#}" != - ] || cat; } > asked
    cat told
    return "$(cat status)"
}
"""


def answer_commands(folder: Path) -> None:
    """Run the commands that a shell asks for, until it asks for none."""
    while len(asked := (folder / "asked").read_text().split("\0")) > 1:
        told = io.StringIO()
        with pytest.MonkeyPatch.context() as patched, redirect_stdout(told), redirect_stderr(told):
            patched.setattr(sys, "stdin", io.StringIO(asked.pop()))
            (folder / "status").write_text(str(main(asked)))
        (folder / "told").write_text(told.getvalue())


async def test_the_session_of_the_terminals_page_can_be_pasted_into_a_shell(server: Server, tmp_path: Path) -> None:
    script = block_of((ROOT / "docs/terminal.md").read_text(), "bash")
    script = script.replace(". .venv/bin/activate", ":").replace("dreadclock open", f"dreadclock open {server.url}")
    for name in ("asked", "told"):
        os.mkfifo(tmp_path / name)
    answering = asyncio.create_task(asyncio.to_thread(answer_commands, tmp_path))

    bash = await asyncio.create_subprocess_exec(
        *("bash", "-euc", DREADCLOCK + script + ": > asked"), cwd=tmp_path, stdout=PIPE, stderr=STDOUT
    )
    said = (await bash.communicate())[0].decode()
    if bash.returncode:
        (tmp_path / "asked").write_text("")
    await answering

    assert (bash.returncode, said.splitlines()[-1]) == (0, "The check of Rook is a success with 5.")
    assert said.count(server.url) == 2


async def test_the_example_of_the_sdks_readme_runs(server: Server) -> None:
    first, *_ = re.findall(r"```python\n(.*?)```", (ROOT / "client_sdk/README.md").read_text(), re.DOTALL)
    script = first.replace("http://127.0.0.1:7717", server.url)

    python = await asyncio.create_subprocess_exec(sys.executable, "-c", script, stdout=PIPE, stderr=STDOUT)
    said = (await python.communicate())[0].decode()

    assert python.returncode == 0, said
    assert re.fullmatch("[0-6] dice left\n", said)


async def test_the_table_in_the_terminals_page_is_what_a_terminal_of_36_lines_shows(server: Server) -> None:
    table = await flooded_vault(server)
    console = Console(file=io.StringIO(), force_terminal=True, color_system=None, width=140, height=36, _environ={})
    async with dreadclock.connect(link(table, "tom"), dice_secrets=False) as room:
        await room.wait_for(lambda _: set(room.here) == {room.seat})
        showing = asyncio.create_task(paint(room, console, Narrator()))
        await until(lambda: "● Tom" in written(console))
        showing.cancel()
        await asyncio.gather(showing, return_exceptions=True)

    page = (ROOT / "docs/terminal.md").read_text()
    assert without_words(shown_last(console)) == without_words(block_of(page, "text"))


def written(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def shown_last(console: Console) -> str:
    """Return the lines of the last picture."""
    screen = re.sub(r"\x1b\[\?[0-9]+[hl]", "", written(console).split("\x1b[H")[-1])
    return "".join(f"{line.rstrip()}\n" for line in screen.splitlines()).strip() + "\n"


def without_words(picture: str) -> str:
    """Leave out the six words of a log, which no two rooms have in common."""
    return re.sub(r"^(Record [0-9]+:)( [a-z]+){6}$", r"\1", picture, flags=re.MULTILINE)


# The clients that docs/clients.md prints: each hears the table, rolls, and comes back when the server was killed


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
