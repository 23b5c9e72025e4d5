"""The room and the people around it."""

from __future__ import annotations

import re
from typing import Literal

from dreadclock.evening.export import Step
from dreadclock.evening.referee.reader import Beginnings, Reader
from dreadclock.evening.referee.things import check_id, check_made, check_owner, check_place, check_text
from dreadclock.following import sheets
from dreadclock.following.telling import root_of_character
from dreadclock.following.ventures import recount
from dreadclock.rules.limits import EDITION, REOPEN_MS
from dreadclock.rules.total import BOXES
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Id, Kind, Role, Scope, Visibility
from dreadclock.wire.families.characters import changes_of, waits
from dreadclock.wire.ids import GM_SEAT, UNNAMED_GM
from dreadclock.wire.things import Character, Crisis, Lane, Seat, Sheets

_GM = Seat(id=GM_SEAT, role=Role.GM, name=UNNAMED_GM)
_NUMBER = re.compile("[1-9][0-9]{0,5}")
_ROLLING = (Role.GM, Role.PLAYER, Role.INTEGRATION)
_FREE = ("id", "name", "owner", "level", "attributes", "specials", "reflex")  # what is said of a character
_OWNERS = ("name", "level", "attributes", "specials", "reflex")


def room_opened(r: Reader, step: Step, event: e.RoomOpened) -> None:
    """A room opens once, and has a gm; one that goes on from another has that one's seats."""
    r.require(step, step.record.seq == 1 and step.record.by == _GM.id, "a room is opened once, by its gm")
    if r.ahead(e.RoomContinued) is None:
        r.emit(Channel.PUBLIC, e.SeatJoined(seat=_GM))
        must_open_lane(r, _GM)


def edition_changed(r: Reader, step: Step, event: e.EditionChanged) -> None:
    """The first command that comes to something says so, before all else, in a room of an earlier edition."""
    r.require(step, step.before.public.edition < event.edition == EDITION, "the room has that edition of the rules")
    r.require(step, r.coming() is not None, "nothing happens by it")


def narrated(r: Reader, step: Step, event: e.Narrated) -> None:
    """Who may narrate does; a note that no other event could carry is anybody's. Source: rules.md E8."""
    seat = step.before.public.seats.get(r.actor(step))
    if seat is None:
        return r.fault(step, "there is no such seat")
    if step.record.channel is not Channel.PUBLIC:
        may = seat.role is Role.GM or Scope.SECRETS in seat.scopes
        r.require(step, may, "only the gm tells something to herself")
    if event.outcome is not None:
        may = seat.role in (Role.GM, Role.PLAYER) or Scope.NARRATE in seat.scopes
        r.require(step, may, "the seat may not narrate")
    return None


def seat_joined(r: Reader, step: Step, event: e.SeatJoined) -> None:
    """The gm makes a seat."""
    seat, part = event.seat, step.before.public
    r.require(step, seat.id not in part.seats, "there is such a seat already")
    r.require(step, not seat.scopes or seat.role is Role.INTEGRATION, "only integrations have scopes")
    r.require(step, seat.lent_to is None, "nobody has lent it yet")
    if r.ahead(e.RoomContinued) is None:
        r.allow(step)
        expected = f"{seat.role}-{part.made.get('seat', 0)}"
        r.require(step, seat.id == expected and seat.role is not Role.GM, "its id is not the next of its role")
    else:
        number = seat.id.removeprefix(f"{seat.role}-")
        numbered = seat.id != number and _NUMBER.fullmatch(number) is not None
        r.require(step, seat == _GM or seat.id == _GM.id == seat.role or numbered, "its id is none of its role")
        r.require(step, (seat.role is Role.GM) == (seat.id == _GM.id), "a room has one gm")
    must_open_lane(r, seat)


def must_open_lane(r: Reader, seat: Seat) -> None:
    """A seat that rolls begins with a lane without tokens."""
    if seat.role not in _ROLLING:
        return
    step = r.take(Channel.PUBLIC, e.LaneOpened)
    if step is not None and isinstance(step.record.event, e.LaneOpened):
        check_lane(r, step, step.record.event.lane, seat.id)
        r.require(step, step.record.event.lane.anchor is None, "a seat's first lane has no tokens")


def lane_opened(r: Reader, step: Step, event: e.LaneOpened) -> None:
    """A seat opens a lane for tokens of its own, or a further one without; or a hidden thing gets its own."""
    lane = event.lane
    if lane.seat_id is None:
        r.require(step, step.record.channel is Channel.GM, "the lane of a hidden thing is the gm's to know")
        _, kind, thing_id = (*lane.label.split("/"), "", "")[:3]
        r.allow(step)
        r.same(step, lane, Lane(label=f"thing/{kind}/{thing_id}", key=lane.key))
        r.begun = (kind, thing_id, Visibility.GM)
        return
    check_lane(r, step, lane, step.record.by)
    if not r.is_further(step, lane):
        r.require(step, lane.anchor is not None, "a seat has one lane without tokens")
        r.allow(step, player=True)
        r.require_own_hand(step)


