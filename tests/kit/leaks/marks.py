"""Marks that can be told from all else, and finding them in what somebody was sent."""

import base64
import random
from functools import cache
from typing import Any

Fields = dict[str, Any]
_BYTES = 10


def mint(chance: random.Random) -> str:
    """Make a marker: 80 random bits as 16 characters that a text, a name and an id may hold."""
    return base64.b32encode(chance.randbytes(_BYTES)).decode().rstrip("=").lower()


@cache
def forms(marker: str) -> tuple[bytes, ...]:
    """Give the ways in which a marker could be written: as it is, escaped, in hex, in base64, as bare bits."""
    plain = marker.encode()
    hexed, escaped = plain.hex(), "".join(f"\\u{byte:04x}" for byte in plain)
    percent = "".join(f"%{byte:02x}" for byte in plain)
    spelled = (hexed, hexed.upper(), percent, percent.upper(), escaped, escaped.replace("\\", "\\\\"))
    upper = "".join(f"\\u{byte:04X}" for byte in plain)
    bare = bits(marker)
    others = (plain, plain.upper(), marker.encode("utf-16-le"), bare, bare.hex().encode(), upper.encode())
    return (*others, *(text.encode() for text in spelled), *_base64(plain))


def bits(marker: str) -> bytes:
    """Give the random bits of a marker."""
    return base64.b32decode(marker.upper() + "=" * (-len(marker) % 8)) if len(marker) == 16 else marker.encode()


def _base64(plain: bytes) -> list[bytes]:
    """Write what base64 makes of a text wherever in a longer one it stands: what its neighbours change is cut off."""
    found = []
    for before in range(3):
        whole = base64.b64encode(b"\0" * before + plain)
        found.append(whole[-(-before * 8 // 6) : (before + len(plain)) * 8 // 6])
    return found


def found_in(marker: str, sent: bytes | bytearray) -> list[bytes]:
    """Give the forms in which a marker is among the bytes that were sent."""
    return [form for form in forms(marker) if form in sent]
