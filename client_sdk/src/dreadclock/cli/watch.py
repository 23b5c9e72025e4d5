"""`dreadclock watch`: a room in the terminal, as it stands and as it goes on."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Annotated

import typer
from rich.console import Console, RenderableType
from rich.live import Live
from rich.text import Text

from dreadclock.cli.drawing import ASCII, PRETTY, Seen, picture
from dreadclock.cli.links import HELP, opened_link
from dreadclock.cli.words import QUIET, sentence
from dreadclock.links import Link
from dreadclock.outcomes import ViewReplaced
from dreadclock.room import Room, connect

PEOPLE_WITHIN_S = 2.0  # who is here is told right after the welcome
LOOK_AGAIN_S = 0.5  # at the connection and the terminal's size, of which no frame tells
REST_S = 0.05  # between two pictures


def watch(
    link: Annotated[str, typer.Argument(metavar="LINK", help=HELP)],
    once: Annotated[bool, typer.Option("--once", help="Show one picture and stop.")] = False,
) -> None:
    """Watch a room: countdowns as dice, clocks as bars, and what happens.

    Where the output is no terminal, it is told in sentences.
    """
    asyncio.run(_watch(opened_link(link), Console(highlight=False), once=once))


async def _watch(link: Link, console: Console, *, once: bool) -> None:
    async with connect(link.server, link.room, link.token, client="dreadclock watch") as room:
        if once:
            with suppress(TimeoutError):
                await room.wait_for(lambda _: room.seat in room.here, PEOPLE_WITHIN_S)
            console.print(_draw(console, _seen(room)))
        elif console.is_terminal:
            await paint(room, console)
        else:
            await tell(room, console)


async def paint(room: Room, console: Console) -> None:
    """Keep the picture current until the connection ends for good."""
    with Live(console=console, screen=True, auto_refresh=False, vertical_overflow="crop") as live:
        while True:
            shown, size = _seen(room), console.size
            live.update(_draw(console, shown), refresh=True)
            await asyncio.sleep(REST_S)
            while _seen(room) == shown and console.size == size:
                await _news(room, shown)


async def _news(room: Room, shown: Seen) -> None:
    with suppress(TimeoutError):
        await room.wait_for(lambda _: _seen(room) != shown, LOOK_AGAIN_S)


async def tell(room: Room, console: Console) -> None:
    """Tell what happens, a sentence for each event, until the connection ends for good."""
    async for happened in room.records():
        if isinstance(happened, ViewReplaced):
            console.print(Text(f"The room is shown anew: {happened.reason.replace('_', ' ')}."), soft_wrap=True)
        elif happened.event.type not in QUIET:
            console.print(Text(sentence(happened, room.view)), soft_wrap=True)


def _seen(room: Room) -> Seen:
    return Seen(room.view, room.here, connected=room.connected)


def _draw(console: Console, seen: Seen) -> RenderableType:
    return picture(seen, ASCII if console.options.ascii_only else PRETTY)
