"""Whether a countdown was rolled in its turn or round, or is due in it. Source: rules.md A8, A12, B19 and B20."""

from enum import StrEnum


class RollState(StrEnum):
    """Where a countdown stands in the turn or round under way."""

    FREE = "free"  # no end of a turn or round rolls it: only commands do
    DUE = "due"
    ROLLED = "rolled"


def roll_state(
    bound_to: str,
    *,
    goes_on: bool,
    turn: int,
    period: int,
    rolled_turn: int,
    rolled_period: int,
    at_turn_end: bool = False,
) -> RollState:
    """Return whether a running countdown was rolled, or is due, in the turn or round that it is bound to.

    `bound_to`: `turn`, `rounds`, `scene` or `nothing`. `goes_on`: whether the situation or scene that it is bound to is
    open, in a scene that is not set aside. `turn`: the room's turn under way. `period`: the scene's turn, or the
    situation's round. `rolled_turn` and `rolled_period`: those of the last roll, 0 before the first.

    `at_turn_end` asks about the end of the whole turn instead: it rolls what is bound to the turn or to a scene unless
    it was rolled in this turn, and nothing that is bound to rounds.
    """
    if bound_to == "nothing" or (bound_to != "turn" and not goes_on) or (at_turn_end and bound_to == "rounds"):
        return RollState.FREE
    in_turn = bound_to == "rounds" or rolled_turn == turn
    in_period = bound_to == "turn" or at_turn_end or rolled_period == period
    return RollState.ROLLED if in_turn and in_period else RollState.DUE
