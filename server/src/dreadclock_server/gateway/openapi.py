"""The REST calls as OpenAPI 3.1, made from the same models that read and write them."""

from functools import cache
from importlib.metadata import version
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from dreadclock.wire.commands import COMMAND
from dreadclock.wire.frames import Pending, RefusedFrame
from dreadclock.wire.rest import CommandAnswer, Grant, Invite, OpenRoom, Problem, RoomOpening, TokenInfo
from dreadclock.wire.views import View

_REF = "#/components/schemas/{model}"
_MODELS: tuple[type[BaseModel], ...] = (
    CommandAnswer,
    Grant,
    Invite,
    OpenRoom,
    Pending,
    Problem,
    RefusedFrame,
    RoomOpening,
    TokenInfo,
    View,
)
Answers = dict[int, str | None]  # status: the model it carries

_LINES = "lines"  # a body that is no model

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
    ("get", "/api/rooms/{room}/tokens", "List the tokens, never the tokens themselves", None, {200: "[TokenInfo]"}),
    ("delete", "/api/rooms/{room}/tokens/{token_id}", "Revoke a token; its connections close", None, {204: None}),
    (
        "post",
        "/api/rooms/{room}/commands",
        "Take one command; with an Idempotency-Key it is applied once however often it is sent",
        "Command",
        {200: "CommandAnswer", 202: "Pending", 403: "RefusedFrame", 404: "RefusedFrame", 409: "RefusedFrame"},
    ),
    (
        "get",
        "/api/rooms/{room}/log",
        "Show the caller's records as JSON lines, after ?public= and ?gm=",
        None,
        {200: None},
    ),
    ("get", "/api/odds/countdown", "Exact odds of a countdown: ?pool= &speed= &stage= &rolls=", None, {200: None}),
    ("get", "/api/odds/table", "Mean rolls of countdowns of 1 to 10 dice, rounded", None, {200: None}),
    (
        "get",
        "/api/odds/race",
        "Exact odds of a race: ?situation= &threat= &chance= &efforts= &rounds_per_effort=",
        None,
        {200: None},
    ),
    (
        "get",
        "/api/odds/check",
        "Exact odds of a check: ?dice= &bonus= &penalty= &venture= &momentum= &interference= &helper=",
        None,
        {200: None},
    ),
    (
        "get",
        "/api/odds/contest",
        "Exact odds of a contest: as for a check, &reflex= and &against=; &against_bonus= and so on for the other side",
        None,
        {200: None},
    ),
    ("get", "/api/odds/total", "Exact odds of a roll total: ?dice= &required=", None, {200: None}),
    ("get", "/api/odds/push", "Exact odds of a push: ?kept=2,4,5 &required=", None, {200: None}),
)


@cache
def description() -> dict[str, Any]:
    """Return the description as JSON."""
    _, schemas = models_json_schema([(model, "validation") for model in _MODELS], ref_template=_REF)
    command = COMMAND.json_schema(ref_template=_REF)
    definitions = {**schemas["$defs"], **command.pop("$defs"), "Command": command}
    paths: dict[str, Any] = {}
    for method, path, summary, body, answers in _CALLS:
        paths.setdefault(path, {})[method] = _operation(path, summary, body, answers)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Dreadclock", "version": version("dreadclock-server")},
        "paths": paths,
        "components": {
            "schemas": definitions,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(path: str, summary: str, body: str | None, answers: Answers) -> dict[str, Any]:
    responses = {str(status): _response(model) for status, model in answers.items()}
    responses["default"] = {
        "description": "A refusal",
        "content": {"application/problem+json": {"schema": {"$ref": _REF.format(model="Problem")}}},
    }
    operation: dict[str, Any] = {"summary": summary, "responses": responses}
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    if names:
        operation["security"] = [{"token": []}]
        operation["parameters"] = [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names
        ]
    if body is not None:
        operation["requestBody"] = {"required": True, "content": _content(body)}
    return operation


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
