"""Who may do what: one table. The documentation is printed from it, the tests walk every cell of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from dreadclock.wire import commands as c
from dreadclock.wire.base import Id, Role, Scope
from dreadclock.wire.errors import Code, Refused
from dreadclock_server.core import find
from dreadclock_server.core.draft import Actor, Draft
from dreadclock_server.core.families.check_parts import own_part, owner_of, part_of
from dreadclock_server.core.room import Room


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
OwnerOf = Callable[[Draft, Any], Id | None]


@dataclass(frozen=True, slots=True)
class Access:
    """One row of the table; `owner_of` finds the seat that owns what the command is about."""

    who: frozenset[Who]
    owner_of: OwnerOf | None = None

    @property
    def allowed(self) -> str:
        """Name those whom the command is open to."""
        return " or ".join(who for who in Who if who in self.who)

    def allowed_for(self, role: Role) -> str:
        """Name them to one whom it is not open to; which scope it takes is of interest to integrations alone."""
        return " or ".join(who for who in Who if who in self.who and (role is Role.INTEGRATION or who not in SCOPES))


def _only(*who: Who) -> Access:
    return Access(frozenset(who))


def _owned(owner_of: OwnerOf, *who: Who) -> Access:
    return Access(frozenset((Who.GM, Who.OWNER, *who)), owner_of)


def _countdown_owner(draft: Draft, command: Any) -> Id | None:
    return find.countdown(draft, command.countdown_id).owner


def _clock_owner(draft: Draft, command: c.TickClock) -> Id | None:
    return find.clock(draft, command.clock_id).owner


def _character_owner(draft: Draft, command: Any) -> Id | None:
    return find.character(draft, command.character_id).owner


def _opponent_owner(draft: Draft, command: c.OpposeCheck) -> Id | None:
    """An opponent without a sheet is the gm's."""
    return find.character(draft, command.character_id).owner if command.character_id is not None else None


def _check_owner(draft: Draft, command: Any) -> Id | None:
    return owner_of(draft, find.check(draft, command.check_id).leader.character_id)


def _part_owner(draft: Draft, command: c.RollCheck) -> Id | None:
    check = find.check(draft, command.check_id)
    return owner_of(draft, own_part(draft, check, command.character_id).character_id)


def _cost_owner(draft: Draft, command: c.ProposeCost | c.SettleFailure) -> Id | None:
    check = find.check(draft, command.check_id)
    if command.character_id is None:
        return owner_of(draft, check.leader.character_id)
    return owner_of(draft, part_of(check, command.character_id).character_id)


def _total_owner(draft: Draft, command: Any) -> Id | None:
    return owner_of(draft, find.total(draft, command.total_id).character_id)


def _attempter(draft: Draft, command: c.AttemptEffort) -> Id | None:
    """An effort is made by a character of the sender's own; a player with only one need not name it."""
    if command.character_id is not None:
        return find.character(draft, command.character_id).owner
    return draft.by.seat_id if draft.by.role is Role.PLAYER else None


def _roller(draft: Draft, command: c.RollDice) -> Id | None:
    """A plain roll is a player's own, unless it is for somebody's character."""
    if command.character_id is not None:
        return find.character(draft, command.character_id).owner
    return draft.by.seat_id if draft.by.role is Role.PLAYER else None


def _giver(draft: Draft, command: c.VoidCommand) -> Id | None:
    """What a command did is taken back by who gave it, or for whom it was given; what nobody knows of, by the gm."""
    known = draft.room.undo_log_for(draft.by.channels)
    place = known.place_of(command.channel, command.seq)
    return None if place is None else known[place].giver


def _seat_itself(draft: Draft, command: c.RenameSeat) -> Id | None:
    return find.seat(draft, command.seat_id).id


_cared_for = _owned(_countdown_owner, Who.PLAYER, Who.COUNTDOWNS)  # players and owners as the policy `care` has it


