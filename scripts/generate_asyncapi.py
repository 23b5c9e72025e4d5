"""Write docs/asyncapi.yaml, the websocket as AsyncAPI 3.1 has it, from the models that read and write its frames."""

import json
import re
from typing import Any

from pydantic import TypeAdapter

from dreadclock.wire import base, frames
from dreadclock.wire.records import Record
from dreadclock_server.gateway.rest.openapi import make_exact
from dreadclock_server.gateway.rest.schemas import MODELS

_REF = "#/components/schemas/{model}"
_WIDTH = 120
_ABOUT = (
    "What a Dreadclock server and its clients say to each other over a websocket; docs/protocol.md tells it in words. "
    "Each message is one text frame. All but `events` are one JSON object, and `type` tells them apart."
)
_EVENTS_ABOUT = (
    "Several lines: an EventsHeader, then one Record a line in its canonical text, which is what is hashed. "
    "Split it at the line breaks, and hash the lines as they came."
)
_FROM_CLIENTS = {
    "hello": ("Hello", "The first frame, within 5 seconds: who the client is, and where it stands"),
    "command": ("CommandFrame", "A command with its number in the session, counted 1, 2, 3 ..."),
    "resync": ("Resync", "The wish for the whole view, by who met something that it does not understand"),
}
_FROM_THE_SERVER = {
    "welcome": ("Welcome", "The answer to hello"),
    "events": (None, "What happened, as records of one channel"),
    "ack": ("Ack", "A command was done; its events came before"),
    "refused": ("RefusedFrame", "A command was refused, and changed nothing"),
    "pending": ("Pending", "A command is not yet as durable as promised; its reply will follow"),
    "presence": ("Presence", "Who is connected"),
    "knocks": ("Knocks", "All who ask for a seat now, for a gm whose hello asked to hear of them"),
    "beat": ("Beat", "A heartbeat, every 20 seconds, for a client whose hello asked for it"),
    "reset": ("Reset", "The whole view again"),
}
_ANSWERS = {"hello": ("welcome",), "command": ("ack", "refused", "pending"), "resync": ("reset",)}
_NAMED = ("Id", "ChosenId", "Name", "ChosenName", "Text", "Value32", "HeadHash", "RoomId", "Ratio")  # written once


def files() -> dict[str, str]:
    """Return the description."""
    head = "# Written by scripts/generate_asyncapi.py from the models: `make generate` writes it again.\n"
    return {"docs/asyncapi.yaml": head + as_yaml(document())}


def document() -> dict[str, Any]:
    """Return the description as JSON."""
    channel = {"$ref": "#/channels/room"}
    both = _FROM_CLIENTS | _FROM_THE_SERVER
    return {
        "asyncapi": "3.1.0",
        "info": {"title": "Dreadclock", "version": str(frames.PROTOCOL_VERSION), "description": _ABOUT},
        "defaultContentType": "application/json",
        "servers": {"here": {"host": "127.0.0.1:7717", "protocol": "ws", "description": "As `make run` starts it"}},
        "channels": {
            "room": {
                "address": "/ws/{room}",
                "description": "One room. There is no token in the address: it goes into the hello.",
                "parameters": {"room": {"description": "The room's id: 26 of a-z and 2-7"}},
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in both},
                "bindings": {"ws": {"method": "GET", "bindingVersion": "0.1.0"}},
            }
        },
        "operations": {
            **{f"take_{name}": _taken(name, channel) for name in _FROM_CLIENTS},
            **{f"send_{name}": _operation("send", name, channel) for name in _FROM_THE_SERVER},
        },
        "components": {
            "messages": {name: _message(name, *about) for name, about in both.items()},
            "schemas": schemas(),
        },
    }


def _taken(name: str, channel: dict[str, str]) -> dict[str, Any]:
    answers = [{"$ref": f"#/channels/room/messages/{answer}"} for answer in _ANSWERS[name]]
    return {**_operation("receive", name, channel), "reply": {"channel": channel, "messages": answers}}


