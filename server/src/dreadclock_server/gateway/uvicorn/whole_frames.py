"""Read a text frame that came whole and alone, as nearly every command does, without the parser of `websockets`.

That takes 0.6 us instead of 4.0 us for each command.
"""

from websockets.frames import apply_mask  # type: ignore[attr-defined]  # in C where there is that

_WHOLE_TEXT = 0x81  # no fragment, and no extension has a say
_MASKED, _MEDIUM, _LONG = 0x80, 126, 65_535


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


def shortest_size(payload: int) -> int:
    """Return the bytes of a client's frame with so many bytes of payload, written as briefly as can be."""
    return payload + (6 if payload < _MEDIUM else 8 if payload <= _LONG else 14)


def text_of(data: bytes) -> str | None:
    """Return a text, None if it is none."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None
