"""`dreadclock rooms`: commands for the operator of a server."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from dreadclock.cli.installed import LINKS_KEY_FILE, OPERATOR_KEY_FILE, data_folder, kept_key
from dreadclock.cli.open_ import DATA, OPERATOR_KEY, SERVER
from dreadclock.client.links import is_this_machine, parse_address
from dreadclock.client.rest import make_gm_link
from dreadclock.wire.errors import Code, DreadclockError, Refused
from dreadclock.wire.rest import Grant

app = typer.Typer(name="rooms", help="Rooms of a server that you run.", no_args_is_help=True)

_NO_KEY = (
    "This needs the operator's key: set DREADCLOCK_OPERATOR_KEY (or --operator-key). If the server has no such key, "
    "run this on the server's machine, and name the server's data folder with --data"
)
_REFUSED = "There is no such room on {server}, or the server has another key"


@app.callback()
def _rooms() -> None:
    """Rooms of a server that you run."""


@app.command()
def link(
    room: Annotated[
        str, typer.Argument(metavar="ROOM", help=f"A room's address, or its id on {SERVER}: http://host:port/r/ROOM.")
    ],
    operator_key: Annotated[str | None, OPERATOR_KEY] = None,
    data: Annotated[Path | None, DATA] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write the link with its seat and token as JSON.")] = False,
) -> None:
    """Make a new link for a gm who lost the link to a room.

    The earlier links stay valid. The gm's list of links shows that the operator made the new link.

    \b
    dreadclock rooms link http://127.0.0.1:7717/r/ROOM
    """
    server, room_id = _place(room)
    # keys in a data folder are never sent to another machine
    kept = _kept_keys(data) if operator_key is None and is_this_machine(server) else []
    grant = asyncio.run(_made(server, room_id, [operator_key] if operator_key is not None else kept))
    typer.echo(grant.model_dump_json(indent=2, exclude_none=True) if as_json else grant.link)


def _place(room: str) -> tuple[str, str]:
    """Return the server and the id of a room. Raises BadParameter if the text is no address of a room."""
    address, _, _ = room.strip().partition("#")  # the argument may be an old link, which has the room's address
    try:
        return parse_address(address if "/" in address else f"{SERVER}/r/{address}")
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="ROOM") from None


def _kept_keys(data: Path | None) -> list[str]:
    """Return the keys that servers keep in a data folder: the operator's key of `serve --lan`, and the key
    for gm links.
    """
    folder = data_folder(data)
    return [key for name in (OPERATOR_KEY_FILE, LINKS_KEY_FILE) if (key := kept_key(folder / name)) is not None]


async def _made(server: str, room_id: str, keys: list[str]) -> Grant:
    """Make the link with the first key that the server accepts.

    Raises DreadclockError if the server accepts none, and Refused if it refuses for another reason.
    """
    for key in keys:
        try:
            return await make_gm_link(server, room_id, key)
        except Refused as refused:
            if refused.code is not Code.UNAUTHORISED:
                raise
    raise DreadclockError(_REFUSED.format(server=server) if keys else _NO_KEY)
