"""Verify an export offline: its hash chain, the order of its records, its dice, and heads that somebody noted.

    report = audit(Path("evening.jsonl").read_bytes())
    for fault in report.faults: print(fault)

This module cannot check the rules itself: `dreadclock_server.evening.verify` passes a function that does. The audit
continues after a fault. But if the hash chain is broken, only the records before the break are checked.

A head is a channel's hash after a record. Dice come from lanes, which are series of rolls. Before the first roll, the
server commits to a key for each roll, and the roller's client to a token, if it takes part. A witness is another seat
whose token influenced the roll. Of a sealed thing, everyone sees only the name and the lane until it is revealed.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from itertools import compress
from operator import attrgetter, is_not
from typing import Final, NamedTuple

from dreadclock.dice.fingerprint import six_words
from dreadclock.dice.flaws import SENTENCES, Flaw
from dreadclock.dice.lanes import Checked, Lane, Lanes
from dreadclock.export import BrokenExport, Chain, Header, Step, folded, read_header, start_of
from dreadclock.rules.limits import MOST_HELD
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Faces, HeadHash, Id
from dreadclock.wire.families.dice import lane_of_thing
from dreadclock.wire.records import Positions, Record
from dreadclock.wire.views import ChannelView, View

MOST_FAULTS: Final = 1_000


class Standing(StrEnum):
    """How far a roll is proven."""

    PROVEN = "proven"  # its faces follow from values fixed before: key and token, or a sealed thing's published key
    NO_TOKEN = "no_token"  # its faces follow from the server's key alone: the roller's client showed no token
    PHYSICAL = "physical"  # typed in from real dice
    HIDDEN = "hidden"  # the lane of a sealed thing that was not revealed: its rolls are not in the file
    UNCOMMITTED = "uncommitted"  # a roll of a hidden thing: the server had published no commitment before the roll


class FaultKind(StrEnum):
    """Which check failed."""

    HEADER = "header"  # the file's first line, or where the file ends
    CHAIN = "chain"  # a record differs from the record that was hashed
    ORDER = "order"  # a record's time
    DICE = "dice"
    RULES = "rules"
    HEAD = "head"  # the log differs from a head that somebody noted


@dataclass(frozen=True, slots=True)
class RollReport:
    """A roll, or the lane of a sealed thing whose rolls are still hidden.

    `seq`: the number of the record with the roll, or of the thing's `sealed_started`. `n`: the slot in the
    lane. `lane` and `n` are None if no lane was used. `witnesses`: the number of other seats whose tokens
    influenced the roll. With 0, server and roller together could have chosen the faces.
    """

    channel: Channel
    seq: int
    lane: str | None
    n: int | None
    standing: Standing
    witnesses: int = 0
    faces: Faces = ()
    line: int = 0


@dataclass(frozen=True, slots=True)
class Fault:
    """A check that failed.

    `line`: the line in the file, from 1. `channel` and `seq` name the record; None if the fault is not of a record.
    """

    line: int
    channel: Channel | None
    seq: int | None
    sentence: str
    kind: FaultKind
    flaw: str | None = None  # only for faults of dice: a `dreadclock.dice.flaws.Flaw`

    def __str__(self) -> str:
        where = (
            f"line {self.line}" if self.channel is None else f"line {self.line}, record {self.seq} of {self.channel}"
        )
        return f"{where}: {self.sentence}"


_WORD: Final = "[bdfghjklmnprstvz][aiou][bdfghjklmnprstvz][aiou][bdfghjklmnprstvz]"
_NOTED: Final = re.compile(
    r"(record\s+)?(?P<seq>[0-9]{1,15})(\s+of the public log reads)?[:\s]+"
    rf"(?P<head>[0-9a-f]{{64}}|{_WORD}([\s,-]+{_WORD}){{5}})"
)


@dataclass(frozen=True, slots=True)
class NotedHead:
    """A head that somebody noted. `head`: 64 hex digits, or six words with spaces between them."""

    seq: int
    head: str
    channel: Channel = Channel.PUBLIC

    @staticmethod
    def read(text: str) -> "NotedHead":
        """Read "512:lusab babad ..." or "512:7f00...". Raises ValueError if it is neither."""
        noted = _NOTED.fullmatch(text.strip().lower())
        if noted is None:
            raise ValueError("a noted head looks like 512:HEAD, with the 64 digits or the six words of the head")
        return NotedHead(int(noted["seq"]), " ".join(re.split(r"[\s,-]+", noted["head"])))

    def fits(self, head: HeadHash) -> bool:
        """Return whether this is the head that was noted."""
        return self.head in (head, " ".join(six_words(head)))


class RulesChecked(NamedTuple):
    """The outcome of checking the rules, apart from faults.

    `unjudged`: the number of records whose rules were not checked, because they are of another edition of the rules.
    `remarks`: sentences that report no faults.
    """

    unjudged: int
    remarks: Sequence[str]


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of an audit.

    `records`: how many records could be read. `positions`: the number and hash of each channel's last record.
    `after`: the view after these records. `rules`: the outcome of checking the rules; None if they were not checked.
    """

    header: Header | None
    records: int
    positions: Positions
    rolls: tuple[RollReport, ...]
    faults: tuple[Fault, ...]
    rules: RulesChecked | None = None
    after: View | None = None

    @property
    def sound(self) -> bool:
        """Whether no check failed."""
        return not self.faults

    @property
    def unjudged(self) -> int:
        """The number of records of another edition of the rules: their rules were not checked."""
        return self.rules.unjudged if self.rules is not None else 0

    @property
    def remarks(self) -> Sequence[str]:
        """Sentences that report no faults."""
        return self.rules.remarks if self.rules is not None else ()

    @property
    def words(self) -> tuple[str, ...]:
        """The six words for the hash of the last public record that could be read; empty if there is none."""
        head = self.positions.get(Channel.PUBLIC)
        return six_words(head.hash) if head else ()

    @property
    def unvouched(self) -> Mapping[Id, tuple[RollReport, ...]]:
        """By seat: the public rolls of the server's dice that have neither a token of their roller nor a witness.

        The server alone could have chosen their faces.
        """
        by_seat: dict[Id, tuple[RollReport, ...]] = {}
        for roll in self.rolls:
            if roll.standing is Standing.NO_TOKEN and not roll.witnesses and roll.lane is not None:
                seat = roll.lane.split("/")[1]
                by_seat[seat] = (*by_seat.get(seat, ()), roll)
        return by_seat

    @property
    def counts(self) -> Mapping[Standing, int]:
        """The number of rolls of each standing."""
        return {standing: sum(roll.standing is standing for roll in self.rolls) for standing in Standing}


