"""Ids that the server makes, and ids that a command may choose.

An id is never used twice in a room, so a chosen id must not look like an id of the server.
"""

import re

from dreadclock.wire.base import Id, Kind

GM_PREFIX = "gm-"  # prefix of ids of hidden things; other ids must not start with it
GM_SEAT = "gm"
UNNAMED_GM = "Gm"  # the name of the gm's seat until it is renamed; clients show their language's word for it
CLOCK_SUFFIX = "-clock"  # after the id of a scene, situation or challenge: the id of its clock
THREAT_SUFFIX = "-threat"  # after the id of a scene: the id of its threat clock
NAMED_OPPONENT = "an-opponent-named-for-one-check-alone"  # longer than any id that a command may choose
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
    """Tell whether an id has a form that only the server gives."""
    return bool(_SERVER_MADE.fullmatch(thing_id)) or thing_id.endswith((CLOCK_SUFFIX, THREAT_SUFFIX))
