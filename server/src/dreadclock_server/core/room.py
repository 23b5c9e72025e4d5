"""The state of a room, and how events and records change it."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import NamedTuple

from dreadclock.wire.base import Channel, Id, RoomId, Value32
from dreadclock.wire.events import Event, LaneOpened
from dreadclock.wire.families.folds import GONE, Changes
from dreadclock.wire.fold import Folding, changes_of, proof_of
from dreadclock.wire.records import Head, Positions, Record, advance, opening_head, text_of
from dreadclock.wire.views import ChannelView, View, empty_view
from dreadclock_server.core.undo import UndoLog, UndoLogs, recorded


class Written(NamedTuple):
    """A record, its canonical text (which is hashed, stored and sent), and the channel's new head (number and hash)."""

    record: Record
    text: str
    head: Head

    @property
    def event(self) -> Event:
        """The event of the record."""
        return self.record.event


class NextWitness(NamedTuple):
    """The witness for the next roll of a sealed thing (everyone sees only its name), and how many tokens are in it.

    The witness is a hash of dice tokens that other seats have shown, as the thing's lane had it at the roll before.
    """

    next_witness: Value32 | None
    next_witnesses: int


Witnesses = Mapping[str, NextWitness]  # by the label of a sealed thing's lane, after its first roll
# by family and id, for things that rolls can name: the seq of the public record that changed the thing last
Changed = Mapping[str, Mapping[Id, int]]
_at = attrgetter("at")
_ROLLED = frozenset(("characters", "countdowns", "checks", "totals", "scenes"))


@dataclass(slots=True)
class Room:
    """The state for decisions: the view and the head of every channel.

    Immutable by convention; `frozen=True` triples the construction time.
    """

    room_id: RoomId
    log_id: str  # 32 hex digits
    view: View
    positions: Positions
    at: int = 0  # ms of the latest record
    changed: Changed = field(default_factory=dict)
    anchors: frozenset[Value32] = frozenset()  # the anchors of all lanes with tokens, including closed lanes
    witnesses: Witnesses = field(default_factory=dict)
    # not compared, because undo logs depend on how records are grouped into commands
    undo_logs: UndoLogs = field(default=UndoLogs.of(()), compare=False)

    def undo_log_for(self, channels: Collection[Channel]) -> UndoLog:
        """Return the undo log for a seat that sees these channels.

        Without the gm's channel, it has only public parts.
        """
        logs = self.undo_logs
        return logs.all if Channel.GM in channels else tuple([entry.in_public for entry in logs.public])

    def seq(self, channel: Channel) -> int:
        """Return the number of a channel's last record."""
        return self.positions[channel].seq

    def changed_at(self, thing_id: Id) -> int:
        """Return the public seq of a thing's latest change; 0 if rolls cannot refer to such a thing."""
        return max((seqs.get(thing_id, 0) for seqs in self.changed.values()), default=0)


def empty_room(room_id: RoomId, log_id: str) -> Room:
    """Return a room before its first event."""
    heads = {channel: opening_head(room_id, log_id, channel) for channel in Channel}
    return Room(room_id, log_id, empty_view(*Channel), heads)


