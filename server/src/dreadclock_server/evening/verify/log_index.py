"""An index of a log's records, for looking ahead while commands are rebuilt; and dice that return the log's faces.

A lane is a series of rolls whose dice are fixed in advance. Each roll uses the next slot of its lane. The server
publishes a key when it opens a lane. A roll's proof names the slot and its key.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from dreadclock.dice.rolled import rolled
from dreadclock.narration.facts import started
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Faces, RollProof, Value32
from dreadclock.wire.fold import proof_of
from dreadclock.wire.ids import GM_PREFIX
from dreadclock.wire.records import Record
from dreadclock.wire.things import Lane

_RANDOM_PART = 12  # hex digits at the end of a hidden thing's id
ANY = 0  # stands for any slot of a lane, in place of a slot's number
_MOST_ROLLS = 512  # the most rolls of one command


class MissingDice(ValueError):
    """The log does not show the dice that a command needs."""


class LogIndex:
    """The records of a log, indexed by their place in it, from 0.

    A run is a stretch of records that may belong to one command: all by the same seat, and none later than the
    records before the run.
    """

    def __init__(self, records: Sequence[Record]) -> None:
        self.records = records
        self.run_ends = _run_ends(records)
        self._by_type: dict[type[e.EventBase], list[int]] = defaultdict(list)
        self._by_slot: dict[tuple[str, int], list[int]] = defaultdict(list)
        self._keys: dict[str, list[int]] = defaultdict(list)  # by lane: the places of records that publish its key
        self._public_rolls: list[int] = []  # places of public rolls with a proof
        self._hidden_starts: list[int] = []
        self._notes: list[int] = []
        undone: list[tuple[Channel, int, int]] = []  # commands that are undone later: channel, first and last seq
        for place, record in enumerate(records):
            self._add(place, record)
            if isinstance(record.event, e.CommandVoided):
                undone.append((record.channel, record.event.first, record.event.last))
        self.last_undo = max(self._by_type[e.CommandVoided], default=-1)
        # Records that begin a command: the first record of an undone command, and the first record after it.
        self.boundaries = {(channel, first) for channel, first, _ in undone}
        self.boundaries |= {(channel, last + 1) for channel, _, last in undone}
        self._inside = {
            (channel, seq)
            for channel, first, last in undone
            if last - first < _MOST_ROLLS
            for seq in range(first, last)
        }

    def _add(self, place: int, record: Record) -> None:
        event = record.event
        self._by_type[type(event)].append(place)
        proof = proof_of(event)
        if proof is not None:
            self._by_slot[proof.lane, proof.n].append(place)
            self._by_slot[proof.lane, ANY].append(place)
            if record.channel is Channel.PUBLIC:
                self._public_rolls.append(place)
        if event.note is not None:
            self._notes.append(place)
        if isinstance(event, e.LaneOpened):
            self._keys[event.lane.label].append(place)
        elif isinstance(event, e.SealedStarted) and event.thing.lane is not None:
            self._keys[event.thing.lane].append(place)
        if record.channel is not Channel.PUBLIC and started(event) is not None:
            self._hidden_starts.append(place)

    def ahead(self, place: int, *types: type[e.EventBase]) -> Record | None:
        """Return the first record of these types from `place` to the end of its run; None if there is none."""
        places = [at for sort in types for at in islice(self._within(self._by_type[sort], place), 1)]
        return self.records[min(places)] if places else None

    def all_ahead(self, place: int, sort: type[e.EventBase]) -> list[Record]:
        """Return the records of a type in the run, from `place` on, at most 512."""
        return [self.records[at] for at in islice(self._within(self._by_type[sort], place), _MOST_ROLLS)]

    def note_ahead(self, place: int) -> int | None:
        """Return the place of the first record with a note from `place` to the end of its run, or None."""
        return next(self._within(self._notes, place), None)

    def key(self, place: int, label: str) -> Value32:
        """Return the key of a lane that the run opens. Raises MissingDice if the run does not open this lane."""
        for at in self._within(self._keys[label], place):
            match self.records[at].event:
                case e.LaneOpened(lane=lane):
                    return lane.key
                case e.SealedStarted(thing=thing) if thing.key is not None:
                    return thing.key
        raise MissingDice(f"no lane {label} is opened")

    def first_proof(self, place: int) -> RollProof | None:
        """Return the proof of the first public roll in the run."""
        return next((proof_of(self.records[at].event) for at in self._within(self._public_rolls, place)), None)

    def faces(self, place: int, lane: str | None, n: int) -> tuple[Faces, Value32 | None]:
        """Return all faces of a slot in the run, in order, and the slot's key. `lane`: None for all public rolls."""
        places = self._public_rolls if lane is None else self._by_slot[lane, n]
        faces: Faces = ()
        key: Value32 | None = None
        for at in islice(self._within(places, place), _MOST_ROLLS):
            roll = rolled(self.records[at].event)
            if roll is not None and roll.proof is not None:
                faces, key = (*faces, *roll.faces), key or roll.proof.key
        return faces, key

    def random_parts(self, place: int) -> Iterator[str]:
        """Yield the random parts of the ids of hidden things that the run starts, in order.

        Then yield zeros forever.
        """
        for at in self._within(self._hidden_starts, place):
            thing: Any = started(self.records[at].event)
            if thing.id.startswith(GM_PREFIX):
                yield thing.id[-_RANDOM_PART:]
        while True:
            yield "0" * _RANDOM_PART

    def may_be_one_command(self, records: Sequence[Record]) -> bool:
        """Return whether records may be one whole command. Later undos show where commands begin and end."""
        if not self.boundaries:
            return True
        seqs: dict[Channel, list[int]] = defaultdict(list)
        for record in records:
            seqs[record.channel].append(record.seq)
        ends = {(channel, own[-1]) for channel, own in seqs.items()}
        later = ((channel, seq) for channel, own in seqs.items() for seq in own[1:])
        return self._inside.isdisjoint(ends) and self.boundaries.isdisjoint(later)

    def _within(self, places: list[int], start: int) -> Iterator[int]:
        """Yield the ascending places from `start` to the end of its run."""
        end = self.run_ends[start]
        for index in range(bisect_left(places, start), len(places)):
            if places[index] >= end:
                return
            yield places[index]


