"""`dreadclock send`, over real websockets."""

from __future__ import annotations

import asyncio
import io
import json
import sys
from collections.abc import AsyncIterator

import pytest

from dreadclock.cli import main
from dreadclock.wire.errors import CloseCode
from kit.table import BOTH, ROOM
from kit.table_server import TableServer

ROLL = '{"type": "roll_dice", "pool": 3, "name": "luck"}'
Captured = pytest.CaptureFixture[str]


@pytest.fixture
async def server() -> AsyncIterator[TableServer]:
    async with TableServer(*BOTH) as server:
        yield server


async def send(server: TableServer, *arguments: str) -> int:
    """Run the command beside the server, which answers in the test's own loop."""
    return await asyncio.to_thread(main, ["send", f"{server.url}/r/{ROOM}#token", *arguments])


async def test_a_command_is_done_and_told(server: TableServer, capsys: Captured) -> None:
    assert await send(server, ROLL) == 0

    assert capsys.readouterr() == ('gm rolled 3 dice for "luck": 1 2 3.\n', "")
    assert [command.type for command in server.table.done] == ["roll_dice"]


async def test_the_events_come_as_lines_of_json_if_asked(server: TableServer, capsys: Captured) -> None:
    assert await send(server, ROLL.replace("luck", "glück"), "--json") == 0

    out, _ = capsys.readouterr()
    assert out.isascii()
    assert out.count("\n") == 1
    (record,) = server.table.log.records
    assert json.loads(out) == record.model_dump(mode="json", exclude_none=True)


async def test_a_dash_reads_the_command(server: TableServer, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(ROLL))

    assert await send(server, "-") == 0
    assert capsys.readouterr().out == 'gm rolled 3 dice for "luck": 1 2 3.\n'


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ('{"type": "end_turn"}', "Only nobody may do that.\n"),
        ('{"type": "roll_dice", "pool": 61}', "That is no command the table understands: roll_dice.pool: "),
        ('{"type": "\\u001b[2J"}', "That is no command the table understands: there is no type '\\x1b[2J'.\n"),
        (
            '{"type": "end_turn", "\\u001b[2J": 1}',
            "That is no command the table understands: end_turn.\ufffd[2J: Extra inputs are not permitted.\n",
        ),
    ],
)
async def test_a_refusal_is_its_sentence_and_exit_code_1(
    server: TableServer, capsys: Captured, command: str, sentence: str
) -> None:
    assert await send(server, command) == 1

    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(sentence)


async def test_a_token_that_opens_nothing_is_one_sentence(server: TableServer, capsys: Captured) -> None:
    server.turned_away.append((CloseCode.UNAUTHORISED, "There is no such room\x1b[2J."))

    assert await send(server, ROLL) == 1
    assert capsys.readouterr() == ("", "There is no such room\ufffd[2J.\n")
