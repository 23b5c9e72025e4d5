"""Rooms in which a bit of everything is under way: in public, sealed, and known to the gm alone.

Ids and texts of what only the gm knows hold `zz`; texts of what is sealed hold `yy` and the sealed thing's id.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from dreadclock_server.core.room import Room
from kit.picks import Fields
from kit.prepared_rolls import characters, checks, hidden_checks, sealed_checks, totals
from kit.scripts import LEDGER
from kit.tables import ANN, Table

GM_ONLY = "zz"
SEALED = ("yy-gas", "yy-tide", "yy-heist", "yy-parley", "yy-vault", "yy-crypt")  # yy and the id of the sealed thing


@dataclass(frozen=True)
class Numbers:
    """What is behind the seals, and behind the gm's screen."""

    pool: int = 4
    speed: str = "slow"
    size: int = 4
    difficulty: str = "hard"
    faces: int = 2
    score: int = 4  # of sealed and hidden checks
    required: int = 22  # of totals whose number is secret


@cache
def open_evening() -> Room:
    """Everyone knows of everything, but for what is sealed."""
    return prepared(_open(Numbers()))


@cache
def secret_evening(numbers: Numbers = Numbers()) -> Room:
    """The same, with things beside it that only the gm knows."""
    return prepared([*_open(numbers), *_hidden(numbers)])


def evening_orders() -> list[Fields]:
    """Return the gm's commands that make the secret evening."""
    return [*_open(Numbers()), *_hidden(Numbers())]


def _open(numbers: Numbers) -> list[Fields]:
    return [*_public(), *_sealed(numbers), *checks(), *sealed_checks(numbers.score), *totals(numbers.required)]


def prepared(orders: Iterable[Fields]) -> Room:
    """Do these commands of the gm at a fresh table."""
    table = Table(physical_dice="everyone")
    for order in orders:
        table.do(order, dice=LEDGER)
    return table.room


def _countdown(countdown_id: str, mark: str = "", **fields: Any) -> Fields:
    stages = [{"at": 3, "effect": f"cough {mark}"}, {"at": 1, "effect": f"faint {mark}"}]
    return {
        "type": "start_countdown",
        "id": countdown_id,
        "name": f"Countdown {mark}",
        "pool": 4,
        "stages": stages,
        "ending": f"over {mark}",
        "bound_to": "turn",
        "stabilizable": True,
        "replenishable": True,
        **fields,
    }


def _situation(situation_id: str, scene_id: str, mark: str = "", **fields: Any) -> Fields:
    race = {"kind": "race", "content": "exploration", "clock": 2, "level": 1, "difficulty": "hard"}
    names = {"id": situation_id, "scene_id": scene_id, "name": f"Situation {mark}"}
    return {"type": "start_situation", **names, **race, **fields}


def _challenge(challenge_id: str, situation_id: str, mark: str = "", **fields: Any) -> Fields:
    names = {"id": challenge_id, "situation_id": situation_id, "name": f"Challenge {mark}"}
    return {"type": "add_challenge", **names, "kind": "barrier", **fields}


def _public() -> list[Fields]:
    return [
        *characters(),
        _countdown("fever", owner=ANN.seat_id),
        _countdown("calm", owner=ANN.seat_id),
        {"type": "stabilize_countdown", "countdown_id": "calm"},
        _countdown("spent", pool=1),
        {"type": "roll_countdown", "countdown_id": "spent", "faces": [6]},
        {"type": "start_clock", "id": "guards", "name": "Guards", "size": 4, "owner": ANN.seat_id},
        {"type": "open_scene", "id": "bomb", "name": "Bomb", "clock": 7},
        _situation("run", "bomb"),
        _situation("talk", "bomb", kind="standard", content="social"),
        _challenge("door", "run", clock=2),
        _challenge("turret", "run", kind="foe"),
        {"type": "attempt_effort", "id": "kick", "challenge_id": "door"},
        {"type": "roll_dice", "id": "fate", "pool": 2},
    ]


def _sealed(numbers: Numbers) -> list[Fields]:
    size, difficulty = numbers.size, numbers.difficulty
    return [
        {**_countdown("gas", "yy-gas", pool=numbers.pool, speed=numbers.speed, visibility="sealed"), "name": "Gas"},
        {"type": "start_clock", "id": "tide", "name": "Tide", "size": size, "visibility": "sealed"},
        {"type": "open_scene", "id": "heist", "name": "Heist", "clock": size, "visibility": "sealed"},
        _situation("gm-yy-heist-in", "heist", "yy-heist", clock=size, difficulty=difficulty),
        _challenge("gm-yy-heist-safe", "gm-yy-heist-in", "yy-heist", clock=size),
        {**_situation("parley", "bomb", kind="standard", clock=size, visibility="sealed"), "name": "Parley"},
        _challenge("gm-yy-parley-pact", "parley", "yy-parley", clock=size),
        {"type": "roll_dice", "pool": numbers.faces, "visibility": "sealed"},
    ]


def _hidden(numbers: Numbers) -> list[Fields]:
    size = numbers.size
    return [
        _countdown("gm-zz-mole", "zz", pool=numbers.pool, speed=numbers.speed, visibility="gm"),
        {"type": "start_clock", "id": "gm-zz-moon", "name": "Moon zz", "size": size, "visibility": "gm"},
        {"type": "open_scene", "id": "gm-zz-den", "name": "Den zz", "clock": size, "visibility": "gm"},
        _situation("gm-zz-dig", "gm-zz-den", "zz"),
        _challenge("gm-zz-rock", "gm-zz-dig", "zz"),
        _situation("gm-zz-plot", "bomb", "zz", kind="standard", clock=99, visibility="gm"),
        _challenge("gm-zz-spy", "gm-zz-plot", "zz"),
        {"type": "roll_dice", "id": "gm-zz-luck", "pool": numbers.faces, "visibility": "gm"},
        *hidden_checks(numbers.score),
    ]