def check_lane(r: Reader, step: Step, lane: Lane, seat_id: Id) -> None:
    """A lane has the next number of its seat, and nothing has happened in it."""
    number = step.before.public.made.get(f"lane/{seat_id}", 0)
    r.same(step, lane, Lane(label=f"seat/{seat_id}/{number}", seat_id=seat_id, anchor=lane.anchor, key=lane.key))


def room_continued(r: Reader, step: Step, event: e.RoomContinued) -> None:
    """A room goes on from another one before anything happens in it, once in each channel.

    The public goes first; in rooms of servers before the second edition, the gm's channel did.
    """
    channel = step.record.channel
    once = channel not in r.continued
    public = channel is Channel.PUBLIC or Channel.PUBLIC in r.continued or r.ahead(e.RoomContinued) is not None
    r.require(step, once and public and r.is_opening(step), "the room is under way")
    r.continued.add(channel)
    r.allow(step)
    r.begun = None


def policy_set(r: Reader, step: Step, event: e.PolicySet) -> None:
    """The gm changes the house rules."""
    r.allow(step)
    r.require(step, event.policy != step.before.policy, "it changes nothing")


def seat_renamed(r: Reader, step: Step, event: e.SeatRenamed) -> None:
    """A seat gets another name."""
    r.allow(step, event.seat_id)
    r.require_own_hand(step)
    seat = step.before.public.seats.get(event.seat_id)
    r.require(step, seat is not None and seat.name != event.name, "it changes nothing")


def seat_removed(r: Reader, step: Step, event: e.SeatRemoved) -> None:
    """A seat leaves, or the gm removes it; the gm stays."""
    r.allow(step, event.seat_id)
    r.require_own_hand(step)
    left = event.seat_id == step.record.by
    r.require(step, left == (event.reason is e.Departure.LEFT), "its reason does not fit")
    seat = step.before.public.seats.get(event.seat_id)
    r.require(step, seat is not None and seat.role is not Role.GM, "the gm stays")


def seat_lent(r: Reader, step: Step, event: e.SeatLent) -> None:
    """A player lends the seat to an integration that may act for others."""
    lender = _own_seat(r, step, event.seat_id)
    to = step.before.public.seats.get(event.to)
    r.require(step, to is not None and Scope.ACT_FOR in to.scopes, "it may not act for others")
    r.require(step, lender is not None and lender.lent_to != event.to, "it changes nothing")


def seat_taken_back(r: Reader, step: Step, event: e.SeatTakenBack) -> None:
    """A player takes the seat back."""
    lender = _own_seat(r, step, event.seat_id)
    r.require(step, lender is not None and lender.lent_to is not None, "it changes nothing")


def _own_seat(r: Reader, step: Step, seat_id: Id) -> Seat | None:
    """Return the seat that is lent or taken back: a player's own, by nobody else's hand."""
    r.require_own_hand(step)
    seat = step.before.public.seats.get(seat_id)
    r.require(step, seat is not None and seat.role is Role.PLAYER, "only players lend their seats")
    r.require(step, seat_id == step.record.by, "it is somebody else's seat")
    return seat


def room_closed(r: Reader, step: Step, event: e.RoomClosed) -> None:
    """The gm closes the room."""
    r.allow(step)


def room_reopened(r: Reader, step: Step, event: e.RoomReopened) -> None:
    """The gm opens a closed room again, if that was not too long ago."""
    r.allow(step)
    recent = reversed(step.before.public.recent)
    closed_at = next((record.at for record in recent if isinstance(record.event, e.RoomClosed)), None)
    if not step.before.public.closed or closed_at is None:
        return r.fault(step, "the room is not closed")
    return r.require(step, step.record.at - closed_at <= REOPEN_MS, "it was closed too long ago")


def character_added(r: Reader, step: Step, event: e.CharacterAdded) -> None:
    """A character comes into play, with nothing that waits for it."""
    one = event.character
    hidden = one.visibility is not Visibility.PUBLIC
    special = hidden or one.crises  # by the gm's word alone (C24, D9)
    r.allow(step, player=not special, scopes=() if special else (Scope.CHARACTERS,))
    check_owner(r, step, one.owner)
    check_place(r, step, root_of_character(one))
    r.require(step, not hidden or one.owner in (None, r.actor(step)), "only a character of the gm's can be hidden")
    check_id(r, step, Kind.CHARACTER, one.id, known=not hidden)
    newcomer: Literal[True] | None = None if r.role(step) is Role.GM else True
    check_made(r, step, one.made_by)
    free = {name: getattr(one, name) for name in (*_FREE, "visibility", "made_by")}
    fresh = Character.model_construct(**free, crises=_earlier(one), newcomer=newcomer)
    r.same(step, one, fresh, "character.")


