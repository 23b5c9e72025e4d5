"""`dreadclock import`: open a new room that continues an export."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from dreadclock.cli.open_ import DATA, OPERATOR_KEY, SERVER, opening
from dreadclock.client.links import server_address
from dreadclock.client.rest import OpenedRoom, import_room
from dreadclock.client.trust.device import read_regular
from dreadclock.wire.base import Role
from dreadclock.wire.rest import RoomOpening

_OTHERS = (Role.PLAYER, Role.SPECTATOR, Role.INTEGRATION)


def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file that `dreadclock export` wrote.")],
    server: Annotated[str, typer.Argument(metavar="URL", help="The server's address.")] = SERVER,
    title: Annotated[str | None, typer.Option(help="Another title for the new room.")] = None,
    operator_key: Annotated[str | None, OPERATOR_KEY] = None,
    data: Annotated[Path | None, DATA] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write the link with its room and token as JSON.")] = False,
) -> None:
    """Open a room that goes on from an export, and print its gm's link.

    Characters, running countdowns, clocks, open scenes and open rolls are carried over, as far as the export shows
    them. Seats are carried over, too, but each needs a new link: `dreadclock invite GM_LINK --role player
    --seat ID`.

    \b
    dreadclock import evening.jsonl
    """
    try:
        address, export = server_address(server), read_regular(file)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="URL") from None
    except OSError as error:
        raise typer.BadParameter(f"{file} cannot be read: {error.strerror}", param_hint="FILE") from None
    with opening(address, operator_key, data, "dreadclock import FILE http://127.0.0.1:8000") as key:
        room, seats = asyncio.run(_import(address, export, title, key))
    opened = RoomOpening(room_id=room.room_id, gm=room.gm)
    typer.echo(opened.model_dump_json(indent=2, exclude_none=True) if as_json else room.gm.link)
    for seat_id, role, name in seats:
        typer.echo(f"{name} needs a new link: dreadclock invite GM_LINK --role {role} --seat {seat_id}", err=True)


async def _import(
    server: str, export: bytes, title: str | None, operator_key: str | None
) -> tuple[OpenedRoom, list[tuple[str, Role, str]]]:
    room = await import_room(server, export, title, operator_key)
    seats = (await room.view()).seats.values()
    return room, [(seat.id, seat.role, seat.name) for seat in seats if seat.role in _OTHERS]