class Evolving(Room):
    """A mutable copy of a room that takes the events of a command. `end` returns the new room; the old room stays.

    Events change `view` in place, so callers must not keep the view, or a dictionary of it, beyond the next event.
    """

    __slots__ = ("_before", "_changes", "_folding", "_seqs")

    def __init__(self, room: Room) -> None:
        self._before, self._folding = room, Folding(room.view)
        self._changes: dict[Channel, Changes] = {}
        self._seqs = {channel: head.seq for channel, head in room.positions.items()}
        view, positions = self._folding.view, room.positions.copy()
        changed, anchors, witnesses = room.changed, room.anchors, room.witnesses
        super().__init__(
            room.room_id, room.log_id, view, positions, room.at, changed, anchors, witnesses, room.undo_logs
        )

    def fork(self) -> "Evolving":
        """Return a copy to which other events can be applied."""
        fork = Evolving(self)
        fork._before, fork._seqs = self._before, self._seqs.copy()
        fork._changes = {channel: changes.copy() for channel, changes in self._changes.items()}
        return fork

    def seq(self, channel: Channel) -> int:
        """Return the number of a channel's last event, written or not."""
        return self._seqs[channel]

    def next_record(
        self, channel: Channel, event: Event, *, by: Id, acted_for: Id | None = None, now_ms: int
    ) -> Record:
        """Make the next record of a channel."""
        is_public = channel is Channel.PUBLIC
        recent = self.view.channels[channel].recent  # only public times, so that hidden events do not influence them
        latest = self.at if not is_public else recent[-1].at if recent else 0
        return Record.trusted(
            channel=channel,
            seq=self._seqs[channel] + 1,
            at=max(now_ms, latest),
            by=by,
            acted_for=acted_for,
            after=None if is_public else self._seqs[Channel.PUBLIC],
            event=event,
        )

    def take(self, channel: Channel, event: Event) -> None:
        """Apply the next event of a channel.

        Raises KeyError, and changes nothing, if the event names a missing thing.
        """
        part = self.view.channels[channel]
        changes = changes_of(part, event)
        self._seqs[channel] += 1
        if channel is Channel.PUBLIC:
            self._note_changed(part, changes)
        self._folding.take(channel, changes)
        self._changes.setdefault(channel, []).extend(changes)
        if self.witnesses or channel is not Channel.PUBLIC:
            self._note_witness(channel, event)
        if type(event) is LaneOpened and event.lane.anchor:
            self.anchors |= {event.lane.anchor}

    def add(self, written: Written) -> None:
        """Apply a record.

        Raises ValueError if it is not the next of its channel, and KeyError if a thing is missing.
        """
        record = written.record
        if record.seq != self._seqs[record.channel] + 1:
            raise ValueError(f"record {record.seq} of {record.channel} cannot follow {self._seqs[record.channel]}")
        self.take(record.channel, record.event)
        self.positions[record.channel] = written.head

    def pass_over(self, written: Written) -> None:
        """Add a record to its channel's chain without changing the view, because it names a missing thing."""
        self._seqs[written.record.channel] = written.head.seq
        self.positions[written.record.channel] = written.head

    def write(self, records: Sequence[Record]) -> list[Written]:
        """Return these records with their texts and heads, and advance the channels' heads. Their events must have been
        applied before.
        """
        written = []
        for record in records:
            text = text_of(record)
            head = self.positions[record.channel] = advance(self.positions[record.channel], text)
            written.append(Written(record, text, head))
        return written

    def end(self, written: Sequence[Written], *, is_whole: bool = True, keeps_undo: bool = True) -> Room:
        """Return the room after all events. `written`: their records. The object must not be used afterwards.

        `is_whole`: whether these are all records of exactly one command. `keeps_undo`: whether to add the command to
        the undo log.
        """
        records, logs = [entry.record for entry in written], self.undo_logs
        if keeps_undo and records:
            logs = recorded(logs, self._before.view, self.view, self._changes, records, is_whole=is_whole)
        at = max(self.at, *map(_at, records)) if records else self.at
        view, positions = self._folding.end(records), self.positions
        return Room(self.room_id, self.log_id, view, positions, at, self.changed, self.anchors, self.witnesses, logs)

    def _note_changed(self, part: ChannelView, changes: Changes) -> None:
        """Store, for each changed thing that rolls can refer to, the seq of the public event that changed it."""
        before = self.changed
        for family, key, thing in changes:
            if key is not None and family in _ROLLED:
                is_same = getattr(part, family).get(key) is thing
                seq = before.get(family, {}).get(key, 0) if is_same else self._seqs[Channel.PUBLIC]
                seqs = {**self.changed.get(family, {}), key: seq}
                if thing is GONE:
                    del seqs[key]
                self.changed = {**self.changed, family: seqs}

    def _note_witness(self, channel: Channel, event: Event) -> None:
        """After a roll in a sealed thing's lane, store the lane's witness for the next roll.

        After a public event, forget the lanes that are no longer in the public view.
        """
        lanes = self.view.public.lanes
        if channel is Channel.PUBLIC:
            if not self.witnesses.keys() <= lanes.keys():
                self.witnesses = {label: witness for label, witness in self.witnesses.items() if label in lanes}
        elif (proof := proof_of(event)) is not None and (lane := lanes.get(proof.lane)) is not None:
            self.witnesses = {**self.witnesses, lane.label: NextWitness(lane.witness, lane.witnesses)}


def replay(room: Room, texts: Iterable[str], *, is_whole: bool = True) -> tuple[Room, list[Written]]:
    """Apply records, given as their texts. Return the room after them, and the parsed records.

    `is_whole`: whether these are all records of exactly one command. Raises ValueError if a text is malformed, or if
    its record is not the next of its channel. Raises KeyError if an event names a missing thing.
    """
    evolving, written = Evolving(room), list[Written]()
    for text in texts:
        written.append(read(evolving, text))
        evolving.add(written[-1])
    return evolving.end(written, is_whole=is_whole), written


def read(room: Room, text: str) -> Written:
    """Read the room's next record from its canonical text. Raises ValueError if it is malformed."""
    record = Record.model_validate_json(text)
    return Written(record, text, advance(room.positions[record.channel], text))
