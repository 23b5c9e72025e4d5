"""What happens at a table in front of everyone: how it begins, and random commands of those who may give them.

They are chosen from what everyone sees alone. Dice that decide something are typed in.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from dreadclock.wire.things import ChallengeStatus, CheckStatus, CountdownStatus, Part, TotalStatus
from dreadclock.wire.views import ChannelView
from kit.leaks import Fields

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
        {"type": "start_countdown", "id": "calm", "name": "Calm", "pool": 9, "owner": seats["ben"]},
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
            try:
                return self.one(WISHES)(self)
            except LookupError:
                continue


def _roll(hand: Hand) -> Wish:
    name = hand.one(("gm", "ann", "ben"))
    return name, {"type": "roll_dice", "pool": hand.one((1, 3)), "note": "Look!"}


def _countdown(hand: Hand) -> Wish:
    calm = hand.part.countdowns["calm"]
    faces = [hand.chance.randint(1, 5) for _ in range(calm.pool)]
    if calm.status is not CountdownStatus.RUNNING:
        raise LookupError("calm")
    return hand.one(("ben", "ben", "ann")), {"type": "roll_countdown", "countdown_id": "calm", "faces": faces}


def _start(hand: Hand) -> Wish:
    countdown: Fields = {"type": "start_countdown", "name": "Own", "pool": 2, "stages": [{"at": 1, "effect": "Cough."}]}
    clock = {"type": "start_clock", "name": "Own", "size": 3}
    return hand.one(("ann", "ben", "eve")), hand.one((countdown, clock))


def _tick(hand: Hand) -> Wish:
    return hand.one(("ann", "gm", "eve")), {"type": "tick_clock", "clock_id": "guards", "by": 1}


def _check(hand: Hand) -> Wish:
    one = hand.one(tuple(OWNERS))
    effort = hand.one((None, {"challenge_id": "door"}))
    fields = {"character_id": one, "score": hand.one((1, 1, 2)), **({"effort": effort} if effort else {})}
    return OWNERS[one], {"type": "propose_check", **fields, "purpose": "To see."}


def _check_rolled(hand: Hand) -> Wish:
    unrolled: list[tuple[str, Part]] = [
        (check.id, part)
        for check in hand.part.checks.values()
        if check.status in (CheckStatus.READY, CheckStatus.ROLLING)
        for part in check.parts
        if part.roll is None
    ]
    check_id, part = hand.one(unrolled)
    faces = hand.one(([1], [4], [6, 6, 2, 2], [2, 3]))
    fields = {"check_id": check_id, "character_id": part.character_id, "faces": faces}
    return OWNERS[part.character_id], {"type": "roll_check", **fields}


def _total(hand: Hand) -> Wish:
    one = hand.one(tuple(OWNERS))
    return OWNERS[one], {"type": "propose_total", "character_id": one, "attribute": hand.one((1, 2, "Agility"))}


def _total_goes_on(hand: Hand) -> Wish:
    waiting = [
        each for each in hand.part.totals.values() if each.status not in (TotalStatus.SUCCEEDED, TotalStatus.FAILED)
    ]
    total = hand.one(waiting)
    owner, about = OWNERS[total.character_id], {"total_id": total.id}
    if total.status is TotalStatus.OFFERED:
        return owner, {"type": "push_luck", **about, "faces": [hand.chance.randint(1, 6)]}
    if total.status is TotalStatus.ROLLED:
        offer = {"type": "offer_push", **about, "crisis": "mental", "description": "A scar."}
        return hand.one((("gm", offer), (owner, {"type": "stop_pushing", **about})))
    number = {"type": "set_required", **about, "required": hand.one((3, 9))}
    roll: Fields = {"type": "roll_total", **about, "faces": [4]}
    return hand.one((("gm", number), (owner, roll)))


def _effort(hand: Hand) -> Wish:
    found = [each.id for each in hand.part.challenges.values() if each.status is ChallengeStatus.OPEN]
    return hand.one(("ann", "ben")), {"type": "attempt_effort", "challenge_id": hand.one(found)}


def _ruling(hand: Hand) -> Wish:
    waiting = hand.one(list(hand.part.efforts))
    return "gm", {"type": "rule_effort", "effort_id": waiting, "success": hand.one((True, False))}


def _time(hand: Hand) -> Wish:
    name = hand.one(("gm", "timer"))
    ends: tuple[Fields, ...] = (
        {"type": "end_turn", "note": "Dusk falls."},
        {"type": "end_turn"},
        {"type": "end_round", "situation_id": "run"},
    )
    return name, hand.one(ends)


def _scene(hand: Hand) -> Wish:
    return "gm", {"type": hand.one(("travel", "rest")), "scene_id": "bomb", "note": "On and on."}


def _told(hand: Hand) -> Wish:
    return "gm", {"type": "introduce_complication", "situation_id": "run", "text": "Fog."}


WISHES: tuple[Callable[[Hand], Wish], ...] = (
    *(_roll, _countdown, _start, _tick, _check, _check_rolled, _check_rolled, _total, _total_goes_on, _total_goes_on),
    *(_effort, _ruling, _time, _time, _scene, _told),
)


def with_enough_dice(wish: Wish, reply: Fields, chance: random.Random) -> Wish | None:
    """Type in as many dice as a refusal says that it takes; none of them asks for more."""
    if reply["type"] != "refused" or reply["code"] != "wrong_faces":
        return None
    return wish[0], {**wish[1], "faces": [chance.randint(2, 5) for _ in range(reply["details"]["needed"])]}
