"""`dreadclock watch`, over real websockets."""

import asyncio
import io
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager

import pytest
from rich.console import Console

from dreadclock.cli import main
from dreadclock.client.connection import Backoff
from dreadclock.client.room import Room, connect
from dreadclock.dice.fingerprint import six_words
from dreadclock.narration import Narrator
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel
from dreadclock.wire.errors import CloseCode, ConnectionEnded
from dreadclock.wire.frames import ResetReason
from dreadclock.wire.records import opening_head
from dreadclock.wire.things import Lane
from dreadclock_server.tools.watch import paint, tell
from kit.scenery import full_room
from kit.servers.table_server import TableServer
from kit.table import BOTH, ROOM, Log, reset_to, rolled
from kit.waiting import until

Show = Callable[[Room, Console, Narrator], Coroutine[None, None, None]]


@pytest.fixture
async def server() -> AsyncIterator[TableServer]:
    async with TableServer(*BOTH) as server:
        server.table.log = full_room()
        yield server


@asynccontextmanager
async def shown(server: TableServer, show: Show, language: str = "en") -> AsyncIterator[Callable[[], str]]:
    """Show a room on a terminal of 100 columns, and yield what gives all that was written to it so far."""
    console = Console(file=io.StringIO(), force_terminal=True, color_system=None, width=100, height=60, _environ={})
    async with connect(server.url, ROOM, "token", backoff=Backoff(longest_s=0.05)) as room:
        showing = asyncio.create_task(show(room, console, Narrator(language)))
        yield console.file.getvalue  # type: ignore[attr-defined]
        showing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await showing


async def test_one_picture_shows_the_room_and_who_is_here(server: TableServer, capsys: pytest.CaptureFixture[str]):
    assert await asyncio.to_thread(main, ["watch", f"{server.url}/r/{ROOM}#token", "--once"]) == 0

    out, err = capsys.readouterr()
    assert out.startswith("The flooded vault   turn 1\n● Mara (gm)   ○ Rook (player) [player-1]")
    assert "The plan" in out
    assert (err, "\x1b" in out) == ("", False)


async def test_the_picture_follows_what_happens_and_shows_a_lost_connection(server: TableServer) -> None:
    async with shown(server, paint) as terminal:
        await until(lambda: "The flooded vault" in terminal())
        await server.happen(e.TurnEnded(turn=1))
        await until(lambda: "Turn 1 is over." in terminal() and "turn 2" in terminal())
        assert "reconnecting" not in terminal()
        await server.stop()
        await until(lambda: "reconnecting" in terminal())
        await server.start()
        await server.happen(e.TurnEnded(turn=2))
        await until(lambda: "turn 3\N{SPACE}" in terminal().rpartition("reconnecting")[2])


async def test_what_does_not_fit_is_counted_and_the_latest_stays(server: TableServer) -> None:
    await server.happen(e.TurnEnded(turn=1))
    low = Console(file=io.StringIO(), force_terminal=True, color_system=None, width=100, height=16, _environ={})
    async with connect(server.url, ROOM, "token") as room:
        showing = asyncio.create_task(paint(room, low, Narrator(), ids=False))
        await until(lambda: "Turn 1 is over." in low.file.getvalue())  # type: ignore[attr-defined]
        showing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await showing

    screen = low.file.getvalue().split("\x1b[H")[2]  # type: ignore[attr-defined]
    lines = [line.rstrip() for line in screen.splitlines()]
    assert lines[0] == "The flooded vault   turn 2"
    assert [line for line in lines if line.startswith("...")] == ["... 14 more lines"]
    assert lines[-1].startswith("  Turn 1 is over.")
    assert not any("[vault]" in line for line in lines)


async def test_ids_are_shown_unless_they_are_left_out(server: TableServer, capsys: pytest.CaptureFixture[str]) -> None:
    watching = ["watch", f"{server.url}/r/{ROOM}#token", "--once"]

    assert await asyncio.to_thread(main, watching) == 0
    assert "Scene: Out of the vault [vault]" in capsys.readouterr().out
    assert await asyncio.to_thread(main, [*watching, "--no-ids"]) == 0
    assert "[" not in capsys.readouterr().out


async def test_the_terminal_is_left_as_it_was(server: TableServer) -> None:
    async with shown(server, paint) as terminal:
        await until(lambda: "\x1b[?1049h" in terminal())

    assert terminal().endswith("\x1b[?1049l")


