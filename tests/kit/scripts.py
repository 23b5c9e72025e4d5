"""Random evenings: scripts of commands from several seats, plausible and implausible, and what became of them.

A command is made from one whole number, so that a script costs hypothesis few draws and shrinks with its numbers.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from hypothesis import strategies as st

from dreadclock.wire.base import Channel
from dreadclock.wire.commands import Command
from dreadclock.wire.errors import Refused
from dreadclock_server.core.decide import Decision, decide
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.room import Room, Written
from dreadclock_server.dice import Ledger
from kit.tables import ANN, BO, BOT, CLERK, GM, ORACLE, ROOM, WATCHER, read_command

Fields = dict[str, Any]
_Option = TypeVar("_Option")

LEDGER = Ledger(ROOM, bytes(32))
SEATS = (*(GM,) * 12, ANN, ANN, ANN, BO, CLERK, ORACLE, WATCHER, BOT)
OUTSIDERS = (ANN, ANN, BO, CLERK, WATCHER, BOT)  # who see no secrets

COUNTDOWNS = ("fever", "calm", "gas", "gm-zz-mole", "countdown-1", "ghost")
SCENES = ("bomb", "heist", "gm-zz-den", "scene-1")
SITUATIONS = ("run", "talk", "gm-yy-heist-in", "gm-zz-dig", "situation-1")
CHALLENGES = ("door", "turret", "gm-yy-heist-safe", "gm-zz-rock", "challenge-1")
EFFORTS = ("kick", "effort-1", "effort-2", "gm-effort-000000000001", "gm-effort-000000000002")
CLOCKS = (
    "guards",
    "tide",
    "gm-zz-moon",
    "bomb-clock",
    "bomb-threat",
    "run-clock",
    "door-clock",
    "heist-clock",
    "heist-threat",
)
ROLLS = ("fate", "roll-1", "gm-zz-luck")
CHARACTERS = ("ada", "bea", "character-1", "ghost")
IDS = ("x", "y", "z", "fever", "bomb")


class Picks:
    """Choices read off one whole number."""

    def __init__(self, number: int) -> None:
        self._left = number

    def one(self, options: Sequence[_Option]) -> _Option:
        """Choose one of these."""
        self._left, place = divmod(self._left, len(options))
        return options[place]

    def often(self, value: _Option, otherwise: _Option) -> _Option:
        """Choose mostly `value`."""
        return self.one((value, value, value, otherwise))

    def new_id(self, *, hidden: bool) -> str | None:
        """Choose an id for a new thing, which may be taken or have the wrong form; mostly none."""
        chosen = self.one((None, None, self.one(IDS)))
        return chosen if chosen is None or self.one((True,) * 7 + (False,)) is not hidden else f"gm-{chosen}"


def _countdown(p: Picks) -> Fields:
    visibility = p.one(("public", "public", "sealed", "gm"))
    return {
        "id": p.new_id(hidden=visibility == "gm"),
        "name": "Doom",
        "pool": p.one((1, 2, 4, 60)),
        "speed": p.one(("slow", "fast")),
        "stages": p.one(([], [{"at": 1, "effect": "rash"}, {"at": 3, "effect": "itch"}])),
        "owner": p.one((None, None, ANN.seat_id, "player-9")),
        "stabilizable": p.one((True, False)),
        "replenishable": p.one((True, False)),
        "bound_to": p.one(("turn", "nothing")),
        "visibility": visibility,
    }


def _scene(p: Picks) -> Fields:
    visibility = p.one(("public", "public", "sealed", "gm"))
    return {"id": p.new_id(hidden=visibility == "gm"), "name": "S", "clock": p.one((1, 2, 8)), "visibility": visibility}


def _situation(p: Picks) -> Fields:
    scene = p.one(SCENES)
    return {
        "scene_id": scene,
        "id": p.new_id(hidden=scene != "bomb"),
        "name": "R",
        "kind": p.one(("race", "standard")),
        "content": "social",
        "clock": p.one((1, 2)),
        "level": p.one((1, 9, None)),
        "difficulty": p.one(("hard", None)),
    }


def _challenge(p: Picks) -> Fields:
    situation = p.one(SITUATIONS)
    kind = p.one(("barrier", "foe"))
    return {"situation_id": situation, "id": p.new_id(hidden=situation[:3] == "gm-"), "name": "D", "kind": kind}


def _effort(p: Picks) -> Fields:
    challenge = p.one(CHALLENGES)
    return {
        "challenge_id": challenge,
        "success": p.one((None, None, True, False)),
        "amount": p.one((1, 9)),
        "character_id": p.one((None, None, p.one(CHARACTERS))),
        "id": p.new_id(hidden=challenge[:3] == "gm-"),
    }


def _complication(p: Picks) -> Fields:
    return {
        "situation_id": p.one(SITUATIONS),
        "text": "Fog.",
        "clock": p.one((None, {"clock_id": p.one(CLOCKS), "by": p.one((1, 9, 99, -1))})),
        "countdown": p.one((None, None, _countdown(p))),
    }


def _clock(p: Picks) -> Fields:
    visibility = p.one(("public", "sealed", "gm"))
    return {
        "id": p.new_id(hidden=visibility == "gm"),
        "name": "C",
        "size": p.one((1, 6)),
        "direction": p.one(("down", "up")),
        "visibility": visibility,
    }


def _roll(p: Picks) -> Fields:
    visibility = p.one(("public", "public", "sealed", "gm"))
    return {
        "id": p.new_id(hidden=visibility == "gm"),
        "pool": p.one((1, 3)),
        "character_id": p.one((None, None, p.one(CHARACTERS))),
        "faces": p.often(None, [1, 2, 6]),
        "visibility": visibility,
    }


BUILDERS: dict[str, Callable[[Picks], Fields]] = {
    "set_policy": lambda p: {"physical_dice": p.one(("off", "gm", "everyone", None))},
    "rename_seat": lambda p: {"seat_id": p.one((ANN.seat_id, BO.seat_id, "ghost")), "name": "Renamed"},
    "remove_seat": lambda p: {"seat_id": p.often("ghost", BO.seat_id)},
    "leave_seat": lambda p: {},
    "close_room": lambda p: {},
    "add_character": lambda p: {"id": p.new_id(hidden=False), "name": "Cy", "owner": p.one((None, ANN.seat_id))},
    "update_character": lambda p: {"character_id": p.one(CHARACTERS), **p.one(({}, {"name": "Di"}, {"level": 3}))},
    "roll_dice": _roll,
    "reveal": lambda p: {"thing_id": p.one((*COUNTDOWNS, *SCENES, *CLOCKS, *ROLLS))},
    "open_lane": lambda p: {"anchor": "A" * 43},
    "start_countdown": _countdown,
    "roll_countdown": lambda p: {"countdown_id": p.one(COUNTDOWNS), "faces": p.often(None, [6, 6, 6, 6])},
    "stabilize_countdown": lambda p: {"countdown_id": p.one(COUNTDOWNS)},
    "resume_countdown": lambda p: {"countdown_id": p.one(COUNTDOWNS)},
    "replenish_countdown": lambda p: {"countdown_id": p.one(COUNTDOWNS), "dice": p.one((1, 3, 60))},
    "cancel_countdown": lambda p: {"countdown_id": p.one(COUNTDOWNS)},
    "end_turn": lambda p: {"note": p.one((None, "tick"))},
    "open_scene": _scene,
    "start_situation": _situation,
    "add_challenge": _challenge,
    "attempt_effort": _effort,
    "rule_effort": lambda p: {"effort_id": p.one(EFFORTS), "success": p.one((True, False)), "amount": p.one((1, 9))},
    "overcome_challenge": lambda p: {"challenge_id": p.one(CHALLENGES)},
    "resolve_situation": lambda p: {"situation_id": p.one(SITUATIONS), "how": "They talk."},
    "fail_situation": lambda p: {"situation_id": p.one(SITUATIONS), "reason": p.one(("defeated", "retreated"))},
    "end_round": lambda p: {"situation_id": p.one(SITUATIONS)},
    "travel": lambda p: {"scene_id": p.one(SCENES)},
    "rest": lambda p: {"scene_id": p.one(SCENES)},
    "end_scene": lambda p: {"scene_id": p.one(SCENES)},
    "introduce_complication": _complication,
    "start_clock": _clock,
    "tick_clock": lambda p: {"clock_id": p.one(CLOCKS), "by": p.one((1, 2, 99))},
    "amend_clock": lambda p: {"clock_id": p.one(CLOCKS), "value": p.one((0, 1, 3, 8)), "reason": "a slip"},
    "cancel": lambda p: {"thing_id": p.one((*SCENES, *SITUATIONS, *CHALLENGES, *CLOCKS)), "reason": "a slip"},
}
RARE = (
    "close_room",
    "leave_seat",
    "remove_seat",
    "open_lane",
    "end_scene",
    "cancel",
    "resolve_situation",
    "fail_situation",
)
OFTEN = tuple(kind for kind in BUILDERS if kind not in RARE) * 4 + RARE


@dataclass(frozen=True)
class Step:
    """One command of a script, by the seat that gives it; its time and the ids it makes come from `place`."""

    place: int
    by: Actor
    command: Command

    @property
    def type(self) -> str:
        """The command's type."""
        return self.command.type


