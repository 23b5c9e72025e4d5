"""`dreadclock export`: write all that a link may see of a room to a file."""

import asyncio
import re
import sys
from pathlib import Path
from typing import Annotated

import typer

from dreadclock.cli.links import HELP, opened_link
from dreadclock.client.links import Link
from dreadclock.client.rest import RestRoom
from dreadclock.client.room import connect
from dreadclock.dice.fingerprint import six_words
from dreadclock.export import Export, read_export, write_export
from dreadclock.wire.base import Channel
from dreadclock.wire.errors import ProtocolViolation
from dreadclock.wire.plain import plain
from dreadclock.wire.records import Positions, Record

GIVE_UP_AFTER_S = 20.0
STDOUT = "-"


def export(
    link: Annotated[str, typer.Argument(metavar="LINK", help=HELP)],
    output: Annotated[
        str | None,
        typer.Option("-o", "--output", metavar="FILE", help="The file; - is stdout. Default: named after the room."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
) -> None:
    """Write all that a link may see of a room to a file.

    The file is complete: `dreadclock verify` checks it without the server, `replay` and `recap` show the evening, and
    `import` continues from it. With the gm's link, it also contains the gm's secrets. Events that happen during the
    export are left out.

    \b
    dreadclock export LINK -o evening.jsonl
    """
    opened = opened_link(link)
    if output is not None and output != STDOUT:
        _refuse_to_overwrite(Path(output), force=force)
    title, data = asyncio.run(_export(opened))
    if output == STDOUT:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        typer.echo(_summary(title, "the output", read_export(data)), err=True)
        return
    path = Path(output or named_like(title))
    _refuse_to_overwrite(path, force=force)
    _write(path, data)
    typer.echo(_summary(title, path, read_export(data)))


def named_like(title: str) -> str:
    """Return a file name made from a room's title."""
    return (re.sub(r"[^\w]+", "-", title.lower()).strip("-_")[:60] or "room") + ".jsonl"


def _refuse_to_overwrite(path: Path, *, force: bool) -> None:
    if path.exists() and not force:
        raise typer.BadParameter(
            f"{path} is there already; --force writes over it, --output names another", param_hint="--output"
        )


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise typer.BadParameter(f"{path} cannot be written: {error.strerror}", param_hint="--output") from None


def _summary(title: str, path: Path | str, written: Export) -> str:
    head = written.header.heads[Channel.PUBLIC]
    secrets = " It also contains what only the gm sees." if Channel.GM in written.header.heads else ""
    return (
        f'Wrote {len(written.records)} records of "{plain(title)}" to {path}.{secrets} '
        f"Record {head.seq} of the public log reads: {' '.join(six_words(head.hash))}"
    )


async def _export(link: Link) -> tuple[str, bytes]:
    """Return a room's title, and its export up to the moment of the connection."""
    async with connect(str(link), client="dreadclock export", give_up_after_s=GIVE_UP_AFTER_S) as room:
        # read before any await, so that no command is included only in part
        log_id, positions, title = room.log_id, room.positions, room.view.title
    texts = [text async for text in RestRoom(link.server, link.room, link.token).log_texts() if _is_in(text, positions)]
    channels = [channel for channel in Channel if channel in positions]  # the public channel first
    data = "".join(write_export(link.room, log_id, channels, texts)).encode()
    if read_export(data).header.heads != positions:
        raise ProtocolViolation("the log that the server sends does not end at the heads of its welcome")
    return title, data


def _is_in(text: str, positions: Positions) -> bool:
    """Tell whether the positions include the record in `text`. Raises ProtocolViolation if the text is no record."""
    try:
        record = Record.model_validate_json(text)
    except ValueError as error:
        raise ProtocolViolation("the server sent a record that this version cannot read") from error
    return record.channel in positions and record.seq <= positions[record.channel].seq
