"""Rebuild commands about the room, its seats and characters, secrets, corrections and consequences.

The log has two channels: the public one, and the gm's one with the records of hidden things.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from dreadclock.rules.total import Fate
from dreadclock.wire import commands as c
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Id, Role
from dreadclock.wire.things import Carried, Character, SecretRequired, Sheet, SituationStatus, TotalOdds
from dreadclock.wire.views import ChannelView, View
from dreadclock_server.core.families.continuing import Continue
from dreadclock_server.core.families.room import JoinSeat, Open
from dreadclock_server.core.find import topic_of_clock, topic_of_situation
from dreadclock_server.evening.verify.of_scenes import end_of_turns, end_scene
from dreadclock_server.evening.verify.rebuilding import (
    MOST_BEFORE,
    Case,
    Command,
    Maker,
    Said,
    chosen,
    new_effects,
    same,
)

_MOST_VAIN = 8  # the most things of a kind for which `_vain` yields a command

# The room and its seats


def _open(case: Case, event: e.RoomOpened) -> Iterator[Command]:
    continued = {
        record.channel: record.event
        for record in case.log.all_ahead(case.start, e.RoomContinued)
        if isinstance(record.event, e.RoomContinued)
    }
    if Channel.PUBLIC not in continued:
        yield Open(event.title, event.policy)
        return
    seats = {joined.seat.id: joined.seat for joined in case.all_ahead(e.SeatJoined)}
    parts = {channel: _taken_over(source.carried, source.turn) for channel, source in continued.items()}
    public = parts.get(Channel.PUBLIC, ChannelView()).model_copy(update={"policy": event.policy, "seats": seats})
    hidden = parts.get(Channel.GM) or ChannelView(secrets=_unknown_secrets(public))
    view = View(channels={Channel.PUBLIC: public, Channel.GM: hidden})
    yield Continue(event.title, view, {channel: source.origin for channel, source in continued.items()})


def _taken_over(carried: Carried, turn: int) -> ChannelView:
    """Return a view of the earlier room for one channel. It contains exactly the things to carry over."""
    things: dict[str, Any] = {
        name: {thing.id: thing for thing in getattr(carried, name)}
        for name in Carried.model_fields
        if name not in ("made", "taken", "secrets")
    }
    secrets = {secret.total_id: secret for secret in carried.secrets}
    return ChannelView.model_construct(**things, secrets=secrets, turn=turn, made=carried.made, taken=carried.taken)


def _unknown_secrets(public: ChannelView) -> dict[Id, SecretRequired]:
    """Return placeholders for the secret numbers of totals: a public export does not have the real ones."""
    secret = [total.id for total in public.totals.values() if total.secret]
    return {total_id: SecretRequired(total_id=total_id, required=1, odds=TotalOdds(mean="1/1")) for total_id in secret}


def _join(case: Case, event: e.SeatJoined) -> Iterator[Command]:
    seat = event.seat
    if case.record.by in case.view.seats and case.view.seats[case.record.by].role is Role.GM:
        number = case.view.public.made.get("seat", 0)
        named = seat.name != f"{seat.role.capitalize()} {number}"
        yield JoinSeat(seat.role, seat.name if named else None, seat.scopes)


def _remove(case: Case, event: e.SeatRemoved) -> Iterator[Command]:
    left = event.reason is e.Departure.LEFT
    yield c.LeaveSeat() if left else c.RemoveSeat(seat_id=event.seat_id)


def _narrate(case: Case, event: e.Narrated) -> Iterator[Command]:
    """Yield `narrate` with the text. Also yield commands that change nothing and have the text as their note."""
    yield c.Narrate(text=event.text, outcome=event.outcome, channel=case.record.channel)
    if event.outcome is None:
        for command in _vain(case):
            yield command.model_copy(update={"note": event.text})


def _vain(case: Case) -> Iterator[Any]:
    """Yield commands that change nothing. With a note, such a command writes only the note."""
    seat, part = case.record.acted_for or case.record.by, case.view.channels[case.record.channel]
    if seat in case.view.seats:
        yield c.RenameSeat(seat_id=seat, name=case.view.seats[seat].name)
    for character in islice(part.characters.values(), _MOST_VAIN):
        yield c.UpdateCharacter(character_id=character.id, name=character.name)
    for clock in islice(part.clocks.values(), _MOST_VAIN):
        yield c.AmendClock(clock_id=clock.id, value=clock.value, reason="-")


def _lane(case: Case, event: e.LaneOpened) -> Iterator[Command]:
    if event.lane.anchor is not None:
        yield c.OpenLane(anchor=event.lane.anchor)


# Characters


_SHEET = tuple(Sheet.model_fields)


def _add_character(case: Case, event: e.CharacterAdded) -> Iterator[Command]:
    character = event.character
    said: Said = {name: getattr(character, name) for name in ("name", "owner", *_SHEET, "visibility")}
    crises = tuple(c.EarlierCrisis(kind=crisis.kind, description=crisis.description) for crisis in character.crises)
    yield c.AddCharacter(id=chosen(character.id), crises=crises, **said)


def _update_character(case: Case, event: e.CharacterUpdated) -> Iterator[Command]:
    """Yield a command that names only the changed fields.

    Before it, yield a command that also has the changes that wait for approval, if there are any.
    """
    after, before = event.character, case.thing("characters", event.character.id)
    changed = {name: getattr(after, name) for name in ("name", "owner", *_SHEET) if _is_named(name, before, after)}
    asked = case.ahead(e.SheetProposed)
    if asked is not None and asked.character_id == after.id:
        yield c.UpdateCharacter(character_id=after.id, **{**_asked(after, asked.proposed), **changed})
    yield c.UpdateCharacter(character_id=after.id, **changed)


def _is_named(name: str, before: Character, after: Character) -> bool:
    """Return whether the command must name a field, because its value, approval or proposed value changed."""
    wished, left = before.proposed, after.proposed or after.sheet
    approved = name == "level" and before.approved_level is not None and after.approved_level is None
    differs = getattr(after, name) != getattr(before, name)
    wish = wished is not None and hasattr(left, name) and getattr(left, name) != getattr(wished, name, None)
    return approved or differs or wish


def _asked(before: Character, proposed: Sheet | None) -> dict[str, Any]:
    """Return the fields that a player changed in the proposed sheet."""
    was, now = before.proposed or before.sheet, proposed or before.sheet
    return {name: getattr(now, name) for name in _SHEET if getattr(now, name) != getattr(was, name)}


def _ask(case: Case, event: e.SheetProposed) -> Iterator[Command]:
    before = case.thing("characters", event.character_id)
    yield c.UpdateCharacter(character_id=event.character_id, **_asked(before, event.proposed))


def _judge_sheet(case: Case, event: e.SheetApproved | e.SheetRefused) -> Iterator[Command]:
    yield c.ApproveSheet(character_id=event.character.id, approve=isinstance(event, e.SheetApproved))


def _move_track(case: Case, event: e.TrackMoved) -> Iterator[Command]:
    track = case.thing("characters", event.character_id).tracks[event.track]
    yield c.MoveTrack(character_id=event.character_id, track=event.track, by=event.value - track.value)


_FATES: Mapping[Any, Fate] = {
    e.CharacterDied: Fate.DIES,
    e.CharacterRetired: Fate.RETIRES,
    e.CharacterLeft: Fate.LEAVES,
}


def _take_out(case: Case, event: Any) -> Iterator[Command]:
    yield from end_of_turns(case)  # the end of a countdown may take a character out of play
    yield c.TakeOutOfPlay(character_id=event.character_id, fate=_FATES[type(event)], reason=event.reason)


def _crisis(case: Case, event: e.CrisisSuffered | e.CrisisDescribed) -> Iterator[Command]:
    kind = event.crisis.kind if isinstance(event, e.CrisisSuffered) else None
    total_id, text = event.crisis.total_id, event.crisis.description
    yield c.DescribeCrisis(total_id=str(total_id), kind=kind, description=str(text))


# Secrets, corrections and consequences


def _reveal(case: Case, event: e.MadePublic) -> Iterator[Command]:
    """Yield commands that reveal a thing. Hidden characters that act in the thing are revealed before it."""
    shown = case.all_ahead(e.MadePublic)[:MOST_BEFORE]
    if shown[0] is event:
        yield from end_scene(case, event)
        yield from (c.Reveal(thing_id=showing.id) for showing in reversed(shown))


def _cancel(case: Case, event: e.Cancelled) -> Iterator[Command]:
    """Yield commands that cancel a thing. The hidden things in a scene are cancelled before the scene."""
    others = reversed(case.all_ahead(e.Cancelled)[:MOST_BEFORE])
    yield from (c.Cancel(thing_id=other.id, reason=other.reason) for other in others)


def _void(case: Case, event: e.CommandVoided) -> Iterator[Command]:
    """Yield commands that undo an earlier command.

    If the earlier command has records in both channels, the undo may have named a record of either channel.
    """
    before = case.log.records[case.start : case.place]
    if any(isinstance(record.event, e.SealedStarted) for record in before):
        return  # an undo seals nothing: the event belongs to another command of the same time
    channel = case.record.channel
    others = [record for record in case.log.all_ahead(case.start, e.CommandVoided) if record.channel is not channel]
    other = others[0].event if others and isinstance(others[0].event, e.CommandVoided) else None
    reason = other.reason if other is not None else None
    yield c.VoidCommand(seq=event.first, channel=channel, reason=event.reason, public_reason=reason)
    if other is not None:
        named = others[0].channel
        yield c.VoidCommand(seq=other.first, channel=named, reason=other.reason, public_reason=event.reason)


def _changed_nothing(case: Case, event: e.SealedChanged) -> Iterator[Command]:
    """Yield commands that change nothing of a sealed thing, of which only kind and name are public.

    Even then, everyone receives `sealed_changed`.
    """
    yield from end_of_turns(case)
    hidden = case.view.gm or ChannelView()
    if event.id in hidden.checks:
        yield c.AdjustCheck(check_id=event.id, standing=hidden.checks[event.id].standing)
    for situation in hidden.situations.values():
        if situation.status is not SituationStatus.OPEN and topic_of_situation(case.view, situation.id).id == event.id:
            yield c.EndRound(situation_id=situation.id)
    for clock in hidden.clocks.values():
        if topic_of_clock(case.view, clock).id == event.id:
            yield c.AmendClock(clock_id=clock.id, value=clock.value, reason="-")


REBUILD: Mapping[type[e.EventBase], Maker] = {
    e.RoomOpened: _open,
    e.RoomClosed: same(c.CloseRoom),
    e.RoomReopened: same(c.ReopenRoom),
    e.PolicySet: same(c.SetPolicy, "policy"),
    e.SeatJoined: _join,
    e.SeatRenamed: same(c.RenameSeat),
    e.SeatRemoved: _remove,
    e.SeatLent: same(c.LendSeat),
    e.SeatTakenBack: same(c.TakeBackSeat),
    e.LaneOpened: _lane,
    e.Narrated: _narrate,
    e.CharacterAdded: _add_character,
    e.CharacterUpdated: _update_character,
    e.SheetProposed: _ask,
    e.SheetApproved: _judge_sheet,
    e.SheetRefused: _judge_sheet,
    e.StateGained: same(c.GiveState),
    e.StateLost: same(c.DropState),
    e.TrackSet: same(c.SetTrack),
    e.TrackMoved: _move_track,
    e.TrackDropped: same(c.DropTrack),
    e.CharacterDied: _take_out,
    e.CharacterRetired: _take_out,
    e.CharacterLeft: _take_out,
    e.CharacterReturned: same(c.ReturnToPlay),
    e.CrisisSuffered: _crisis,
    e.CrisisDescribed: _crisis,
    e.MadePublic: _reveal,
    e.Cancelled: _cancel,
    e.CommandVoided: _void,
    e.SealedChanged: _changed_nothing,
    e.ConsequenceAttached: same(c.AttachConsequence, "consequence", do=lambda event: new_effects(event.consequence.do)),
    e.ConsequenceDetached: same(c.DetachConsequence),
}
