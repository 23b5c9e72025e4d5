"""Ids that the server makes, and ids that a command may choose.

An id is never used twice in a room, so a chosen id must not look like an id of the server.
"""

import re

from dreadclock.wire.base import Id, Kind

GM_PREFIX = "gm-"  # the id of a hidden thing starts with this; other ids must not
GM_SEAT = "gm"
UNNAMED_GM = "Gm"  # the name of the gm's seat until it is renamed; clients show their language's word for it
CLOCK_SUFFIX = "-clock"  # the id of a clock is the id of its scene, situation or challenge with this suffix
THREAT_SUFFIX = "-threat"  # the id of a threat clock is the id of its scene with this suffix
NAMED_OPPONENT = "an-opponent-named-for-one-check-alone"  # an opponent without a sheet; too long to be chosen
_KINDS = "|".join(Kind)
_SERVER_MADE = re.compile(rf"(?:{_KINDS})-[0-9]+|{GM_PREFIX}(?:{_KINDS})-[0-9a-f]{{12}}")


def made_id(kind: Kind, number: int) -> Id:
    """Return the id of the `number`th public thing of its kind."""
    return f"{kind}-{number}"


def hidden_id(kind: Kind, random: str) -> Id:
    """Return the id of a hidden thing.

    `random`: 12 hex digits. A running number would reveal how many hidden things there are.
    """
    return f"{GM_PREFIX}{kind}-{random}"


def is_server_made(thing_id: Id) -> bool:
    """Return whether an id has a form that only the server may choose."""
    return bool(_SERVER_MADE.fullmatch(thing_id)) or thing_id.endswith((CLOCK_SUFFIX, THREAT_SUFFIX))
