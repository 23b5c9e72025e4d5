"""What the README and the pages of the rules print can be played as it stands, and goes as they say."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, STDOUT
from pathlib import Path

import pytest

from kit.pages import Session, block_of, steps_of
from kit.server import Server

ROOT = Path(__file__).parents[2]
LEAST_STEPS = 10


@pytest.mark.parametrize("name", ["rules-checks.md", "rules-totals.md", "rules-races.md", "rules-countdowns.md"])
async def test_the_session_of_a_page_goes_as_the_page_says(server: Server, name: str) -> None:
    page = (ROOT / "docs" / name).read_text()
    steps = steps_of(page)
    session = await Session.begin(server, page)

    assert [(step.text, await session.play(step)) for step in steps] == [(step.text, step.told) for step in steps]
    assert len(steps) >= LEAST_STEPS


async def test_the_first_evening_of_the_readme_can_be_pasted_into_a_shell(server: Server) -> None:
    script = block_of((ROOT / "README.md").read_text(), "bash")
    script = script.replace(". .venv/bin/activate", ":").replace("dreadclock open", f"dreadclock open {server.url}")
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}

    bash = await asyncio.create_subprocess_exec("bash", "-euc", script, env=environment, stdout=PIPE, stderr=STDOUT)
    said = (await bash.communicate())[0].decode()

    assert (bash.returncode, said.splitlines()[-1]) == (0, "The check of Rook is a success with 5.")
    assert said.count(server.url) == 2


async def test_the_sdk_example_of_the_readme_runs(server: Server) -> None:
    script = block_of((ROOT / "README.md").read_text(), "python").replace("http://127.0.0.1:7717", server.url)

    python = await asyncio.create_subprocess_exec(sys.executable, "-c", script, stdout=PIPE, stderr=STDOUT)
    said = (await python.communicate())[0].decode().split()

    assert python.returncode == 0, said
    assert said[0].startswith(f"{server.url}/r/")
    assert sum(face < 6 for face in map(int, "".join(said[2:-1]).strip("()").split(","))) == int(said[-1])
