"""Find the commands that a seat may undo now. The server tries each undo, so that pages need not know the rules."""

from collections.abc import Iterator

from dreadclock.wire.base import Value32
from dreadclock.wire.commands import VoidCommand
from dreadclock.wire.errors import Refused
from dreadclock.wire.rest import Undoable
from dreadclock.wire.things import Lane
from dreadclock_server.core import access
from dreadclock_server.core.draft import Actor, Draft, Slot
from dreadclock_server.core.families.corrections import void_command
from dreadclock_server.core.room import Room
from dreadclock_server.core.undo import UndoEntry

LATEST = 20  # commands: mistakes are usually noticed soon


class _Undealt:
    """Placeholder for `Dice`: an undo rolls nothing, so both methods only fail."""

    def key(self, label: str, anchor: Value32 | None) -> str:
        raise AssertionError(label)

    def slot(self, lane: Lane, n: int, token: Value32 | None) -> Slot:
        raise AssertionError(lane.label)


def tried(room: Room, by: Actor) -> Iterator[Undoable | None]:
    """Try to undo each of the latest commands, the newest first, without changing the room.

    Yields the command, or None if it cannot be undone. Yields nothing if the room is closed or the
    seat is gone. The caller can let other tasks run after each item.
    """
    if room.view.public.closed or by.seat_id not in room.view.public.seats:
        return
    for entry in reversed(room.undo_log_for(by.channels)[-LATEST:]):
        name = _name(entry, by)
        yield name if name is not None and _is_possible(room, by, name) else None


def _name(entry: UndoEntry, by: Actor) -> Undoable | None:
    """Return the records that name a command when the actor `by` undoes it: in the actor's first channel that counts.

    A channel does not count if the command has only `sealed_changed` events in it. None if no channel counts, or if the
    command can never be undone.
    """
    for channel in by.channels:
        part = entry.told.get(channel)
        if entry.reason is None and part is not None and not part.only_hints:
            return Undoable(channel=channel, first=part.first, last=part.last, by=entry.giver)
    return None


def _is_possible(room: Room, by: Actor, name: Undoable) -> bool:
    command = VoidCommand(channel=name.channel, seq=name.first, reason="-")
    draft = Draft(room, by, by, _Undealt(), room.at, lambda: "0" * 12)
    try:
        void_command(draft, command, *access.check(draft, command))
    except Refused:
        return False
    return True
