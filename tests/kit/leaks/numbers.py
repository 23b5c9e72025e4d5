"""An evening whose sealed things have numbers to choose: what everyone else is sent may not depend on them.

The numbers are such that nothing sealed comes to its end in the evening, and no total tells more than it must.
"""

import random
from dataclasses import dataclass

from kit.leaks.book import Fields
from kit.leaks.outsiders import GUESSES, about
from kit.leaks.public import Wish, setting
from kit.leaks.twins import Twin

SEALED = ("gas", "tide", "moon", "heist", "parley", "vault", "lot", "gm-mole", "gm-in", "gm-safe", "gm-pact")
# So often at most: more could take something sealed to its end.
_MOST = {"end_turn": 3, "replenish_countdown": 3, "end_round": 6, "attempt_effort": 9}
_ONCE = ("amend_clock", "offer_push", "push_luck", "stop_pushing", "roll_check")


@dataclass(frozen=True)
class Numbers:
    """The numbers behind the seals."""

    pool: int
    speed: str
    stage: int
    size: int
    difficulty: str
    faces: int
    score: int
    out_of_reach: int
    within_reach: int


FEW = Numbers(40, "slow", 36, 50, "hard", 1, 1, 22, 1)
MANY = Numbers(57, "medium", 3, 99, "easy", 9, 6, 77, 2)


def sealed(numbers: Numbers) -> list[Fields]:
    """Return the gm's commands that begin a sealed thing of every sort, and totals with secret numbers."""
    size, hidden = numbers.size, {"visibility": "sealed"}
    pool = {"pool": numbers.pool, "speed": numbers.speed, "stages": [{"at": numbers.stage, "effect": "Cough."}]}
    may = {"stabilizable": True, "replenishable": True, "bound_to": "turn"}
    return [
        {"type": "start_countdown", "id": "gas", "name": "Gas", **pool, **may, **hidden},
        {"type": "start_countdown", "id": "gm-mole", "name": "Mole", **pool, **may, "visibility": "gm"},
        {"type": "start_clock", "id": "tide", "name": "Tide", "size": size, **hidden},
        {"type": "start_clock", "id": "moon", "name": "Moon", "size": size, "direction": "up", **hidden},
        {"type": "open_scene", "id": "heist", "name": "Heist", "clock": size, **hidden},
        *_situations(numbers),
        {"type": "roll_dice", "id": "lot", "pool": numbers.faces, **hidden},
        *_check(numbers),
        *_total("leap", numbers.out_of_reach, [1, 1]),
        *_total("swim", numbers.out_of_reach, [2, 4]),
        *_total("jump", numbers.within_reach, [3, 6]),
    ]


def _situations(numbers: Numbers) -> list[Fields]:
    race = {"scene_id": "heist", "kind": "race", "level": 9, "difficulty": numbers.difficulty}
    plot = {"scene_id": "bomb", "kind": "standard", "visibility": "sealed"}
    shape = {"content": "social", "clock": numbers.size}
    challenge = {"type": "add_challenge", "name": "C", "clock": numbers.size}
    return [
        {"type": "start_situation", "id": "gm-in", "name": "In", **race, **shape},
        {**challenge, "id": "gm-safe", "situation_id": "gm-in", "kind": "barrier"},
        {"type": "start_situation", "id": "parley", "name": "Parley", **plot, **shape},
        {**challenge, "id": "gm-pact", "situation_id": "parley", "kind": "foe"},
    ]


def _check(numbers: Numbers) -> list[Fields]:
    about = {"score": numbers.score, "bonus": numbers.faces, "effort": {"challenge_id": "gm-safe"}}
    return [
        {"type": "propose_check", "id": "vault", "character_id": "foe", "visibility": "sealed", **about},
        {"type": "oppose_check", "check_id": "vault", "character_id": "ada", "score": numbers.faces},
    ]


def _total(total_id: str, required: int, faces: list[int]) -> list[Fields]:
    """Roll a total and name its secret number: before the roll, or, with a 1 in it, after."""
    roll = {"type": "roll_total", "total_id": total_id, "faces": faces}
    number = {"type": "set_required", "total_id": total_id, "required": required, "secret": True}
    first, then = (roll, number) if 1 in faces else (number, roll)
    proposal = {"type": "propose_total", "id": total_id, "character_id": "bea", "attribute": len(faces)}
    return [proposal, first, then]


TURNS: tuple[Wish, ...] = (
    *(("gm", {"type": "roll_countdown", "countdown_id": each}) for each in ("gas", "gm-mole")),
    ("gm", {"type": "end_turn"}),
    ("timer", {"type": "end_turn"}),
    *(("gm", {"type": f"{verb}_countdown", "countdown_id": "gas"}) for verb in ("stabilize", "resume")),
    ("gm", {"type": "replenish_countdown", "countdown_id": "gas", "dice": 1}),
    *(("gm", {"type": "tick_clock", "clock_id": each}) for each in ("tide", "moon")),
    ("gm", {"type": "amend_clock", "clock_id": "tide", "value": 25, "reason": "A slip."}),
    *(("gm", {"type": verb, "scene_id": "heist"}) for verb in ("travel", "rest")),
    ("gm", {"type": "end_round", "situation_id": "gm-in"}),
    ("gm", {"type": "attempt_effort", "challenge_id": "gm-safe", "success": True}),
    ("gm", {"type": "attempt_effort", "challenge_id": "gm-pact", "success": False}),
    ("gm", {"type": "introduce_complication", "situation_id": "run", "text": "Fog."}),
    ("gm", {"type": "adjust_check", "check_id": "vault", "stunts": ["Slide."]}),
    ("gm", {"type": "roll_check", "check_id": "vault", "character_id": "foe"}),
    ("gm", {"type": "offer_push", "total_id": "swim", "crisis": "mental"}),
    ("ben", {"type": "push_luck", "total_id": "swim", "faces": [5]}),
    ("ben", {"type": "stop_pushing", "total_id": "leap"}),
    ("ann", {"type": "roll_dice", "pool": 3}),
    ("ann", {"type": "attempt_effort", "challenge_id": "door", "character_id": "ada"}),
    ("ben", {"type": "propose_check", "character_id": "bea", "score": 2}),
)


def script(seed: int, steps: int) -> list[Wish]:
    """Return what happens after the beginning, and what outsiders try."""
    chance = random.Random(seed)
    wishes: list[Wish] = []
    for _ in range(steps):
        wish = chance.choice(TURNS)
        kind = wish[1]["type"]
        if sum(each["type"] == kind for _, each in wishes) < (1 if kind in _ONCE else _MOST.get(kind, steps)):
            wishes.append(wish)
        command, thing_id = chance.choice(GUESSES), chance.choice(SEALED)
        wishes.append((chance.choice(("ann", "eve", "bot")), about(command, thing_id)))
    return wishes


async def play(twin: Twin, numbers: Numbers, wishes: list[Wish]) -> None:
    """Play the evening with these numbers."""
    for fields in (*setting(twin.seats), *sealed(numbers)):
        reply = await twin.do(("gm", fields))
        assert reply["type"] == "ack", (fields, reply)
    for place, wish in enumerate(wishes):
        await twin.do(wish)
        if place % 10 == 9:
            name = ("ann", "ben", "eve", "bot", "timer")[place // 10 % 5]
            await twin.read(name)
            await twin.come_back(name, None if place % 20 == 9 else place)
    for name in twin.answers:
        await twin.read(name)
