"""The REST calls as OpenAPI 3.1, made from the same models that read and write them."""

import json
from functools import cache
from importlib.metadata import version
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from dreadclock.rules.countdown import Speed
from dreadclock.wire.commands import COMMAND
from dreadclock.wire.frames import Pending, RefusedFrame, WaitingKnock
from dreadclock.wire.rest import (
    CommandAnswer,
    Grant,
    Invite,
    Knock,
    KnockAnswer,
    Knocking,
    KnockState,
    OpenRoom,
    Problem,
    RoomOpening,
    RoomSize,
    TokenInfo,
)
from dreadclock.wire.views import View

_REF = "#/components/schemas/{model}"
_MODELS: tuple[type[BaseModel], ...] = (
    *(CommandAnswer, Grant, Invite, OpenRoom, Pending, Problem, RefusedFrame, RoomOpening, RoomSize, TokenInfo, View),
    *(Knock, KnockAnswer, Knocking, KnockState, WaitingKnock),
)
Answers = dict[int, str | None]  # status: the model it carries

_LINES = "lines"  # a body that is no model

_UNDESCRIBED: Answers = {200: None}
_READ = {  # what is answered with no model
    "/api/rooms/{room}/log": "Show the caller's records as JSON lines, after ?public= and ?gm=",
    "/api/odds/countdown": "Exact odds of a countdown: ?pool= &speed= &stage= &rolls=",
    "/api/odds/table": "Mean rolls of countdowns of 1 to 10 dice, rounded",
    "/api/odds/race": "Exact odds of a race: ?situation= &threat= &chance= &efforts= &rounds_per_effort=",
    "/api/odds/check": "Exact odds of a check: ?dice= &bonus= &penalty= &venture= &momentum= &interference= &helper=",
    "/api/odds/contest": "Exact odds of a contest: as for a check, &reflex= and &against=; "
    "&against_bonus= and so on for the other side",
    "/api/odds/total": "Exact odds of a roll total: ?dice= &required=",
    "/api/odds/push": "Exact odds of a push: ?kept=2,4,5 &required=",
}
_KNOCKS, _KNOCK = "/api/rooms/{room}/knocks", "/api/rooms/{room}/knocks/{knock}"
_OPEN_TO_ALL = (("post", _KNOCKS),)
_CALLS: tuple[tuple[str, str, str, str | None, Answers], ...] = (
    ("post", "/api/rooms", "Open a room", "OpenRoom", {201: "RoomOpening"}),
    ("post", "/api/rooms/import", "Open a room that goes on from an export; ?title=", _LINES, {201: "RoomOpening"}),
    ("get", "/api/rooms/{room}", "Show the caller's view", None, {200: "View"}),
    ("delete", "/api/rooms/{room}", "Delete the room, after ?confirm=TITLE", None, {204: None}),
    (
        "post",
        "/api/rooms/{room}/invites",
        "Make a token, with a new seat or for one that exists",
        "Invite",
        {201: "Grant"},
    ),
    ("post", _KNOCKS, "Ask for a seat, without a token", "Knock", {201: "Knocking"}),
    ("get", _KNOCKS, "List the knocks that wait for the gm's answer", None, {200: "[WaitingKnock]"}),
    ("get", _KNOCK, "Tell who shows a knock's secret what became of it; ?wait_s=", None, {200: "KnockState"}),
    ("delete", _KNOCK, "Say, with a knock's secret, that the seat has arrived or is not wanted", None, {204: None}),
    ("post", f"{_KNOCK}/answer", "Give a knocker a seat, or none", "KnockAnswer", {200: "KnockState"}),
    ("get", "/api/rooms/{room}/tokens", "List the tokens, never the tokens themselves", None, {200: "[TokenInfo]"}),
    ("delete", "/api/rooms/{room}/tokens/{token_id}", "Revoke a token; its connections close", None, {204: None}),
    ("get", "/api/rooms/{room}/size", "Tell how large the room's log is, and may be", None, {200: "RoomSize"}),
    (
        "post",
        "/api/rooms/{room}/commands",
        "Take one command; with an Idempotency-Key it is applied once however often it is sent",
        "Command",
        {200: "CommandAnswer", 202: "Pending", 403: "RefusedFrame", 404: "RefusedFrame", 409: "RefusedFrame"},
    ),
    *(("get", path, summary, None, _UNDESCRIBED) for path, summary in _READ.items()),
)

