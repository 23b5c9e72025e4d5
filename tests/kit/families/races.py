"""A scene with a situation in it: commands, and the events that follow from them."""

from typing import Any

from dreadclock.rules.clocks import RaceOutcome
from dreadclock.wire.events import Cause, ClockTicked, EffortMade, EffortRuled, RaceEnded
from dreadclock.wire.things import ClockKind, Effort
from kit.tables import ANN, BO, Table

RUN = {"type": "start_situation", "id": "run", "scene_id": "bomb", "name": "Run"}
RACE = {**RUN, "kind": "race", "content": "exploration", "clock": 3, "level": 3}
STANDARD = {**RACE, "kind": "standard", "level": None}
ROUND = {"type": "end_round", "situation_id": "run"}
KINDS = {"door": "barrier", "lock": "puzzle", "turret": "foe"}


def opened(scene: int = 5, **policy: Any) -> Table:
    table = Table(**policy)
    table.do({"type": "open_scene", "id": "bomb", "name": "Bomb", "clock": scene})
    return table


def cast(table: Table) -> Table:
    """Bring in a character for each player."""
    for name, seat in (("ash", ANN), ("bay", BO)):
        table.do({"type": "add_character", "id": name, "name": name.title(), "owner": seat.seat_id})
    return table


def challenged(table: Table, **clocks: int) -> None:
    """Add the door (a barrier), the lock (a puzzle) and the turret (a foe)."""
    for name, kind in KINDS.items():
        order = {"id": name, "situation_id": "run", "name": name, "kind": kind, "clock": clocks.get(name, 1)}
        table.do({"type": "add_challenge", **order})


def racing(threat: int = 15, situation: int = 3, scene: int = 5, **clocks: int) -> Table:
    table = cast(opened(scene))
    table.do({**RACE, "difficulty": "normal"})
    challenged(table, **clocks)
    if situation != 3:
        table.do(amend("run-clock", situation))
    if threat != 15:
        table.do(amend("bomb-threat", threat))
    return table


def standing_alone() -> Table:
    """Open a standard situation without challenges."""
    table = opened()
    table.do(STANDARD)
    return table


def standing(situation: int = 3, scene: int = 5) -> Table:
    table = cast(opened(scene))
    table.do({**STANDARD, "clock": situation})
    challenged(table)
    return table


def effort(challenge_id: str, **more: object) -> dict[str, object]:
    return {"type": "attempt_effort", "challenge_id": challenge_id, **more}


def rule(effort_id: str, success: bool, **more: object) -> dict[str, object]:
    return {"type": "rule_effort", "effort_id": effort_id, "success": success, **more}


def overcome(challenge_id: str) -> dict[str, object]:
    return {"type": "overcome_challenge", "challenge_id": challenge_id}


def amend(clock_id: str, value: int) -> dict[str, object]:
    return {"type": "amend_clock", "clock_id": clock_id, "value": value, "reason": "a slip"}


def fail(reason: str = "defeated") -> dict[str, object]:
    return {"type": "fail_situation", "situation_id": "run", "reason": reason}


def threat_at(value: int, cause: Cause) -> ClockTicked:
    return ClockTicked(clock_id="bomb-threat", kind=ClockKind.THREAT, cause=cause, value=value)


def situation_at(value: int, cause: Cause = Cause.CHALLENGE) -> ClockTicked:
    return ClockTicked(clock_id="run-clock", kind=ClockKind.SITUATION, cause=cause, value=value)


def scene_at(value: int) -> ClockTicked:
    return ClockTicked(clock_id="bomb-clock", kind=ClockKind.SCENE, cause=Cause.SITUATION, value=value)


def challenge_at(challenge_id: str, value: int, cause: Cause = Cause.EFFORT) -> ClockTicked:
    return ClockTicked(clock_id=f"{challenge_id}-clock", kind=ClockKind.CHALLENGE, cause=cause, value=value)


def made(number: int, challenge_id: str, by: str = "gm", character: str | None = None) -> EffortMade:
    return EffortMade(
        effort=Effort(id=f"effort-{number}", challenge_id=challenge_id, seat_id=by, character_id=character)
    )


def ruled(number: int, challenge_id: str, success: bool = True, amount: int = 1) -> EffortRuled:
    return EffortRuled(effort_id=f"effort-{number}", challenge_id=challenge_id, success=success, amount=amount)


def race_ended(outcome: RaceOutcome, situation: int, threat: int, scene: int = 5) -> RaceEnded:
    return RaceEnded(situation_id="run", outcome=outcome, situation=situation, threat=threat, scene=scene)
