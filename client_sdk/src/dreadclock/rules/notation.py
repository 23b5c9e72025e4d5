"""Read the short notation for dice in questions about odds: "2,4,5" for faces, "3+1-2,momentum" for a helper's dice.

The command line and the REST API use the same notation.
"""

import re
from collections.abc import Sequence
from typing import Final

from dreadclock.rules.check import MAX_VENTURE, Plan, plan
from dreadclock.rules.limits import MAX_CHARACTERS, MAX_ROLL_DICE

_FACES: Final = re.compile(r"[1-6](\s*,\s*[1-6])*", re.ASCII)
_PART: Final = re.compile(
    r"(?P<score>\d{1,3})(\+(?P<bonus>\d{1,3}))?(-(?P<penalty>\d{1,3}))?(?P<tokens>(,[a-z]+(=\d)?)*)", re.ASCII
)
_VENTURES: Final = {f"venture={level}": level for level in range(1, MAX_VENTURE + 1)}
_TOKENS: Final = ("momentum", "interference", *_VENTURES)
_SHOWN: Final = 40


def read_faces(text: str) -> tuple[int, ...]:
    """Return the faces that a text such as "2,4,5" lists, in its order; none if the text is empty.

    Raises ValueError for another form, and for more faces than one roll can have.
    """
    text = text.strip()
    if not text:
        return ()
    if len(text) > 10 * MAX_ROLL_DICE or not _FACES.fullmatch(text):
        raise ValueError(f"Write faces from 1 to 6 with commas, like 2,4,5, not {_short(text)}.")
    faces = tuple(int(face) for face in text.split(","))
    if len(faces) > MAX_ROLL_DICE:
        raise ValueError(f"One roll has at most {MAX_ROLL_DICE} faces, not {len(faces)}.")
    return faces


def read_part(text: str) -> Plan:
    """Return the roll plan for the dice that a helper adds to a check.

    `text`: a score, with a bonus and a penalty if there are any: "3", "3+1", "3-2" or "3+1-2". After that may
    follow ",momentum" or ",interference" if the helper has that token, and ",venture=1" for a venture of one
    die. Raises ValueError for another form, and if a number is out of range.
    """
    read = _PART.fullmatch(text.strip())
    tokens = read["tokens"].split(",")[1:] if read else []
    if read is None or any(token not in _TOKENS for token in tokens):
        raise ValueError(f"Write a helper's dice like 3, 3+1-2 or 3-1,momentum, not {_short(text)}.")
    return plan(
        int(read["score"]),
        bonus=int(read["bonus"] or 0),
        penalty=int(read["penalty"] or 0),
        venture=sum(_VENTURES.get(token, 0) for token in set(tokens)),
        momentum="momentum" in tokens,
        interference="interference" in tokens,
    )


def read_parts(texts: Sequence[str]) -> list[Plan]:
    """Return the roll plans of all helpers in a check. `read_part` describes the texts.

    Raises ValueError for another form, if a number is out of range, and for more helpers than a room can have.
    """
    if len(texts) >= MAX_CHARACTERS:
        raise ValueError(f"At most {MAX_CHARACTERS - 1} help in a check, not {len(texts)}.")
    return [read_part(text) for text in texts]


def _short(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "...")
