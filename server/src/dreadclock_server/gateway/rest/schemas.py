"""JSON Schemas of the wire format, made from the models: `/schemas/v1/{name}.json`."""

import json
from functools import cache
from typing import Annotated, Any

from pydantic import Field, TypeAdapter

from dreadclock.wire.commands import COMMAND, Command
from dreadclock.wire.events import EVENT
from dreadclock.wire.frames import SERVER_FRAME, CommandFrame, Hello, Resync
from dreadclock.wire.records import Record
from dreadclock.wire.streams import STREAM_EVENT
from dreadclock.wire.views import View
from dreadclock_server.gateway.rest.openapi import make_exact

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


class _CommandFrame(CommandFrame):
    """A command with its number in the session."""

    command: Command  # type: ignore[assignment]  # CommandFrame itself leaves the command unparsed


_CLIENT_FRAME: TypeAdapter[Any] = TypeAdapter(Annotated[Hello | _CommandFrame | Resync, Field(discriminator="type")])
MODELS: dict[str, tuple[TypeAdapter[Any], str]] = {
    "command": (COMMAND, "A command, as sent over a websocket or by REST"),
    "event": (EVENT, "What happened"),
    "record": (TypeAdapter(Record), "A record of a room's log: an event with its channel, time and seat"),
    "view": (TypeAdapter(View), "What a viewer sees of a room"),
    "client-frame": (_CLIENT_FRAME, "A frame that a client sends"),
    "stream-event": (STREAM_EVENT, "An event of a room's stream, as a line of JSON"),
    "server-frame": (SERVER_FRAME, "A frame that a server sends, or its first line if records follow, one per line"),
}


def schema_of(name: str) -> dict[str, Any]:
    """Return a schema as JSON. Raises KeyError if there is no schema of that name."""
    model, title = MODELS[name]
    schema = {"$schema": _DIALECT, **model.json_schema(), "title": title}
    make_exact(schema)
    return schema


@cache
def written(name: str) -> bytes:
    """Return a schema as bytes. Raises KeyError if there is no schema of that name."""
    return json.dumps(schema_of(name), ensure_ascii=False, separators=(",", ":")).encode()