ReportFault = Callable[[Step, str], None]
CheckRules = Callable[[Header, Sequence[Step], Sequence[bytes], ReportFault], RulesChecked]
"""A function that checks the rules. Arguments: the header, the steps (records with the views before and after), their
lines, and a function to report faults. This function is called with the step and a sentence for each record that breaks
a rule.
"""


def audit(data: bytes, noted: Sequence[NotedHead] = (), check_rules: CheckRules | None = None) -> Report:
    """Check an export offline.

    `noted`: heads that somebody wrote down during the game. Only they can show that records at the end are missing, or
    that the whole log was replaced. `check_rules`: checks the rules; None: they are not checked.
    """
    first, *lines, rest = data.split(b"\n") if b"\n" in data else (data, b"")
    try:
        header = read_header(first)
    except BrokenExport as broken:
        return Report(None, 0, {}, (), (_fault_of(broken),))
    return _Audit(header, check_rules).run(lines, rest, noted)


class _TooManyFaults(Exception):
    """The audit has found MOST_FAULTS faults, and stops looking for more."""


class _Audit:
    """One pass over an export with a valid header."""

    def __init__(self, header: Header, check_rules: CheckRules | None) -> None:
        self.header, self._check_rules = header, check_rules
        self.faults: list[Fault] = []
        self._rules = None if check_rules is None else RulesChecked(0, ())
        self._chain = Chain(header)
        self._heads: dict[tuple[Channel, int], tuple[int, HeadHash]] = {
            (channel, head.seq): (1, head.hash) for channel, head in self._chain.positions.items()
        }

    def run(self, lines: Sequence[bytes], rest: bytes, noted: Sequence[NotedHead]) -> Report:
        """Check all records before the first break of the chain."""
        records, whole = self._records(lines, rest)
        dice, steps = _DiceAudit(self.header), list[Step]()
        with suppress(_TooManyFaults):
            self._fold(records, steps)
            self._check(steps, dice, lines)
        if not whole:
            self._excuse_the_last_command(steps)
        self._compare(noted, whole=whole)
        faults = tuple(sorted(self.faults, key=lambda fault: fault.line))
        after = steps[-1].after if steps else start_of(self.header)
        rolls = tuple(dice.finished())
        return Report(self.header, len(records), self._chain.positions, rolls, faults, self._rules, after)

    def _excuse_the_last_command(self, steps: Sequence[Step]) -> None:
        """Drop the last command's faults against the rules: some of its events may be in the broken record or after."""
        last = steps[-1].record if steps else None
        line = self._chain.line + 1
        for step in reversed(steps):
            if last is None or (step.record.by, step.record.at) != (last.by, last.at):
                break
            line = step.line
        self.faults = [fault for fault in self.faults if fault.kind is not FaultKind.RULES or fault.line < line]

    def _check(self, steps: Sequence[Step], dice: "_DiceAudit", lines: Sequence[bytes]) -> None:
        for step in steps:
            for flaw in dice.take(step):
                self._add(step, SENTENCES[flaw], FaultKind.DICE, flaw)
        if self._check_rules is not None:
            report_fault = partial(self._add, kind=FaultKind.RULES)
            self._rules = self._check_rules(self.header, steps, lines[: len(steps)], report_fault)

    def _records(self, lines: Sequence[bytes], rest: bytes) -> tuple[list[Record], bool]:
        """Return the records before the first break of the chain, and whether these are all records."""
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

    def _fold(self, records: Sequence[Record], steps: list[Step]) -> None:
        """Apply the records to a view, and add a step for each. A record that names a missing thing changes nothing.

        Also checks the times of the records, and stops at a view with too many things.
        """
        view, latest = start_of(self.header), dict.fromkeys(self.header.channels, 0)
        for line, record in enumerate(records, start=2):
            before = view
            try:
                view = folded(view, record, line)
            except BrokenExport as broken:
                self._append(Fault(line, record.channel, record.seq, broken.what, FaultKind.RULES))
            step = Step(line, record, before, view)
            steps.append(step)
            earlier = latest[Channel.PUBLIC] if record.channel is Channel.PUBLIC else max(latest.values())
            if record.at < earlier:
                self._add(step, "it is earlier than the record before it", FaultKind.ORDER)
            latest[record.channel] = max(record.at, latest[record.channel])
            if what := _overfull(before.channels[record.channel], view.channels[record.channel]):
                self._add(step, f"no room holds so many {what}; nothing after it was checked", FaultKind.RULES)
                break

    def _compare(self, noted: Sequence[NotedHead], *, whole: bool) -> None:
        """Compare the log with noted heads. If the chain is broken, heads beyond the break are not reported."""
        for note in noted:
            head, end = self._heads.get((note.channel, note.seq)), self._chain.positions.get(note.channel)
            if end is None:
                what = f"a head of the channel {note.channel} was noted, but this file does not have that channel"
                self.faults.append(Fault(1, None, None, what, FaultKind.HEAD))
            elif head is None and whole:
                what = f"record {note.seq} was seen, and the file ends at {end.seq}: its end is missing"
                self.faults.append(Fault(self._chain.line, note.channel, end.seq, what, FaultKind.HEAD))
            elif head is not None and not note.fits(head[1]):
                what = "its head differs from the noted head: this record or an earlier record was changed"
                self.faults.append(Fault(head[0], note.channel, note.seq, what, FaultKind.HEAD))

    def _add(self, step: Step, what: str, kind: FaultKind, flaw: str | None = None) -> None:
        record = step.record
        sentence = f"{record.event.type}: {what}"
        self._append(Fault(step.line, record.channel, record.seq, sentence, kind, flaw))

    def _append(self, fault: Fault) -> None:
        if len(self.faults) >= MOST_FAULTS:
            raise _TooManyFaults
        self.faults.append(fault)


