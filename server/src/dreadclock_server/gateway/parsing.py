"""Parse the frames of clients: check size and depth before the JSON is parsed, because parsing is slow."""

import json
import re
from typing import Literal

from pydantic import ValidationError

from dreadclock.wire.base import Model, Seq
from dreadclock.wire.commands import COMMAND, Command
from dreadclock.wire.errors import Code, ProtocolViolation, Refused
from dreadclock.wire.frames import CLIENT_FRAME, MAX_DEPTH, MAX_FRAME_BYTES, MAX_PARTS, ClientFrame, Hello, Resync
from dreadclock.wire.problems import problem_of

_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_ALIKE = bytes.maketrans(b"{}", b"[]")
_NO_STRUCTURE = bytes(byte for byte in range(256) if byte not in b"[]{},")


class _WholeCommandFrame(Model):
    type: Literal["command"]
    n: Seq
    command: Command


_read_whole = _WholeCommandFrame.__pydantic_validator__.validate_json


def read_hello(text: str) -> Hello:
    """Read the first frame of a client. Raises ProtocolViolation if it is no valid hello."""
    frame = _frame(text)
    if not isinstance(frame, Hello):
        raise ProtocolViolation("the first frame must be a hello")
    return frame


def read_command(text: str) -> tuple[int, Command | Refused] | None:
    """Return the number of a command frame, and its command. If the command is invalid, a Refused takes its place.

    Return None for a `resync`. Raises ProtocolViolation for any other frame.
    """
    refuse_too_much(text)
    try:
        whole = _read_whole(text)
        return whole.n, whole.command
    except ValidationError:
        frame = _frame(text)
    if isinstance(frame, Hello):
        raise ProtocolViolation("a second hello")
    if isinstance(frame, Resync):
        return None
    try:
        return frame.n, COMMAND.validate_json(json.dumps(frame.command, allow_nan=False))
    except ValidationError as error:
        return frame.n, Refused(Code.BAD_COMMAND, problem=problem_of(error))
    except ValueError:  # raised by `json.dumps`: the frame has NaN or infinity, which CLIENT_FRAME accepts
        return frame.n, Refused(Code.BAD_COMMAND, problem="a number is not finite")


def parse_command(body: str) -> Command:
    """Read a command that is not in a frame. Raises Refused(bad_command)."""
    try:
        refuse_too_much(body)
        return COMMAND.validate_json(body)
    except ValidationError as error:
        raise Refused(Code.BAD_COMMAND, problem=problem_of(error)) from None
    except ProtocolViolation as error:
        raise Refused(Code.BAD_COMMAND, problem=str(error)) from None


def _frame(text: str) -> ClientFrame:
    refuse_too_much(text)
    try:
        return CLIENT_FRAME.validate_json(text)
    except ValidationError as error:
        raise ProtocolViolation(f"no frame of this protocol: {problem_of(error)}") from None


def refuse_too_much(text: str) -> None:
    """Raise ProtocolViolation if a text is too large, has too many parts or nests too deeply."""
    if len(text) > MAX_FRAME_BYTES or (len(text) > MAX_FRAME_BYTES // 4 and len(text.encode()) > MAX_FRAME_BYTES):
        raise ProtocolViolation(f"more than {MAX_FRAME_BYTES} bytes")
    if text.count("{") + text.count("[") + text.count(",") > MAX_DEPTH:
        _refuse_too_much_structure(text)


def _refuse_too_much_structure(text: str) -> None:
    """Raise ProtocolViolation if there are too many brackets, braces and commas outside of strings, or too deep
    nesting.
    """
    structure = _STRING.sub(b"", text.encode(errors="replace")).translate(_ALIKE, _NO_STRUCTURE)
    if len(structure) > MAX_PARTS:
        raise ProtocolViolation(f"more than {MAX_PARTS} brackets, braces and commas")
    nested = structure.replace(b",", b"")
    for _ in range(MAX_DEPTH):
        nested = nested.replace(b"[]", b"")  # remove the nesting level by level, from the inside
    if b"[]" in nested or nested.count(b"[") > MAX_DEPTH:
        raise ProtocolViolation(f"nested deeper than {MAX_DEPTH}")
