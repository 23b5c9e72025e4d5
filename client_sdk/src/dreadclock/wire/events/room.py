"""Events of the room and the people around it, of plain rolls and of secrets."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from dreadclock.wire.base import CancelKind, HiddenKind, Id, Name, Text
from dreadclock.wire.events.base import EventBase
from dreadclock.wire.things import Carried, Character, Lane, Origin, Policy, Restored, Roll, Sealed, Seat, Things


class Departure(StrEnum):
    """Why a seat is gone."""

    REMOVED = "removed"
    LEFT = "left"


class RoomOpened(EventBase):
    """A room was opened."""

    type: Literal["room_opened"] = "room_opened"
    title: Name
    policy: Policy


class RoomContinued(EventBase):
    """A new room goes on where another one stood; in each of its channels, right after its opening."""

    type: Literal["room_continued"] = "room_continued"
    origin: Origin
    turn: Annotated[int, Field(ge=1)]
    carried: Carried


class RoomClosed(EventBase):
    """A room was closed: nothing happens in it any more."""

    type: Literal["room_closed"] = "room_closed"


class PolicySet(EventBase):
    """The house rules changed; `policy` is all of them, after the change."""

    type: Literal["policy_set"] = "policy_set"
    policy: Policy


class SeatJoined(EventBase):
    """A seat was made."""

    type: Literal["seat_joined"] = "seat_joined"
    seat: Seat


class SeatRenamed(EventBase):
    """A seat has another name."""

    type: Literal["seat_renamed"] = "seat_renamed"
    seat_id: Id
    name: Name


class SeatRemoved(EventBase):
    """A seat is gone, with all its tokens."""

    type: Literal["seat_removed"] = "seat_removed"
    seat_id: Id
    reason: Departure


class CharacterAdded(EventBase):
    """A character came into play."""

    type: Literal["character_added"] = "character_added"
    character: Character


class CharacterUpdated(EventBase):
    """A character changed; `character` is as it stands now."""

    type: Literal["character_updated"] = "character_updated"
    character: Character


class LaneOpened(EventBase):
    """A lane of the dice ledger was fixed, before its first roll."""

    type: Literal["lane_opened"] = "lane_opened"
    lane: Lane


class DiceRolled(EventBase):
    """A plain pool was rolled."""

    type: Literal["dice_rolled"] = "dice_rolled"
    roll: Roll


class SealedStarted(EventBase):
    """A sealed thing exists; its lane fixes the dice it will be rolled with."""

    type: Literal["sealed_started"] = "sealed_started"
    thing: Sealed


class SealedChanged(EventBase):
    """Something happened to a sealed thing."""

    type: Literal["sealed_changed"] = "sealed_changed"
    kind: HiddenKind
    id: Id
    name: Name


class Revealed(EventBase):
    """A sealed or hidden thing is open to everyone, with all it consists of."""

    type: Literal["revealed"] = "revealed"
    kind: HiddenKind
    id: Id
    things: Things


class MadePublic(EventBase):
    """A hidden thing left the gm channel: a `revealed` in public carries it on."""

    type: Literal["made_public"] = "made_public"
    kind: HiddenKind
    id: Id


class Cancelled(EventBase):
    """A thing opened by mistake was taken back, with all that is in it."""

    type: Literal["cancelled"] = "cancelled"
    kind: CancelKind
    id: Id
    reason: Text


class CommandVoided(EventBase):
    """The gm took an earlier command back: its records of this channel, `first` to `last`.

    One in each channel in which it was told of, but for `sealed_changed`. `restored` is the state before it, as far
    as it had changed it; ids that it chose stay taken. `what` is the type of the first of those records' events,
    `sealed_changed` left out.
    """

    type: Literal["command_voided"] = "command_voided"
    first: Annotated[int, Field(ge=1)]
    last: Annotated[int, Field(ge=1)]
    what: Annotated[str, Field(max_length=40)]
    reason: Text
    restored: Restored
