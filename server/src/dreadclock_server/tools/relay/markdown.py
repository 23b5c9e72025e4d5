"""Text for Discord: escape formatting, links and mentions, and count length as Discord does."""

import re

from dreadclock.wire.plain import plain, reclosed

ELLIPSIS = "…"
_MEANT = re.compile(r"([\\*_~`|<>#\[\]()@:+-]|(?<=[0-9])\.)")
_CALL = re.compile(r"(?<=@)")
_APART = "\u200b"  # invisible; after an @ it prevents a mention


def escaped(text: str) -> str:
    """Return a text that Discord shows literally."""
    return _CALL.sub(_APART, _MEANT.sub(r"\\\1", plain(text)))


def length(text: str) -> int:
    """Return the number of UTF-16 code units, as in JavaScript. Discord's own count is the same or smaller."""
    return len(text.encode("utf-16-le")) // 2


def escaped_within(text: str, most: int) -> str:
    """Return an escaped text of at most `most` characters. Longer texts are cut."""
    whole = escaped(text)
    if length(whole) <= most:
        return whole
    kept = text[:most]
    while length(escaped(reclosed(kept))) > most - 1:
        kept = kept[: -max(1, (length(escaped(reclosed(kept))) - most) // 4)]
    return escaped(reclosed(kept)) + ELLIPSIS
