"""What happens at a table in front of everyone: how it begins, and random commands of those who may give them.

They are chosen from what everyone sees alone. Dice that decide something are typed in.
"""

import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

from dreadclock.wire.views import ChannelView
from kit.leaks.book import Fields
from kit.leaks.pen import having

_Option = TypeVar("_Option")
Wish = tuple[str, Fields]  # by whom, and the command
OWNERS = {"ada": "ann", "bea": "ben", "foe": "gm"}
POLICY = {"physical_dice": "everyone", "check_approval": "open"}


def setting(seats: dict[str, str]) -> list[Fields]:
    """Return the gm's commands that put a bit of everything on the table; `seats` by name."""
    race = {"kind": "race", "content": "exploration", "clock": 5, "level": 1, "difficulty": "easy"}
    sheet = {"attributes": {"Agility": 2}, "specials": [{"name": "Climber"}], "reflex": 3}
    people = [
        {"type": "add_character", "id": one, "name": one.title(), "owner": seats[name], **sheet}
        for one, name in OWNERS.items()
    ]
    return [
        *people,
        {"type": "open_scene", "id": "bomb", "name": "Bomb", "clock": 12},
        {"type": "start_situation", "id": "run", "scene_id": "bomb", "name": "Run", **race},
        {"type": "add_challenge", "id": "door", "situation_id": "run", "name": "Door", "kind": "barrier", "clock": 9},
        {"type": "add_challenge", "id": "turret", "situation_id": "run", "name": "Turret", "kind": "foe"},
        {"type": "start_clock", "id": "guards", "name": "Guards", "size": 60, "owner": seats["ann"]},
        {"type": "start_countdown", "id": "fever", "name": "Fever", "pool": 60, "bound_to": "turn"},
        {
            "type": "start_countdown",
            "id": "calm",
            "name": "Calm",
            "pool": 9,
            "bound_to": "nothing",
            "owner": seats["ben"],
        },
        {"type": "propose_total", "character_id": "ada", "attribute": 3},
        {"type": "propose_check", "character_id": "bea", "score": 2},
    ]


@dataclass
class Hand:
    """Chooses one command from what everyone sees."""

    chance: random.Random
    part: ChannelView

    def one(self, options: Sequence[_Option]) -> _Option:
        """Choose one of these. Raises LookupError if there is none."""
        return self.chance.choice(options)

    def wish(self) -> Wish:
        """Choose who wants what."""
        while True:
            with suppress(LookupError):
                return self.one(WISHES)(self)


def _countdown(hand: Hand) -> Wish:
    calm = hand.one([each for each in having(hand.part, "countdowns", "running") if each.id == "calm"])
    faces = [hand.chance.randint(1, 5) for _ in range(calm.pool)]
    return hand.one(("ben", "ben", "ann")), {"type": "roll_countdown", "countdown_id": "calm", "faces": faces}


def _check(hand: Hand) -> Wish:
    one, effort = hand.one(tuple(OWNERS)), hand.one(({}, {"effort": {"challenge_id": "door"}}))
    fields = {"character_id": one, "score": hand.one((1, 1, 2)), **effort}
    return OWNERS[one], {"type": "propose_check", **fields, "purpose": "To see."}


def _check_rolled(hand: Hand) -> Wish:
    checks = having(hand.part, "checks", "ready", "rolling")
    check, part = hand.one([(check, part) for check in checks for part in check.parts if part.roll is None])
    faces = hand.one(([1], [4], [6, 6, 2, 2], [2, 3]))
    fields = {"check_id": check.id, "character_id": part.character_id, "faces": faces}
    return OWNERS[part.character_id], {"type": "roll_check", **fields}


def _total(hand: Hand) -> Wish:
    one = hand.one(tuple(OWNERS))
    return OWNERS[one], {"type": "propose_total", "character_id": one, "attribute": hand.one((1, 2, "Agility"))}


def _total_goes_on(hand: Hand) -> Wish:
    total = hand.one(having(hand.part, "totals", "proposed", "ready", "rolled", "offered"))
    owner, about = OWNERS[total.character_id], {"total_id": total.id}
    if total.status == "offered":
        return owner, {"type": "push_luck", **about, "faces": [hand.chance.randint(1, 6)]}
    if total.status == "rolled":
        offer = {"type": "offer_push", **about, "crisis": "mental", "description": "A scar."}
        return hand.one((("gm", offer), (owner, {"type": "stop_pushing", **about})))
    number = {"type": "set_required", **about, "required": hand.one((3, 9))}
    return hand.one((("gm", number), (owner, {"type": "roll_total", **about, "faces": [4]})))


def _effort(hand: Hand) -> Wish:
    target = hand.one(having(hand.part, "challenges", "open"))
    who = hand.one(("ada", "bea"))
    return OWNERS[who], {"type": "attempt_effort", "challenge_id": target.id, "character_id": who}


def _ruling(hand: Hand) -> Wish:
    waiting = hand.one(list(hand.part.efforts))
    return "gm", {"type": "rule_effort", "effort_id": waiting, "success": hand.one((True, False))}


def _slip(hand: Hand) -> Wish:
    seq = hand.one([record.seq for record in hand.part.recent[-6:]])
    return hand.one(("ann", "ben", "timer")), {"type": "void_command", "seq": seq, "reason": "A slip."}


def _simple(by: Sequence[str], *fields: Fields) -> Callable[[Hand], Wish]:
    """Make a wish of one of these people for one of these commands."""
    return lambda hand: (hand.one(by), hand.one(fields))


_OWN = {"type": "start_countdown", "name": "Own", "pool": 2, "bound_to": "nothing"}
_OWN |= {"stages": [{"at": 1, "effect": "Cough."}]}
_TIME = (
    {"type": "end_turn", "note": "Dusk falls."},
    {"type": "end_turn"},
    {"type": "end_round", "situation_id": "run"},
)
WISHES: tuple[Callable[[Hand], Wish], ...] = (
    *(_countdown, _check, _check_rolled, _check_rolled, _total, _total_goes_on, _total_goes_on, _effort, _ruling),
    *(_slip,) * 3,
    _simple(("gm", "ann", "ben"), *({"type": "roll_dice", "pool": pool, "note": "Look!"} for pool in (1, 3))),
    _simple(("ann", "ben", "eve"), _OWN, {"type": "start_clock", "name": "Own", "size": 3}),
    _simple(("ann", "gm", "eve"), {"type": "tick_clock", "clock_id": "guards", "by": 1}),
    *(_simple(("gm", "timer"), *_TIME),) * 2,
    _simple(("gm",), *({"type": kind, "scene_id": "bomb", "note": "On and on."} for kind in ("travel", "rest"))),
    _simple(("gm",), {"type": "introduce_complication", "situation_id": "run", "text": "Fog."}),
)


def with_enough_dice(wish: Wish, reply: Fields, chance: random.Random) -> Wish | None:
    """Type in as many dice as a refusal says that it takes; none of them asks for more."""
    if reply["type"] != "refused" or reply["code"] != "wrong_faces":
        return None
    return wish[0], {**wish[1], "faces": [chance.randint(2, 5) for _ in range(reply["details"]["needed"])]}
