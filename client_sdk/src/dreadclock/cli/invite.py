"""`dreadclock invite`: make a seat in a room, and print the link that opens it."""

import asyncio
import re
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from dreadclock.cli.links import GM_LINK, SCOPES, for_other_devices, opened_link
from dreadclock.cli.qr import STYLE, drawn
from dreadclock.client.rest import RestRoom
from dreadclock.wire.base import Role, Scope
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.rest import LONGEST_GRANT_S, Grant

_TIME = re.compile(r"([0-9]{1,9})(s|min|h|d)")
_UNITS = {"s": 1, "min": 60, "h": 3600, "d": 24 * 3600}


def invite(
    link: Annotated[str, GM_LINK],
    role: Annotated[Role, typer.Option(help="The role of the seat.")] = Role.PLAYER,
    name: Annotated[str | None, typer.Option(help="The name of the seat. Default: its role and a number.")] = None,
    scope: Annotated[list[Scope] | None, SCOPES] = None,
    seat: Annotated[
        str | None,
        typer.Option(metavar="ID", help="Make another link to this seat, not a new seat. Its role must be --role."),
    ] = None,
    expires: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="How long the link works: 30min, 12h or 7d. Default: always."),
    ] = None,
    qr: Annotated[bool, typer.Option("--qr", help="Draw the link as a QR code, too, for a phone's camera.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write the link with its seat and token as JSON.")] = False,
) -> None:
    """Invite somebody to a room: make a seat, and print its link.

    \b
    dreadclock invite GM_LINK --role player --name Ines
    """
    opened = opened_link(link, "GM_LINK")
    room = RestRoom(opened.server, opened.room, opened.token)
    expires_s = None if expires is None else _seconds(expires)

    async def invited() -> Grant:
        try:
            grant = await room.invite(role, name, scopes=tuple(scope or ()), expires_s=expires_s, seat_id=seat, qr=qr)
        except Refused as refused:
            is_bad_id = str(refused.details.get("problem", "")).startswith("seat_id")
            if seat is None or not (refused.code is Code.UNKNOWN or is_bad_id):
                raise
            raise typer.BadParameter(await _seats(room, role, seat), param_hint="--seat") from None
        return await for_other_devices(room, grant)

    grant = asyncio.run(invited())
    typer.echo(grant.model_dump_json(indent=2, exclude_none=True) if as_json else grant.link)
    if qr and not as_json:
        _draw(grant)


async def _seats(room: RestRoom, role: Role, wanted: str) -> str:
    """Return the error message for a wrong seat id, with the ids of the seats of that role."""
    seats = [f"{seat.id} ({seat.name})" for seat in (await room.view()).seats.values() if seat.role is role]
    return f"no {role} seat has the id {wanted!r}. Ids of {role} seats: {', '.join(seats) or 'none'}"


def _seconds(text: str) -> int:
    """Return the seconds of a time such as 30min, 12h or 7d. Raises BadParameter for other texts, and above a year."""
    match = _TIME.fullmatch(text.strip())
    seconds = int(match[1]) * _UNITS[match[2]] if match else 0
    if not 1 <= seconds <= LONGEST_GRANT_S:
        raise typer.BadParameter("write a time of at most a year, such as 30min, 12h or 7d", param_hint="--expires")
    return seconds


def _draw(grant: Grant) -> None:
    if grant.qr is None:
        typer.echo("The link is too long for a QR code.", err=True)
        return
    console = Console(highlight=False, soft_wrap=True)
    for line in drawn(grant.qr):
        console.print(Text(line, style=STYLE))
