"""The command line argument for a link to a seat."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import typer

from dreadclock.client.links import Link, is_local, parse_link
from dreadclock.wire.base import Scope

if TYPE_CHECKING:  # these modules import httpx, which most commands do not need
    from dreadclock.client.rest import RestRoom
    from dreadclock.wire.rest import Grant

HELP = "A link to a seat: http://host:port/r/ROOM#TOKEN."
GM_LINK: Final[Any] = typer.Argument(metavar="GM_LINK", help="The gm's link to the room.")
SCOPES: Final[Any] = typer.Option(
    "--scope", metavar="SCOPE", help=f"What an integration may do: {', '.join(Scope)}. May be repeated."
)


def opened_link(text: str, argument: str = "LINK") -> Link:
    """Parse a link. Raises BadParameter if the text is not a link. The error does not show the token."""
    try:
        return parse_link(text)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint=argument) from None


async def for_other_devices(room: RestRoom, grant: Grant) -> Grant:
    """Return a grant (a seat and its link) with a link that works on other devices.

    Returns the grant unchanged if its link works on other devices already, or if the server has no address for them.
    """
    link = parse_link(grant.link)
    bases = await room.addresses() if is_local(link.server) else ()
    if not bases:
        return grant
    moved = str(replace(link, server=bases[0]))
    qr = await room.qr(moved) if grant.qr is not None else None
    return grant.model_copy(update={"link": moved, "qr": qr})
