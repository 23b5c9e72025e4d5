"""The argument that opens a seat at a table."""

from __future__ import annotations

import typer

from dreadclock.client.links import Link, parse_link

HELP = "A link to a seat: http://host:port/r/ROOM#TOKEN."


def opened_link(text: str, argument: str = "LINK") -> Link:
    """Take a link apart. Raises BadParameter, which does not show its token, if it is none."""
    try:
        return parse_link(text)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint=argument) from None
