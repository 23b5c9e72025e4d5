"""The room, its house rules and the seats around it."""

from enum import StrEnum
from typing import ClassVar, Literal

from dreadclock.wire.base import ChosenName, Edition, Id, Later, Model, Name, Role, Scope
from dreadclock.wire.families.base import CommandBase, EventBase, NoUndo
from dreadclock.wire.families.folds import GONE, Changes, Fold, ViewPart, assigns, counted, dropped, put, sets, updated


class PhysicalDice(StrEnum):
    """Who may type in the faces of real dice. Source: rules.md E1."""

    OFF = "off"
    GM = "gm"
    EVERYONE = "everyone"


class CheckApproval(StrEnum):
    """Whether the gm must approve checks and totals that others propose. OPEN: no approval is needed."""

    OPEN = "open"
    GM = "gm"


class Care(StrEnum):
    """Who besides the gm may stabilize, resume and replenish countdowns. Source: rules.md A11."""

    GM = "gm"  # nobody else
    OWNER = "owner"
    PLAYERS = "players"


class Sheets(StrEnum):
    """Whether the gm must approve a player's changes of a sheet.

    PLAYERS: no approval is needed. Source: rules.md B18.
    """

    GM = "gm"
    PLAYERS = "players"


class Specials(StrEnum):
    """How many special attributes may add dice to a total. Source: rules.md D11."""

    ONE = "one"
    SEVERAL = "several"


class Policy(Model):
    """A room's house rules."""

    physical_dice: PhysicalDice = PhysicalDice.OFF
    check_approval: CheckApproval = CheckApproval.GM
    player_countdowns: bool = True
    care: Later[Care] = Care.GM
    sheets: Later[Sheets] = Sheets.GM
    specials: Later[Specials] = Specials.ONE


class Seat(Model):
    """A place at the table."""

    id: Id
    role: Role
    name: Name
    scopes: tuple[Scope, ...] = ()
    lent_to: Id | None = None  # the integration that may act for this player


# Commands


class SetPolicy(CommandBase):
    """Change the room's house rules. Absent fields change nothing."""

    type: Literal["set_policy"] = "set_policy"
    physical_dice: PhysicalDice | None = None
    check_approval: CheckApproval | None = None
    player_countdowns: bool | None = None
    care: Care | None = None
    sheets: Sheets | None = None
    specials: Specials | None = None


class RenameSeat(CommandBase):
    """Give a seat another name."""

    type: Literal["rename_seat"] = "rename_seat"
    seat_id: Id
    name: ChosenName


class RemoveSeat(CommandBase):
    """Remove a seat from the table. The seat's tokens stop working at once."""

    type: Literal["remove_seat"] = "remove_seat"
    seat_id: Id


class LeaveSeat(CommandBase):
    """Give up the sender's own seat."""

    type: Literal["leave_seat"] = "leave_seat"


class LendSeat(CommandBase):
    """Let the integration in the seat `to` act for the sender, with the sender's rights."""

    type: Literal["lend_seat"] = "lend_seat"
    to: Id


class TakeBackSeat(CommandBase):
    """Take the sender's lent seat back: no integration may act for the sender any more."""

    type: Literal["take_back_seat"] = "take_back_seat"


class CloseRoom(CommandBase):
    """Close the room. From then on, the room can only be read. For 30 days, the gm can open it again."""

    type: Literal["close_room"] = "close_room"


class ReopenRoom(CommandBase):
    """Open a closed room again, at most 30 days after it was closed. Everything is as it was then."""

    type: Literal["reopen_room"] = "reopen_room"


# Events. This is the storage format: a field may be added with a default, never renamed or given another meaning.


class Departure(StrEnum):
    """Why a seat was removed."""

    REMOVED = "removed"
    LEFT = "left"


class RoomOpened(EventBase):
    """A room was opened. `policy`: its house rules. `edition`: the edition of the rules."""

    type: Literal["room_opened"] = "room_opened"
    no_undo: ClassVar[NoUndo | None] = NoUndo.ROOM
    title: Name
    policy: Policy
    edition: Edition = 1  # the edition of the rules that the room is played with


class EditionChanged(EventBase):
    """A room continues under a newer edition of the rules; `edition` is the new edition."""

    type: Literal["edition_changed"] = "edition_changed"
    edition: Edition


class RoomClosed(EventBase):
    """A room was closed: it cannot be changed until it is opened again."""

    type: Literal["room_closed"] = "room_closed"
    no_undo: ClassVar[NoUndo | None] = NoUndo.ROOM


class RoomReopened(EventBase):
    """A closed room was opened again. Nothing else changed."""

    type: Literal["room_reopened"] = "room_reopened"
    no_undo: ClassVar[NoUndo | None] = NoUndo.ROOM


class PolicySet(EventBase):
    """The house rules changed; `policy` has all house rules after the change."""

    type: Literal["policy_set"] = "policy_set"
    policy: Policy


class SeatJoined(EventBase):
    """A seat was made."""

    type: Literal["seat_joined"] = "seat_joined"
    no_undo: ClassVar[NoUndo | None] = NoUndo.PEOPLE
    seat: Seat


class SeatRenamed(EventBase):
    """A seat has another name."""

    type: Literal["seat_renamed"] = "seat_renamed"
    no_undo: ClassVar[NoUndo | None] = NoUndo.PEOPLE
    seat_id: Id
    name: Name


class SeatRemoved(EventBase):
    """A seat was removed, or its holder left. The seat's links and tokens no longer work.

    If the seat was an integration's, the seats that were lent to it are given back.
    """

    type: Literal["seat_removed"] = "seat_removed"
    no_undo: ClassVar[NoUndo | None] = NoUndo.PEOPLE
    seat_id: Id
    reason: Departure


class SeatLent(EventBase):
    """A player lent the seat `seat_id`.

    Now the integration in the seat `to`, and no other integration, may act for the player.
    """

    type: Literal["seat_lent"] = "seat_lent"
    no_undo: ClassVar[NoUndo | None] = NoUndo.PEOPLE
    seat_id: Id
    to: Id


class SeatTakenBack(EventBase):
    """A player no longer lends the seat `seat_id`: nobody may act for this player any more."""

    type: Literal["seat_taken_back"] = "seat_taken_back"
    no_undo: ClassVar[NoUndo | None] = NoUndo.PEOPLE
    seat_id: Id


# How these events change a view


def _seat_removed(part: ViewPart, event: SeatRemoved) -> Changes:
    gone = event.seat_id
    return [
        ("seats", gone, GONE),
        *(updated(part, "seats", key, lent_to=None) for key, seat in part.seats.items() if seat.lent_to == gone != key),
        *dropped("lanes", [label for label, lane in part.lanes.items() if lane.seat_id == gone]),
        ("made", f"lane/{gone}", GONE),
        ("shown", gone, GONE),
    ]


FOLDS: dict[type[EventBase], Fold] = {
    RoomOpened: assigns("title policy edition", edition=1),
    EditionChanged: assigns("edition"),
    RoomClosed: assigns(closed=True),
    RoomReopened: assigns(closed=False),
    PolicySet: assigns("policy"),
    SeatJoined: lambda part, event: [put("seats", event.seat), *counted(part, "seat")],
    SeatRenamed: sets("seats", "name"),
    SeatRemoved: _seat_removed,
    SeatLent: sets("seats", "lent_to:to"),
    SeatTakenBack: sets("seats", lent_to=None),
}
