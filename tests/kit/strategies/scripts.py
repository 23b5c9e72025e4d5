"""Random evenings: scripts of commands from several seats, plausible and implausible, and what became of them.

All of a script is one draw of bytes: a seed, and a byte for each step, which is given if its byte is large. So
hypothesis shrinks a script by leaving out steps, and never makes one of the steps of another, of which it would
otherwise make most.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from hypothesis import strategies as st

from dreadclock.wire.base import Channel, Scope
from dreadclock.wire.commands import Command
from dreadclock.wire.errors import Refused
from dreadclock_server.core.decide import Decision, decide
from dreadclock_server.core.draft import Actor, Dice, Draft
from dreadclock_server.core.room import Room, Written
from dreadclock_server.dice import Ledger
from kit.strategies.orders import BUILDERS, random_order
from kit.strategies.picks import Picks
from kit.strategies.roll_orders import ROLL_BUILDERS
from kit.tables import ANN, BO, BOT, CLERK, GM, ORACLE, ROOM, WATCHER, read_command

LEDGER = Ledger(ROOM, bytes(32))
BARD = Actor(CLERK.seat_id, CLERK.role, (Scope.NARRATE, Scope.SECRETS))
SEATS = (*(GM,) * 12, ANN, ANN, ANN, BO, CLERK, ORACLE, WATCHER, BOT, BARD)
OUTSIDERS = (ANN, ANN, BO, CLERK, WATCHER, BOT)  # who see no secrets
_SEED = 4  # bytes

RARE = (
    "close_room",
    "reopen_room",
    "take_out_of_play",
    "leave_seat",
    "remove_seat",
    "open_lane",
    "end_scene",
    "set_scene_aside",
    "cancel",
    "resolve_situation",
    "fail_situation",
)
GOING_BACK = "void_command"  # left out of scripts: they look at how a room goes on
GOING_ON = tuple(kind for kind in BUILDERS if kind != GOING_BACK)
OFTEN = tuple(kind for kind in GOING_ON if kind not in RARE) * 4 + tuple(ROLL_BUILDERS) * 4 + RARE


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


@st.composite
def chances(draw: st.DrawFn, most: int, given: int = 128) -> tuple[Random, list[bool]]:
    """Draw where chance comes from, and which of `most` steps are given: `given` of 256 on average."""
    raw = draw(st.binary(min_size=_SEED + most, max_size=_SEED + most))
    return Random(raw[:_SEED]), [byte >= 256 - given for byte in raw[_SEED:]]


@st.composite
def scripts(draw: st.DrawFn, *, seats: Sequence[Actor] = SEATS, kinds: Sequence[str] = OFTEN, most: int = 20) -> Script:
    """Make a script of up to `most` steps, of which each is as likely given as left out."""
    chance, given = draw(chances(most))
    steps = [_step(place, chance.getrandbits(80), seats, kinds) for place in range(most)]
    return [step for step, is_given in zip(steps, given, strict=True) if is_given]


def _step(place: int, number: int, seats: Sequence[Actor], kinds: Sequence[str]) -> Step:
    picks = Picks(number)
    by, kind = picks.one(seats), picks.one(kinds)
    return Step(place, by, read_command(random_order(kind, picks)))


def time_and_id(step: Step) -> tuple[int, str]:
    """Return when a step happens, in ms, and the random part of the ids that it makes."""
    return 2_000 + step.place, f"{step.place + 1:012x}"


def play(
    room: Room, script: Iterable[Step], dice: Dice = LEDGER, new_draft: Callable[..., Draft] = Draft
) -> list[Outcome]:
    """Play a script in a room, with the ledger's dice unless others are given."""
    outcomes: list[Outcome] = []
    for step in script:
        before = outcomes[-1].room if outcomes else room
        outcomes.append(_play(before, step, dice, new_draft))
    return outcomes


def _play(room: Room, step: Step, dice: Dice, new_draft: Callable[..., Draft]) -> Outcome:
    now_ms, random_part = time_and_id(step)
    given: Any = {"by": step.by, "dice": dice, "now_ms": now_ms, "fresh": lambda: random_part, "new_draft": new_draft}
    try:
        decision = decide(room, step.command, **given)
    except Refused as refused:
        return Outcome(step, room, None, refused)
    return Outcome(step, room, decision, None)
