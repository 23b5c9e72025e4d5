"""`dreadclock send`, over real websockets."""

from __future__ import annotations

import asyncio
import io
import json
import sys
from collections.abc import AsyncIterator

import pytest

from dreadclock.cli import main
from dreadclock.cli.send import sentences
from dreadclock.client.outcomes import Acknowledged
from dreadclock.narration import Narrator
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Kind
from dreadclock.wire.errors import CloseCode
from dreadclock.wire.records import Record
from dreadclock.wire.things import Lane, Things
from kit import scenery
from kit.scenery import full_room, record
from kit.servers.table_server import TableServer
from kit.table import BOTH, ROOM
from kit.waiting import until

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

    assert capsys.readouterr() == ('Gm rolled 3 dice (real dice) for "luck": 1 2 3.\n', "")
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
    assert capsys.readouterr().out == 'Gm rolled 3 dice (real dice) for "luck": 1 2 3.\n'


def event(event: e.Event, channel: Channel = Channel.PUBLIC) -> Record:
    return record(event).model_copy(update={"channel": channel})


LANE = event(e.LaneOpened(lane=Lane(label="gm", key="A" * 43)), Channel.GM)
MADE_PUBLIC = event(e.MadePublic(kind=Kind.COUNTDOWN, id="gm-plan"), Channel.GM)


@pytest.mark.parametrize(
    ("records", "complete", "lines"),
    [
        (
            [LANE, event(e.CountdownStarted(countdown=scenery.HIDDEN), Channel.GM)],
            True,
            ['(only for the gm) The countdown "The plan" starts: 4 dice, fast. (id gm-plan)'],
        ),
        (
            [
                event(e.Revealed(kind=Kind.COUNTDOWN, id="gm-plan", things=Things(countdowns=(scenery.HIDDEN,)))),
                MADE_PUBLIC,
            ],
            True,
            ['The countdown "The plan" is revealed: 4 dice left.'],
        ),
        ([event(e.EffortMade(effort=scenery.EFFORT))], True, ['Mara tries to overcome "Outer door". (id shove)']),
        ([LANE], True, ["Done."]),
        ([], True, ["Done, and nothing changed."]),
        ([], False, ["Done, but the events of this command are not available."]),
    ],
)
def test_the_outcome_is_told_with_ids_and_without_bookkeeping(records: list[Record], complete: bool, lines: list[str]):
    done = Acknowledged(1, {}, tuple(records), complete)

    assert sentences(done, (full_room().view,), Narrator()) == lines


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ('{"type": "end_turn"}', "Refused: Only nobody may do that.\n"),
        ('{"type": "roll_dice", "pool": 61}', "Refused: That is no command the table understands: roll_dice.pool: "),
        ('{"type": "\\u001b[2J"}', "Refused: That is no command the table understands: there is no type '\\x1b[2J'.\n"),
        (
            '{"type": "end_turn", "\\u001b[2J": 1}',
            "Refused: That is no command the table understands: end_turn.\ufffd[2J: there is no such field.\n",
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


async def test_what_comes_of_a_command_is_told_in_another_language(server: TableServer, capsys: Captured) -> None:
    assert await send(server, ROLL, "--lang", "de") == 0
    assert await send(server, '{"type": "end_turn"}', "--lang", "de") == 1

    assert capsys.readouterr() == (
        "Spielleitung würfelt mit 3 echten Würfeln für „luck“: 1 2 3.\n",
        "Abgelehnt: Das darf nur niemand.\n",
    )


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "No answer: it may or may not have been done. Look with `watch` before you send it again.\n"),
        ("de", "Keine Antwort: Vielleicht ist es geschehen, vielleicht nicht. Sieh mit `watch` nach, bevor"),
    ],
)
async def test_who_gets_no_answer_is_told_that_it_may_have_been_done(
    server: TableServer, capsys: Captured, monkeypatch: pytest.MonkeyPatch, language: str, told: str
) -> None:
    monkeypatch.setattr("dreadclock.cli.send.ANSWER_WITHIN_S", 0.5)
    server.keep_silent()

    assert await send(server, ROLL, "--lang", language) == 1
    out, err = capsys.readouterr()
    assert (out, err.startswith(told)) == ("", True)
    server.speak()


async def test_who_is_sent_away_before_the_answer_hears_that_it_may_be_done(server: TableServer, capsys: Captured):
    server.keep_silent()
    sending = asyncio.create_task(send(server, ROLL))
    await until(lambda: server.commands == 1)
    await server.close(CloseCode.REVOKED, "The token is void.")
    server.speak()

    assert await sending == 1
    assert capsys.readouterr().err.startswith("The token is void. No answer: it may or may not have been done. Look")


async def test_a_token_that_opens_nothing_is_one_sentence(server: TableServer, capsys: Captured) -> None:
    server.turned_away.append((CloseCode.UNAUTHORISED, "There is no such room\x1b[2J."))

    assert await send(server, ROLL) == 1
    assert capsys.readouterr() == ("", "There is no such room\ufffd[2J.\n")