_FEW: dict[str, Any] = {"type": "integer", "minimum": 0, "maximum": 60}
_NUMBER: dict[str, Any] = {"type": "integer", "minimum": 0, "maximum": 999_999}
_TEXT: dict[str, Any] = {"type": "string"}
_FLAG: dict[str, Any] = {"type": "string", "enum": ["", "true", "1", "false", "0"]}
_RATIO: dict[str, Any] = {"type": "string", "pattern": "^[0-9]{1,6}(/[0-9]{1,6})?$"}
_RATIOS: dict[str, Any] = {"type": "array", "items": _RATIO}
_SPEED: dict[str, Any] = {"type": "string", "enum": list(Speed)}
_SEVERAL: dict[str, Any] = {"type": "array", "items": _FEW}
_SIDE = {
    **dict.fromkeys(("bonus", "penalty", "venture"), _FEW),
    **dict.fromkeys(("momentum", "interference"), _FLAG),
    "helper": {"type": "array", "items": _TEXT},
}
_CONTEST = {**_SIDE, "reflex": _FEW}
_NEEDED = ("pool", "dice", "against", "situation", "threat", "chance", "kept")  # of the questions for odds
_QUERIES: dict[str, dict[str, dict[str, Any]]] = {
    "/api/rooms/import": {"title": _TEXT},
    "/api/rooms/{room}/log": {"public": _NUMBER, "gm": _NUMBER},
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
    definitions = {**schemas["$defs"], **command.pop("$defs"), "Command": command}
    paths: dict[str, Any] = {}
    for method, path, summary, body, answers in _CALLS:
        paths.setdefault(path, {})[method] = _operation(method, path, summary, body, answers)
    description: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {"title": "Dreadclock", "version": version("dreadclock-server")},
        "paths": paths,
        "components": {"schemas": definitions, "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    }
    make_exact(description)
    return description


def make_exact(part: Any) -> None:
    """Make schemas say what the models do: pydantic's leave keys open that fit no pattern, and write Rust's patterns.

    Characters in patterns are written as JSON Schema has them, which are those of ECMAScript.
    """
    for each in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        make_exact(each)
    if isinstance(part, dict) and isinstance(part.get("pattern"), str):
        part["pattern"] = _in_ecmascript(part["pattern"])
    if isinstance(part, dict) and "patternProperties" in part:
        [(pattern, value)] = part.pop("patternProperties").items()
        names = {**part.get("propertyNames", {}), "pattern": _in_ecmascript(pattern)}
        part |= {"propertyNames": names, "additionalProperties": value}


def _in_ecmascript(pattern: str) -> str:
    return pattern.replace(r"\x{", r"\u{")


@cache
def described() -> bytes:
    """Return the description as it is sent: written once, since it is long and anybody may ask for it."""
    return json.dumps(description(), ensure_ascii=False, separators=(",", ":")).encode()


def _operation(method: str, path: str, summary: str, body: str | None, answers: Answers) -> dict[str, Any]:
    responses = {str(status): _response(model) for status, model in answers.items()}
    responses["default"] = {
        "description": "A refusal",
        "content": {"application/problem+json": {"schema": {"$ref": _REF.format(model="Problem")}}},
    }
    operation: dict[str, Any] = {"summary": summary, "responses": responses}
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    if names and (method, path) not in _OPEN_TO_ALL:
        operation["security"] = [{"token": []}]
    parameters = [_parameter("path", name, _TEXT) for name in names]
    parameters += [_parameter("query", name, schema) for name, schema in _QUERIES.get(path, {}).items()]
    if parameters:
        operation["parameters"] = parameters
    if body is not None:
        operation["requestBody"] = {"required": True, "content": _content(body)}
    return operation


def _parameter(place: str, name: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": place, "required": place == "path" or name in _NEEDED, "schema": schema}


def _content(body: str) -> dict[str, Any]:
    if body == _LINES:
        return {"application/jsonl": {"schema": {"type": "string"}}}
    return {"application/json": {"schema": {"$ref": _REF.format(model=body)}}}


def _response(model: str | None) -> dict[str, Any]:
    if model is None:
        return {"description": "Done"}
    schema: dict[str, Any] = {"$ref": _REF.format(model=model.strip("[]"))}
    if model.startswith("["):
        schema = {"type": "array", "items": schema}
    return {"description": "Done", "content": {"application/json": {"schema": schema}}}
