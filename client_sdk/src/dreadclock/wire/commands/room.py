"""Commands for the room and the people around it."""

from typing import Literal

from pydantic import Field

from dreadclock.rules.limits import MAX_ON_SHEET
from dreadclock.wire.base import Channel, ChosenId, ChosenName, Id, Level, Pool, Score, Seq, Text, Value32, Visibility
from dreadclock.wire.commands.base import CommandBase, RollingCommand
from dreadclock.wire.things import CheckApproval, PhysicalDice, RollPurpose, Special
from dreadclock.wire.things.characters import Attributes


class SetPolicy(CommandBase):
    """Change the room's house rules; what is left out stays as it is."""

    type: Literal["set_policy"] = "set_policy"
    physical_dice: PhysicalDice | None = None
    check_approval: CheckApproval | None = None
    player_countdowns: bool | None = None


class RenameSeat(CommandBase):
    """Give a seat another name."""

    type: Literal["rename_seat"] = "rename_seat"
    seat_id: Id
    name: ChosenName


class RemoveSeat(CommandBase):
    """Take a seat away from the table; its tokens stop working at once."""

    type: Literal["remove_seat"] = "remove_seat"
    seat_id: Id


class LeaveSeat(CommandBase):
    """Give up the sender's own seat."""

    type: Literal["leave_seat"] = "leave_seat"


class CloseRoom(CommandBase):
    """End the evening: the room can be read from then on, not changed."""

    type: Literal["close_room"] = "close_room"


class VoidCommand(CommandBase):
    """Take an earlier command back after a slip of the hand; `seq` is any record of it in that channel.

    Everyone who saw what it did sees this, and reads the `reason`.
    """

    type: Literal["void_command"] = "void_command"
    seq: Seq
    channel: Channel = Channel.PUBLIC
    reason: Text


class AddCharacter(CommandBase):
    """Bring a character into play; a player's own unless the gm names another owner."""

    type: Literal["add_character"] = "add_character"
    id: ChosenId | None = None
    name: ChosenName
    owner: Id | None = None
    level: Level = 1
    attributes: Attributes = Field(default_factory=dict, max_length=MAX_ON_SHEET)
    specials: tuple[Special, ...] = Field(default=(), max_length=MAX_ON_SHEET)
    reflex: Score | None = None


class UpdateCharacter(CommandBase):
    """Change what is said of a character; what is left out stays as it is."""

    type: Literal["update_character"] = "update_character"
    character_id: Id
    name: ChosenName | None = None
    owner: Id | None = None
    level: Level | None = None
    attributes: Attributes | None = Field(default=None, max_length=MAX_ON_SHEET)
    specials: tuple[Special, ...] | None = Field(default=None, max_length=MAX_ON_SHEET)
    reflex: Score | None = None


class RollDice(RollingCommand):
    """Roll a plain pool, outside every rule."""

    type: Literal["roll_dice"] = "roll_dice"
    id: ChosenId | None = None
    pool: Pool
    name: ChosenName | None = None
    character_id: Id | None = None
    purpose: RollPurpose = RollPurpose.OTHER
    visibility: Visibility = Visibility.PUBLIC


class Reveal(CommandBase):
    """Show everyone a sealed or hidden thing, with all that happened to it."""

    type: Literal["reveal"] = "reveal"
    thing_id: Id


class OpenLane(CommandBase):
    """Anchor a client's own chain of dice tokens."""

    type: Literal["open_lane"] = "open_lane"
    anchor: Value32
