"""The caps that hold for every room. Source: rules.md E2."""

from __future__ import annotations

from typing import Final

MAX_POOL: Final = 60
"""Dice in a starting pool or score, and in a countdown after a replenish (A7)."""

MAX_ROLL_DICE: Final = 200
"""Dice in one roll, with the dice that explosions and re-rolls add."""

MAX_ODDS_DICE: Final = 40
MAX_ODDS_PARTS: Final = 8
"""Dice, removed ones counted too, and parts of a check with several: beyond them its odds would keep tables waiting."""

MAX_CLOCK: Final = 99
"""Points on a clock."""

MAX_COUNTDOWNS: Final = 64
"""Running countdowns in a room."""

MAX_SITUATIONS: Final = 32
"""Situations in a room."""

MAX_CHARACTERS: Final = 64
"""Characters in a room."""

MAX_STAGES: Final = 24
"""Stages of one countdown."""

MIN_LEVEL: Final = 1
MAX_LEVEL: Final = 9
"""Levels of situations and characters, both ends included (B5)."""
