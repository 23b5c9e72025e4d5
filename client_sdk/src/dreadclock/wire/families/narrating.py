"""Story texts without dice. Source: rules.md E8."""

from enum import StrEnum
from typing import Literal

from dreadclock.wire.base import Channel, Text
from dreadclock.wire.families.base import CommandBase, EventBase
from dreadclock.wire.families.folds import NOTHING, Fold


class NarratedOutcome(StrEnum):
    """The outcome that a narration describes: a success or a failure that needed no roll."""

    SUCCESS = "success"
    FAILURE = "failure"


# Commands


class Narrate(CommandBase):
    """Write into the story without a roll. The gm may write for the gm alone, in the channel `gm`."""

    type: Literal["narrate"] = "narrate"
    text: Text
    outcome: NarratedOutcome | None = None
    channel: Channel = Channel.PUBLIC


# Events. This is the storage format: a field may be added with a default, never renamed or given another meaning.


class Narrated(EventBase):
    """Somebody wrote a text into the story.

    If no other event of a command can carry the command's `note`, the note becomes the text of this event. `outcome`:
    whether the text tells of a success or of a failure, without a roll.
    """

    type: Literal["narrated"] = "narrated"
    text: Text
    outcome: NarratedOutcome | None = None


# How these events change a view


FOLDS: dict[type[EventBase], Fold] = {Narrated: NOTHING}
