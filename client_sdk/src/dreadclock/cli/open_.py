"""`dreadclock open`: open a room on a server, and print the gm's link."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import httpx
import typer

from dreadclock.cli.installed import OPERATOR_KEY_FILE, USUAL_PORT, data_folder, kept_key, start_command
from dreadclock.cli.links import for_other_devices
from dreadclock.client.links import is_this_machine, server_address
from dreadclock.client.rest import open_room
from dreadclock.wire.errors import Code, ConnectionEnded, DreadclockError, Refused
from dreadclock.wire.rest import RoomOpening

SERVER = f"http://127.0.0.1:{USUAL_PORT}"  # where `dreadclock serve` listens by default

_ADDRESS = ("http://", "https://")
_NO_KEY = (
    "Opening a room on this server takes the operator's key: set DREADCLOCK_OPERATOR_KEY (or --operator-key). If a "
    "server with --lan runs on this machine, name its data folder with --data"
)
_WRONG_KEY = "The operator's key is not the one of this server"
_WRONG_KEPT_KEY = (
    "The operator's key in {file} is not the one of this server: name the server's data folder with --data"
)


def _usable(key: str | None) -> str | None:
    """Return an operator's key, or None for an empty text. Raises BadParameter for a text that no server accepts as
    a key.
    """
    if key is not None and not key.isascii():
        raise typer.BadParameter("a key is made of ASCII characters")
    return (key or "").strip() or None


OPERATOR_KEY = typer.Option(
    envvar="DREADCLOCK_OPERATOR_KEY",
    help="The key to open rooms on a server that others can reach.",
    callback=_usable,
)

DATA = typer.Option("--data", help="The server's data folder, found as `serve` finds it.", metavar="<path>")


def open_(
    words: Annotated[
        list[str],
        typer.Argument(metavar="[URL] TITLE", help=f"The server's address, {SERVER} if left out, and a title."),
    ],
    operator_key: Annotated[str | None, OPERATOR_KEY] = None,
    data: Annotated[Path | None, DATA] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write the link with its room and token as JSON.")] = False,
) -> None:
    """Open a room on a server, and print its gm's link.

    \b
    dreadclock open "The sunken chapel"
    """
    server, title = _server_and_title(words)
    with opening(server, operator_key, data, "dreadclock open http://127.0.0.1:8000 TITLE") as key:
        opened = asyncio.run(_open(server, title, key))
    typer.echo(opened.model_dump_json(indent=2, exclude_none=True) if as_json else opened.gm.link)


@contextmanager
def opening(server: str, operator_key: str | None, data: Path | None, example: str) -> Iterator[str | None]:
    """Yield the operator's key. If the key is missing or wrong, or no server answers, raise an error that says what
    to do.

    `operator_key`: the key from the command line. If it is None, the key in the data folder is used, but only for a
    server on this machine. `example`: a command line for a server on another port.
    """
    file = data_folder(data) / OPERATOR_KEY_FILE
    # a key in a data folder is never sent to another machine
    kept = kept_key(file) if operator_key is None and is_this_machine(server) else None
    try:
        yield operator_key or kept
    except Refused as refused:
        if refused.code is not Code.UNAUTHORISED:
            raise
        wrong = _WRONG_KEPT_KEY.format(file=file) if kept else _WRONG_KEY
        raise DreadclockError(wrong if operator_key or kept else _NO_KEY) from None
    except ConnectionEnded as ended:
        if server != SERVER or not isinstance(ended.__cause__, httpx.ConnectError):
            raise
        hint = f"Is it running ({start_command()})? On another port: {example}"
        raise ConnectionEnded(None, f"No server answers at {server}. {hint}") from ended


def _server_and_title(words: list[str]) -> tuple[str, str]:
    """Return the server's address and the room's title. Raises BadParameter if the words are no address and title."""
    if len(words) > 2:
        raise typer.BadParameter("write a title of several words in quotes", param_hint="TITLE")
    *address, title = words
    if title.startswith(_ADDRESS):
        raise typer.BadParameter("the room's title goes after the server's address", param_hint="TITLE")
    try:
        return server_address(address[0] if address else SERVER), title
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="URL") from None


async def _open(server: str, title: str, operator_key: str | None) -> RoomOpening:
    room = await open_room(server, title, operator_key=operator_key)
    return RoomOpening(room_id=room.room_id, gm=await for_other_devices(room, room.gm))
