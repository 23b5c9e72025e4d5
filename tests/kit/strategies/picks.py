"""Choices read off one whole number, and the ids that they are made from."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

Fields = dict[str, Any]
Shape = Mapping[str, Any]
"""What fields may be: a tuple is chosen from, a function says more from what was chosen so far; else as it stands.

Those of `also` stand beside the others, and None is a field left out.
"""
_Option = TypeVar("_Option")

FLAG = (True, False)
COUNTDOWNS = ("fever", "calm", "spent", "gas", "gm-zz-mole", "countdown-5", "ghost")
SCENES = ("bomb", "heist", "gm-zz-den", "gm-zz-camp", "scene-3")
SITUATIONS = ("run", "talk", "parley", "gm-yy-heist-in", "gm-zz-dig", "gm-zz-plot", "gm-zz-ambush", "situation-4")
CHALLENGES = ("door", "turret", "gm-yy-heist-safe", "gm-yy-parley-pact", "gm-zz-rock", "gm-zz-net", "challenge-3")
EFFORTS = ("kick", "effort-2", "effort-3", "gm-effort-000000000001", "gm-effort-000000000002")
CLOCKS = (
    *("guards", "tide", "gm-zz-moon", "bomb-clock", "bomb-threat", "run-clock", "door-clock"),
    *("heist-clock", "heist-threat", "parley-clock", "gm-zz-plot-clock"),
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


def shape(**fields: Any) -> Shape:
    """Say what fields may be."""
    return fields


def often(value: _Option, otherwise: _Option) -> tuple[_Option, ...]:
    """Return options of which most are `value`."""
    return value, value, value, otherwise


class Picks:
    """Choices read off one whole number."""

    def __init__(self, number: int) -> None:
        self._left = number

    def one(self, options: Sequence[_Option]) -> _Option:
        """Choose one of these."""
        self._left, place = divmod(self._left, len(options))
        return options[place]

    def fields(self, shape: Shape) -> Fields:
        """Choose all fields of a shape."""
        chosen: Fields = {}
        for name, value in shape.items():
            drawn = self._drawn(value, chosen)
            chosen |= drawn if name in ("also", "more") else {name: drawn}
        return chosen

    def _drawn(self, value: Any, chosen: Fields) -> Any:
        if callable(value):
            return self._drawn(value(self, chosen), chosen)
        if isinstance(value, tuple):
            return self._drawn(self.one(value), chosen)
        return self.fields(value) if isinstance(value, dict) else value


def new_id(p: Picks, chosen: Fields) -> str | None:
    """Choose an id for a new thing, which may be taken or have the wrong form; mostly none."""
    inside = str(chosen.get("situation_id") or chosen.get("challenge_id"))
    hidden = chosen.get("visibility") == "gm" or inside == "parley" or inside[:3] == "gm-"
    hidden |= chosen.get("scene_id", "bomb") != "bomb" or chosen.get("prepared") is True
    one = p.one((None, None, p.one(IDS)))
    return one if one is None or p.one((True,) * 7 + (False,)) is not hidden else f"gm-{one}"
