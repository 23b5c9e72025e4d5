"""Races, by how close they were."""

from __future__ import annotations

from typing import Any

from dreadclock.rules.clocks import RaceOutcome
from dreadclock_server.evening.recap.things import Race, races
from kit.evenings.played import steps_of
from kit.tables import Table


def race(table: Table, name: str, **fields: Any) -> None:
    kind = {"kind": "race", "content": "combat", "level": 5, "difficulty": "normal"}
    table.do({"type": "start_situation", "id": name, "scene_id": "vault", "name": name.title(), **kind, **fields})
    table.do({"type": "add_challenge", "id": f"{name}-door", "situation_id": name, "name": "Door", "kind": "barrier"})


def effort(table: Table, name: str, *, success: bool) -> None:
    table.do({"type": "attempt_effort", "challenge_id": f"{name}-door", "success": success})


def evening() -> Table:
    table = Table()
    table.do({"type": "open_scene", "id": "vault", "name": "The vault", "clock": 9})
    return table


def test_a_race_that_was_won_is_as_close_as_the_threat_that_was_left() -> None:
    table = evening()
    race(table, "run", clock=1)
    threat = table.view.clocks["vault-threat"].value
    effort(table, "run", success=False)
    effort(table, "run", success=True)

    (run,) = races(steps_of(table.records))

    assert (run.name, run.scene_name, run.outcome) == ("Run", "The vault", RaceOutcome.SUCCESS)
    assert (run.situation, run.threat, run.threat_size) == (0, threat - 2, threat)
    assert run.margin == threat - 2
    assert run.narrowness == (threat - 2) / threat


def test_a_race_that_was_lost_is_as_close_as_what_was_still_to_do() -> None:
    table = evening()
    race(table, "run", clock=4)
    effort(table, "run", success=True)
    table.do({"type": "fail_situation", "situation_id": "run", "reason": "defeated"})

    (run,) = races(steps_of(table.records))

    assert run.outcome is not RaceOutcome.SUCCESS
    assert (run.margin, run.narrowness) == (3, 3 / 4)


def test_the_closest_race_comes_first() -> None:
    table = evening()
    race(table, "far", clock=2)
    table.do({"type": "fail_situation", "situation_id": "far", "reason": "defeated"})
    race(table, "near", clock=9)
    table.do({"type": "amend_clock", "clock_id": "near-clock", "value": 3, "reason": "a ruling"})
    table.do({"type": "fail_situation", "situation_id": "near", "reason": "retreated"})

    found = races(steps_of(table.records))

    assert [(each.name, each.narrowness) for each in found] == [("Near", 3 / 9), ("Far", 2 / 2)]


def test_a_race_that_goes_on_is_not_listed() -> None:
    table = evening()
    race(table, "run", clock=4)

    assert races(steps_of(table.records)) == ()


def test_how_close_a_race_was_does_not_depend_on_the_size_of_its_clocks() -> None:
    small = Race("a", "s", RaceOutcome.FAILURE, 1, 2, 0, 20, 5)
    large = Race("b", "s", RaceOutcome.FAILURE, 4, 8, 0, 20, 5)

    assert small.narrowness == large.narrowness
