"""Make text from other people safe to print."""

import re
from typing import Final

FSI: Final = "\u2068"
PDI: Final = "\u2069"

# The characters of the bidi classes R, AL and AN in Unicode 18. Ranges may include unassigned code points.
# `messages.js` has the same table.
_RTL = (
    "\u05be\u05c0\u05c3\u05c6\u05d0-\u05f4\u0600-\u0605\u0608\u060b\u060d\u061b-\u064a\u0660-\u0669\u066b-\u066f"
    "\u0671-\u06d5\u06dd\u06e5\u06e6\u06ee\u06ef\u06fa-\u0710\u0712-\u072f\u074d-\u07a5\u07b1-\u07ea\u07f4\u07f5"
    "\u07fa\u07fe-\u0815\u081a\u0824\u0828\u0830-\u0858\u085e-\u0891\u08a0-\u08c9\u08e2\u200f\ufb1d\ufb1f-\ufb28\ufb2a-\ufbc2"
    "\ufbd3-\ufd3d\ufd50-\ufd8f\ufd92-\ufdc7\ufdf0-\ufdfc\ufe70-\ufefc\U00010800-\U0001091b"
    "\U00010920-\U00010a00\U00010a10-\U00010a35\U00010a40-\U00010ae4\U00010aeb-\U00010b35"
    "\U00010b40-\U00010d23\U00010d30-\U00010d39\U00010d40-\U00010d65\U00010d6f-\U00010d8f"
    "\U00010e60-\U00010e7e\U00010e80-\U00010ea9"
    "\U00010ead-\U00010eca\U00010ed9-\U00010eee\U00010f00-\U00010f45\U00010f51-\U00010f81"
    "\U00010f86-\U00010ff6\U0001e800-\U0001e8cf\U0001e900-\U0001e943\U0001e94b-\U0001eebb"
)
_TURNING = "\u202a-\u202e\u2066-\u2069"  # bidi controls: they start and end embeddings, overrides and isolates
# Control characters, line separators, bidi controls, and lone surrogates.
_STEERING = f"\x00-\x1f\x7f-\x9f\u2028\u2029{_TURNING}\ud800-\udfff"
_ISOLATED = f"{FSI}[^{_STEERING}]*[{_RTL}][^{_STEERING}]*{PDI}"
_KEPT_OR_STEERING = re.compile(f"({_ISOLATED})|[{_STEERING}]")
_ALREADY_ISOLATED = re.compile(_ISOLATED)
_HAS_RTL = re.compile(f"[{_RTL}]")
_TURNS = re.compile(f"[{_TURNING}]")
_END = (".", "!", "?")


def plain(text: str) -> str:
    """Return a text as one line that cannot control a terminal. Control characters become replacement marks.

    FSI and PDI stay where `isolated` put them around a name.
    """
    line = " ".join(text.split())
    return _KEPT_OR_STEERING.sub(lambda match: match[1] or "\N{REPLACEMENT CHARACTER}", line)


def isolated(text: str) -> str:
    """Put FSI and PDI around a name with right-to-left characters, so that it does not reorder the sentence around it.

    If all such characters are in names that are isolated already, the text does not change. Bidi controls in the name
    become replacement marks, because an unbalanced control would end the isolation.
    """
    if text.isascii() or not _HAS_RTL.search(_ALREADY_ISOLATED.sub("", text)):
        return text
    return FSI + _TURNS.sub("\N{REPLACEMENT CHARACTER}", text) + PDI


def reclosed(cut: str) -> str:
    """Return a truncated text. If the cut is within an isolated name, close the isolation again."""
    before, opened, name = cut.rpartition(FSI)
    return before + isolated(name) if opened and PDI not in name else cut


def finished(text: str) -> str:
    """Return a text as one plain line that ends with `.`, `!` or `?`. Append a full stop if necessary."""
    line = plain(text)
    return line if line.rstrip(PDI).endswith(_END) else line + "."


def count(number: int, singular: str, many: str) -> str:
    """Return a number with its noun, such as "1 die" or "3 dice"."""
    return f"{number} {singular if number == 1 else many}"
