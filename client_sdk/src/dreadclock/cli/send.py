"""`dreadclock send`: send one command to a room, and print the outcome."""

import asyncio
import json
import sys
from typing import Annotated, Any

import typer

from dreadclock.cli.language import LANGUAGE, in_words, narrator_of
from dreadclock.cli.links import HELP, opened_link
from dreadclock.cli.words import words_of
from dreadclock.client.links import Link
from dreadclock.client.outcomes import Acknowledged
from dreadclock.client.room import connect
from dreadclock.narration import ENGLISH, Narrator, is_quiet, started_id
from dreadclock.wire.errors import ConnectionEnded
from dreadclock.wire.plain import finished
from dreadclock.wire.records import Record
from dreadclock.wire.views import View

GIVE_UP_AFTER_S = 20.0
ANSWER_WITHIN_S = 30.0


def send(
    link: Annotated[str, typer.Argument(metavar="LINK", help=HELP)],
    command: Annotated[
        str, typer.Argument(metavar="JSON", help="""A command like '{"type": "end_turn"}'; - reads it from stdin.""")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Write each event as a line of JSON.")] = False,
    lang: Annotated[str, LANGUAGE] = ENGLISH,
) -> None:
    """Send one command to a room, and say what it led to.

    As in every client, rolls use a dice token of this device, so that the server cannot choose the faces alone.

    With -, the command is read from stdin, so that a note can have an apostrophe:

    \b
    dreadclock send LINK - <<'END'
    {"type": "end_turn", "note": "That's it."}
    END
    """
    fields = _fields(sys.stdin.read() if command == "-" else command)
    narrator = narrator_of(lang)
    with in_words(narrator):
        done, views = asyncio.run(_submit(opened_link(link), fields, narrator))
    for line in [_as_json(record) for record in done.records] if as_json else sentences(done, views, narrator):
        typer.echo(line)


def sentences(done: Acknowledged, views: tuple[View, ...], narrator: Narrator) -> list[str]:
    """Return a sentence for each event of a command, with the ids of new things. Bookkeeping events are left out.

    If no other event is left, return a single sentence about the outcome.
    """
    words = words_of(narrator.language)
    if not done.records:
        return [words("send.nothing" if done.complete else "send.not_at_hand")]
    story = [record for record in done.records if not is_quiet(record.event)]
    return [_sentence(record, views, narrator) for record in story] or [words("send.done")]


def _sentence(record: Record, views: tuple[View, ...], narrator: Narrator) -> str:
    """Return a record's sentence, with the id of the thing that it started, for use in later commands."""
    thing_id = started_id(record.event)
    sentence = narrator.told(record, *views)
    return words_of(narrator.language)("send.started", told=sentence, id=thing_id) if thing_id else sentence


def _fields(text: str) -> dict[str, Any]:
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise typer.BadParameter(f"this is no JSON: {error}", param_hint="JSON") from None
    if not isinstance(fields, dict):
        raise typer.BadParameter('a command looks like {"type": ...}', param_hint="JSON")
    return fields


async def _submit(link: Link, fields: dict[str, Any], narrator: Narrator) -> tuple[Acknowledged, tuple[View, ...]]:
    """Submit a command, and return its outcome, and the views after and before it.

    Raises Refused if the command is refused, ConnectionEnded if the room cannot be opened, and TyperException if no
    answer comes after the command was sent. Then the outcome is unknown.
    """
    async with connect(
        str(link), client="dreadclock send", retry_for_s=GIVE_UP_AFTER_S, give_up_after_s=GIVE_UP_AFTER_S
    ) as room:
        before = room.view
        try:
            async with asyncio.timeout(ANSWER_WITHIN_S):
                return await room.submit(fields), (room.view, before)
        except (TimeoutError, ConnectionEnded) as error:
            why = f"{finished(error.reason)} " if isinstance(error, ConnectionEnded) else ""
            raise typer.TyperException(why + words_of(narrator.language)("send.no_answer")) from None


def _as_json(record: Record) -> str:
    """Return a record as JSON in ASCII: every terminal can show it, and it has no control sequences."""
    return json.dumps(record.model_dump(mode="json", exclude_none=True))