@dataclass(frozen=True)
class Outcome:
    """What became of a step."""

    step: Step
    before: Room
    decision: Decision | None
    refused: Refused | None

    @property
    def room(self) -> Room:
        """The room after the step."""
        return self.decision.room if self.decision is not None else self.before

    @property
    def written(self) -> list[Written]:
        """The records of the step."""
        return self.decision.written if self.decision is not None else []

    def public(self) -> list[str]:
        """The texts of its public records."""
        return [each.text for each in self.written if each.record.channel is Channel.PUBLIC]


Script = list[Step]


def scripts(
    *, seats: Sequence[Actor] = SEATS, kinds: Sequence[str] = OFTEN, most: int = 20
) -> st.SearchStrategy[Script]:
    """Make scripts of up to `most` steps."""
    numbers = st.lists(st.integers(0, 1 << 50), max_size=most)
    return numbers.map(lambda chosen: [_step(place, number, seats, kinds) for place, number in enumerate(chosen)])


def _step(place: int, number: int, seats: Sequence[Actor], kinds: Sequence[str]) -> Step:
    picks = Picks(number)
    by, kind = picks.one(seats), picks.one(kinds)
    fields = {name: value for name, value in BUILDERS[kind](picks).items() if value is not None}
    return Step(place, by, read_command({"type": kind, **fields}))


def play(room: Room, script: Iterable[Step]) -> list[Outcome]:
    """Play a script in a room, with the ledger's dice."""
    outcomes: list[Outcome] = []
    for step in script:
        before = outcomes[-1].room if outcomes else room
        outcomes.append(_play(before, step))
    return outcomes


def _play(room: Room, step: Step) -> Outcome:
    def fresh() -> str:
        return f"{step.place + 1:012x}"

    try:
        now_ms = 2_000 + step.place
        decision = decide(room, step.command, by=step.by, dice=LEDGER, now_ms=now_ms, fresh=fresh)
    except Refused as refused:
        return Outcome(step, room, None, refused)
    return Outcome(step, room, decision, None)
