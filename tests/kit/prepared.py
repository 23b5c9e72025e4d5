"""Rooms in which a bit of everything is under way: in public, sealed, and known to the gm alone.

Ids and texts of what only the gm knows hold `zz`; texts of what is sealed hold `yy` and the sealed thing's id.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any

from dreadclock_server.core.room import Room
from kit.scripts import LEDGER
from kit.tables import ANN, BO, Table

Fields = dict[str, Any]

GM_ONLY = "zz"
SEALED = ("yy-gas", "yy-tide", "yy-heist")  # yy and the id of the sealed thing


@cache
def open_evening() -> Room:
    """Everyone knows of everything, but for what is sealed."""
    return prepared([*_public(), *_sealed()])


@cache
def secret_evening() -> Room:
    """The same, with things beside it that only the gm knows."""
    return prepared([*_public(), *_sealed(), *_hidden()])


@cache
def sealed_evening(pool: int, speed: str, size: int, difficulty: str, faces: int) -> Room:
    """The open evening with these numbers behind its seals."""
    return prepared([*_public(), *_sealed(pool, speed, size, difficulty, faces)])


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
        {"type": "add_character", "id": "ada", "name": "Ada", "owner": ANN.seat_id},
        {"type": "add_character", "id": "bea", "name": "Bea", "owner": BO.seat_id},
        _countdown("fever", owner=ANN.seat_id),
        _countdown("calm", owner=ANN.seat_id),
        {"type": "stabilize_countdown", "countdown_id": "calm"},
        {"type": "start_clock", "id": "guards", "name": "Guards", "size": 4, "owner": ANN.seat_id},
        {"type": "open_scene", "id": "bomb", "name": "Bomb", "clock": 3},
        _situation("run", "bomb"),
        _situation("talk", "bomb", kind="standard", content="social"),
        _challenge("door", "run", clock=2),
        _challenge("turret", "run", kind="foe"),
        {"type": "attempt_effort", "id": "kick", "challenge_id": "door"},
        {"type": "roll_dice", "id": "fate", "pool": 2},
    ]


def _sealed(
    pool: int = 4, speed: str = "slow", size: int = 4, difficulty: str = "hard", faces: int = 2
) -> list[Fields]:
    return [
        {**_countdown("gas", "yy-gas", pool=pool, speed=speed, visibility="sealed"), "name": "Gas"},
        {"type": "start_clock", "id": "tide", "name": "Tide", "size": size, "visibility": "sealed"},
        {"type": "open_scene", "id": "heist", "name": "Heist", "clock": size, "visibility": "sealed"},
        _situation("gm-yy-heist-in", "heist", "yy-heist", clock=size, difficulty=difficulty),
        _challenge("gm-yy-heist-safe", "gm-yy-heist-in", "yy-heist", clock=size),
        {"type": "roll_dice", "pool": faces, "visibility": "sealed"},
    ]


def _hidden() -> list[Fields]:
    return [
        _countdown("gm-zz-mole", "zz", visibility="gm"),
        {"type": "start_clock", "id": "gm-zz-moon", "name": "Moon zz", "size": 4, "visibility": "gm"},
        {"type": "open_scene", "id": "gm-zz-den", "name": "Den zz", "clock": 3, "visibility": "gm"},
        _situation("gm-zz-dig", "gm-zz-den", "zz"),
        _challenge("gm-zz-rock", "gm-zz-dig", "zz"),
        {"type": "roll_dice", "id": "gm-zz-luck", "pool": 2, "visibility": "gm"},
    ]
