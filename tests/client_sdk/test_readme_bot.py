"""The bot of the SDK's README: its types are right, and it goes on after a reset."""

import asyncio
import re
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from dreadclock.rules.countdown import Speed
from dreadclock.wire.events import CountdownRolled, CountdownStarted
from dreadclock.wire.frames import ResetReason
from dreadclock.wire.things import Countdown
from kit.servers.table_server import TableServer
from kit.table import BOTH, ROOM, reset_to
from kit.waiting import until

ROOT = Path(__file__).parents[2]
README = ROOT / "client_sdk" / "README.md"
FEVER = Countdown(id="fever", name="Fever", pool=4, speed=Speed.SLOW, started=1)


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """Save the bot as the README says."""
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    [text] = [block for block in blocks if "room.events()" in block]
    path = tmp_path / "bot.py"
    path.write_text(text, encoding="utf-8")
    return path


def rolled(*faces: int) -> CountdownRolled:
    left = len(faces) - 1
    return CountdownRolled(countdown_id="fever", faces=faces, removed=1, remaining=left, turn=1, physical=True)


async def test_it_hears_what_happens_before_and_after_a_reset(bot: Path) -> None:
    async with TableServer(*BOTH) as server:
        link = f"{server.url}/r/{ROOM}#token"
        program = await asyncio.create_subprocess_exec(sys.executable, bot, link, stdout=PIPE, stderr=PIPE)
        assert program.stdout is not None
        await until(lambda: server.connected == 1)
        await server.happen(CountdownStarted(countdown=FEVER))

        first = asyncio.create_task(program.stdout.readline())
        while not first.done():  # it may be welcomed, and not listen yet
            await server.happen(rolled(6, 1, 2, 3))
            await asyncio.wait([first], timeout=0.2)
        await server.tell(reset_to(server.table.log, ResetReason.TOO_OLD))
        await server.happen(rolled(6, 1, 2))

        said = [(await first).decode().rstrip()]
        while said[-1] not in ("Fever: 2 dice left", ""):  # nothing at the end, if the bot died
            said.append((await asyncio.wait_for(program.stdout.readline(), 60)).decode().rstrip())
        if program.returncode is None:
            program.kill()
        _, complaint = await program.communicate()

    assert list(dict.fromkeys(said)) == [
        "Fever: 3 dice left",
        "The room was read anew (too_old): turn 1",
        "Fever: 2 dice left",
    ]
    assert b"Traceback" not in complaint, complaint.decode()
