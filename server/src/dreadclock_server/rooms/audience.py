"""Those who hear what happens in a live room."""

from collections.abc import Sequence
from typing import Protocol

from dreadclock_server.core.room import Room, Written


class Audience(Protocol):
    """Those who hear what happens in a room."""

    @property
    def size(self) -> int:
        """How many connections they are."""

    def committed(self, before: Room, after: Room, written: Sequence[Written]) -> None:
        """Hear the records of one entry, as durable as promised."""

    def replaced(self, before: Room, after: Room) -> None:
        """Hear that the store holds another log than the one told so far."""

    def gone(self) -> None:
        """Hear that the room was deleted."""
