"""`dreadclock watch`: a room in the terminal, as it stands and as it goes on."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Annotated

import typer
from rich.console import Console
from rich.live import Live
from rich.text import Text

from dreadclock.cli.canvas import ASCII, PRETTY, Pen
from dreadclock.cli.drawing import Seen, sections
from dreadclock.cli.language import LANGUAGE, narrator_of
from dreadclock.cli.layout import fitted, whole
from dreadclock.cli.links import HELP, opened_link
from dreadclock.links import Link
from dreadclock.narration import ENGLISH, QUIET, Narrator
from dreadclock.outcomes import ViewReplaced
from dreadclock.room import Room, connect

PEOPLE_WITHIN_S = 2.0  # who is here is told right after the welcome
LOOK_AGAIN_S = 0.5  # at the connection and the terminal's size, of which no frame tells
REST_S = 0.05  # between two pictures


def watch(
    link: Annotated[str, typer.Argument(metavar="LINK", help=HELP)],
    once: Annotated[bool, typer.Option("--once", help="Show one picture, as long as it is, and stop.")] = False,
    no_ids: Annotated[bool, typer.Option("--no-ids", help="Leave out the ids that commands name things by.")] = False,
    lang: Annotated[str, LANGUAGE] = ENGLISH,
) -> None:
    """Watch a room as a picture that stays current.

    Countdowns are dice, clocks are bars. What does not fit the terminal is left out and counted; what waits for
    somebody and what happened last stay. Where the output is no terminal, it is told in sentences.
    """
    narrator = narrator_of(lang)
    asyncio.run(_watch(opened_link(link), Console(highlight=False), narrator, once=once, ids=not no_ids))


async def _watch(link: Link, console: Console, narrator: Narrator, *, once: bool, ids: bool) -> None:
    async with connect(link.server, link.room, link.token, client="dreadclock watch") as room:
        if once:
            with suppress(TimeoutError):
                await room.wait_for(lambda _: room.seat in room.here, PEOPLE_WITHIN_S)
            console.print(whole(sections(_seen(room), _pen(console, narrator, ids=ids))))
        elif console.is_terminal:
            await paint(room, console, narrator, ids=ids)
        else:
            await tell(room, console, narrator)


async def paint(room: Room, console: Console, narrator: Narrator, *, ids: bool = True) -> None:
    """Keep the picture current, as much of it as fits, until the connection ends for good."""
    with Live(console=console, screen=True, auto_refresh=False, vertical_overflow="crop") as live:
        while True:
            shown, size = _seen(room), console.size
            live.update(fitted(sections(shown, _pen(console, narrator, ids=ids)), console), refresh=True)
            await asyncio.sleep(REST_S)
            while _seen(room) == shown and console.size == size:
                await _news(room, shown)


async def _news(room: Room, shown: Seen) -> None:
    with suppress(TimeoutError):
        await room.wait_for(lambda _: _seen(room) != shown, LOOK_AGAIN_S)


async def tell(room: Room, console: Console, narrator: Narrator) -> None:
    """Tell what happens, a sentence for each event, until the connection ends for good."""
    before = room.view
    async for happened in room.records():
        if isinstance(happened, ViewReplaced):
            console.print(Text(f"The room is shown anew: {happened.reason.replace('_', ' ')}."), soft_wrap=True)
        elif happened.event.type not in QUIET:
            console.print(Text(narrator.told(happened, room.view, before)), soft_wrap=True)
        before = room.view


def _seen(room: Room) -> Seen:
    return Seen(room.view, room.here, connected=room.connected)


def _pen(console: Console, narrator: Narrator, *, ids: bool) -> Pen:
    return Pen(ASCII if console.options.ascii_only else PRETTY, console.width, ids, narrator)
