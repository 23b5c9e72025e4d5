"""A room's state, and how records change it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress
from operator import attrgetter, is_not
from typing import NamedTuple

from dreadclock.wire.base import Channel, Id, RoomId, Value32
from dreadclock.wire.events import Event, LaneOpened
from dreadclock.wire.fold import fold, proof_of
from dreadclock.wire.records import Head, Positions, Record, advance, opening_head, text_of
from dreadclock.wire.views import ChannelView, View, empty_view
from dreadclock_server.core.undo_log import UndoLog, UndoLogs


class Written(NamedTuple):
    """A record with its canonical text, which is what is hashed, stored and sent, and the head after it."""

    record: Record
    text: str
    head: Head

    @property
    def event(self) -> Event:
        """What happened."""
        return self.record.event


class NextWitness(NamedTuple):
    """What the next roll of a sealed thing goes by: its lane's witness as it stood at the last one."""

    next_witness: Value32 | None
    next_witnesses: int


Witnesses = Mapping[str, NextWitness]  # by the lane of a sealed thing that was rolled
Changed = Mapping[str, Mapping[Id, int]]  # by a family that rolls are about, and by id: the public seq of a change
_ROLLED = ("characters", "countdowns", "checks", "totals", "scenes")
_rolled = attrgetter(*_ROLLED)


@dataclass(slots=True)
class Room:
    """All that decisions rest on: every channel's view, and where the channels stand.

    It never changes: another one follows from it. To freeze it would make each of them take three times as long.
    """

    room_id: RoomId
    log_id: str  # 32 hex digits
    view: View
    positions: Positions
    at: int = 0  # ms of the latest record
    changed: Changed = field(default_factory=dict)
    anchors: frozenset[Value32] = frozenset()  # of all lanes with tokens, also of those that are closed
    witnesses: Witnesses = field(default_factory=dict)
    undo_logs: UndoLogs = field(default=UndoLogs.of(()), compare=False)  # they follow from entries, not from records

    @property
    def undo_log(self) -> UndoLog:
        """The latest commands, whatever they told."""
        return self.undo_logs.all

    def undo_log_for(self, channels: Collection[Channel]) -> UndoLog:
        """Return the latest commands as somebody knows them who sees these channels: nothing in it is of others."""
        logs = self.undo_logs
        return logs.all if Channel.GM in channels else UndoLog(each.in_public for each in logs.public)

    def seq(self, channel: Channel) -> int:
        """Return the number of a channel's last record."""
        return self.positions[channel].seq

    def changed_at(self, thing_id: Id) -> int:
        """Return the public seq of the event that made a thing what it is; 0 if no roll is about such a thing."""
        return max((seqs.get(thing_id, 0) for seqs in self.changed.values()), default=0)


def empty_room(room_id: RoomId, log_id: str) -> Room:
    """Return a room before its first event."""
    heads = {channel: opening_head(room_id, log_id, channel) for channel in Channel}
    return Room(room_id, log_id, empty_view(*Channel), heads)


def with_undo_logs(room: Room, undo_logs: UndoLogs) -> Room:
    """Return the room with other undo logs."""
    witnesses, anchors = room.witnesses, room.anchors
    return Room(
        room.room_id, room.log_id, room.view, room.positions, room.at, room.changed, anchors, witnesses, undo_logs
    )


def evolve(room: Room, written: Written) -> Room:
    """Return the room after one more record, which must be the next of its channel."""
    return follow(room, written.record, written.head)


def follow(room: Room, record: Record, head: Head) -> Room:
    """Return the room after one more record, which must be the next of its channel, and its head."""
    channel, view = record.channel, fold(room.view, record)
    if record.seq != room.positions[channel].seq + 1:
        raise ValueError(f"record {record.seq} of {channel} cannot follow {room.positions[channel].seq}")
    changed, anchors, witnesses = room.changed, room.anchors, room.witnesses
    if channel is Channel.PUBLIC:
        changed = _changed(changed, room.view.channels[channel], view.channels[channel], record.seq)
    if witnesses or channel is not Channel.PUBLIC:
        witnesses = _witnesses(witnesses, record, view.public)
    if type(record.event) is LaneOpened and record.event.lane.anchor:
        anchors = anchors | {record.event.lane.anchor}
    positions, at = {**room.positions, channel: head}, max(room.at, record.at)
    return Room(room.room_id, room.log_id, view, positions, at, changed, anchors, witnesses, room.undo_logs)


def _changed(known: Changed, before: ChannelView, after: ChannelView, seq: int) -> Changed:
    """Note what a public record changed: folds leave every other thing the very object that it was."""
    for family in compress(_ROLLED, map(is_not, _rolled(before), _rolled(after))):
        old, new, seqs = getattr(before, family), getattr(after, family), known.get(family, {})
        now = {key: seqs.get(key, 0) if old.get(key) is thing else seq for key, thing in new.items()}
        known = {**known, family: now}
    return known


def _witnesses(known: Witnesses, record: Record, public: ChannelView) -> Witnesses:
    """Note the witness of a sealed thing's lane as it stands right after a roll of it; forget lanes that are gone."""
    if record.channel is Channel.PUBLIC:
        gone = known and known.keys() - public.lanes.keys()
        return {label: each for label, each in known.items() if label not in gone} if gone else known
    proof = proof_of(record.event)
    lane = public.lanes.get(proof.lane) if proof is not None else None
    return known if lane is None else {**known, lane.label: NextWitness(lane.witness, lane.witnesses)}


def next_record(
    room: Room, channel: Channel, event: Event, *, by: Id, acted_for: Id | None = None, now_ms: int
) -> Record:
    """Make the next record of a channel."""
    is_public = channel is Channel.PUBLIC
    recent = room.view.channels[channel].recent  # for `public` no other channel's time counts
    latest = room.at if not is_public else recent[-1].at if recent else 0
    return Record.trusted(
        channel=channel,
        seq=room.positions[channel].seq + 1,
        at=max(now_ms, latest),
        by=by,
        acted_for=acted_for,
        after=None if is_public else room.seq(Channel.PUBLIC),
        event=event,
    )


def with_note(room: Room, record: Record, note: str) -> tuple[Room, Record]:
    """Put a note on the event of a record that the room holds; nothing in a room but its latest records tells notes."""
    noted = record.model_copy(update={"event": record.event.model_copy(update={"note": note})})
    channels = room.view.channels
    part = channels[record.channel]
    recent = tuple(noted if each is record else each for each in part.recent)
    changed = part.model_copy(update={"recent": recent})
    return replace(room, view=View(channels={**channels, record.channel: changed})), noted


def write(before: Room, room: Room, records: Sequence[Record]) -> tuple[Room, list[Written]]:
    """Write, hash and chain records that led from one room to another; return that room with where they stand."""
    positions, written = dict(before.positions), []
    for record in records:
        written.append(_written(positions[record.channel], record, text_of(record)))
        positions[record.channel] = written[-1].head
    return replace(room, positions=positions), written


def read(room: Room, text: str) -> Written:
    """Read a record that follows in a room from its canonical text. Raises ValueError if it is none."""
    record = Record.model_validate_json(text)
    return _written(room.positions[record.channel], record, text)


def _written(head: Head, record: Record, text: str) -> Written:
    return Written(record, text, advance(head, text))
