"""The size of a room's log, and its limits.

A log consists of entries: public records (events that everybody sees), hidden records (events in the gm's channel), and
the outcomes of commands. There are two caps, so that players cannot infer from the public cap how much is hidden.

The public cap counts the texts of public records, and PER_ITEM for each public record. It also counts the outcomes of
seats without the gm's channel, by a size that does not depend on hidden things: at least PER_ITEM, and for a refusal
its bytes. If refusals did not count here, players could use up the hidden cap with them.

The hidden cap is a quarter of the public cap, and counts all other bytes of entries. Because of the hidden cap, only
commands of seats with the gm's channel are refused. If the command of another seat has no space for its hidden records,
the commands from `stops` first end everything that writes hidden records by itself.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from math import ceil

import orjson

from dreadclock.dice.rolled import faces_of
from dreadclock.wire import commands as c
from dreadclock.wire.base import Channel, Id, Role, Scope, Text
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.families.countdown_changes import Clearable
from dreadclock.wire.ids import GM_SEAT
from dreadclock.wire.things import BoundTo, CountdownStatus
from dreadclock.wire.views import View
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.room import Room, Written
from dreadclock_server.core.sessions import Answer, Done, No
from dreadclock_server.rooms.answers import to_json

MOST_UNSAVED = 256  # outcomes without events, such as refusals, kept in memory until the next append
PER_ITEM = 256  # bytes of overhead for a public record or an outcome
_KEPT_FOR_GM = 16  # one sixteenth of the public cap is reserved for the gm, to end things and close the room
_HIDDEN_PART = 4  # the hidden cap is a quarter of the public cap, in addition to it
_ENDING = (c.Cancel, c.CancelCountdown, c.DetachConsequence, c.EndScene, c.Reveal, c.WithdrawCheck, c.WithdrawTotal)
_KIB, _MIB = 1024, 1024 * 1024
_NO_SPACE: Text = "This room has no space left for hidden events."


class HiddenSpace(Enum):
    """What happens to a command after it was decided, depending on the space for hidden records."""

    ENOUGH = auto()  # the command is stored
    FORGETS = auto()  # the command wrote nothing; its outcome is sent but not stored, because outcomes take space, too
    REFUSES = auto()  # the command is refused
    STOPS_HIDDEN = auto()  # everything that writes hidden records is stopped, then the command is decided again


@dataclass(slots=True)
class Size:
    """How many bytes a room's log has, as far as this node has read it, and how many it may have.

    `limit_bytes`: the public cap; None for no limit.
    """

    limit_bytes: int | None = None
    public_bytes: int = 0
    hidden_bytes: int = 0
    is_demo: bool = False
    granted_public_bytes: int = 0  # for a demo room: the public bytes for which memory is reserved

    @property
    def hidden_limit_bytes(self) -> int | None:
        """The limit of hidden bytes."""
        return None if self.limit_bytes is None else self.limit_bytes // _HIDDEN_PART

    @property
    def lacks_memory(self) -> bool:
        """Whether this is a demo room that may grow only after more memory is reserved."""
        return self.is_demo and self.public_bytes > self.granted_public_bytes

    def refusal(self, by: Actor) -> No | None:
        """Return why commands of this seat are refused; None if they are taken."""
        if self.lacks_memory:
            return full_demo(self.public_bytes)
        if self.limit_bytes is None:
            return None
        kept = 0 if by.role is Role.GM else self.limit_bytes // _KEPT_FOR_GM
        most = self.limit_bytes - kept
        if self.public_bytes < most:
            return None
        return _full(most, "events, all of which its gm can save")

    def hidden_space(self, room: Room, by: Actor, command: object, written: Sequence[Written]) -> HiddenSpace:
        """Return what happens to a command. `written`: the records that it would write.

        At the hidden cap, seats that see hidden records may no longer write any: their commands are refused. A further
        quarter of the cap is reserved for commands that end or reveal a hidden thing. A public roll is never refused,
        because its dice are drawn already, and the faces may decide whether hidden records follow. A refusal would tell
        the gm about the faces, and the next roll would get the same faces.

        Commands of other seats are never refused because of hidden records: a refusal would reveal such records.
        """
        most, sees_hidden = self.hidden_limit_bytes, Channel.GM in by.channels
        if most is None or (sees_hidden and self.hidden_bytes < most):
            return HiddenSpace.ENOUGH
        hidden = bytes_of(room, written, ())[1]
        if not sees_hidden:
            is_over = self.hidden_bytes + hidden > most
            return HiddenSpace.STOPS_HIDDEN if hidden and is_over else HiddenSpace.ENOUGH
        if written and not hidden:
            return HiddenSpace.ENOUGH
        if not written:
            return HiddenSpace.FORGETS
        is_ending = isinstance(command, _ENDING)
        if is_ending and self.hidden_bytes < most + most // _HIDDEN_PART:
            return HiddenSpace.ENOUGH
        if not any(item.record.channel is Channel.PUBLIC and faces_of(item.record.event) for item in written):
            return HiddenSpace.REFUSES
        return HiddenSpace.ENOUGH if is_ending else HiddenSpace.STOPS_HIDDEN

    def hidden_refusal(self) -> No:
        """Return the refusal for HiddenSpace.REFUSES."""
        return _full(self.hidden_limit_bytes or 0, "events that only its gm sees")

    def take(self, room: Room, written: Sequence[Written], answers: Sequence[Answer]) -> None:
        """Count records and outcomes before they are appended: their public bytes, and the texts of hidden records."""
        public, hidden = bytes_of(room, written, answers)
        self.public_bytes += public
        self.hidden_bytes += hidden

    def take_entry(self, data: bytes, public: int) -> None:
        """Count an appended entry, as the store does. `public`: how many of its bytes are public."""
        self.public_bytes += public
        self.hidden_bytes += max(0, len(data) - public)


def _full(most: int, what: str) -> No:
    """Return the refusal for a limit of `most` bytes. `what`: the words after "MiB of" or "KiB of"."""
    unit, size = ("MiB", _MIB) if most >= _MIB else ("KiB", _KIB)
    return No(Code.TOO_MANY, {"limit": ceil(most / size), "what": f"{unit} of {what}"})


def full_demo(public_bytes: int) -> No:
    """Return the refusal of a demo room for which no more memory can be reserved."""
    limit = public_bytes // 1024
    full = Refused(Code.TOO_MANY, limit=limit, what="KiB of events (all demo rooms share a small space)")
    return No(full.code, full.details)


def is_outsider(room: Room, seat_id: Id) -> bool:
    """Return whether a seat lacks the gm's channel."""
    seat = room.view.public.seats.get(seat_id)
    return seat is None or not _sees_hidden(seat.role, seat.scopes)


