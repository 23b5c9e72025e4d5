"""Check whether a seat may send a command. The tables `RIGHTS` in `families/` say who may; the docs show them, too."""

from collections.abc import Mapping
from typing import Any

from dreadclock.wire.base import Id, Role, Scope
from dreadclock.wire.commands import CommandBase, LeaveSeat, LendSeat, OpenLane, RenameSeat, TakeBackSeat
from dreadclock.wire.errors import Code, Refused
from dreadclock_server.core.draft import Actor, Draft
from dreadclock_server.core.families import joined
from dreadclock_server.core.rights import SCOPES, Access, Who
from dreadclock_server.core.room import Room

ACCESS: Mapping[type[CommandBase], Access] = joined("RIGHTS")
OWN_HAND = (LendSeat, TakeBackSeat, LeaveSeat, RenameSeat, OpenLane)  # not for another seat (`act_for`)


def acting(room: Room, sender: Actor, command: CommandBase) -> Actor:
    """Return the actor whose rights count for a command: its sender, or the player for whom the sender acts.

    Raises Refused if that player's seat is not lent to the sender, if the sender lacks the scope `act_for`, or if the
    command cannot be sent for others.
    """
    if command.act_for is None:
        return sender
    lent = room.view.seats.get(command.act_for)
    if lent is None or lent.lent_to != sender.seat_id or Scope.ACT_FOR not in sender.scopes:
        raise Refused(Code.NOT_LENT, id=command.act_for)
    if isinstance(command, OWN_HAND):
        raise Refused(Code.NOT_ALLOWED, allowed="who sits there")
    return Actor(lent.id, lent.role)


def check(draft: Draft, command: CommandBase) -> tuple[Any, ...]:
    """Check that the sender may send a command, and return the extra arguments for the function that decides it.

    If the command's `Access` has a `target`, there is one argument: the thing that the command names. Raises Refused if
    the sender may not send this command, or does not see the thing.
    """
    row = ACCESS[type(command)]
    target = () if row.target is None else (row.target(draft, command),)
    if draft.by.role is not Role.GM:
        owner = None if row.owner_of is None else row.owner_of(draft, *target)
        if not _is_open(row, draft, owner):
            raise Refused(Code.NOT_ALLOWED, allowed=row.allowed_for(draft.by.role))
    return target


def _is_open(row: Access, draft: Draft, owner: Id | None) -> bool:
    by = draft.by
    if Who.ANYONE in row.who or (owner is not None and owner == by.seat_id):
        return True
    if by.role is Role.PLAYER:
        return Who.PLAYER in row.who
    return by.role is Role.INTEGRATION and any(SCOPES.get(who) in by.scopes for who in row.who)
