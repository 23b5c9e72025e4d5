"""How large a room's log is, and how large it may become.

There are two caps, so that the one that a player reaches does not tell how much is hidden. What everyone may know
counts against the room's cap: the texts of public records, and PER_ITEM for each of them and for each outcome of a
seat without the gm's channel. An outcome that came with no public record also counts its own bytes, or players'
refusals would use up the other cap. All else in an entry counts against the other cap, a quarter of the first. Only
seats with the gm's channel are refused for that one. Commands of others are taken, after `stops` has ended what would
write more hidden records.
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
PER_ITEM = 256  # bytes, for what an entry has beside a public record or an outcome
_KEPT_FOR_GM = 16  # of so many parts of a room's cap one: in it the gm can end what is under way, and close the room
_HIDDEN_PART = 4  # of the room's cap; it comes on top
_ENDING = (c.Cancel, c.CancelCountdown, c.DetachConsequence, c.EndScene, c.Reveal, c.WithdrawCheck, c.WithdrawTotal)
_KIB, _MIB = 1024, 1024 * 1024
_NO_SPACE: Text = "This room has no space left for hidden events."


class HiddenSpace(Enum):
    """What the space for hidden records makes of a decided command."""

    ENOUGH = auto()  # it is taken
    FORGETS = auto()  # it wrote nothing: it is answered, and the answer not remembered, or it would fill the log
    REFUSES = auto()
    STOPS_HIDDEN = auto()  # it is decided again, after whatever brings hidden records about by itself was stopped


@dataclass(slots=True)
class Size:
    """The bytes of a room's log, as far as this node has read it, and the most that it may have: None is no limit."""

    limit_bytes: int | None = None
    public_bytes: int = 0
    hidden_bytes: int = 0
    is_demo: bool = False
    granted_public_bytes: int = 0  # of a demo room: with more than these it takes nothing until memory is reserved

    @property
    def hidden_limit_bytes(self) -> int | None:
        """The most hidden bytes that the log may have."""
        return None if self.limit_bytes is None else self.limit_bytes // _HIDDEN_PART

    @property
    def lacks_memory(self) -> bool:
        """Whether memory must be reserved for a demo room before it takes more."""
        return self.is_demo and self.public_bytes > self.granted_public_bytes

    def refusal(self, by: Actor) -> No | None:
        """Return why nothing more of this seat's is taken; None if it is."""
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
        """Return what becomes of a command, decided to write these records, by the space left for hidden ones.

        Seats that see hidden records are refused these at the limit. A quarter on top is kept for what ends or reveals
        a hidden thing. A roll that everyone sees is never refused: its dice are drawn by now, and what they show may
        decide whether something hidden follows. A refusal would tell the gm the faces, and leave them for another roll.

        Other seats are never refused, as it would tell what is hidden.
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
        """Return the refusal of a command for which HiddenSpace.REFUSES."""
        return _full(self.hidden_limit_bytes or 0, "events that only its gm sees")

    def take(self, room: Room, written: Sequence[Written], answers: Sequence[Answer]) -> None:
        """Count what an entry is to hold: all of it that is public, and the texts of other records."""
        public, hidden = bytes_of(room, written, answers)
        self.public_bytes += public
        self.hidden_bytes += hidden

    def take_entry(self, data: bytes, public: int) -> None:
        """Count an entry that was appended, as the store does; `public` of its bytes are public."""
        self.public_bytes += public
        self.hidden_bytes += max(0, len(data) - public)


def _full(most: int, what: str) -> No:
    """Return the refusal at a limit of `most` bytes, told in MiB, or in KiB below one."""
    unit, size = ("MiB", _MIB) if most >= _MIB else ("KiB", _KIB)
    return No(Code.TOO_MANY, {"limit": ceil(most / size), "what": f"{unit} of {what}"})


def full_demo(public_bytes: int) -> No:
    """Return why nothing more is taken in a demo room for which no more memory can be reserved."""
    limit = public_bytes // 1024
    full = Refused(Code.TOO_MANY, limit=limit, what="KiB of events (all demo rooms share a small space)")
    return No(full.code, full.details)


def is_outsider(room: Room, seat_id: Id) -> bool:
    """Return whether a seat lacks the gm's channel."""
    seat = room.view.public.seats.get(seat_id)
    return seat is None or not _sees_hidden(seat.role, seat.scopes)


@lru_cache  # asked about with each command, of few different scopes
def _sees_hidden(role: Role, scopes: tuple[Scope, ...]) -> bool:
    return Channel.GM in Actor(GM_SEAT, role, scopes).channels


def bytes_of(room: Room, written: Sequence[Written], answers: Sequence[Answer]) -> tuple[int, int]:
    """Return what these records and outcomes add to a room's public bytes, and to its hidden ones."""
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
            elif Channel.PUBLIC not in answer.outcome.events:  # nothing that hidden things have a part in counts
                public += PER_ITEM
    return public, hidden


def answers_to_store(
    room: Room, written: Sequence[Written], answers: Sequence[Answer], repeats: int, public_repeats: int
) -> tuple[list[Answer], list[Answer]]:
    """Return the outcomes to store now and those to store later.

    `repeats`: how many commands were answered before; `public_repeats`: those of seats without the gm's channel.

    Outcomes are stored with records, once they are many, or once one of them may be asked for again. Those of seats
    without the gm's channel wait for public records, or for others of such seats. Otherwise a room's public bytes would
    tell whether something hidden was appended.
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
    """Yield the gm's commands after which nothing hidden happens by itself any more.

    Hidden countdowns are bound to nothing, and hidden consequences are detached. The gm can reveal the countdowns and
    bind them again. What a command does in public stays the same, but for what would come of these.
    """
    hidden = view.hidden
    for countdown in hidden.countdowns.values():
        if countdown.status is CountdownStatus.RUNNING and countdown.bound_to is not BoundTo.NOTHING:
            has_left = countdown.owner is not None and countdown.owner not in view.seats  # or it cannot be amended
            clear: tuple[Clearable, ...] = ("owner",) if has_left else ()
            yield c.AmendCountdown(countdown_id=countdown.id, bound_to=BoundTo.NOTHING, clear=clear, reason=_NO_SPACE)
    for consequence_id in hidden.consequences:
        yield c.DetachConsequence(consequence_id=consequence_id, note=_NO_SPACE)
