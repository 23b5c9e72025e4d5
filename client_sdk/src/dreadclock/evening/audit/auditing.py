"""Going through an export: chain, order, dice, rules, and heads that were noted elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

from dreadclock.dice.flaws import SENTENCES
from dreadclock.evening.audit.dice import DiceAudit
from dreadclock.evening.audit.limits import overfull
from dreadclock.evening.audit.report import Fault, FaultKind, NotedHead, Report
from dreadclock.evening.export import BrokenExport, Chain, Header, Step, folded, read_header, start_of
from dreadclock.evening.referee import is_judged
from dreadclock.evening.referee import judge as judge_by_referee
from dreadclock.wire.base import Channel, HeadHash
from dreadclock.wire.records import Record
from dreadclock.wire.views import View

MOST_FAULTS: Final = 1_000
Tell = Callable[[Step, str], None]
Judge = Callable[[Header, Sequence[Step], Sequence[bytes], View, Tell], Sequence[str]]
"""Tells of each record that breaks a rule, and returns remarks. Its arguments: the header, the records, the lines that
they stand on, the view after them, and what is told of a fault."""


def audit(data: bytes, noted: Sequence[NotedHead] = (), judge: Judge | None = None) -> Report:
    """Check all of an export offline.

    `noted`: heads that are known from elsewhere; a log that was cut, or is another one, is shown against them.
    `judge`: what checks the rules; the referee unless said.
    """
    first, *lines, rest = data.split(b"\n") if b"\n" in data else (data, b"")
    try:
        header = read_header(first)
    except BrokenExport as broken:
        return Report(None, 0, {}, (), (_fault_of(broken),))
    return _Audit(header, judge or _by_referee).run(lines, rest, noted)


def _by_referee(header: Header, steps: Sequence[Step], lines: Sequence[bytes], after: View, tell: Tell) -> list[str]:
    judge_by_referee(steps, header.channels, after, tell)
    return []


class _Enough(Exception):
    """So much is wrong that the rest is left out."""


class _Audit:
    """One pass over an export whose header holds."""

    def __init__(self, header: Header, judge: Judge) -> None:
        self.header, self._judge = header, judge
        self.faults: list[Fault] = []
        self._remarks: Sequence[str] = ()
        self._chain = Chain(header)
        self._heads: dict[tuple[Channel, int], tuple[int, HeadHash]] = {
            (channel, head.seq): (1, head.hash) for channel, head in self._chain.positions.items()
        }

    def run(self, lines: Sequence[bytes], rest: bytes, noted: Sequence[NotedHead]) -> Report:
        """Check everything, as far as the chain holds."""
        records, whole = self._records(lines, rest)
        dice = DiceAudit(self.header)
        steps = self._steps(records)
        with suppress(_Enough):
            self._check(steps, dice, lines)
        if not whole:
            self._excuse_the_last_command(steps)
        self._compare(noted, whole=whole)
        faults = tuple(sorted(self.faults, key=lambda fault: fault.line))
        unjudged = sum(not is_judged(step) for step in steps)
        found = tuple(dice.finished()), faults, unjudged, tuple(self._remarks)
        return Report(self.header, len(records), self._chain.positions, *found)

    def _excuse_the_last_command(self, steps: Sequence[Step]) -> None:
        """Leave out what the last command before a broken record seems to lack: the rest of it cannot be read."""
        last = steps[-1].record if steps else None
        line = self._chain.line + 1
        for step in reversed(steps):
            if last is None or (step.record.by, step.record.at) != (last.by, last.at):
                break
            line = step.line
        self.faults = [fault for fault in self.faults if fault.kind is not FaultKind.RULES or fault.line < line]

    def _check(self, steps: Sequence[Step], dice: DiceAudit, lines: Sequence[bytes]) -> None:
        for step in steps:
            for flaw in dice.take(step):
                self._add(step, SENTENCES[flaw], FaultKind.DICE, flaw)
        after = steps[-1].after if steps else start_of(self.header)
        told = lines[: len(steps)]
        tell = partial(self._add, kind=FaultKind.RULES)
        self._remarks = self._judge(self.header, steps, told, after, tell)

    def _records(self, lines: Sequence[bytes], rest: bytes) -> tuple[list[Record], bool]:
        """Take the lines up to the first that does not fit; tell whether all did."""
        records: list[Record] = []
        try:
            for line in lines:
                record = self._chain.take(line)
                head = self._chain.positions[record.channel]
                self._heads[record.channel, head.seq] = (self._chain.line, head.hash)
                records.append(record)
            self._chain.end(rest)
        except BrokenExport as broken:
            self.faults.append(_fault_of(broken))
            return records, broken.line == 1
        return records, True

    def _steps(self, records: Sequence[Record]) -> list[Step]:
        """Fold the records; one that speaks of what is not there changes nothing."""
        view, latest, steps = start_of(self.header), dict.fromkeys(self.header.channels, 0), []
        for line, record in enumerate(records, start=2):
            before = view
            try:
                view = folded(view, record, line)
            except BrokenExport as broken:
                self.faults.append(Fault(line, record.channel, record.seq, broken.what, FaultKind.RULES))
            step = Step(line, record, before, view)
            steps.append(step)
            earlier = latest[Channel.PUBLIC] if record.channel is Channel.PUBLIC else max(latest.values())
            if record.at < earlier:
                self._add(step, "it is earlier than the record before it", FaultKind.ORDER)
            latest[record.channel] = max(record.at, latest[record.channel])
            if what := overfull(before, view):
                self._add(step, f"no room holds so many {what}; nothing after it was checked", FaultKind.RULES)
                break
        return steps

    def _compare(self, noted: Sequence[NotedHead], *, whole: bool) -> None:
        """Hold the log against heads from elsewhere; where its chain is broken, nothing is said of what came after."""
        for each in noted:
            known, end = self._heads.get((each.channel, each.seq)), self._chain.positions.get(each.channel)
            if end is None:
                what = f"a head of {each.channel} was noted, which this file does not hold"
                self.faults.append(Fault(1, None, None, what, FaultKind.HEAD))
            elif known is None and whole:
                what = f"record {each.seq} was seen, and the file ends at {end.seq}: its end is missing"
                self.faults.append(Fault(self._chain.line, each.channel, end.seq, what, FaultKind.HEAD))
            elif known is not None and not each.fits(known[1]):
                what = "its head is not the one that was noted: it, or something before it, is not what was told then"
                self.faults.append(Fault(known[0], each.channel, each.seq, what, FaultKind.HEAD))

    def _add(self, step: Step, what: str, kind: FaultKind, flaw: str | None = None) -> None:
        if len(self.faults) >= MOST_FAULTS:
            raise _Enough
        record = step.record
        sentence = f"{record.event.type}: {what}"
        self.faults.append(Fault(step.line, record.channel, record.seq, sentence, kind, flaw))


def _fault_of(broken: BrokenExport) -> Fault:
    kind = FaultKind.HEADER if broken.line == 1 else FaultKind.CHAIN
    return Fault(broken.line, broken.channel, broken.seq, broken.what, kind)
