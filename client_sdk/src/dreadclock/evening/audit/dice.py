"""The dice of an export: every roll against the lane that it comes from, recomputed from the records alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dreadclock.dice.flaws import Flaw
from dreadclock.dice.lanes import Found, Lane, Lanes
from dreadclock.evening.audit.report import RollReport, Standing
from dreadclock.evening.export import Header, Step
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel
from dreadclock.wire.families.dice import lane_of_thing


class DiceAudit:
    """Takes the steps of an export one after the other."""

    def __init__(self, header: Header) -> None:
        self._holds_gm = Channel.GM in header.channels
        self._lanes = Lanes(header.room, holds_gm=self._holds_gm)
        self._sealed: dict[str, RollReport] = {}  # by the lane of a sealed thing: what is known until it is revealed
        self._reports: list[RollReport] = []

    def finished(self) -> Iterator[RollReport]:
        """Give all rolls, in order; what is still sealed stays hidden from who does not hold the gm's channel."""
        yield from sorted((*self._reports, *self._sealed.values()), key=lambda report: report.line)

    def take(self, step: Step) -> Iterator[Flaw]:
        """Take a step and give what does not fit."""
        for found in self._lanes.check(step.before.channels[step.record.channel], step.record):
            if found.flaw is not None:
                yield found.flaw
            elif (report := self._report(step, found)) is not None:
                self._reports.append(report)
        self._note_sealed(step)

    def _report(self, step: Step, found: Found) -> RollReport | None:
        record, roll = step.record, found.roll
        if roll is None or (roll.proof is None and not roll.faces):
            return None
        report = RollReport(record.channel, record.seq, None, None, Standing.PHYSICAL, 0, roll.faces, step.line)
        if roll.proof is None or found.lane is None:
            return report
        return replace(
            report, lane=found.lane.label, n=roll.proof.n, standing=_standing(found.lane), witnesses=found.witnesses
        )

    def _note_sealed(self, step: Step) -> None:
        match step.record.event:
            case e.SealedStarted(thing=thing) if thing.lane is not None and not self._holds_gm:
                record = step.record
                report = RollReport(record.channel, record.seq, thing.lane, None, Standing.HIDDEN, line=step.line)
                self._sealed.setdefault(thing.lane, report)
            case e.Revealed(kind=kind, id=thing_id):
                self._sealed.pop(lane_of_thing(kind, thing_id), None)


def _standing(lane: Lane) -> Standing:
    if lane.label.startswith("thing/"):
        return Standing.PROVEN if lane.is_committed else Standing.UNCOMMITTED
    return Standing.PROVEN if lane.token is not None else Standing.NO_TOKEN
