"""Helpers for rebuilding commands: the record of a command, and the state before it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from typing import Any, NamedTuple

from dreadclock.dice.rolled import rolled
from dreadclock.wire import commands as c
from dreadclock.wire import events as e
from dreadclock.wire.base import MOST_SEQ, DiceToken, Id
from dreadclock.wire.families.consequences import NewEffect
from dreadclock.wire.ids import is_server_made
from dreadclock.wire.records import Record
from dreadclock.wire.things import Countdown, Effect, NewCountdown
from dreadclock.wire.views import View
from dreadclock_server.core.decide import InternalCommand
from dreadclock_server.evening.verify.log_index import LogIndex

Command = c.Command | InternalCommand
Said = dict[str, Any]  # fields of a command by name
BROKEN = (LookupError, ValueError, TypeError, AttributeError, AssertionError, ArithmeticError, RuntimeError)
"""The exceptions that a forged record may cause, if it names a missing thing or describes something impossible."""
MOST_BEFORE = 24  # how many records of a command may precede the record from which the command is rebuilt


class Case(NamedTuple):
    """A record from which a command may be rebuilt, with the view before the command.

    The command's records begin at `start`.
    """

    log: LogIndex
    start: int
    place: int
    view: View

    @property
    def record(self) -> Record:
        """The record from which the command may be rebuilt."""
        return self.log.records[self.place]

    def ahead(self, *types: type[e.EventBase]) -> Any:
        """Return the first event of these types that may belong to the command; None if there is none."""
        record = self.log.ahead(self.start, *types)
        return record.event if record is not None else None

    def all_ahead(self, sort: type[e.EventBase]) -> list[Any]:
        """Return all events of a type that may belong to the command."""
        return [record.event for record in self.log.all_ahead(self.start, sort)]

    def thing(self, family: str, thing_id: Id | None) -> Any:
        """Return a thing as it was before the command. Raises LookupError if there is none."""
        before = getattr(self.view, family).get(thing_id)
        if before is None:
            raise LookupError(f"there is no {family[:-1]} {thing_id}")
        return before

    def dice(self) -> Said:
        """Return two fields of a command: `dice`, the client's part of a roll, and `faces` if the dice are physical."""
        proof, roll = self.log.first_proof(self.start), rolled(self.record.event)
        token = None
        if proof is not None and proof.token is not None:
            token = DiceToken(lane=proof.lane, n=proof.n, token=proof.token, seen=MOST_SEQ)
        return {"dice": token, "faces": roll.faces if roll is not None and roll.physical else None}


Maker = Callable[[Case, Any], Iterable[Command]]
"""Yields the commands that may have caused an event. A command that leads to more events comes earlier."""


_NOT_TOLD = frozenset(("type", "note", "act_for"))


def same(command: type[c.CommandBase], thing: str = "", **others: str | Callable[[Any], object]) -> Maker:
    """Return a Maker for a command. The Maker copies each field of the command from the event's field of the same name.

    `thing`: the event's field that contains the fields to copy; by default, the event itself. `others`: for each field
    that is not copied, a path from the event to the value, or a function of the event.
    """
    getters = {name: attrgetter(path) if isinstance(path, str) else path for name, path in others.items()}
    is_roll = issubclass(command, c.RollingCommand)
    own = command.model_fields.keys() - _NOT_TOLD - others.keys() - ({"dice", "faces"} if is_roll else set())

    def make(case: Case, event: Any) -> Iterator[Any]:
        source = getattr(event, thing) if thing else event
        said = {name: getattr(source, name) for name in own if hasattr(source, name)}
        if "id" in said:
            said["id"] = chosen(said["id"])
        said |= {name: getter(event) for name, getter in getters.items()} | (case.dice() if is_roll else {})
        yield command(**said)

    return make


def chosen(thing_id: Id) -> Id | None:
    """Return the id of a thing if the command chose it; None if the server made the id."""
    return None if is_server_made(thing_id) else thing_id


def new_countdown(countdown: Countdown) -> Said:
    """Return the fields of a command that starts this countdown."""
    said: Said = {name: getattr(countdown, name) for name in NewCountdown.model_fields}
    return {**said, "id": chosen(countdown.id), "pool": None if countdown.from_attribute else countdown.pool}


def score_of(attribute: str | None, score: int) -> Said:
    """Return the field of a command for a score: `attribute` if the score comes from an attribute, else `score`."""
    return {"attribute": attribute} if attribute is not None else {"score": score}


def new_effects(effects: Iterable[Effect]) -> tuple[NewEffect, ...]:
    """Convert stored effects into the form that commands have."""
    return tuple(
        NewEffect(
            **{
                **dict(effect),
                "countdown": effect.countdown and c.CountdownToStart(**dict(effect.countdown)),
                "do": effect.do and new_effects(effect.do),
            }
        )
        for effect in effects
    )