def _run_ends(records: Sequence[Record]) -> list[int]:
    """Return the end of each record's run."""
    latest, people, begins = -1, None, list[bool]()
    for record in records:
        begins.append((record.by, record.acted_for) != people or record.at > latest)
        people, latest = (record.by, record.acted_for), max(latest, record.at)
    ends, end = [0] * len(records), len(records)
    for place in range(len(records) - 1, -1, -1):
        ends[place] = end
        end = place if begins[place] else end
    return ends


class LoggedDice:
    """Dice that return the faces in the log, from a place on.

    `loose`: rolls take the next faces of the log, whatever slots they name. `dreadclock.dice.audit` checks the
    slots.
    """

    def __init__(self, index: LogIndex, place: int, *, loose: bool = False) -> None:
        self._index, self._place, self._loose = index, place, loose

    def key(self, label: str, anchor: Value32 | None) -> str:
        """Return the key that the log publishes for a lane."""
        return self._index.key(self._place, label)

    def slot(self, lane: Lane, n: int, token: Value32 | None) -> LoggedSlot:
        """Return the slot with its faces in the log."""
        any_lane = self._loose and lane.seat_id is not None
        faces, key = self._index.faces(self._place, None if any_lane else lane.label, ANY if self._loose else n)
        return LoggedSlot(n, key or "", faces)


class LoggedSlot:
    """A slot of a lane, with its faces in the log."""

    def __init__(self, n: int, key: str, faces: Faces) -> None:
        self.n, self.key, self.taken = n, key, 0
        self._faces = faces

    def take(self, count: int) -> Faces:
        """Return the next faces. Raises MissingDice if the log shows fewer."""
        faces = self._faces[self.taken : self.taken + count]
        if len(faces) < count:
            raise MissingDice(f"{count} dice are rolled, and the log shows {len(faces)}")
        self.taken += count
        return faces
