"""`dreadclock knock`: ask the gm of a room for a seat, and print its link when the gm accepts."""

import asyncio
import getpass
from enum import StrEnum
from typing import Annotated

import typer

from dreadclock.client import knocking
from dreadclock.client.links import parse_address


class Wanted(StrEnum):
    """The roles for which a knock can ask."""

    PLAYER = "player"
    SPECTATOR = "spectator"
    INTEGRATION = "integration"


def knock(
    url: Annotated[str, typer.Argument(metavar="URL", help="The room's address: a link without the part from #.")],
    name: Annotated[str | None, typer.Option(help="Your name. Default: your user name on this machine.")] = None,
    wants: Annotated[Wanted, typer.Option(help="The role of the seat.")] = Wanted.PLAYER,
) -> None:
    """Ask a room's gm for a seat, and print its link.

    \b
    dreadclock knock http://127.0.0.1:7717/r/ROOM --name Ines
    """
    try:
        parse_address(url)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="URL") from None
    typer.echo(asyncio.run(_seated(url, name or getpass.getuser(), wants)))


async def _seated(url: str, name: str, wants: Wanted) -> str:
    knocker = await knocking.knock(url, name, wants=wants.value, client="dreadclock knock")
    minutes = round(knocker.left_s / 60)
    typer.echo(f"Your code is {knocker.code}: tell the gm. Waiting for up to {minutes} minutes.", err=True)
    try:
        return (await knocker.wait()).link
    except asyncio.CancelledError:
        await knocker.withdraw()
        raise
