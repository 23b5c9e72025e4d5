"""When a countdown is due, case by case, for both clients: `python -m kit.due_vectors` writes the file.

Every combination that makes a difference is there: what it is bound to, whether that goes on, when it was rolled last.
"""

import json
from itertools import product
from pathlib import Path
from typing import Any

from dreadclock.rules.due import roll_state

FILE = Path(__file__).parents[1] / "golden" / "due-vectors.json"
Vector = dict[str, Any]


def cases() -> list[Vector]:
    """Return what the function is asked, in every combination."""
    every = product(("turn", "rounds", "scene", "nothing"), (True, False), (0, 2, 3), (0, 4, 5), (False, True))
    return [
        {"bound_to": bound_to, "goes_on": goes_on, "turn": 3, "period": 5}
        | {"rolled_turn": turn, "rolled_period": period, "at_turn_end": at_turn_end}
        for bound_to, goes_on, turn, period, at_turn_end in every
    ]


if __name__ == "__main__":
    lines = [json.dumps({"given": each, "gives": roll_state(**each)}) for each in cases()]
    FILE.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