def _earlier(one: Character) -> tuple[Crisis, ...]:
    """Return the crises that a character may enter play with: no third of a kind, and of no total. D9."""
    crises: list[Crisis] = []
    for each in one.crises:
        box = 1 + sum(crisis.kind is each.kind for crisis in crises)
        if box < BOXES:
            crises.append(Crisis(kind=each.kind, box=box, description=each.description))
    return tuple(crises)


def character_updated(r: Reader, step: Step, event: e.CharacterUpdated) -> None:
    """What is said of a character changes, and nothing that happened to it."""
    after, before = event.character, step.before.characters.get(event.character.id)
    if before is None:
        return r.fault(step, "there is no such character")
    check_place(r, step, root_of_character(before))
    r.require(step, after.owner in (None, _GM.id) or before.visibility is Visibility.PUBLIC, "its owner sees nothing")
    r.allow(step, before.owner, scopes=(Scope.CHARACTERS,))
    by_gm, writes = r.role(step) is Role.GM, step.before.public.policy.sheets is Sheets.PLAYERS
    free = _FREE if by_gm else _OWNERS if writes else ("name",)
    r.require(step, after != before, "it changes nothing")
    check_text(r, step)
    if after.owner != before.owner:
        check_owner(r, step, after.owner)
    changes = {name: getattr(after, name) for name in free if _is_named(name, before, after)}
    follows = (sheets.written_by_gm if by_gm else sheets.written_by_player)(before, changes)
    r.same(step, after, follows, "character.")
    r.same(step, event, event.model_copy(update={"changed": changes_of(before.sheet, after.sheet)}))
    return recount(r)


def _is_named(name: str, before: Character, after: Character) -> bool:
    """Tell whether a command named a field: what stood there already may still be approved, or no wish any more."""
    wished, left = before.proposed, after.proposed or after.sheet
    approved = name == "level" and before.approved_level is not None and after.approved_level is None
    was = getattr(wished, name, None) if wished else None
    return (
        approved
        or getattr(after, name) != getattr(before, name)
        or (wished is not None and hasattr(left, name) and getattr(left, name) != was)
    )


def sheet_proposed(r: Reader, step: Step, event: e.SheetProposed) -> None:
    """A player asks for changes of a sheet, which the gm's word would make."""
    before = step.before.characters.get(event.character_id)
    if before is None:
        return r.fault(step, "there is no such character")
    check_place(r, step, root_of_character(before))
    r.allow(step, before.owner, scopes=(Scope.CHARACTERS,))
    r.require(step, r.role(step) is not Role.GM, "the gm asks nobody")
    r.require(step, step.before.public.policy.sheets is Sheets.GM, "players write their own sheets")
    r.require(step, event.proposed not in (before.proposed, before.sheet), "it changes nothing")
    changed = changes_of(before.sheet, event.proposed or before.sheet)
    return r.same(step, event, event.model_copy(update={"changed": changed}))


def sheet_judged(r: Reader, step: Step, event: e.SheetApproved | e.SheetRefused) -> None:
    """The gm approves what waits on a sheet, or refuses it."""
    r.allow(step)
    before, approves = step.before.characters.get(event.character.id), isinstance(event, e.SheetApproved)
    if before is None or not waits(before, refusable=not approves):
        return r.fault(step, "nothing on the sheet waits")
    check_place(r, step, root_of_character(before))
    after = sheets.approved(before) if approves else sheets.refused(before)
    changed = {"changed": changes_of(before.sheet, after.sheet)} if approves else {}
    r.same(step, event, event.model_copy(update={"character": after, **changed}))
    return recount(r)


BEGINNINGS: Beginnings = {
    e.RoomOpened: room_opened,
    e.EditionChanged: edition_changed,
    e.Narrated: narrated,
    e.RoomContinued: room_continued,
    e.RoomClosed: room_closed,
    e.RoomReopened: room_reopened,
    e.PolicySet: policy_set,
    e.SeatJoined: seat_joined,
    e.SeatRenamed: seat_renamed,
    e.SeatRemoved: seat_removed,
    e.SeatLent: seat_lent,
    e.SeatTakenBack: seat_taken_back,
    e.LaneOpened: lane_opened,
    e.CharacterAdded: character_added,
    e.CharacterUpdated: character_updated,
    e.SheetProposed: sheet_proposed,
    e.SheetApproved: sheet_judged,
    e.SheetRefused: sheet_judged,
}
