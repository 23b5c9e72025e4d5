"""The REST calls as OpenAPI 3.1, made from the same models that read and write them."""

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import Any, get_args

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import models_json_schema

from dreadclock.rules.countdown import Speed
from dreadclock.wire.commands import COMMAND
from dreadclock.wire.frames import Pending, RefusedFrame, WaitingKnock
from dreadclock.wire.records import Record
from dreadclock.wire.rest import (
    Addresses,
    CommandAnswer,
    Grant,
    InPlayState,
    InPlayWish,
    Invite,
    Knock,
    KnockAnswer,
    Knocking,
    KnockState,
    Language,
    OpenInPlay,
    OpenRoom,
    Problem,
    QrCode,
    QrRequest,
    RecapGrant,
    RoomOpening,
    RoomSize,
    SharedRecap,
    TableInPlay,
    TokenInfo,
    Undoable,
)
from dreadclock.wire.streams import STREAM_EVENT, EventId
from dreadclock.wire.views import View
from dreadclock_server.gateway.rest import odds_schemas
from dreadclock_server.recap_worker import Zone

_REF = "#/components/schemas/{model}"
_MODELS: tuple[type[BaseModel], ...] = (
    *(CommandAnswer, Grant, Invite, OpenRoom, Pending, Problem, RefusedFrame, RoomOpening, RoomSize, Record),
    *(TokenInfo, View),
    *(InPlayState, InPlayWish, OpenInPlay, TableInPlay),
    *(Addresses, QrCode, QrRequest, RecapGrant, SharedRecap, Undoable),
    *(Knock, KnockAnswer, Knocking, KnockState, WaitingKnock),
)
Answers = dict[int, str | None]  # by status the model, or what else is carried

_LINES, _LOG, _EVENTS, _PAGE = "lines", "log", "events", "page"  # bodies that are no model


@dataclass(frozen=True, slots=True)
class _Call:
    """One call, by the `name` that generated clients give it; `[Model]` is a list of them."""

    method: str
    path: str
    name: str
    summary: str
    answers: Answers
    body: str | None = None


