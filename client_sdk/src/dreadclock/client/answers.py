"""Reads the answers of REST calls. The server may be newer than this client: see `newer`."""

import json
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from dreadclock.client.newer import TEXT, Answer, details_of, read_leniently, record_of, refusal_of
from dreadclock.wire.base import DEFERRED
from dreadclock.wire.errors import Refused
from dreadclock.wire.frames import Pending, RefusedFrame
from dreadclock.wire.rest import CommandAnswer, Problem

_COMMAND_ANSWER: TypeAdapter[CommandAnswer | Pending] = TypeAdapter(
    Annotated[CommandAnswer | Pending, Field(discriminator="type")], config=DEFERRED
)
_REFUSAL: TypeAdapter[Problem | RefusedFrame] = TypeAdapter(Problem | RefusedFrame, config=DEFERRED)


def read_answer(shape: TypeAdapter[Answer], text: str) -> Answer:
    """Read an answer of type `shape`, and ignore unknown fields. Raises ProtocolViolation."""
    try:
        return shape.validate_json(text)
    except ValidationError as error:
        return read_leniently(lambda: shape.validate_json(text, extra="ignore"), "an answer", error)


def read_command_answer(text: str) -> CommandAnswer | Pending:
    """Read the answer to a command that was sent by REST. Raises ProtocolViolation."""
    try:
        return _COMMAND_ANSWER.validate_json(text)
    except ValidationError as error:
        return read_leniently(lambda: _command_answer(json.loads(text)), "an answer", error)


def read_refusal(text: str) -> Refused:
    """Read a refusal by REST: problem details, or a `refused` frame. Raises ProtocolViolation."""
    try:
        refusal = _REFUSAL.validate_json(text)
        return Refused(refusal.code, **refusal.details)
    except ValidationError as error:
        return read_leniently(lambda: _refusal(json.loads(text)), "a refusal", error)


def _command_answer(raw: dict[str, Any]) -> CommandAnswer | Pending:
    records = tuple(record_of(record) for record in raw.pop("records", ()))
    answer = _COMMAND_ANSWER.validate_json(json.dumps(raw), extra="ignore")
    return answer.model_copy(update={"records": records}) if isinstance(answer, CommandAnswer) else answer


def _refusal(raw: dict[str, Any]) -> Refused:
    detail = raw["detail"] if "detail" in raw else raw["sentence"]
    return refusal_of(TEXT.validate_python(raw["code"]), TEXT.validate_python(detail), details_of(raw))
