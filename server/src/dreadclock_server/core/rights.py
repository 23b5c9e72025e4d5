"""The building blocks of the families' tables `RIGHTS`: who may send a command. `access.py` checks them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from dreadclock.wire.base import Id, Role, Scope


class Who(StrEnum):
    """Who may send a command. The gm has all rights of owners and players."""

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


SCOPES = {Who[scope.name]: scope for scope in Scope if scope.name in Who.__members__}
"""The scope that lets an integration send the commands of a `Who`: both have the same name."""
Find = Callable[[Any, Any], Any]
"""Takes a draft and a command, and returns the thing that the command is about. Raises Refused if the sender does
not see it.
"""
OwnerOf = Callable[[Any, Any], Id | None]
"""Takes a draft and the thing that a command is about, and returns the seat that owns the thing."""


class Access(NamedTuple):
    """Who may send a command.

    `target`: finds the thing that the command names; None if nobody's ownership counts. The thing is looked up once,
    and passed as the third argument to the function that decides the command.
    """

    who: frozenset[Who]
    target: Find | None = None
    owner_of: OwnerOf | None = None

    def allowed_for(self, role: Role) -> str:
        """Return who may send the command, as words for a refusal. Only an integration is told about integrations."""
        return " or ".join(who for who in Who if who in self.who and (role is Role.INTEGRATION or who not in SCOPES))


Rights = Mapping[type, Access]


def only(*who: Who) -> Access:
    """Return the Access for a command that only `who` may send."""
    return Access(frozenset(who))


def named(find: Callable[[Any, Id], Any], field: str) -> Find:
    """Return a function that finds a thing by the id in a field of the command. The function returns None if that field
    is None.
    """

    def target(draft: Any, command: Any) -> Any:
        thing_id = getattr(command, field)
        return None if thing_id is None else find(draft, thing_id)

    return target


def owned(target: Find, *who: Who, owner_of: OwnerOf = lambda draft, thing: thing.owner) -> Access:
    """Return the Access for a command that the gm, the owner of its thing, and `who` may send.

    `owner_of`: returns the owner; by default, the thing's field `owner`.
    """
    return Access(frozenset((Who.GM, Who.OWNER, *who)), target, owner_of)
