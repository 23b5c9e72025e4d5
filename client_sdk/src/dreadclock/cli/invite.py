"""`dreadclock invite`: one more seat at a table, and the link that opens it."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from dreadclock.cli.links import opened_link
from dreadclock.cli.qr import STYLE, drawn
from dreadclock.client.links import Link
from dreadclock.client.rest import RestRoom
from dreadclock.wire.base import Role, Scope
from dreadclock.wire.rest import Grant


def invite(
    link: Annotated[str, typer.Argument(metavar="GM_LINK", help="The gm's link to the room.")],
    role: Annotated[Role, typer.Option(help="What the seat is at the table.")] = Role.PLAYER,
    name: Annotated[str | None, typer.Option(help="How it is called; else by its role and a number.")] = None,
    scope: Annotated[
        list[Scope] | None,
        typer.Option(metavar="SCOPE", help=f"What an integration may do: {', '.join(Scope)}. May be repeated."),
    ] = None,
    seat: Annotated[
        str | None, typer.Option(metavar="ID", help="One more link to this seat of that role, instead of a new seat.")
    ] = None,
    qr: Annotated[bool, typer.Option("--qr", help="Draw the link as a QR code, too, for a phone's camera.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write the link with its seat and token as JSON.")] = False,
) -> None:
    """Invite somebody to a room: make a seat, and print its link.

    \b
    dreadclock invite GM_LINK --role player --name Ines
    """
    room = _room(opened_link(link, "GM_LINK"))
    grant = asyncio.run(room.invite(role, name, scopes=tuple(scope or ()), seat_id=seat, qr=qr))
    typer.echo(grant.model_dump_json(indent=2, exclude_none=True) if as_json else grant.link)
    if qr and not as_json:
        _draw(grant)


def _room(link: Link) -> RestRoom:
    return RestRoom(link.server, link.room, link.token)


def _draw(grant: Grant) -> None:
    if grant.qr is None:
        typer.echo("The link is too long for a QR code.", err=True)
        return
    console = Console(highlight=False, soft_wrap=True)
    for line in drawn(grant.qr):
        console.print(Text(line, style=STYLE))
