"""Countdowns, seen by all or hidden: commands about them, and the events that follow."""

from typing import Any

from dreadclock.wire.events import CountdownRolled
from kit.tables import Table

FEVER = {"type": "start_countdown", "id": "fever", "name": "Fever", "bound_to": "nothing", "pool": 4}
GAS = {**FEVER, "id": "gas", "name": "Gas", "visibility": "sealed"}
MOLE = {**FEVER, "id": "gm-mole", "name": "Mole", "visibility": "gm"}
STABILIZE = {"type": "stabilize_countdown", "countdown_id": "fever"}
CANCEL = {"type": "cancel_countdown", "countdown_id": "fever", "reason": "a slip"}
END_TURN = {"type": "end_turn"}
BLIND_AT_2 = {"at": 2, "effect": "blind"}
PALE_AT_4 = {"at": 4, "effect": "pale"}


def started(table: Table, **fields: Any) -> None:
    table.do({**FEVER, **fields})


def roll(countdown_id: str = "fever") -> dict[str, str]:
    return {"type": "roll_countdown", "countdown_id": countdown_id}


def rolled(faces: tuple[int, ...], removed: int, of: str = "fever", turn: int = 1) -> CountdownRolled:
    remaining = len(faces) - removed
    return CountdownRolled(countdown_id=of, faces=faces, removed=removed, remaining=remaining, turn=turn)


def reveal(thing_id: str) -> dict[str, object]:
    return {"type": "reveal", "thing_id": thing_id}


def gas(**fields: Any) -> Table:
    """Open a table with a sealed countdown."""
    table = Table()
    table.do({**GAS, **fields})
    return table


def mole(**fields: Any) -> Table:
    """Open a table with a countdown that only the gm knows."""
    table = Table()
    table.do({**MOLE, **fields})
    return table
