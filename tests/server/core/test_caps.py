"""How many things of each kind there are at a time. Ruling E2."""

from collections.abc import Callable
from typing import Any

import pytest

from dreadclock.wire.errors import Code
from kit.families import checks, races, totals
from kit.tables import Table, loaded

Fields = dict[str, Any]
SCENE = {"type": "open_scene", "name": "S", "clock": 1}
SITUATION = {**races.STANDARD, "id": None}
CHALLENGE = {"type": "add_challenge", "situation_id": "run", "name": "Door", "kind": "foe"}
CLOCK = {"type": "start_clock", "name": "C", "size": 1}
OVER = {"type": "fail_situation", "situation_id": "situation-1", "reason": "retreated"}
ROLL = totals.order("roll_total", "total-1")
# Where, what is made until there are the most, how many that are, and what makes room.
CAPS: dict[str, tuple[Callable[[], Table], Fields, int, list[Fields]]] = {
    "characters": (Table, {"type": "add_character", "name": "A"}, 64, []),
    "scenes": (Table, SCENE, 16, [{"type": "end_scene", "scene_id": "scene-1"}]),
    "situations": (races.opened, SITUATION, 32, [OVER]),
    "challenges of a situation": (races.standing_alone, CHALLENGE, 32, []),
    "efforts": (races.standing, races.effort("door"), 64, [races.rule("effort-1", False)]),
    "clocks": (Table, CLOCK, 64, [{"type": "tick_clock", "clock_id": "clock-1"}]),
    "checks": (checks.seated, checks.propose(id=None), 64, [checks.withdraw("check-1")]),
    "totals": (totals.at_table, {**totals.propose(), "id": None}, 64, [totals.require(1, "total-1"), ROLL]),
}


@pytest.mark.rule("E2")
@pytest.mark.parametrize(("table", "order", "most", "over"), CAPS.values(), ids=CAPS)
def test_e2_there_are_only_so_many_and_those_that_are_over_do_not_count(
    table: Callable[[], Table], order: Fields, most: int, over: list[Fields]
):
    full = table()
    for _ in range(most):
        full.do(order)

    refused = full.refused(order)
    for command in over:
        full.do(command, dice=loaded(*(1, 1) if command is ROLL else ()))

    assert (refused.code, refused.details["limit"]) == (Code.TOO_MANY, most)
    assert full.do(order) if over else full.refused(order)
