"""How large a room's log is, and how large it may become.

There are two caps, so that the one that a player reaches does not tell how much is hidden. What everyone may know
counts against the room's cap: the texts of public records, and PER_ITEM for each of them and for each outcome of a
seat without the gm's channel; of an outcome that came with no public record, its own bytes too, or players' refusals
would use up the other cap. All else in an entry counts against that one, a quarter of the first. Only seats with the
gm's channel are refused for it. Commands of others are taken, and batch.py stops the hidden countdowns and
consequences that would write more.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from math import ceil
from typing import Any

import orjson

from dreadclock.dice.rolled import faces_of
from dreadclock.wire import commands as c
from dreadclock.wire.base import Channel, Id, Role
from dreadclock.wire.errors import Code, Refused
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.room import Room, Written
from dreadclock_server.core.sessions import Answer, No
from dreadclock_server.rooms.answers import to_json
from dreadclock_server.rooms.history import entries_after
from dreadclock_server.store.base import LogBytes, Store, StoreUnavailable
from dreadclock_server.store.codec import UnreadableEntry, decode
from dreadclock_server.store.index import channel_of

PER_ITEM = 256  # bytes, for what an entry has beside a public record or an outcome
_KEPT_FOR_GM = 16  # of so many parts of a room's cap one: in it the gm can end what is under way, and close the room
_HIDDEN_PART = 4  # of the room's cap; it comes on top
_ENDING = (c.Cancel, c.CancelCountdown, c.DetachConsequence, c.EndScene, c.Reveal, c.WithdrawCheck, c.WithdrawTotal)
_KIB, _MIB = 1024, 1024 * 1024


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

    def hidden_space(self, by: Actor, command: object, written: Sequence[Written]) -> HiddenSpace:
        """Return what becomes of a command, decided to write these records, by the space left for hidden ones.

        Seats that see hidden records are refused these at the limit. A quarter on top is kept for what ends or reveals
        a hidden thing. A roll that everyone sees is never refused: its dice are drawn by now, and what they show may
        decide whether something hidden follows. A refusal would tell the gm the faces, and leave them for another roll.

        Other seats are never refused, as it would tell what is hidden.
        """
        most, hidden = self.hidden_limit_bytes, hidden_bytes(each.text for each in written)
        if most is None:
            return HiddenSpace.ENOUGH
        if Channel.GM not in by.channels:
            is_over = self.hidden_bytes + hidden > most
            return HiddenSpace.STOPS_HIDDEN if hidden and is_over else HiddenSpace.ENOUGH
        if self.hidden_bytes < most or (written and not hidden):
            return HiddenSpace.ENOUGH
        if not written:
            return HiddenSpace.FORGETS
        is_ending = isinstance(command, _ENDING)
        if is_ending and self.hidden_bytes < most + most // _HIDDEN_PART:
            return HiddenSpace.ENOUGH
        if not any(each.record.channel is Channel.PUBLIC and faces_of(each.record.event) for each in written):
            return HiddenSpace.REFUSES
        return HiddenSpace.ENOUGH if is_ending else HiddenSpace.STOPS_HIDDEN

    def hidden_refusal(self) -> No:
        """Return the refusal of a command for which HiddenSpace.REFUSES."""
        return _full(self.hidden_limit_bytes or 0, "events that only its gm sees")

    def take(self, room: Room, written: Sequence[Written], answers: Sequence[Answer]) -> None:
        """Count what an entry is to hold: all of it that is public, and the texts of other records."""
        texts = [each.text for each in written]
        self.public_bytes += public_bytes(room, texts, map(to_json, answers))
        self.hidden_bytes += hidden_bytes(texts)

    def take_entry(self, data: bytes, public: int) -> None:
        """Count an entry that was appended, as the store does; `public` of its bytes are public."""
        self.public_bytes += public
        self.hidden_bytes += max(0, len(data) - public)


def _no(refused: Refused) -> No:
    return No(refused.code, refused.details)


def _full(most: int, what: str) -> No:
    """Return the refusal at a limit of `most` bytes, told in MiB, or in KiB below one."""
    unit, size = ("MiB", _MIB) if most >= _MIB else ("KiB", _KIB)
    return _no(Refused(Code.TOO_MANY, limit=ceil(most / size), what=f"{unit} of {what}"))


def full_demo(public_bytes: int) -> No:
    """Return why nothing more is taken in a demo room for which no more memory can be reserved."""
    return _no(
        Refused(Code.TOO_MANY, limit=public_bytes // 1024, what="KiB of events (all demo rooms share a small space)")
    )


def is_outsider(room: Room, seat_id: Id) -> bool:
    """Return whether a seat lacks the gm's channel."""
    seat = room.view.seats.get(seat_id)
    return seat is None or Channel.GM not in Actor(seat.id, seat.role, seat.scopes).channels


def public_bytes(room: Room, texts: Iterable[str], answers: Iterable[Sequence[Any]]) -> int:
    """Return what these records and these outcomes, as an entry has them, add to a room's public bytes."""
    for_texts = sum([len(text.encode()) + PER_ITEM for text in texts if channel_of(text) == Channel.PUBLIC])
    return for_texts + sum([_bytes_of(answer) for answer in answers if is_outsider(room, answer[0])])


def _bytes_of(answer: Sequence[Any]) -> int:
    """Return what an outcome counts in public: nothing that hidden things have a part in."""
    outcome = answer[3]
    if Channel.PUBLIC in outcome.get("events", ()):
        return PER_ITEM
    return PER_ITEM + (max(PER_ITEM, len(orjson.dumps(answer))) if "no" in outcome else PER_ITEM)


def hidden_bytes(texts: Iterable[str]) -> int:
    """Return about how many bytes these records add to a room's hidden bytes."""
    return sum([len(text.encode()) for text in texts if channel_of(text) != Channel.PUBLIC])


async def count(store: Store, room: Room) -> LogBytes:
    """Count the public bytes of a room that an earlier version wrote, and let the store count on from there.

    What a removed seat was may not be known any more: it counts as one without the gm's channel. Raises RoomUnknown.
    """
    last = counted = 0
    while True:
        async for number, data in entries_after(store, room.room_id, last):
            last, counted = number, counted + public_bytes_of(room, data)
        try:
            begun = await store.begin_count(room.room_id, last, counted)
        except StoreUnavailable:  # it takes no writes; the next load counts again
            return LogBytes(counted, 0)
        if begun is not None:
            return begun


def public_bytes_of(room: Room, data: bytes) -> int:
    """Return what a stored entry adds to a room's public bytes."""
    try:
        entry = decode(data)
        return public_bytes(room, entry.texts, entry.answers)
    except (UnreadableEntry, ValueError):  # whoever needs the entry says so
        return len(data)
