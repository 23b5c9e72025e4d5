"""Choices read off one whole number, and the ids that they are made from."""

from collections.abc import Sequence
from typing import Any, TypeVar

Fields = dict[str, Any]
_Option = TypeVar("_Option")

COUNTDOWNS = ("fever", "calm", "spent", "gas", "gm-zz-mole", "countdown-5", "ghost")
SCENES = ("bomb", "heist", "gm-zz-den", "gm-zz-camp", "scene-3")
SITUATIONS = ("run", "talk", "parley", "gm-yy-heist-in", "gm-zz-dig", "gm-zz-plot", "gm-zz-ambush", "situation-4")
CHALLENGES = (
    "door",
    "turret",
    "gm-yy-heist-safe",
    "gm-yy-parley-pact",
    "gm-zz-rock",
    "gm-zz-net",
    "challenge-3",
)
EFFORTS = ("kick", "effort-2", "effort-3", "gm-effort-000000000001", "gm-effort-000000000002")
CLOCKS = (
    "guards",
    "tide",
    "gm-zz-moon",
    "bomb-clock",
    "bomb-threat",
    "run-clock",
    "door-clock",
    "heist-clock",
    "heist-threat",
    "parley-clock",
    "gm-zz-plot-clock",
)
ROLLS = ("fate", "roll-2", "roll-3", "gm-zz-luck")
CHARACTERS = ("ada", "bea", "cid", "dan", "eli", "foe", "character-7", "ghost")
CHECKS_TO_ROLL = ("jump", "sneak", "duel", "crypt", "gm-zz-lie", "check-17", "gm-check-000000000001")
CHECKS_BEGUN = ("team", "vault", "gm-zz-trap")
PARTS = {"duel": ("bea", "dan"), "team": ("ada", "cid"), "vault": ("ada", "foe"), "gm-zz-trap": ("bea", "foe")}
CHECKS_FAILED = ("botch", "regret", "truce", "gm-zz-flop")
CHECKS = (*CHECKS_TO_ROLL, *CHECKS_BEGUN, *CHECKS_FAILED)
TOTALS_TO_ROLL = ("leap", "climb", "dive", "wait", "total-15")
TOTALS_MISSED = ("wade", "swim", "brink", "edge")
TOTALS = (*TOTALS_TO_ROLL, *TOTALS_MISSED, "grab", "fall")
IDS = ("x", "y", "z", "fever", "bomb")


class Picks:
    """Choices read off one whole number."""

    def __init__(self, number: int) -> None:
        self._left = number

    def one(self, options: Sequence[_Option]) -> _Option:
        """Choose one of these."""
        self._left, place = divmod(self._left, len(options))
        return options[place]

    def often(self, value: _Option, otherwise: _Option) -> _Option:
        """Choose mostly `value`."""
        return self.one((value, value, value, otherwise))

    def new_id(self, *, hidden: bool) -> str | None:
        """Choose an id for a new thing, which may be taken or have the wrong form; mostly none."""
        chosen = self.one((None, None, self.one(IDS)))
        return chosen if chosen is None or self.one((True,) * 7 + (False,)) is not hidden else f"gm-{chosen}"