_ROOM = "/api/rooms/{room}"
_KNOCKS, _KNOCK = f"{_ROOM}/knocks", f"{_ROOM}/knocks/{{knock}}"
_REFUSED: Answers = dict.fromkeys((403, 404, 409), "RefusedFrame")
_MEANT = {202: "Taken, and not yet settled", **dict.fromkeys(_REFUSED, "A refusal of the command")}
_CALLS = (
    _Call("post", "/api/rooms", "open_room", "Open a room", {201: "RoomOpening"}, "OpenRoom"),
    _Call(
        *("post", "/api/rooms/in-play", "open_in_play", "Open a room that plays a story by itself"),
        {201: "TableInPlay"},
        "OpenInPlay",
    ),
    _Call(
        *("post", f"{_ROOM}/in-play", "act_in_play"),
        "Pause a table in play, go on, or take it over; watchers say every few seconds that they do",
        {200: "InPlayState"},
        "InPlayWish",
    ),
    _Call(
        *("post", "/api/rooms/import", "import_room", "Open a room that goes on from an export; ?title="),
        {201: "RoomOpening"},
        _LINES,
    ),
    _Call("get", _ROOM, "get_view", "Show the caller's view", {200: "View"}),
    _Call("delete", _ROOM, "delete_room", "Delete the room, after ?confirm=TITLE", {204: None}),
    _Call(
        *("post", f"{_ROOM}/gm-link", "make_gm_link", "Make one more link for the gm, with the operator's key"),
        {201: "Grant"},
    ),
    _Call(
        *("post", f"{_ROOM}/invites", "invite", "Make a token, with a new seat or for one that exists"),
        {201: "Grant"},
        "Invite",
    ),
    _Call("post", _KNOCKS, "knock", "Ask for a seat, without a token", {201: "Knocking"}, "Knock"),
    _Call(
        *("get", _KNOCKS, "list_knocks", "List the knocks that wait for the gm's answer"),
        {200: "[WaitingKnock]"},
    ),
    _Call(
        *("get", _KNOCK, "get_knock", "Tell who shows a knock's secret what became of it; ?wait_s="),
        {200: "KnockState"},
    ),
    _Call(
        *("delete", _KNOCK, "withdraw_knock"),
        "Say, with a knock's secret, that the seat has arrived or is not wanted",
        {204: None},
    ),
    _Call(
        *("post", f"{_KNOCK}/answer", "answer_knock", "Give a knocker a seat, or none"),
        {200: "KnockState"},
        "KnockAnswer",
    ),
    _Call(
        *("get", f"{_ROOM}/tokens", "list_tokens", "List the tokens, never the tokens themselves"),
        {200: "[TokenInfo]"},
    ),
    _Call(
        *("delete", f"{_ROOM}/tokens/{{token_id}}", "revoke_token", "Revoke a token; its connections close"),
        {204: None},
    ),
    _Call(
        *("get", f"{_ROOM}/addresses", "get_addresses", "List the addresses at which other devices reach the server"),
        {200: "Addresses"},
    ),
    _Call("post", f"{_ROOM}/qr", "draw_qr", "Draw a link as a QR code", {200: "QrCode"}, "QrRequest"),
    _Call("get", f"{_ROOM}/size", "get_size", "Tell how large the room's log is, and may be", {200: "RoomSize"}),
    _Call(
        *("get", f"{_ROOM}/undoable", "get_undoable", "List which of the latest commands the caller may take back now"),
        {200: "[Undoable]"},
    ),
    _Call(
        *("post", f"{_ROOM}/commands", "send_command"),
        "Take one command; with an Idempotency-Key it is applied once however often it is sent",
        {200: "CommandAnswer", 202: "Pending", **_REFUSED},
        "Command",
    ),
    _Call(
        *("get", f"{_ROOM}/log", "get_log"),
        "Show the caller's records, after ?public= and ?gm=; as JSON lines, or as an array if only "
        "`application/json` is accepted",
        {200: _LOG},
    ),
    _Call(
        *("get", f"{_ROOM}/recap", "get_recap"),
        "Tell the evening as a page, to a seat or to who has the secret of a link to it; ?lang= &zone= &style=none",
        {200: _PAGE},
    ),
    _Call("post", f"{_ROOM}/recaps", "share_recap", "Make a link to a recap of what everyone saw", {201: "RecapGrant"}),
    _Call("get", f"{_ROOM}/recaps", "list_recaps", "List the links to recaps", {200: "[SharedRecap]"}),
    _Call(
        *("delete", f"{_ROOM}/recaps/{{recap_id}}", "withdraw_recap", "Make a link to a recap worthless"),
        {204: None},
    ),
    _Call(
        *("get", f"{_ROOM}/events", "get_events"),
        "Tell what happens, from the view of now or from where Last-Event-ID says; the answer goes on until either "
        "side ends it",
        {200: _EVENTS},
    ),
    _Call(
        *("get", "/api/odds/countdown", "countdown_odds"),
        "Exact odds of a countdown: ?pool= &speed= &stage= &rolls=",
        {200: "CountdownReport"},
    ),
    _Call(
        *("get", "/api/odds/table", "odds_table", "Mean rolls of countdowns of 1 to 10 dice, rounded"),
        {200: "TableReport"},
    ),
    _Call(
        *("get", "/api/odds/race", "race_odds"),
        "Exact odds of a race: ?situation= &threat= &chance= &efforts= &rounds_per_effort=",
        {200: "RaceReport"},
    ),
    _Call(
        *("get", "/api/odds/check", "check_odds"),
        "Exact odds of a check: ?dice= &bonus= &penalty= &venture= &momentum= &interference= &helper=",
        {200: "CheckReport"},
    ),
    _Call(
        *("get", "/api/odds/contest", "contest_odds"),
        "Exact odds of a contest: as for a check, &reflex= and &against=; &against_bonus= and so on for the other side",
        {200: "ContestReport"},
    ),
    _Call(
        *("get", "/api/odds/total", "total_odds", "Exact odds of a roll total: ?dice= &required="),
        {200: "TotalReport"},
    ),
    _Call(
        *("get", "/api/odds/push", "push_odds", "Exact odds of a push: ?kept=2,4,5 &required="),
        {200: "PushReport"},
    ),
)