def _operation(action: str, name: str, channel: dict[str, str]) -> dict[str, Any]:
    return {"action": action, "channel": channel, "messages": [{"$ref": f"#/channels/room/messages/{name}"}]}


def _message(name: str, model: str | None, summary: str) -> dict[str, Any]:
    if model is not None:
        return {"name": name, "summary": summary, "payload": {"$ref": _REF.format(model=model)}}
    payload = {"type": "string", "pattern": r"^\{[^\n]*\}(\n\{[^\n]*\})*$", "description": _EVENTS_ABOUT}
    lines = {"first": {"$ref": _REF.format(model="EventsHeader")}, "others": {"$ref": _REF.format(model="Record")}}
    return {"name": name, "summary": summary, "contentType": "text/plain", "payload": payload, "x-lines": lines}


def schemas() -> dict[str, Any]:
    """Return all models of frames and of what is in them, as JSON Schema of the draft that AsyncAPI builds on."""
    sent = [getattr(frames, model) for model, _ in _FROM_THE_SERVER.values() if model is not None]
    shapes: dict[str, Any] = {}
    for adapter in (MODELS["client-frame"][0], *map(TypeAdapter, (*sent, frames.Resync, frames.EventsHeader, Record))):
        schema = adapter.json_schema(ref_template=_REF)
        shapes |= schema.pop("$defs", {})
        if "title" in schema:
            shapes[schema["title"]] = schema
    shapes = json.loads(json.dumps(shapes).replace("_CommandFrame", "CommandFrame"))
    make_exact(shapes)
    named = {name: TypeAdapter(getattr(base, name)).json_schema() for name in _NAMED}
    make_exact(named)
    names = {json.dumps(schema, sort_keys=True): name for name, schema in named.items()}
    return {name: _plain(schema, names) for name, schema in sorted(shapes.items())} | named


def _plain(part: Any, names: dict[str, str]) -> Any:
    """Write a schema as draft 7 has it, without titles, and what has a name of its own as a reference."""
    if isinstance(part, list):
        return [_plain(item, names) for item in part]
    if not isinstance(part, dict):
        return part
    bare = {key: value for key, value in part.items() if key not in ("title", "default", "description")}
    name = names.get(json.dumps(bare, sort_keys=True))
    if name is not None:
        return {"$ref": _REF.format(model=name)}
    return {
        _KEYS.get(key, key): _value(key, value, names) for key, value in part.items() if not _is_left_out(key, value)
    }


_KEYS = {"prefixItems": "items"}
_PLAIN_KEY, _TRUTHS = re.compile(r"[A-Za-z][\w-]*", re.ASCII), ("n", "no", "off", "on", "y", "yes")


def _value(key: str, value: Any, names: dict[str, str]) -> Any:
    if key == "properties":
        return {name: _plain(schema, names) for name, schema in value.items()}
    return value if key in ("default", "enum", "const") else _plain(value, names)


def _is_left_out(key: str, value: Any) -> bool:
    return key in ("title", "discriminator") or (key == "default" and value is None)


def as_yaml(value: Any, indent: int = 0) -> str:
    """Write a JSON value as YAML: what fits into a line in one, as JSON, which is YAML as well."""
    pad = " " * indent
    if isinstance(value, dict):
        return "".join(f"{pad}{_key(key)}:{_rest(entry, indent + 2, len(key) + 1)}" for key, entry in value.items())
    return "".join(f"{pad}-{_rest(entry, indent + 2, 1)}" for entry in value)


def _key(key: str) -> str:
    return key if _PLAIN_KEY.fullmatch(key) and key not in _TRUTHS else json.dumps(key)


def _rest(value: Any, indent: int, used: int) -> str:
    text = json.dumps(value, ensure_ascii=False)
    fits = indent + used + len(text) < _WIDTH and indent > 4
    if fits or not isinstance(value, dict | list):
        return f" {text}\n"
    return f"\n{as_yaml(value, indent)}"
