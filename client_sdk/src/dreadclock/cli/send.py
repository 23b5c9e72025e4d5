"""`dreadclock send`: one command to a room, and what comes of it."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Annotated, Any

import typer

from dreadclock.cli.links import HELP, opened_link
from dreadclock.cli.words import sentence
from dreadclock.links import Link
from dreadclock.outcomes import Acknowledged
from dreadclock.room import connect
from dreadclock.wire.records import Record
from dreadclock.wire.views import View

GIVE_UP_AFTER_S = 20.0


def send(
    link: Annotated[str, typer.Argument(metavar="LINK", help=HELP)],
    command: Annotated[str, typer.Argument(metavar="JSON", help="""A command, '{"type": ...}'; - reads it.""")],
    as_json: Annotated[bool, typer.Option("--json", help="Write each event as a line of JSON.")] = False,
) -> None:
    """Send one command to a room, and say what it led to."""
    fields = _fields(sys.stdin.read() if command == "-" else command)
    done, view = asyncio.run(_submit(opened_link(link), fields))
    for record in done.records:
        typer.echo(_as_json(record) if as_json else sentence(record, view))
    if not done.records and not as_json:
        typer.echo("Done, and nothing changed." if done.complete else "Done, but its events are not at hand.")


def _fields(text: str) -> dict[str, Any]:
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise typer.BadParameter(f"this is no JSON: {error}", param_hint="JSON") from None
    if not isinstance(fields, dict):
        raise typer.BadParameter('a command looks like {"type": ...}', param_hint="JSON")
    return fields


async def _submit(link: Link, fields: dict[str, Any]) -> tuple[Acknowledged, View]:
    async with connect(
        link.server,
        link.room,
        link.token,
        client="dreadclock send",
        retry_for_s=GIVE_UP_AFTER_S,
        give_up_after_s=GIVE_UP_AFTER_S,
    ) as room:
        return await room.submit(fields), room.view


def _as_json(record: Record) -> str:
    """Write a record in ASCII, which every terminal can show and none obeys."""
    return json.dumps(record.model_dump(mode="json", exclude_none=True))