_TAGS = {
    "rooms": "Open, look at and delete rooms",
    "commands": "Play",
    "log": "What happened",
    "events": "What happens, as it happens",
    "invites": "Seats, and the links that open them",
    "tokens": "The links that there are",
    "knocks": "Seats that somebody without a link asks for",
    "recap": "An evening, told",
    "in-play": "Rooms that play a story by themselves",
    "odds": "Exact odds, without a room",
}
_FEW: dict[str, Any] = {"type": "integer", "minimum": 0, "maximum": 60}
_NUMBER: dict[str, Any] = {"type": "integer", "minimum": 0, "maximum": 999_999}
_TEXT: dict[str, Any] = {"type": "string"}
_FLAG: dict[str, Any] = {"type": "string", "enum": ["", "true", "1", "false", "0"]}
_RATIO: dict[str, Any] = {"type": "string", "pattern": "^[0-9]{1,6}(/[0-9]{1,6})?$"}
_RATIOS: dict[str, Any] = {"type": "array", "items": _RATIO}
_SPEED: dict[str, Any] = {"type": "string", "enum": list(Speed)}
_LANGUAGE: dict[str, Any] = {"type": "string", "enum": list(get_args(Language))}
_ZONE: dict[str, Any] = TypeAdapter(Zone).json_schema()
_SEVERAL: dict[str, Any] = {"type": "array", "items": _FEW}
_SIDE = {
    **dict.fromkeys(("bonus", "penalty", "venture"), _FEW),
    **dict.fromkeys(("momentum", "interference"), _FLAG),
    "helper": {"type": "array", "items": _TEXT},
}
_CONTEST = {**_SIDE, "reflex": _FEW}
_NEEDED = ("confirm", "pool", "dice", "against", "situation", "threat", "chance", "kept")  # of the questions for odds
_HEADERS: dict[str, dict[str, dict[str, Any]]] = {
    f"{_ROOM}/commands": {"Idempotency-Key": {"type": "string", "minLength": 1, "maxLength": 200}},
    f"{_ROOM}/events": {"Last-Event-ID": TypeAdapter(EventId).json_schema()},
}
_QUERIES: dict[str, dict[str, dict[str, Any]]] = {
    "/api/rooms/import": {"title": _TEXT},
    f"{_ROOM}/log": {"public": _NUMBER, "gm": _NUMBER, "limit": _NUMBER},
    f"{_ROOM}/recap": {"lang": _LANGUAGE, "zone": _ZONE, "style": {"type": "string", "enum": ["none"]}},
    _KNOCK: {"wait_s": {"type": "integer", "minimum": 0, "maximum": 25}},
    "/api/odds/countdown": {"pool": _FEW, "speed": _SPEED, "stage": _SEVERAL, "rolls": _FEW},
    "/api/odds/race": {
        "situation": _FEW,
        "threat": _FEW,
        "chance": _RATIOS,
        "efforts": _SEVERAL,
        "rounds_per_effort": _RATIO,
    },
    "/api/odds/check": {"dice": _FEW, **_SIDE},
    "/api/odds/contest": {"dice": _FEW, "against": _FEW, **_CONTEST}
    | {f"against_{name}": schema for name, schema in _CONTEST.items()},
    "/api/odds/total": {"dice": _FEW, "required": _FEW},
    "/api/odds/push": {"kept": {"type": "string", "pattern": "^[1-6](,[1-6])*$"}, "required": _FEW},
}


@cache
def description() -> dict[str, Any]:
    """Return the description as JSON."""
    _, schemas = models_json_schema([(model, "validation") for model in _MODELS], ref_template=_REF)
    command = COMMAND.json_schema(ref_template=_REF)
    event = STREAM_EVENT.json_schema(ref_template=_REF)
    definitions = {**schemas["$defs"], **event.pop("$defs"), **command.pop("$defs"), **odds_schemas.schemas(_REF)}
    definitions |= {"Command": command, "StreamEvent": event}
    paths: dict[str, Any] = {}
    for call in _CALLS:
        paths.setdefault(call.path, {})[call.method] = _operation(call)
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


