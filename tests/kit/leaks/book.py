"""Secret texts that can be told from all else, and finding them in what somebody was sent."""

import base64
import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

_BYTES = 16


def mint(chance: random.Random) -> str:
    """Make a marker: 128 random bits as 26 characters that a text, a name and an id may hold."""
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
    return base64.b32decode(marker.upper() + "=" * (-len(marker) % 8)) if len(marker) == 26 else marker.encode()


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


@dataclass
class Secret:
    """A text that only the gm may be sent; once its thing `of` was shown to everyone, others may be, too.

    `of` is the outermost hidden thing that it is part of, None for what stays with the gm for good.
    """

    text: str
    of: str | None
    planted: bool = False
    free_after: dict[str, int] | None = None  # bytes that each had been sent before its thing was shown


@dataclass
class Book:
    """The secrets of a room."""

    chance: random.Random
    secrets: list[Secret] = field(default_factory=list)

    def mint(self, of: str | None) -> Secret:
        """Make a new secret."""
        return self.keep(mint(self.chance), of)

    def keep(self, text: str, of: str | None) -> Secret:
        """Note a secret."""
        secret = Secret(text, of)
        self.secrets.append(secret)
        return secret

    def rename(self, before: str, after: str) -> None:
        """Take in the id that the server gave a thing."""
        for secret in self.secrets:
            if secret.of == before:
                secret.of = after

    def drop(self, secrets: Iterable[Secret]) -> None:
        """Forget texts that turned out to be for everyone."""
        gone = {id(each) for each in secrets}
        self.secrets = [each for each in self.secrets if id(each) not in gone]

    def shown(self, thing_id: str, sent: Mapping[str, int]) -> None:
        """Take note that everyone sees a thing; `sent`: bytes that each had been sent before."""
        for secret in self.secrets:
            if secret.of == thing_id and secret.free_after is None:
                secret.free_after = dict(sent)

    def leaks(self, name: str, sent: bytes | bytearray) -> list[tuple[str, str | None, list[bytes]]]:
        """Give the secrets among what somebody was sent before they were hers to know, and how they were written."""
        found = []
        for secret in self.secrets:
            before = sent if secret.free_after is None else sent[: secret.free_after[name]]
            if written := found_in(secret.text, before):
                found.append((secret.text, secret.of, written))
        return found

    def unheard(self, sent: bytes | bytearray) -> list[str]:
        """Give the secrets that were planted, yet are not among what the gm was sent."""
        return [each.text for each in self.secrets if each.planted and each.text.encode() not in sent]


Fields = dict[str, Any]
