"""Reading what a client sent: size, depth and shape."""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter, ValidationError

from dreadclock.wire.base import Model
from dreadclock.wire.commands import COMMAND, Command
from dreadclock.wire.errors import Code, ProtocolViolation, Refused
from dreadclock.wire.frames import CLIENT_FRAME, MAX_DEPTH, MAX_FRAME_BYTES, CommandFrame, Hello
from dreadclock.wire.problems import problem_of
from dreadclock.wire.records import canonical


class _WholeCommandFrame(Model):
    type: Literal["command"]
    n: Annotated[int, Field(ge=1, le=2**53)]
    command: Command


_WHOLE: TypeAdapter[_WholeCommandFrame] = TypeAdapter(_WholeCommandFrame)


def read_hello(text: str) -> Hello:
    """Read the first frame. Raises ProtocolViolation."""
    frame = _frame(text)
    if not isinstance(frame, Hello):
        raise ProtocolViolation("the first frame must be a hello")
    return frame


def read_command(text: str) -> tuple[int, Command | Refused]:
    """Read a command frame: its number, and the command or why it is none. Raises ProtocolViolation."""
    refuse_too_much(text)
    try:
        whole = _WHOLE.validate_json(text)
        return whole.n, whole.command
    except ValidationError:
        frame = _frame(text)
    if not isinstance(frame, CommandFrame):
        raise ProtocolViolation("a second hello")
    try:
        return frame.n, COMMAND.validate_json(canonical(frame.command))
    except ValidationError as error:
        return frame.n, Refused(Code.BAD_COMMAND, problem=problem_of(error))
    except ValueError:  # some JSON readers, ours among them, let NaN and infinity pass
        return frame.n, Refused(Code.BAD_COMMAND, problem="a number is not finite")


def parse_command(body: str) -> Command:
    """Read a command on its own. Raises Refused(bad_command)."""
    try:
        refuse_too_much(body)
        return COMMAND.validate_json(body)
    except ValidationError as error:
        raise Refused(Code.BAD_COMMAND, problem=problem_of(error)) from None
    except ProtocolViolation as error:
        raise Refused(Code.BAD_COMMAND, problem=str(error)) from None


def _frame(text: str) -> Hello | CommandFrame:
    refuse_too_much(text)
    try:
        return CLIENT_FRAME.validate_json(text)
    except ValidationError as error:
        raise ProtocolViolation(f"no frame of this protocol: {problem_of(error)}") from None


def refuse_too_much(text: str) -> None:
    """Raise ProtocolViolation for a text that is larger or nests deeper than a client may send."""
    if len(text) > MAX_FRAME_BYTES or (len(text) > MAX_FRAME_BYTES // 4 and len(text.encode()) > MAX_FRAME_BYTES):
        raise ProtocolViolation(f"more than {MAX_FRAME_BYTES} bytes")
    if text.count("{") + text.count("[") > MAX_DEPTH and _depth(text) > MAX_DEPTH:
        raise ProtocolViolation(f"nested deeper than {MAX_DEPTH}")


def _depth(text: str) -> int:
    """Return how deep a JSON text nests; brackets within strings do not count."""
    depth = deepest = 0
    in_string = escaped = False
    for char in text:
        if in_string:
            in_string = escaped or char != '"'
            escaped = char == "\\" and not escaped
        elif char == '"':
            in_string = True
        elif char in "{[":
            depth += 1
            deepest = max(deepest, depth)
        elif char in "}]":
            depth -= 1
    return deepest