def make_exact(part: Any) -> None:
    """Make schemas say what the models do: pydantic's leave keys open that fit no pattern, and write Rust's patterns.

    The `type` that tells commands, events and frames apart is always there, what may be left out is not said to be
    null, and a list says what it holds, if only that this is anything.
    """
    for each in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        make_exact(each)
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
    r"""Give a schema a pattern that every dialect of regular expressions reads alike, or none.

    Tools compile patterns without the flag `u`, and then neither `\p{...}` nor `\u{...}` means what it should.
    """
    if r"\p{" not in pattern and r"\x{" not in pattern:
        schema["pattern"] = pattern


def _tag_of(call: _Call) -> str:
    """Return the group that a call belongs to: what its path names last, or else the rooms."""
    return next((tag for tag in _TAGS if f"/{tag}" in call.path and tag != "rooms"), "rooms")


@cache
def described() -> bytes:
    """Return the description as it is sent: written once, since it is long and anybody may ask for it."""
    return json.dumps(description(), ensure_ascii=False, separators=(",", ":")).encode()


def _operation(call: _Call) -> dict[str, Any]:
    responses = {str(status): _response(status, model) for status, model in call.answers.items()}
    problem = {"application/problem+json": {"schema": {"$ref": _REF.format(model="Problem")}}}
    responses |= {"4XX": {"description": "A refusal", "content": problem}}
    responses |= {"default": {"description": "The server cannot do it now", "content": problem}}
    operation: dict[str, Any] = {
        "operationId": call.name,
        "tags": [_tag_of(call)],
        "summary": re.split(r"[,;:?]", call.summary)[0].strip(),
        "description": f"{call.summary}.",
        "responses": responses,
    }
    names = [part[1:-1] for part in call.path.split("/") if part.startswith("{")]
    if call.path.startswith("/api/rooms") and call.name != "knock":
        # of those that name no room, the operator's key is the token, if there is one
        operation["security"] = [{"token": []}] if names else [{}, {"token": []}]
    else:
        operation["security"] = []
    parameters = [_parameter("path", name, _TEXT) for name in names]
    parameters += [_parameter("query", name, schema) for name, schema in _queries(call).items()]
    parameters += [_parameter("header", name, schema) for name, schema in _HEADERS.get(call.path, {}).items()]
    if parameters:
        operation["parameters"] = parameters
    if call.body is not None:
        operation["requestBody"] = {"required": True, "content": _content(call.body)}
    return operation


def _queries(call: _Call) -> dict[str, dict[str, Any]]:
    return {"confirm": _TEXT} if call.method == "delete" and call.path == _ROOM else _QUERIES.get(call.path, {})


def _parameter(place: str, name: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": place, "required": place == "path" or name in _NEEDED, "schema": schema}


def _content(model: str) -> dict[str, Any]:
    if model == _LOG:
        records = {"type": "array", "items": {"$ref": _REF.format(model="Record")}}
        return {"application/json": {"schema": records}, "application/jsonl": {"schema": _TEXT}}
    if model == _LINES:
        return {"application/jsonl": {"schema": _TEXT}}
    if model == _PAGE:
        return {"text/html": {"schema": _TEXT}}
    if model == _EVENTS:
        each = {**_TEXT, "contentSchema": {"$ref": _REF.format(model="StreamEvent")}}
        return {
            "application/x-ndjson": {"schema": {**each, "description": "A StreamEvent a line; empty lines are none"}},
            "text/event-stream": {"schema": {**each, "description": "StreamEvents: each its event, id and data"}},
        }
    schema: dict[str, Any] = {"$ref": _REF.format(model=model.strip("[]"))}
    return {"application/json": {"schema": {"type": "array", "items": schema} if model.startswith("[") else schema}}


def _response(status: int, model: str | None) -> dict[str, Any]:
    described = {"description": _MEANT.get(status, "Done")}
    return described if model is None else {**described, "content": _content(model)}
