"""The dice of an export: every roll against the lane that it comes from, recomputed from the records alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from dreadclock.dice.flaws import Flaw
from dreadclock.dice.ledger import Draws, value32
from dreadclock.dice.rolled import Rolled, come_to_light, rolled
from dreadclock.evening.audit.lanes import Lane, Lanes
from dreadclock.evening.audit.report import RollReport, Standing
from dreadclock.evening.export import Header, Step
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, RollProof
from dreadclock.wire.records import Record, room_bytes


@dataclass(slots=True)
class _Slot:
    """A lane's latest slot, which the later rolls of its command go on with."""

    n: int
    by: str
    at: int
    draws: Draws
    witnesses: int
    begun: str  # what may go on with it


class DiceAudit:
    """Takes the steps of an export one after the other."""

    def __init__(self, header: Header) -> None:
        self._holds_gm = Channel.GM in header.channels
        self._room16 = room_bytes(header.room)
        self._lanes = Lanes(self._room16)
        self._slots: dict[str, _Slot] = {}  # by lane: a command may roll in the lanes of several hidden things
        self._sealed: dict[str, RollReport] = {}  # by the lane of a sealed thing: what is known until it is revealed
        self._begun: set[str] = set()  # lanes of things that the gm's channel told of
        self._reports: list[RollReport] = []

    def finished(self) -> Iterator[RollReport]:
        """Give all rolls, in order; what is still sealed stays hidden from who does not hold the gm's channel."""
        yield from sorted((*self._reports, *self._sealed.values()), key=lambda report: report.line)

    def take(self, step: Step) -> Iterator[Flaw]:
        """Take a step and give what does not fit."""
        event = step.record.event
        match event:
            case e.LaneOpened():
                flaw = self._open(step.record, event)
            case e.SealedStarted():
                flaw = self._seal(step, event)
            case e.Revealed():
                yield from self._reveal(step, event)
                return
            case _:
                flaw = self._check(step)
        if isinstance(event, e.SeatRemoved):
            self._lanes.close_seats(event.seat_id)
        if flaw is not None:
            yield flaw

    def _open(self, record: Record, event: e.LaneOpened) -> Flaw | None:
        lane = event.lane
        if lane.seat_id is not None:
            fits = record.channel is Channel.PUBLIC
            flaw = self._lanes.open_seats(lane.seat_id, lane.label, lane.anchor, lane.key)
            return flaw if fits else Flaw.OPENING
        again = lane.label in self._begun
        self._begun.add(lane.label)
        known = self._lanes.open.get(lane.label)
        if again:
            return Flaw.OPENING
        if known is not None:  # it was sealed in public
            return None if known.used == 0 and known.key == value32(lane.key) else Flaw.OPENING
        self._lanes.open_things(lane.label, lane.key, None).committed = False
        return None if record.channel is Channel.GM and lane.label.startswith("thing/") else Flaw.OPENING

    def _seal(self, step: Step, event: e.SealedStarted) -> Flaw | None:
        thing, record = event.thing, step.record
        if thing.id in step.before.public.sealed:
            return Flaw.OPENING
        if thing.lane is None or thing.key is None:
            return None
        if thing.lane in self._lanes.sealed:
            return Flaw.OPENING
        self._lanes.sealed.add(thing.lane)
        lane = self._lanes.open_things(thing.lane, thing.key, thing.seat_id)
        lane.by_count = not self._holds_gm
        if not self._holds_gm:
            report = RollReport(record.channel, record.seq, thing.lane, None, Standing.HIDDEN, line=step.line)
            self._sealed[thing.lane] = report
        by_starter = thing.seat_id in (None, record.by)
        return None if by_starter and thing.lane == f"thing/{thing.kind}/{thing.id}" else Flaw.OPENING

    def _reveal(self, step: Step, event: e.Revealed) -> Iterator[Flaw]:
        """Check the rolls of what comes to light, unless they were seen before in the gm's channel."""
        for one in come_to_light(event.things):
            if not self._holds_gm:
                flaw = self._check_revealed(step, one)
                if flaw is not None:
                    yield flaw
        label = f"thing/{event.kind}/{event.id}"
        self._lanes.open.pop(label, None)
        self._sealed.pop(label, None)

    def _check_revealed(self, step: Step, one: Rolled) -> Flaw | None:
        if one.thing not in self._lanes.open:
            self._lanes.open_things(one.thing, None, None).committed = False
        return self._check_roll(step, one, hidden=True)

    def _check(self, step: Step) -> Flaw | None:
        one = rolled(step.record.event, step.before.channels[step.record.channel].countdowns)
        if one is None:
            return None
        hidden = step.record.channel is not Channel.PUBLIC
        flaw = self._check_roll(step, one, hidden=hidden)
        proof = one.proof
        if not hidden and proof is not None and proof.token is not None:
            self._lanes.witness(step.record.by, proof.token)
        return flaw

    def _check_roll(self, step: Step, one: Rolled, *, hidden: bool) -> Flaw | None:
        record, proof = step.record, one.proof
        report = RollReport(record.channel, record.seq, None, None, Standing.PHYSICAL, 0, one.faces, step.line)
        if proof is None:
            if one.faces and one.physical:
                self._reports.append(report)
            return Flaw.UNPROVEN if one.faces and not one.physical else None
        owned = proof.lane == one.thing if hidden else proof.lane.startswith(f"seat/{record.by}/")
        lane = self._lanes.open.get(proof.lane)
        if lane is None or not owned or one.physical:
            return Flaw.LANE
        flaw = self._flaw(lane, record, proof, one)
        lane.rolled()
        if flaw is None:
            standing, count = _standing(lane, hidden=hidden), self._slots[lane.label].witnesses
            self._reports.append(replace(report, lane=lane.label, n=proof.n, standing=standing, witnesses=count))
        return flaw

    def _flaw(self, lane: Lane, record: Record, proof: RollProof, one: Rolled) -> Flaw | None:
        if proof.key is None:
            return self._flaw_of_later(record, proof, one)
        self._slots.pop(lane.label, None)
        flaw = lane.flaw_of(self._room16, proof)
        if flaw is not None:
            return flaw
        if proof.start != 0:
            return Flaw.START
        slot = self._slots[lane.label] = _Slot(proof.n, record.by, record.at, lane.draws(proof), lane.next, one.begins)
        return None if slot.draws.take(len(one.faces)) == one.faces else Flaw.FACES

    def _flaw_of_later(self, record: Record, proof: RollProof, one: Rolled) -> Flaw | None:
        """Check a roll that goes on with a slot: it is of the same command, and one that may."""
        slot = self._slots.get(proof.lane)
        if slot is None or (slot.n, slot.by, slot.at) != (proof.n, record.by, record.at):
            return Flaw.START
        if slot.draws.taken != proof.start or not one.follows or one.follows != slot.begun:
            return Flaw.START
        slot.begun = one.begins
        if proof.token is not None or proof.witnesses is not None:
            return Flaw.TOKEN
        return None if slot.draws.take(len(one.faces)) == one.faces else Flaw.FACES


def _standing(lane: Lane, *, hidden: bool) -> Standing:
    if hidden:
        return Standing.PROVEN if lane.committed else Standing.UNCOMMITTED
    return Standing.NO_TOKEN if lane.anchor is None else Standing.PROVEN
