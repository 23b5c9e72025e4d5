"""The rules as pure functions of faces and numbers; the standard library is all they need.

`countdown`, `clocks`, `check`, `contest` and `total` hold the rules, `limits` the caps of every room,
`odds` the exact chances, `notation` how dice are written in a question.
Nothing here rolls dice, keeps time or remembers anything.
"""

from dreadclock.rules.check import Outcome, Plan, Reading
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
from dreadclock.rules.contest import DecidedBy, Side, Verdict
from dreadclock.rules.countdown import Rolled, Speed, crossed, left, roll
from dreadclock.rules.total import CrisisKind, Fate, Pushed, enough, fate, keep, pool, push

__all__ = [
    "CrisisKind",
    "DecidedBy",
    "Difficulty",
    "Direction",
    "Fate",
    "Outcome",
    "Plan",
    "Pushed",
    "RaceOutcome",
    "Reading",
    "Rolled",
    "Side",
    "Speed",
    "Verdict",
    "average_level",
    "crossed",
    "difficulty_of",
    "enough",
    "fate",
    "is_done",
    "is_typical_scene",
    "keep",
    "left",
    "pool",
    "push",
    "race_outcome",
    "roll",
    "threat_budget",
    "tick",
]
