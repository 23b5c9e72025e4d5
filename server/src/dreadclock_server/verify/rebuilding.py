"""What all commands are rebuilt with: the record that tells of one, and what is known by then."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from dreadclock.wire import commands as c
from dreadclock.wire import events as e
from dreadclock.wire.base import DiceToken, Faces, Id
from dreadclock.wire.families.consequences import NewEffect
from dreadclock.wire.ids import is_server_made
from dreadclock.wire.records import Record
from dreadclock.wire.things import Effect
from dreadclock.wire.views import View
from dreadclock_server.core.decide import InternalCommand
from dreadclock_server.verify.log_index import LogIndex

Command = c.Command | InternalCommand
Said = dict[str, Any]  # fields of a command
MOST_SEQ = 2**53
BROKEN = (LookupError, ValueError, TypeError, AttributeError, AssertionError, ArithmeticError, RuntimeError)
"""What is raised over a record that speaks of what is not there, or tells of what cannot be."""
MOST_BEFORE = 24  # records that may go before the one that tells of a command


class Case(NamedTuple):
    """A record that may tell of a command, and what is known then; `start` is where the command begins."""

    log: LogIndex
    start: int
    place: int
    view: View

    @property
    def record(self) -> Record:
        """The record that may tell of it."""
        return self.log.records[self.place]

    def ahead(self, *types: type[e.EventBase]) -> Any:
        """Return the first event of these types that may be of the command; None if there is none."""
        record = self.log.ahead(self.start, *types)
        return record.event if record is not None else None

    def all_ahead(self, sort: type[e.EventBase]) -> list[Any]:
        """Return all events of a type that may be of the command."""
        return [each.event for each in self.log.all_ahead(self.start, sort)]

    def thing(self, family: str, thing_id: Id | None) -> Any:
        """Return a thing as it was before the command. Raises LookupError if there is none."""
        found = getattr(self.view, family).get(thing_id)
        if found is None:
            raise LookupError(f"there is no {family[:-1]} {thing_id}")
        return found

    def dice(self, faces: Faces = (), *, physical: bool = False) -> Said:
        """Return what a command says of its dice: the token that it showed, and what real dice showed."""
        proof = self.log.first_proof(self.start)
        token = None
        if proof is not None and proof.token is not None:
            token = DiceToken(lane=proof.lane, n=proof.n, token=proof.token, seen=MOST_SEQ)
        return {"dice": token, "faces": faces if physical else None}


Maker = Callable[[Case, Any], Iterable[Command]]
"""Gives the commands that may have brought an event about; the one that brings about most comes first."""


def same(command: type[Any], told: str = "") -> Maker:
    """Return what makes a command that says what its event does; `told` lists the fields."""

    def make(case: Case, event: Any) -> Iterator[Command]:
        yield command(**{name: getattr(event, name) for name in told.split()})

    return make


def chosen(thing_id: Id) -> Id | None:
    """Return the id that a command gave to a thing; None if the server made it."""
    return None if is_server_made(thing_id) else thing_id


def score_of(attribute: str | None, score: int) -> Said:
    """Return how a command says a score: by the name of its attribute, if it has one."""
    return {"attribute": attribute} if attribute is not None else {"score": score}


def new_effects(effects: Iterable[Effect]) -> tuple[NewEffect, ...]:
    """Return effects as a command gives them."""
    return tuple(
        NewEffect(
            **{
                **dict(each),
                "countdown": each.countdown and c.CountdownToStart(**dict(each.countdown)),
                "do": each.do and new_effects(each.do),
            }
        )
        for each in effects
    )
