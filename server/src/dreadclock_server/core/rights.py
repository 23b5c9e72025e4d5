"""Whom a command is open to: what the families' tables `RIGHTS` are made of. `access.py` joins and checks them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from dreadclock.wire.base import Id, Role, Scope


class Who(StrEnum):
    """Whom a command is open to; a gm may do all that an owner or a player may."""

    GM = "the gm"
    OWNER = "the owner"
    PLAYER = "a player"
    TURNS = "an integration that may end turns"
    NARRATE = "an integration that may narrate"
    CLOCKS = "an integration that may move clocks"
    COUNTDOWNS = "an integration that may roll countdowns"
    CHARACTERS = "an integration that may write on sheets"
    ROLLS = "an integration that may roll for characters"
    ANYONE = "anyone at the table"


SCOPES = {
    Who.TURNS: Scope.TURNS,
    Who.NARRATE: Scope.NARRATE,
    Who.CLOCKS: Scope.CLOCKS,
    Who.COUNTDOWNS: Scope.COUNTDOWNS,
    Who.CHARACTERS: Scope.CHARACTERS,
    Who.ROLLS: Scope.ROLLS,
}
Find = Callable[[Any, Any], Any]
"""Returns, for a draft and a command, what the command is about. Raises Refused if the sender does not see it."""
OwnerOf = Callable[[Any, Any], Id | None]
"""Returns, for a draft and what a command is about, the seat that owns it."""


@dataclass(frozen=True, slots=True)
class Access:
    """Whom one command is open to.

    `target`: finds what the command is about, if its owner may send it. It is looked up once: the command's decider
    gets it as a third argument.
    """

    who: frozenset[Who]
    target: Find | None = None
    owner_of: OwnerOf | None = None

    @property
    def allowed(self) -> str:
        """Name those whom the command is open to."""
        return " or ".join(who for who in Who if who in self.who)

    def allowed_for(self, role: Role) -> str:
        """Return who may send the command, for a refusal to this role. Only integrations are told scopes."""
        return " or ".join(who for who in Who if who in self.who and (role is Role.INTEGRATION or who not in SCOPES))


Rights = Mapping[type, Access]


def only(*who: Who) -> Access:
    """Open a command to these."""
    return Access(frozenset(who))


def named(find: Callable[[Any, Id], Any], field: str) -> Find:
    """Return what finds the thing whose id a command has in a field; None if that is empty."""

    def target(draft: Any, command: Any) -> Any:
        thing_id = getattr(command, field)
        return None if thing_id is None else find(draft, thing_id)

    return target


def owned(target: Find, *who: Who, owner_of: OwnerOf = lambda draft, thing: thing.owner) -> Access:
    """Open a command to the gm, to the owner of what it is about, and to these."""
    return Access(frozenset((Who.GM, Who.OWNER, *who)), target, owner_of)
