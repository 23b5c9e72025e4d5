"""`dreadclock watch`: show a room in the terminal, and update it after every event."""

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import typer
from rich.console import Console
from rich.live import Live
from rich.text import Text

from dreadclock.cli.language import LANGUAGE, narrator_of
from dreadclock.cli.links import HELP, opened_link
from dreadclock.client.links import Link
from dreadclock.client.outcomes import ViewReplaced
from dreadclock.client.room import Room, connect
from dreadclock.client.trust.alarms import Alarm
from dreadclock.dice.fingerprint import six_words
from dreadclock.narration import ENGLISH, Narrator, is_quiet
from dreadclock.wire.base import Channel
from dreadclock.wire.records import Head
from dreadclock.wire.views import View
from dreadclock_server.tools.alarms import drawn_alarms, told_alarms
from dreadclock_server.tools.canvas import OVER, Pen, Rank, Row, Section
from dreadclock_server.tools.drawing import Seen, sections
from dreadclock_server.tools.layout import fitted, whole
from dreadclock_server.tools.words import Words, words_of

PEOPLE_WITHIN_S = 2.0  # how long `--once` waits for the list of connected seats, which comes after the view
LOOK_AGAIN_S = 0.5  # polling interval: no event announces changes of the connection or the terminal's size
REST_S = 0.05  # the shortest time between two pictures


@dataclass(frozen=True, slots=True)
class _Shown:
    """The contents of a picture: the view, the last record of the public log (its number and hash), and the alarms."""

    seen: Seen
    head: Head
    alarms: tuple[Alarm, ...]


def watch(
    link: Annotated[str, typer.Argument(metavar="LINK", help=HELP)],
    once: Annotated[bool, typer.Option("--once", help="Show one picture, even if it does not fit, and stop.")] = False,
    no_ids: Annotated[bool, typer.Option("--no-ids", help="Leave out the ids of things, which commands need.")] = False,
    lang: Annotated[str, LANGUAGE] = ENGLISH,
) -> None:
    """Watch a room as a picture that follows every event.

    Countdowns are dice, clocks are bars. If the terminal is too small, less important lines are left out and counted.
    If the output is not a terminal, each event is printed as a sentence. The six words are a fingerprint of the whole
    log up to the record that is named beside them: read them aloud, and check that everyone has the same words. Wrong
    dice and a changed log are shown as an ALARM.
    """
    narrator = narrator_of(lang)
    # Alarms are shown in the picture, not logged.
    logging.getLogger("dreadclock.dice").addHandler(logging.NullHandler())
    asyncio.run(_watch(opened_link(link), Console(highlight=False), narrator, once=once, ids=not no_ids))


async def _watch(link: Link, console: Console, narrator: Narrator, *, once: bool, ids: bool) -> None:
    async with connect(link.server, link.room, link.token, client="dreadclock watch") as room:
        if once:
            with suppress(TimeoutError):
                await room.wait_for(lambda _: room.seat in room.here, PEOPLE_WITHIN_S)
            console.print(whole(drawn(room, Pen.on(console, narrator, ids=ids))))
        elif console.is_terminal:
            await paint(room, console, narrator, ids=ids)
        else:
            await tell(room, console, narrator)


async def paint(room: Room, console: Console, narrator: Narrator, *, ids: bool = True) -> None:
    """Draw as much of the picture as fits, again after each change, until the connection ends for good."""
    with Live(console=console, screen=True, auto_refresh=False, vertical_overflow="crop") as live:
        while True:
            shown, size = _shown(room), console.size
            pen = Pen.on(console, narrator, ids=ids)
            live.update(fitted(_drawn(shown, pen), console, pen.words), refresh=True)
            await asyncio.sleep(REST_S)
            while _shown(room) == shown and console.size == size:
                await _news(room, shown)


async def _news(room: Room, shown: _Shown) -> None:
    with suppress(TimeoutError):
        await room.wait_for(lambda _: _shown(room) != shown, LOOK_AGAIN_S)


async def tell(room: Room, console: Console, narrator: Narrator) -> None:
    """Print a sentence for each event until the connection ends for good."""
    words = words_of(narrator.language)
    console.print(_fingerprint(_shown(room).head, words), soft_wrap=True)
    aside = [asyncio.create_task(tell(room, console, words)) for tell in (_tell_alarms, _tell_losses)]
    before = room.view
    try:
        async for happened in room.records():
            if isinstance(happened, ViewReplaced):
                console.print(Text(words("watch.anew", reason=happened.reason)), soft_wrap=True)
            elif not is_quiet(happened.event):
                console.print(Text(narrator.told(happened, room.view, before)), soft_wrap=True)
            before = room.view
    finally:
        for task in aside:
            task.cancel()
        await asyncio.gather(*aside, return_exceptions=True)


async def _tell_losses(room: Room, console: Console, words: Words) -> None:
    """Print when the connection is lost, and when it is back."""
    while True:
        await _until_connected(room, connected=False)
        console.print(words("watch.lost"), soft_wrap=True)
        await _until_connected(room, connected=True)
        console.print(words("watch.back"), soft_wrap=True)


async def _until_connected(room: Room, *, connected: bool) -> None:
    """Wait until the room is connected, or with `connected=False` until it is not.

    Polls, because no frame announces a lost connection.
    """
    while room.connected is not connected:
        with suppress(TimeoutError):
            await room.wait_for(lambda _: room.connected is connected, LOOK_AGAIN_S)


async def _tell_alarms(room: Room, console: Console, words: Words) -> None:
    """Print alarms at once, also between two events."""
    shown = 0
    while True:
        await room.wait_for(partial(_has_alarms_after, room, shown))
        for line in told_alarms(room.alarms, shown, words):
            console.print(line, soft_wrap=True)
        shown = len(room.alarms)


def _has_alarms_after(room: Room, shown: int, _: View) -> bool:
    return len(room.alarms) > shown


def drawn(room: Room, pen: Pen) -> list[Section]:
    """Draw the current state of a room, with its fingerprint and its alarms."""
    return _drawn(_shown(room), pen)


def _shown(room: Room) -> _Shown:
    seen = Seen(room.view, room.here, connected=room.connected)
    return _Shown(seen, room.positions[Channel.PUBLIC], room.alarms)


def _drawn(shown: _Shown, pen: Pen) -> list[Section]:
    """Draw the alarms, the room and its people, and the fingerprint of the log."""
    first, *others = sections(shown.seen, pen)
    alarms = drawn_alarms(shown.alarms, pen.words)
    fingerprint = Section("", [Row((_fingerprint(shown.head, pen.words),), Rank.TOP)])
    return [*([alarms] if alarms.rows else []), first, fingerprint, *others]


def _fingerprint(head: Head, words: Words) -> Text:
    """Return the fingerprint of the public log: six words to read aloud."""
    return Text(f"{words('record', seq=head.seq)}: {' '.join(six_words(head.hash))}", OVER)
