"""What all commands have in common."""

from dreadclock.wire.base import DiceToken, Faces, Model, Text


class CommandBase(Model):
    """An imperative wish of a seat; it may be refused."""

    note: Text | None = None  # shown with one of its events, to the gm alone if it is about something hidden


class RollingCommand(CommandBase):
    """A command that rolls dice: the server's, or `faces` read from physical ones."""

    dice: DiceToken | None = None
    faces: Faces | None = None
