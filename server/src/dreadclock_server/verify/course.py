"""The records of an export as the course of commands: where to look ahead in it, without reading it again."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice

from dreadclock.dice.rolled import rolled
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Faces, RollProof, Value32
from dreadclock.wire.fold import proof_of
from dreadclock.wire.ids import GM_PREFIX
from dreadclock.wire.records import Record
from dreadclock.wire.things import Lane

_HIDDEN_ID = 12  # hex digits at the end of an id that says nothing of others
ANY = 0  # in place of a slot's number: all slots of a lane
_MOST_ROLLS = 512  # of one command: what a longer run shows is of others, too
_STARTS: dict[type[e.EventBase], str] = {
    e.ConsequenceAttached: "consequence",
    e.CountdownStarted: "countdown",
    e.ClockStarted: "clock",
    e.SceneOpened: "scene",
    e.SituationStarted: "situation",
    e.ChallengeAdded: "challenge",
    e.EffortMade: "effort",
    e.CheckProposed: "check",
    e.CharacterAdded: "character",
    e.DiceRolled: "roll",
}


class MissingDice(ValueError):
    """The log does not show the dice that a command needs."""


class Course:
    """The records of an export in order. What commands are rebuilt from is indexed once, by place.

    A run is a stretch of records that may be of one command: of the same people, and not later than what came before.
    """

    def __init__(self, records: Sequence[Record]) -> None:
        self.records = records
        self.run_ends = _run_ends(records)
        self._places: dict[type[e.EventBase], list[int]] = defaultdict(list)
        self._slots: dict[tuple[str, int], list[int]] = defaultdict(list)
        self._keys: dict[str, list[int]] = defaultdict(list)
        self._proven: list[int] = []  # public rolls that have a proof
        self._fresh: list[int] = []  # of hidden things whose ids the server made
        self._noted: list[int] = []
        self._voided: list[tuple[Channel, int, int]] = []
        for place, record in enumerate(records):
            self._index(place, record)
        self.last_void = max(self._places[e.CommandVoided], default=-1)
        self.boundaries = {(channel, first) for channel, first, _ in self._voided}
        self.boundaries |= {(channel, last + 1) for channel, _, last in self._voided}
        short = (each for each in self._voided if each[2] - each[1] < _MOST_ROLLS)
        self._inside = {(channel, seq) for channel, first, last in short for seq in range(first, last)}

    def _index(self, place: int, record: Record) -> None:
        event = record.event
        self._places[type(event)].append(place)
        proof = proof_of(event)
        if proof is not None:
            self._slots[proof.lane, proof.n].append(place)
            self._slots[proof.lane, ANY].append(place)
            if record.channel is Channel.PUBLIC:
                self._proven.append(place)
        if event.note is not None:
            self._noted.append(place)
        match event:
            case e.LaneOpened(lane=lane):
                self._keys[lane.label].append(place)
            case e.SealedStarted(thing=thing) if thing.lane is not None:
                self._keys[thing.lane].append(place)
            case e.CommandVoided():
                self._voided.append((record.channel, event.first, event.last))
        if record.channel is not Channel.PUBLIC and _started(event) is not None:
            self._fresh.append(place)

    def ahead(self, place: int, *types: type[e.EventBase]) -> Record | None:
        """Return the first record of one of these types that may be of the command that begins at `place`."""
        found = [at for sort in types for at in islice(self._from(self._places[sort], place), 1)]
        return self.records[min(found)] if found else None

    def all_ahead(self, place: int, sort: type[e.EventBase]) -> list[Record]:
        """Return the records of a type that may be of the command that begins at `place`."""
        return [self.records[at] for at in islice(self._from(self._places[sort], place), _MOST_ROLLS)]

    def noted(self, place: int) -> int | None:
        """Return the place of the first note that may be of the command that begins at `place`."""
        return next(self._from(self._noted, place), None)

    def key(self, place: int, label: str) -> Value32:
        """Return the key of a lane that is opened. Raises MissingDice if the log opens none."""
        for at in self._from(self._keys[label], place):
            match self.records[at].event:
                case e.LaneOpened(lane=lane):
                    return lane.key
                case e.SealedStarted(thing=thing) if thing.key is not None:
                    return thing.key
        raise MissingDice(f"no lane {label} is opened")

    def first_proof(self, place: int) -> RollProof | None:
        """Return the proof of the first public roll, if that begins a slot."""
        for at in self._from(self._proven, place):
            return proof_of(self.records[at].event)
        return None

    def faces(self, place: int, lane: str | None, n: int) -> tuple[Faces, Value32 | None]:
        """Return all faces of a slot, in order, and its key; `lane` is None for all public rolls from `place` on."""
        places = self._from(self._proven, place) if lane is None else self._from(self._slots[lane, n], place)
        faces: Faces = ()
        key: Value32 | None = None
        for at in islice(places, _MOST_ROLLS):
            roll = rolled(self.records[at].event)
            if roll is not None and roll.proof is not None:
                faces, key = (*faces, *roll.faces), key or roll.proof.key
        return faces, key

    def fresh_parts(self, place: int) -> Iterator[str]:
        """Give the random parts of ids of hidden things, in the order in which they are started."""
        for at in self._from(self._fresh, place):
            thing_id = str(_started(self.records[at].event))
            if thing_id.startswith(GM_PREFIX):
                yield thing_id[-_HIDDEN_ID:]
        while True:
            yield "0" * _HIDDEN_ID

    def is_one_command(self, records: Sequence[Record]) -> bool:
        """Tell whether records may be one whole command, by what is taken back of them later."""
        if not self._voided:
            return True
        seqs: dict[Channel, list[int]] = defaultdict(list)
        for each in records:
            seqs[each.channel].append(each.seq)
        ends = {(channel, of[-1]) for channel, of in seqs.items()}
        within = ((channel, seq) for channel, of in seqs.items() for seq in of[1:])
        return self._inside.isdisjoint(ends) and self.boundaries.isdisjoint(within)

    def _from(self, places: list[int], start: int) -> Iterator[int]:
        """Give those of ascending places that lie between one and the end of its run."""
        end = self.run_ends[start]
        for index in range(bisect_left(places, start), len(places)):
            if places[index] >= end:
                return
            yield places[index]


def _run_ends(records: Sequence[Record]) -> list[int]:
    """Return for each record where its run ends."""
    latest, begins = -1, []
    for place, record in enumerate(records):
        before = records[place - 1] if place else None
        same = before is not None and (record.by, record.acted_for) == (before.by, before.acted_for)
        begins.append(not same or record.at > latest)
        latest = max(latest, record.at)
    ends, end = [0] * len(records), len(records)
    for place in range(len(records) - 1, -1, -1):
        ends[place] = end
        end = place if begins[place] else end
    return ends


def _started(event: e.EventBase) -> str | None:
    """Return the id of the thing that an event starts."""
    name = _STARTS.get(type(event))
    return None if name is None else getattr(event, name).id


class LoggedDice:
    """Dice that show what the log shows from a place on.

    `loose`: whether rolls take the faces that come next, whatever slot they claim to be from.
    """

    def __init__(self, course: Course, place: int, *, loose: bool = False) -> None:
        self._course, self._place, self._loose = course, place, loose

    def key(self, label: str, anchor: Value32 | None) -> str:
        """Return the key that the log publishes for a lane."""
        return self._course.key(self._place, label)

    def slot(self, lane: Lane, n: int, token: Value32 | None) -> LoggedSlot:
        """Return the faces that the log shows of a slot."""
        public = self._loose and lane.seat_id is not None
        faces, key = self._course.faces(self._place, None if public else lane.label, ANY if self._loose else n)
        return LoggedSlot(n, key or "", faces)


class LoggedSlot:
    """A slot of a lane, as the log shows it."""

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