def _fault_of(broken: BrokenExport) -> Fault:
    kind = FaultKind.HEADER if broken.line == 1 else FaultKind.CHAIN
    return Fault(broken.line, broken.channel, broken.seq, broken.what, kind)


_held = attrgetter(*MOST_HELD)


def _overfull(before: ChannelView, after: ChannelView) -> str | None:
    """Return a family that has grown beyond the most things that a room can have; None if there is none."""
    changed = compress(MOST_HELD, map(is_not, _held(before), _held(after)))
    return next((name for name in changed if len(getattr(after, name)) > MOST_HELD[name]), None)


class _DiceAudit:
    """Checks the rolls of an export step by step, each against the lane that it comes from."""

    def __init__(self, header: Header) -> None:
        self._holds_gm = Channel.GM in header.channels
        self._lanes = Lanes(header.room, holds_gm=self._holds_gm)
        self._sealed: dict[str, RollReport] = {}  # by the lane of a sealed thing that was not revealed
        self._reports: list[RollReport] = []

    def finished(self) -> Iterator[RollReport]:
        """Yield all rolls and the lanes that are still sealed, in the order of their lines."""
        yield from sorted((*self._reports, *self._sealed.values()), key=lambda report: report.line)

    def take(self, step: Step) -> Iterator[Flaw]:
        """Check the rolls of a step, and yield their flaws."""
        for judged in self._lanes.check(step.before.channels[step.record.channel], step.record):
            if judged.flaw is not None:
                yield judged.flaw
            elif (report := self._report(step, judged)) is not None:
                self._reports.append(report)
        self._note_sealed(step)

    def _report(self, step: Step, judged: Checked) -> RollReport | None:
        record, roll = step.record, judged.roll
        if roll is None or (roll.proof is None and not roll.faces):
            return None
        report = RollReport(record.channel, record.seq, None, None, Standing.PHYSICAL, 0, roll.faces, step.line)
        if roll.proof is None or judged.lane is None:
            return report
        return replace(
            report, lane=judged.lane.label, n=roll.proof.n, standing=_standing(judged.lane), witnesses=judged.witnesses
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
