"""Text from elsewhere, made safe to show."""

from __future__ import annotations

import re

# Control characters, line separators, bidirectional overrides, and halves of characters that no encoding has.
_STEERING = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_END = (".", "!", "?")


def plain(text: str) -> str:
    """Return a text as one line in which nothing steers a terminal: what would is shown as a replacement mark."""
    return _STEERING.sub("\N{REPLACEMENT CHARACTER}", " ".join(text.split()))


def finished(text: str) -> str:
    """Return a text as one plain line that ends like a sentence."""
    line = plain(text)
    return line if line.endswith(_END) else line + "."