async def test_what_is_no_terminal_gets_a_sentence_for_each_event_that_tells_a_story(server: TableServer) -> None:
    async with shown(server, tell) as output:
        await until(lambda: server.connected == 1)
        await server.happen(e.LaneOpened(lane=Lane(label="seat/gm/1", key="A" * 43)))
        await server.happen(rolled(1, "luck"))
        await server.tell(reset_to(server.table.log, ResetReason.TOO_OLD))
        await server.happen(e.TurnEnded(turn=1))
        await until(lambda: "Turn 1 is over." in output())

    fingerprint, *lines = output().splitlines()
    assert fingerprint == f"Record 11: {' '.join(six_words(full_room().positions[Channel.PUBLIC].hash))}"
    assert [line for line in lines if not line.startswith(("ALARM", "This seat"))] == [
        'Mara rolled 3 dice (real dice) for "luck": 1 2 3.',
        "The room is loaded again: too much was missed.",
        "Turn 1 is over.",
    ]


async def test_what_is_no_terminal_is_told_that_the_connection_is_lost_and_that_it_is_back(server: TableServer) -> None:
    async with shown(server, tell) as output, shown(server, tell, "de") as german:
        await until(lambda: server.connected == 2)
        assert len(output().splitlines()) == 1
        await server.stop()
        await until(lambda: "The connection is lost." in output() and "Die Verbindung ist verloren." in german())
        await server.start()
        await until(lambda: "It is back." in output() and "Sie ist wieder da." in german())

    assert output().splitlines()[1:] == ["The connection is lost.", "It is back."]


@pytest.mark.parametrize(
    ("arguments", "environment"), [(["--lang", "de"], {}), ([], {"DREADCLOCK_LANG": "de"})], ids=["option", "variable"]
)
async def test_a_picture_is_all_in_another_language(
    server: TableServer,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    environment: dict[str, str],
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    assert await asyncio.to_thread(main, ["watch", f"{server.url}/r/{ROOM}#token", "--once", *arguments]) == 0
    out = capsys.readouterr().out
    assert "Eine Barriere steht im Weg: „Outer door“ (Uhr: 1)." in out
    assert {"Zuletzt", "Countdowns"} <= set(out.splitlines())
    assert "\nEintrag 11: " in out


def test_a_language_that_there_are_no_words_in_is_a_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", f"http://127.0.0.1:1/r/{ROOM}#token", "--lang", "tlh"]) == 2
    assert "there are no words in 'tlh', only in de, en" in capsys.readouterr().err


@pytest.mark.parametrize("show", [paint, tell])
async def test_watching_ends_when_the_server_closes_for_good(server: TableServer, show: Show) -> None:
    console = Console(file=io.StringIO(), force_terminal=True)
    async with connect(server.url, ROOM, "token") as room:
        showing = asyncio.create_task(show(room, console, Narrator()))
        await server.close(CloseCode.REVOKED, "The token is void.")

        with pytest.raises(ConnectionEnded, match="void"):
            await showing


async def test_an_empty_room_can_be_watched(server: TableServer, capsys: pytest.CaptureFixture[str]) -> None:
    server.table.log = Log(*BOTH)

    assert await asyncio.to_thread(main, ["watch", f"{server.url}/r/{ROOM}#token", "--once"]) == 0
    head = opening_head(ROOM, server.table.log.log_id, Channel.PUBLIC)
    assert capsys.readouterr().out.split() == ["turn", "1", "Record", "0:", *six_words(head.hash)]


@pytest.mark.parametrize("show", [paint, tell])
async def test_dice_that_do_not_fit_are_an_alarm_and_rolls_from_elsewhere_one_remark(server: TableServer, show: Show):
    odd = rolled(3).model_copy(update={"roll": rolled(3).roll.model_copy(update={"physical": False})})
    async with shown(server, show) as terminal:
        await until(lambda: server.connected == 1)
        for event in (rolled(1), rolled(2), odd):
            await server.happen(event)
        await until(lambda: "ALARM" in terminal() and "This seat also rolls on another device" in terminal())

    assert "Record 14 (dice_rolled) is not to be trusted: it has no proof" in terminal()
    assert "by this client" not in terminal()
    assert show is paint or terminal().count("This seat also") == 1


@pytest.mark.parametrize("show", [paint, tell])
async def test_a_log_that_was_replaced_is_an_alarm_with_the_first_number_that_differs(server: TableServer, show: Show):
    async with shown(server, show) as terminal:
        await until(lambda: server.connected == 1)
        await server.tell(reset_to(server.table.log, ResetReason.FORKED, {Channel.PUBLIC: 7}))
        await until(lambda: "ALARM" in terminal())

    assert "ALARM  The room's log has changed: record 7 of public is the first that differs." in terminal()
