"""Whether a countdown (a pool of dice that empties) has yet to be rolled in its turn or round. A8, A12, B19 and B20."""

from enum import StrEnum


class RollState(StrEnum):
    """Whether a countdown was already rolled in the current turn or round, or is due: has yet to be rolled."""

    FREE = "free"  # not rolled at the end of a turn or round, only by a command
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
    """Return whether a running countdown was already rolled in the turn or round that it is bound to, or is due.

    `bound_to`: `turn`, `rounds`, `scene` or `nothing`. `goes_on`: whether the situation or scene to which the
    countdown is bound is open, and the scene is not set aside. `turn`: the number of the room's current turn.
    `period`: the number of the scene's turn, or of the situation's round. `rolled_turn` and `rolled_period`:
    the values of `turn` and `period` at the last roll, 0 before the first roll.

    `at_turn_end`: whether the room's turn ends now. Then a countdown is due if it is bound to the turn or to a scene,
    and was not rolled in this turn. Countdowns that are bound to rounds are FREE then.
    """
    if bound_to == "nothing" or (bound_to != "turn" and not goes_on) or (at_turn_end and bound_to == "rounds"):
        return RollState.FREE
    in_turn = bound_to == "rounds" or rolled_turn == turn
    in_period = bound_to == "turn" or at_turn_end or rolled_period == period
    return RollState.ROLLED if in_turn and in_period else RollState.DUE