ACCESS: Mapping[type[c.CommandBase], Access] = {
    c.SetPolicy: _only(Who.GM),
    c.RenameSeat: _owned(_seat_itself),
    c.RemoveSeat: _only(Who.GM),
    c.LeaveSeat: _only(Who.ANYONE),
    c.LendSeat: _only(Who.PLAYER),
    c.TakeBackSeat: _only(Who.PLAYER),
    c.CloseRoom: _only(Who.GM),
    c.ReopenRoom: _only(Who.GM),
    c.VoidCommand: _owned(_giver),
    c.Narrate: _only(Who.GM, Who.PLAYER, Who.NARRATE),
    c.AddCharacter: _only(Who.GM, Who.PLAYER, Who.CHARACTERS),
    c.UpdateCharacter: _owned(_character_owner, Who.CHARACTERS),
    c.ApproveSheet: _only(Who.GM),
    c.TakeOutOfPlay: _only(Who.GM),
    c.ReturnToPlay: _only(Who.GM),
    c.GiveState: _owned(_character_owner, Who.CHARACTERS),
    c.DropState: _owned(_character_owner, Who.CHARACTERS),
    c.SetTrack: _owned(_character_owner, Who.CHARACTERS),
    c.MoveTrack: _owned(_character_owner, Who.CHARACTERS),
    c.DropTrack: _owned(_character_owner, Who.CHARACTERS),
    c.RollDice: _owned(_roller, Who.ROLLS),
    c.Reveal: _only(Who.GM),
    c.OpenLane: _only(Who.GM, Who.PLAYER),
    c.StartCountdown: _only(Who.GM, Who.PLAYER, Who.COUNTDOWNS),
    c.RollCountdown: _owned(_countdown_owner, Who.COUNTDOWNS),
    c.StabilizeCountdown: _cared_for,
    c.ResumeCountdown: _cared_for,
    c.ReplenishCountdown: _cared_for,
    c.CancelCountdown: _only(Who.GM),
    c.AmendCountdown: _only(Who.GM),
    c.EndTurn: _only(Who.GM, Who.TURNS),
    c.OpenScene: _only(Who.GM),
    c.StartSituation: _only(Who.GM),
    c.BeginSituation: _only(Who.GM),
    c.SetSceneAside: _only(Who.GM),
    c.TakeUpScene: _only(Who.GM),
    c.AddChallenge: _only(Who.GM),
    c.AttemptEffort: _owned(_attempter, Who.ROLLS),
    c.RuleEffort: _only(Who.GM),
    c.OvercomeChallenge: _only(Who.GM),
    c.ResolveSituation: _only(Who.GM),
    c.FailSituation: _only(Who.GM),
    c.EndRound: _only(Who.GM, Who.TURNS),
    c.Travel: _only(Who.GM),
    c.Rest: _only(Who.GM),
    c.EndScene: _only(Who.GM),
    c.IntroduceComplication: _only(Who.GM),
    c.StartClock: _only(Who.GM, Who.PLAYER, Who.CLOCKS),
    c.TickClock: _owned(_clock_owner, Who.CLOCKS),
    c.EnlargeClock: _only(Who.GM),
    c.AmendClock: _only(Who.GM, Who.CLOCKS),
    c.Cancel: _only(Who.GM),
    c.ProposeCheck: _owned(_character_owner, Who.ROLLS),
    c.AdjustCheck: _only(Who.GM),
    c.HelpCheck: _owned(_character_owner, Who.ROLLS),
    c.OpposeCheck: _owned(_opponent_owner, Who.ROLLS),
    c.RollCheck: _owned(_part_owner, Who.ROLLS),
    c.WithdrawCheck: _owned(_check_owner, Who.ROLLS),
    c.ChooseEffect: _owned(_character_owner, Who.ROLLS),
    c.SetEffects: _only(Who.GM),
    c.ProposeCost: _owned(_cost_owner, Who.ROLLS),
    c.AnswerCost: _only(Who.GM),
    c.SettleFailure: _owned(_cost_owner, Who.ROLLS),
    c.ProposeTotal: _owned(_character_owner, Who.ROLLS),
    c.AdjustTotal: _only(Who.GM),
    c.WithdrawTotal: _owned(_total_owner, Who.ROLLS),
    c.SetRequired: _only(Who.GM),
    c.JudgeTotal: _only(Who.GM),
    c.RollTotal: _owned(_total_owner, Who.ROLLS),
    c.OfferPush: _only(Who.GM),
    c.PushLuck: _owned(_total_owner, Who.ROLLS),
    c.StopPushing: _owned(_total_owner, Who.ROLLS),
    c.DescribeCrisis: _only(Who.GM),
    c.AttachConsequence: _only(Who.GM),
    c.DetachConsequence: _only(Who.GM),
}


OWN_HAND = (c.LendSeat, c.TakeBackSeat, c.LeaveSeat, c.RenameSeat, c.OpenLane)  # what nobody does for another


def acting(room: Room, sender: Actor, command: c.CommandBase) -> Actor:
    """Return whose rights a command is decided by: those of its sender, or of the player that it acts for.

    Raises Refused if that player's seat is not lent to the sender, or if nobody does such a thing for another.
    """
    if command.act_for is None:
        return sender
    lent = room.view.seats.get(command.act_for)
    if lent is None or lent.lent_to != sender.seat_id or Scope.ACT_FOR not in sender.scopes:
        raise Refused(Code.NOT_LENT, id=command.act_for)
    if isinstance(command, OWN_HAND):
        raise Refused(Code.NOT_ALLOWED, allowed="who sits there")
    return Actor(lent.id, lent.role)


def check(draft: Draft, command: c.CommandBase) -> None:
    """Raise Refused if the sender may not do this, or may not see what it is about."""
    row = ACCESS[type(command)]
    owner = row.owner_of(draft, command) if row.owner_of is not None else None
    if draft.by.role is not Role.GM and not _is_open(row, draft, owner):
        raise Refused(Code.NOT_ALLOWED, allowed=row.allowed_for(draft.by.role))


def _is_open(row: Access, draft: Draft, owner: Id | None) -> bool:
    by = draft.by
    if Who.ANYONE in row.who or (owner is not None and owner == by.seat_id):
        return True
    if by.role is Role.PLAYER:
        return Who.PLAYER in row.who
    return by.role is Role.INTEGRATION and any(SCOPES.get(who) in by.scopes for who in row.who)
