"""The REST calls as OpenAPI 3.1, made from the models of requests and answers."""

import json
import re
from functools import cache
from importlib.metadata import version
from typing import Any, get_args, get_origin

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import models_json_schema

from dreadclock.wire.calls import CALLS, KNOCK, Call
from dreadclock.wire.commands import COMMAND, Command
from dreadclock.wire.rest import Problem
from dreadclock.wire.streams import STREAM_EVENT
from dreadclock_server.gateway.rest import odds_schemas

_REF = "#/components/schemas/{model}"
_TEXT: dict[str, Any] = {"type": "string"}
_MEANT = {202: "Accepted; the outcome is not known yet", **dict.fromkeys((403, 404, 409), "A refusal of the command")}
_EVENT_LINES = {
    "application/x-ndjson": "A StreamEvent a line; empty lines are none",
    "text/event-stream": "StreamEvents: each its event, id and data",
}
_TAGS = {
    "rooms": "Open, view and delete rooms",
    "commands": "Play",
    "log": "What happened",
    "events": "The events of a room, as they happen",
    "invites": "Seats, and the links that open them",
    "tokens": "The access tokens of a room",
    "knocks": "Requests for a seat from people without a link",
    "recap": "Pages about an evening",
    "in-play": "Rooms that play a story by themselves",
    "odds": "Exact odds, without a room",
}


@cache
def description() -> dict[str, Any]:
    """Return the description as JSON."""
    models = {model for call in CALLS for model in _models(call)} | {Problem}
    _, schemas = models_json_schema([(model, "validation") for model in models], ref_template=_REF)
    command = COMMAND.json_schema(ref_template=_REF)
    event = STREAM_EVENT.json_schema(ref_template=_REF)
    definitions = {**schemas["$defs"], **event.pop("$defs"), **command.pop("$defs"), **odds_schemas.schemas(_REF)}
    definitions |= {"Command": command, "StreamEvent": event}
    paths: dict[str, Any] = {}
    for call in CALLS:
        paths.setdefault(call.path, {})[call.method.lower()] = _operation(call)
    description: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {
            "title": "Dreadclock",
            "version": version("dreadclock-server"),
            "description": "Rooms for tabletop games that run on dice pools and clocks.",
            "contact": {"name": "The Dreadclock developers"},
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": ".", "description": "The server that this description came from"}],
        "tags": [{"name": name, "description": about} for name, about in _TAGS.items()],
        "paths": paths,
        "components": {"schemas": definitions, "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    }
    make_exact(description)
    return description


def _models(call: Call[Any]) -> list[type[BaseModel]]:
    """Return the models of a call's body and answers, except commands."""
    types = [call.body, call.answer, *call.others.values()]
    parts = [get_args(kind)[0] if get_origin(kind) is tuple else kind for kind in types]
    return list(filter(_is_model, parts))


def make_exact(part: Any) -> None:
    """Correct pydantic's schemas in place. They allow keys that fit no pattern, and have patterns in Rust's syntax.

    Also makes the discriminator `type` required, removes the default null, and gives every list an item type.
    """
    for child in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        make_exact(child)
    if isinstance(part, dict) and isinstance(part.get("pattern"), str):
        _publish_pattern(part, part.pop("pattern"))
    if isinstance(part, dict) and part.get("default", ...) is None:
        del part["default"]
    if isinstance(part, dict) and part.get("type") == "array":
        part.setdefault("items", {})
    if isinstance(part, dict) and "const" in part.get("properties", {}).get("type", ()):
        part["required"] = ["type", *(name for name in part.get("required", ()) if name != "type")]
    if isinstance(part, dict) and "patternProperties" in part:
        [(pattern, value)] = part.pop("patternProperties").items()
        names = {**part.get("propertyNames", {})}
        _publish_pattern(names, pattern)
        part |= {"propertyNames": names, "additionalProperties": value}


def _publish_pattern(schema: dict[str, Any], pattern: str) -> None:
    r"""Add a pattern to a schema, if it means the same in every dialect of regular expressions.

    Tools compile patterns without the flag `u`. Without that flag, `\p{...}` and `\u{...}` have another meaning.
    """
    if r"\p{" not in pattern and r"\x{" not in pattern:
        schema["pattern"] = pattern


def _tag_of(call: Call[Any]) -> str:
    """Return the group of a call: the first tag except `rooms` that is in the call's path, or else `rooms`."""
    return next((tag for tag in _TAGS if f"/{tag}" in call.path and tag != "rooms"), "rooms")


@cache
def described() -> bytes:
    """Return the description as bytes. Cached, because the description is long and the same for all callers."""
    return json.dumps(description(), ensure_ascii=False, separators=(",", ":")).encode()


def _operation(call: Call[Any]) -> dict[str, Any]:
    answers = {call.status: _answer(call), **{status: _json(kind) for status, kind in call.others.items()}}
    responses = {str(status): {"description": _MEANT.get(status, "Done"), **body} for status, body in answers.items()}
    problem = {"application/problem+json": {"schema": _schema(Problem)}}
    responses |= {"4XX": {"description": "A refusal", "content": problem}}
    responses |= {"default": {"description": "The server cannot execute the call now", "content": problem}}
    operation: dict[str, Any] = {
        "operationId": call.name,
        "tags": [_tag_of(call)],
        "summary": re.split(r"[,;:?]", call.summary)[0].strip(),
        "description": f"{call.summary}.",
        "responses": responses,
    }
    names = re.findall(r"{(\w+)}", call.path)
    if call.path.startswith("/api/rooms") and call is not KNOCK:
        # a call without a room needs a token only if the server has an operator's key; then the key is the token
        operation["security"] = [{"token": []}] if names else [{}, {"token": []}]
    else:
        operation["security"] = []
    places = {"path": dict.fromkeys(names, str), "query": call.query, "header": call.headers}
    parameters = [
        {"name": name, "in": place, "required": place == "path" or name in call.needed, "schema": _schema(kind)}
        for place, kinds in places.items()
        for name, kind in kinds.items()
    ]
    if parameters:
        operation["parameters"] = parameters
    if call.body is not None:
        body = {"content": {"application/jsonl": {"schema": _TEXT}}} if call.body is str else _json(call.body)
        operation["requestBody"] = {"required": True, **body}
    return operation


def _answer(call: Call[Any]) -> dict[str, Any]:
    if call.answer is None:
        return {}
    if call.answer == "StreamEvent":
        lines = {**_TEXT, "contentSchema": _schema("StreamEvent")}
        return {"content": {media: {"schema": {**lines, "description": _EVENT_LINES[media]}} for media in call.media}}
    schemas = {media: _schema(call.answer) if media == "application/json" else _TEXT for media in call.media}
    return {"content": {media: {"schema": schema} for media, schema in schemas.items()}}


def _json(kind: Any) -> dict[str, Any]:
    return {"content": {"application/json": {"schema": _schema(kind)}}}


def _schema(kind: Any) -> dict[str, Any]:
    """Return the schema of a type in the table of calls. For a model, this is a reference to a component."""
    if kind is Command:
        kind = "Command"
    if _is_model(kind):
        kind = kind.__name__
    if isinstance(kind, str):
        return {"$ref": _REF.format(model=kind)}
    if get_origin(kind) is tuple:
        return {"type": "array", "items": _schema(get_args(kind)[0])}
    return TypeAdapter(kind).json_schema()


def _is_model(kind: Any) -> bool:
    return isinstance(kind, type) and get_origin(kind) is None and issubclass(kind, BaseModel)
