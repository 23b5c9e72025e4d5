"""The rules as pure functions of faces and numbers; the standard library is all they need.

`countdown` and `clocks` hold the rules, `limits` the caps of every room, `odds` the exact chances.
Nothing here rolls dice, keeps time or remembers anything.
"""

from __future__ import annotations

from dreadclock.rules.clocks import (
    Difficulty,
    Direction,
    RaceOutcome,
    average_level,
    difficulty_of,
    is_done,
    is_typical_scene,
    race_outcome,
    threat_budget,
    tick,
)
from dreadclock.rules.countdown import Rolled, Speed, crossed, left, roll

__all__ = [
    "Difficulty",
    "Direction",
    "RaceOutcome",
    "Rolled",
    "Speed",
    "average_level",
    "crossed",
    "difficulty_of",
    "is_done",
    "is_typical_scene",
    "left",
    "race_outcome",
    "roll",
    "threat_budget",
    "tick",
]
