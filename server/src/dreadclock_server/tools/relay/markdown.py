"""Text for Discord: nothing in it formats, links, or calls anybody, and its length is what Discord counts."""

import re

from dreadclock.wire.plain import plain, reclosed

ELLIPSIS = "…"
_MEANT = re.compile(r"([\\*_~`|<>#\[\]()@:+-]|(?<=[0-9])\.)")
_CALL = re.compile(r"(?<=@)")
_APART = "\u200b"  # shows nothing: what follows an @ is no name any more


def escaped(text: str) -> str:
    """Return a text that Discord shows as it stands."""
    return _CALL.sub(_APART, _MEANT.sub(r"\\\1", plain(text)))


def length(text: str) -> int:
    """Count a text's characters as JavaScript does: no count of Discord's is higher."""
    return len(text.encode("utf-16-le")) // 2


def escaped_within(text: str, most: int) -> str:
    """Return an escaped text of so many characters, cut where it is longer."""
    whole = escaped(text)
    if length(whole) <= most:
        return whole
    kept = text[:most]
    while length(escaped(reclosed(kept))) > most - 1:
        kept = kept[: -max(1, (length(escaped(reclosed(kept))) - most) // 4)]
    return escaped(reclosed(kept)) + ELLIPSIS
