"""What all events have in common.

Events are the storage format: they carry the state of what they changed, so that folds copy and
never recompute, and a later change of a rule cannot change what old rooms replay to.
"""

from dreadclock.wire.base import Model, Text


class EventBase(Model):
    """A past fact of a room."""

    note: Text | None = None  # of the command that caused it