@lru_cache  # called for every command, with few different scopes
def _sees_hidden(role: Role, scopes: tuple[Scope, ...]) -> bool:
    return Channel.GM in Actor(GM_SEAT, role, scopes).channels


def bytes_of(room: Room, written: Sequence[Written], answers: Sequence[Answer]) -> tuple[int, int]:
    """Return how many public bytes these records and outcomes add, and how many bytes of hidden records."""
    public = hidden = 0
    for item in written:
        if item.record.channel is Channel.PUBLIC:
            public += len(item.text.encode()) + PER_ITEM
        else:
            hidden += len(item.text.encode())
    for answer in answers:
        if is_outsider(room, answer.seat_id):
            public += PER_ITEM
            if isinstance(answer.outcome, No):
                public += max(PER_ITEM, len(orjson.dumps(to_json(answer))))
            elif Channel.PUBLIC not in answer.outcome.events:  # its own bytes may depend on hidden things
                public += PER_ITEM
    return public, hidden


def answers_to_store(
    room: Room, written: Sequence[Written], answers: Sequence[Answer], repeats: int, public_repeats: int
) -> tuple[list[Answer], list[Answer]]:
    """Return the outcomes to store now, and the outcomes to store later.

    `repeats`: how many commands were answered before. `public_repeats`: how many of these came from seats without the
    gm's channel.

    Outcomes are stored if there are records to store, if a client has repeated a command, or if more than MOST_UNSAVED
    outcomes wait. If not, they wait for a later append. For outcomes of seats without the gm's channel, only public
    reasons count: a public record, such a seat's outcome with events, such a seat's repeat, or too many waiting
    outcomes of such seats. With other reasons, the public bytes would reveal that something hidden was appended.
    """
    public: list[Answer] = []
    others: list[Answer] = []
    has_public = False
    for item in written:
        has_public |= item.record.channel is Channel.PUBLIC
    for answer in answers:
        if is_outsider(room, answer.seat_id):
            public.append(answer)
            has_public |= isinstance(answer.outcome, Done) and bool(answer.outcome.events)
        else:
            others.append(answer)
    if has_public or (public_repeats and public) or len(public) > MOST_UNSAVED:
        return list(answers), []
    if written or (repeats and others) or len(others) > MOST_UNSAVED:
        return others, public
    return [], list(answers)


def stops(view: View) -> Iterator[c.Command]:
    """Yield commands to carry out as the gm. After them, nothing hidden happens by itself any more.

    The commands unbind hidden countdowns, so that no turn or round rolls them, and detach hidden consequences, which
    have effects by themselves. The gm can reveal the countdowns and bind them again. Later commands have the same
    public events as before, except events that these countdowns and consequences would cause.
    """
    hidden = view.hidden
    for countdown in hidden.countdowns.values():
        if countdown.status is CountdownStatus.RUNNING and countdown.bound_to is not BoundTo.NOTHING:
            # The command must clear an owner who has left, or it would be refused.
            has_left = countdown.owner is not None and countdown.owner not in view.seats
            clear: tuple[Clearable, ...] = ("owner",) if has_left else ()
            yield c.AmendCountdown(countdown_id=countdown.id, bound_to=BoundTo.NOTHING, clear=clear, reason=_NO_SPACE)
    for consequence_id in hidden.consequences:
        yield c.DetachConsequence(consequence_id=consequence_id, note=_NO_SPACE)
