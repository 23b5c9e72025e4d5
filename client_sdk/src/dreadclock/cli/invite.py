"""`dreadclock invite`: one more seat at a table, and the link that opens it."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from dreadclock.cli.links import opened_link
from dreadclock.links import Link
from dreadclock.rest import RestRoom
from dreadclock.wire.base import Role, Scope
from dreadclock.wire.rest import Grant


def invite(
    link: Annotated[str, typer.Argument(metavar="GM_LINK", help="The gm's link to the room.")],
    role: Annotated[Role, typer.Option(help="What the seat is at the table.")] = Role.PLAYER,
    name: Annotated[str | None, typer.Option(help="How it is called; else by its role and a number.")] = None,
    scope: Annotated[
        list[Scope] | None, typer.Option(help="What an integration may do beyond looking on; may be repeated.")
    ] = None,
    seat: Annotated[
        str | None, typer.Option(metavar="ID", help="One more link to this seat of that role, instead of a new seat.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write the link with its seat and token as JSON.")] = False,
) -> None:
    """Invite somebody to a room: make a seat, and print its link.

    \b
    dreadclock invite GM_LINK --role player --name Ines
    """
    grant = asyncio.run(_invite(opened_link(link, "GM_LINK"), role, name, tuple(scope or ()), seat))
    typer.echo(grant.model_dump_json(indent=2) if as_json else grant.link)


async def _invite(link: Link, role: Role, name: str | None, scopes: tuple[Scope, ...], seat_id: str | None) -> Grant:
    room = RestRoom(link.server, link.room, link.token)
    return await room.invite(role, name, scopes=scopes, seat_id=seat_id)
