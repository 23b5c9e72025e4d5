"""Reading what a server sends that may be newer than this client.

Within version 1 of the protocol a server may add types of events, fields that may be left out, and codes of refusals.
All is read strictly first. What that finds fault with is read again: fields without a name here are passed over, an
event that does not fit is kept as an UnknownEvent, and a thing that does not fit is left out of its view.
"""

import json
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from pydantic import Field, TypeAdapter, ValidationError

from dreadclock.wire.base import DEFERRED
from dreadclock.wire.errors import Code, ProtocolViolation, Refused, UnknownRefusal
from dreadclock.wire.events import UnknownEvent
from dreadclock.wire.frames import SERVER_FRAME, Pending, RefusedFrame, Reset, ServerFrame, Welcome
from dreadclock.wire.problems import problem_of
from dreadclock.wire.records import Record
from dreadclock.wire.rest import CommandAnswer, Problem
from dreadclock.wire.views import View

_COMMAND_ANSWER: TypeAdapter[CommandAnswer | Pending] = TypeAdapter(
    Annotated[CommandAnswer | Pending, Field(discriminator="type")], config=DEFERRED
)
_REFUSAL: TypeAdapter[Problem | RefusedFrame] = TypeAdapter(Problem | RefusedFrame, config=DEFERRED)
_TEXT = TypeAdapter(str)
_Answer = TypeVar("_Answer")


def read_record(text: str | bytes) -> tuple[Record, bool]:
    """Read a record, and tell whether all of it is understood. Raises ProtocolViolation."""
    try:
        return Record.model_validate_json(text), True
    except ValidationError as error:
        return _newer(lambda: _record(json.loads(text)), "a record", error), False


def read_frame(line: str) -> tuple[ServerFrame, bool]:
    """Read a frame of a single object, and tell whether all of it is understood. Raises ProtocolViolation."""
    try:
        return SERVER_FRAME.validate_json(line), True
    except ValidationError as error:
        return _newer(lambda: _frame(json.loads(line)), "a frame", error), False


def read_view(text: str | bytes) -> View:
    """Read a view, as far as it is understood. Raises ProtocolViolation."""
    try:
        return View.model_validate_json(text)
    except ValidationError as error:
        return _newer(lambda: _view(json.loads(text)), "a view", error)


def read_answer(shape: TypeAdapter[_Answer], text: str) -> _Answer:
    """Read any other answer, without the fields that are not known. Raises ProtocolViolation."""
    try:
        return shape.validate_json(text)
    except ValidationError as error:
        return _newer(lambda: shape.validate_json(text, extra="ignore"), "an answer", error)


def read_command_answer(text: str) -> CommandAnswer | Pending:
    """Read what a command is answered by REST. Raises ProtocolViolation."""
    try:
        return _COMMAND_ANSWER.validate_json(text)
    except ValidationError as error:
        return _newer(lambda: _command_answer(json.loads(text)), "an answer", error)


def read_refusal(text: str) -> Refused:
    """Read a refusal by REST: problem details, or the frame of a command. Raises ProtocolViolation."""
    try:
        refusal = _REFUSAL.validate_json(text)
        return Refused(refusal.code, **refusal.details)
    except ValidationError as error:
        return _newer(lambda: _refusal(json.loads(text)), "a refusal", error)


def refusal_of(code: str, sentence: str, details: dict[str, str | int]) -> Refused:
    """Return a refusal, with the server's own words if its code is not known here."""
    return Refused(Code(code), **details) if code in _CODES else UnknownRefusal(code, sentence, details)


_CODES = frozenset(map(str, Code))


def _newer(read: Callable[[], _Answer], what: str, strict: ValidationError) -> _Answer:
    """Read once more; what does not fit even so is no message of this version of the protocol."""
    try:
        return read()
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise ProtocolViolation(f"{what} that this version does not understand: {problem_of(strict)}") from strict


def _record(raw: dict[str, Any]) -> Record:
    try:
        return Record.model_validate_json(json.dumps(raw), extra="ignore")
    except ValidationError:
        event = UnknownEvent.model_validate(raw["event"])
        place = Record.model_validate_json(json.dumps({**raw, "event": _ANY_EVENT}), extra="ignore")
        return place.model_copy(update={"event": event})


_ANY_EVENT = {"type": "room_closed"}  # stands in for one that is not understood, while the rest of its record is read


def _command_answer(raw: dict[str, Any]) -> CommandAnswer | Pending:
    records = tuple(_record(record) for record in raw.pop("records", ()))
    answer = _COMMAND_ANSWER.validate_json(json.dumps(raw), extra="ignore")
    return answer.model_copy(update={"records": records}) if isinstance(answer, CommandAnswer) else answer


def _refusal(raw: dict[str, Any]) -> Refused:
    detail = raw["detail"] if "detail" in raw else raw["sentence"]
    return refusal_of(_TEXT.validate_python(raw["code"]), _TEXT.validate_python(detail), _details(raw))


def _frame(raw: dict[str, Any]) -> ServerFrame:
    if raw["type"] == "refused":
        readable = {**raw, "code": Code.BUG, "details": _details(raw)}
        refused = RefusedFrame.model_validate_json(json.dumps(readable), extra="ignore")
        return refused.model_copy(update={"code": _TEXT.validate_python(raw["code"])})
    if raw.get("view") is None:
        return SERVER_FRAME.validate_json(json.dumps(raw), extra="ignore")
    frame = SERVER_FRAME.validate_json(json.dumps({**raw, "view": {"channels": {}}}), extra="ignore")
    assert isinstance(frame, Welcome | Reset)
    return frame.model_copy(update={"view": _view(raw["view"])})


def _details(raw: dict[str, Any]) -> dict[str, str | int]:
    """Return the numbers of a refusal's sentence, but for those that are neither text nor whole."""
    details = raw.get("details", {}).items()
    return {key: value for key, value in details if isinstance(value, str | int)}


def _view(raw: dict[str, Any]) -> View:
    """Read a view: its latest records one by one, and without the things that do not fit."""
    recent = {channel: list(map(_record, part.pop("recent", ()))) for channel, part in raw["channels"].items()}
    view = _without_unfit(raw)
    parts = {
        channel: part.model_copy(update={"recent": tuple(recent[channel])}) for channel, part in view.channels.items()
    }
    return view.model_copy(update={"channels": parts})


def _without_unfit(raw: dict[str, Any]) -> View:
    try:
        return View.model_validate_json(json.dumps(raw), extra="ignore")
    except ValidationError as error:
        for unfit in error.errors(include_url=False, include_context=False, include_input=False):
            channels, channel, family, key, *_ = unfit["loc"]
            raw[str(channels)][channel][family].pop(key, None)
        return View.model_validate_json(json.dumps(raw), extra="ignore")
