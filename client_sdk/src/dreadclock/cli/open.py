"""`dreadclock open`: a new room on a server, and the link of its gm."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from dreadclock.links import server_address
from dreadclock.rest import OpenedRoom, open_room
from dreadclock.wire.rest import RoomOpening

SERVER = "http://127.0.0.1:7717"  # as `dreadclock serve` listens

_ADDRESS = ("http://", "https://")


def open_(
    words: Annotated[
        list[str],
        typer.Argument(metavar="[URL] TITLE", help=f"The server's address, {SERVER} if left out, and a title."),
    ],
    operator_key: Annotated[
        str | None,
        typer.Option(envvar="DREADCLOCK_OPERATOR_KEY", help="What a server asks for that others can reach."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write the link with its room and token as JSON.")] = False,
) -> None:
    """Open a room on a server, and print its gm's link.

    \b
    dreadclock open "The sunken chapel"
    """
    server, title = _server_and_title(words)
    room = asyncio.run(_open(server, title, operator_key))
    opening = RoomOpening(room_id=room.room_id, gm=room.gm)
    typer.echo(opening.model_dump_json(indent=2, exclude_none=True) if as_json else room.gm.link)


def _server_and_title(words: list[str]) -> tuple[str, str]:
    """Tell the address of a server from a title. Raises BadParameter."""
    if len(words) > 2:
        raise typer.BadParameter("write a title of several words in quotes", param_hint="TITLE")
    *address, title = words
    if title.startswith(_ADDRESS):
        raise typer.BadParameter("the room's title goes after the server's address", param_hint="TITLE")
    try:
        return server_address(address[0] if address else SERVER), title
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="URL") from None


async def _open(server: str, title: str, operator_key: str | None) -> OpenedRoom:
    return await open_room(server, title, operator_key=operator_key)
