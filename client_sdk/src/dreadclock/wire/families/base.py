"""The base classes of commands and events.

A family's file holds its things, its commands, its events, and how those events change a view. Things and events
are the storage format: a field may be added with a default, never renamed or given another meaning. An event
holds the new state of the things that it changes. The functions that apply events to a view (folds) copy this state and
apply no rules. So an old log gives the same view even after a rule has changed.
"""

from enum import StrEnum
from typing import ClassVar

from pydantic import ConfigDict

from dreadclock.wire.base import DiceToken, Faces, Id, Model, Text


class CommandBase(Model):
    """A request of a seat. The room may refuse it."""

    # a text that is stored with the command's event; if the command is about a hidden thing, only the gm sees it
    note: Text | None = None
    act_for: Id | None = None  # the player's seat, lent to the integration that sends the command


class RollingCommand(CommandBase):
    """A command that rolls dice. `faces`: the faces of physical dice. Without `faces`, the server rolls.

    `dice`: for a roll by the server, the slot (a part of the dice that were fixed in advance) and the sender's token
    for it.
    """

    dice: DiceToken | None = None
    faces: Faces | None = None


class NoUndo(StrEnum):
    """Why a command cannot be undone. The values are the ends of sentences; the server also stores them."""

    ROOM = "the room itself began or ended with it"
    PEOPLE = "it was about who is at the table"
    CRISIS = "a crisis is permanent"
    DICE = "it fixed dice, rolled dice, or used their result"
    SHOWN = "it showed everyone what was hidden"
    SEALED = "it started something sealed, and an undo would not show what that was"
    VOID = "it took another command back"
    VOIDED = "it was taken back before"
    NOTHING = "it changed nothing"
    UNKNOWN = "nobody knows any more which records belong to it"


class EventBase(Model):
    """A past fact of a room."""

    no_undo: ClassVar[NoUndo | None] = None  # why an event of this class can never be undone; None: it may be undone

    note: Text | None = None  # the note of the command that caused the event


class UnknownEvent(EventBase):
    """An event of a newer server, with a type or fields that this version does not know. All its fields are kept.

    Only clients make this event. Validating a record never makes it.
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="allow")

    type: str
