"""Reading a text frame that came whole and alone, as nearly every command does: in a tenth of the time of a parser."""

from websockets.frames import apply_mask  # type: ignore[attr-defined]  # in C where there is that
from websockets.protocol import Protocol

_WHOLE_TEXT = 0x81  # no fragment, and no extension has a say
_MASKED, _MEDIUM = 0x80, 126


def text_alone(conn: Protocol, data: bytes) -> bytes | None:
    """Return the payload if what came in is one frame of text, the whole of a message; None leaves it to the parser.

    The parser stands between two messages if it waits for whether there is more. Where another version of it waits
    in another way, all is left to it.
    """
    waits = getattr(getattr(conn.parser, "gi_yieldfrom", None), "gi_yieldfrom", None)
    is_between = getattr(waits, "__name__", "") == "at_eof" and conn.current_size is None
    return payload_of(data) if is_between else None


def payload_of(data: bytes) -> bytes | None:
    """Return the payload if this is one client's frame of text and nothing else; None if it may be anything else.

    Longer frames than 65,535 bytes are left to the parser, which knows what is too long.
    """
    if len(data) < 6 or data[0] != _WHOLE_TEXT or data[1] < _MASKED:
        return None
    size, start = data[1] - _MASKED, 6
    if size == _MEDIUM:
        size, start = int.from_bytes(data[2:4], "big"), 8
    elif size > _MEDIUM:
        return None
    return apply_mask(data[start:], data[start - 4 : start]) if len(data) == start + size else None


def text_of(data: bytes) -> str | None:
    """Return a text, None if it is none."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None
