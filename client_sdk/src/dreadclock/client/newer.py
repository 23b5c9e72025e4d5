"""Read messages of a server that may be newer than this client.

Within version 1 of the protocol, a server may add event types, optional fields, and codes of refusals. This
client validates a message strictly first. If that fails, it reads the message leniently: it ignores unknown fields,
makes an unknown event an UnknownEvent, and leaves unknown things out of a view. Refusals by REST are always read
leniently.
"""

import json
from collections.abc import Callable
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from dreadclock.wire.errors import Code, ProtocolViolation, Refused, UnknownRefusal
from dreadclock.wire.events import UnknownEvent
from dreadclock.wire.frames import SERVER_FRAME, RefusedFrame, Reset, ServerFrame, Welcome
from dreadclock.wire.problems import problem_of
from dreadclock.wire.records import Record
from dreadclock.wire.views import View

TEXT = TypeAdapter(str)
Answer = TypeVar("Answer")
# Lenient reading raises one of these if a message is malformed.
UNREADABLE = (ValueError, TypeError, KeyError, AttributeError, RecursionError)


def read_record(text: str | bytes) -> tuple[Record, bool]:
    """Return a record, and whether it was understood completely. Raises ProtocolViolation if the text is no record."""
    return read_message("a record", text, Record.model_validate_json, record_of)


def read_frame(line: str) -> tuple[ServerFrame, bool]:
    """Return a frame from its first line, and whether the line was understood completely.

    Raises ProtocolViolation if the line is no frame of the server.
    """
    return read_message("a frame", line, SERVER_FRAME.validate_json, _frame)


def read_view(text: str | bytes) -> View:
    """Read a view, as far as it is understood. Raises ProtocolViolation if the text is no view."""
    return read_message("a view", text, View.model_validate_json, _view)[0]


def read_refusal(text: str) -> Refused:
    """Read a refusal by REST: problem details, or a `refused` frame. Raises ProtocolViolation for other texts."""
    try:
        raw = json.loads(text)
        sentence = raw["detail"] if "detail" in raw else raw["sentence"]
        return refusal_of(TEXT.validate_python(raw["code"]), TEXT.validate_python(sentence), details_of(raw))
    except UNREADABLE as error:
        raise ProtocolViolation("a refusal that this version does not understand") from error


def refusal_of(code: str, sentence: str, details: dict[str, str | int]) -> Refused:
    """Return a refusal. If this version does not know the code, the refusal has the server's `sentence`."""
    return Refused(Code(code), **details) if code in _CODES else UnknownRefusal(code, sentence, details)


_CODES = frozenset(map(str, Code))


def read_message(
    what: str, text: str | bytes, strictly: Callable[[str | bytes], Answer], leniently: Callable[[Any], Answer]
) -> tuple[Answer, bool]:
    """Read a message strictly, or else leniently from its JSON. Also return whether it was understood completely.

    `what`: a name for the text, such as "a view". The ProtocolViolation shows it if both ways fail.
    """
    try:
        return strictly(text), True
    except ValidationError as error:
        try:
            return leniently(json.loads(text)), False
        except UNREADABLE:
            raise ProtocolViolation(f"{what} that this version does not understand: {problem_of(error)}") from error


def record_of(raw: dict[str, Any]) -> Record:
    """Return a record; its event is an `UnknownEvent` if only newer versions can read it."""
    try:
        return Record.model_validate_json(json.dumps(raw), extra="ignore")
    except ValidationError:
        event = UnknownEvent.model_validate(raw["event"])
        place = Record.model_validate_json(json.dumps({**raw, "event": _ANY_EVENT}), extra="ignore")
        return place.model_copy(update={"event": event})


_ANY_EVENT = {"type": "room_closed"}  # replaces an unknown event while the rest of its record is validated


def _frame(raw: dict[str, Any]) -> ServerFrame:
    if raw["type"] == "refused":
        readable = {**raw, "code": Code.BUG, "details": details_of(raw)}
        refused = RefusedFrame.model_validate_json(json.dumps(readable), extra="ignore")
        return refused.model_copy(update={"code": TEXT.validate_python(raw["code"])})
    if raw.get("view") is None:
        return SERVER_FRAME.validate_json(json.dumps(raw), extra="ignore")
    frame = SERVER_FRAME.validate_json(json.dumps({**raw, "view": {"channels": {}}}), extra="ignore")
    assert isinstance(frame, Welcome | Reset)
    return frame.model_copy(update={"view": _view(raw["view"])})


def details_of(raw: dict[str, Any]) -> dict[str, str | int]:
    """Return the details of a refusal that are texts or whole numbers."""
    details = raw.get("details", {}).items()
    return {key: value for key, value in details if isinstance(value, str | int)}


def _view(raw: dict[str, Any]) -> View:
    """Read a view: the latest records one by one, and only the things that this version understands."""
    recent = {channel: list(map(record_of, part.pop("recent", ()))) for channel, part in raw["channels"].items()}
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
