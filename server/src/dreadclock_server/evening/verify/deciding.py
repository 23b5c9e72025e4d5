"""Decide each command of a log again: rebuild it, let the core decide it, and compare the texts of its records.

A log does not contain the commands. `commands_of` yields the commands that may have caused the next records. The first
command with exactly these records is accepted. If there is none, the first record that differs is a fault. Then
the log's records are applied to the room, not the decided records.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, tee
from typing import Any, NamedTuple

from dreadclock.dice.audit import ReportFault, RulesChecked
from dreadclock.export import Header, Step
from dreadclock.rules.limits import EDITION
from dreadclock.wire import commands as c
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Role
from dreadclock.wire.errors import Refused
from dreadclock.wire.fold import proof_of
from dreadclock.wire.ids import GM_SEAT
from dreadclock.wire.records import Record, canonical
from dreadclock_server.core.decide import Decision, InternalCommand, decide
from dreadclock_server.core.draft import WITHOUT_NOTE, Actor, Draft
from dreadclock_server.core.forms import FORMS, NEWEST, OLDER, Form, Older, is_of_older
from dreadclock_server.core.room import Evolving, Room, Written, empty_room, read
from dreadclock_server.evening.verify.commands import commands_of
from dreadclock_server.evening.verify.log_index import LoggedDice, LogIndex
from dreadclock_server.evening.verify.rebuilding import BROKEN, Command

_TIME = re.compile(r'(?<="at":)[0-9]+(?=,"by":)')
_PROOF = re.compile(r'(?<="proof":{)[^{}]*')
_NO_SLOT = '"lane":"","n":1,"start":0'
_START = re.compile(r'"start":[1-9]')
_FORMS = tuple(zip((None, *OLDER), FORMS, strict=True))
MOST_RULES_FAULTS = 100  # limited, because each forged record can make the server compute odds for 20 ms
_TRY_OLDER_FORMS = 32  # with this many faults, the log is probably not by an older server
_SHOWS_NEWER = tuple((row.what, row.shows) for row in OLDER if row.shows is not None)
_LOOK_AHEAD = 8  # how many records to search for a command's note or time
_MOST_SHOWN = 80  # characters of a value in a sentence


class Attempt(NamedTuple):
    """The result of deciding a rebuilt command. `same`: how many of its first records equal the log's."""

    written: Sequence[Written]
    room: Room
    same: int
    problem: str = ""
    is_exact: bool = True  # whether all texts are equal, byte for byte
    unexplained: Sequence[int] = ()  # lines of events that only hidden things can have caused
    expected: e.Event | None = None  # if the decision stopped at a record that differs: the event that should be there

    @property
    def fits(self) -> bool:
        """Whether the decided command has records, and all of them equal the log's."""
        return 0 < self.same == len(self.written)

    @property
    def records(self) -> list[Record]:
        """The decided records."""
        return [written.record for written in self.written]


class Way(NamedTuple):
    """How to decide a command again.

    `form`: the behaviour of a server version. `loose`: ignore times, and the slots of public rolls (which of the dice
    fixed in advance they used). The audit checks both. `tells_skipped`: write `consequence_skipped`; a full room leaves
    this event out.
    """

    form: Form = NEWEST
    loose: bool = False
    tells_skipped: bool = True


STRICT = Way()


class _Accepted(NamedTuple):
    """An accepted command: its records' places, and the other commands that may have caused these records."""

    place: int
    end: int
    room_before: Room
    actor: Actor
    others: Iterator[Command]


class _DraftWithoutUndo(Draft):
    """Collects the events of a command after the log's last undo. No later record needs the command's undo data."""

    keeps_undo = False


class Verifier:
    """Decides a log again, command by command."""

    def __init__(self, header: Header, steps: Sequence[Step], texts: Sequence[str], report_fault: ReportFault) -> None:
        self._steps, self._texts, self._report_fault = steps, texts, report_fault
        self._index = LogIndex([step.record for step in steps])
        self._room = empty_room(header.room, header.log_id)
        self._faults = 0
        self._previous: _Accepted | None = None
        self._may_go_back = True  # whether `_shorten_previous` may replace the previous command
        self._newer: dict[str, Record] = {}  # by a change of behaviour (a row of OLDER): the first record after it
        self._mixed: dict[str, list[Record]] = {}  # by the same: later records of the older form

    def run(self) -> RulesChecked:
        """Decide every command of the log again."""
        place = 0
        while place < len(self._steps) and self._faults < MOST_RULES_FAULTS:
            place += self._decide_next(place) if is_judged(self._steps[place]) else self._skip_unjudged(place)
        remarks = [_remark(what, self._newer[what], records) for what, records in self._mixed.items()]
        if place < len(self._steps):
            remarks.append(f"Too many rules were broken: they were not checked from line {self._steps[place].line} on.")
        return RulesChecked(sum(not is_judged(step) for step in self._steps), tuple(remarks))

    def _skip_unjudged(self, place: int) -> int:
        """Take over the records of a command of another edition without a check. Return their number."""
        end = place + 1
        while end < self._index.run_ends[place] and not is_judged(self._steps[end]):
            record = self._index.records[end]
            if (record.channel, record.seq) in self._index.boundaries:
                break
            end += 1
        return self._fold(place, end - place)

    def _decide_next(self, place: int) -> int:
        """Decide the command whose records begin at `place`; return their number."""
        actor = self._actor(self._index.records[place])
        if actor is None:
            self._faults += 1
            self._report_fault(self._steps[place], "there is no such seat")
            return self._fold(place, 1)
        best: Attempt | None = None
        again = commands_of(self._index, place, self._room.view)
        for older, form in _FORMS if self._faults < _TRY_OLDER_FORMS else _FORMS[:1]:
            doubtful: Attempt | None = None
            candidates, again = tee(again)
            for command in candidates:
                attempt = self._attempt(command, actor, place, Way(form))
                if attempt.fits and self._index.may_be_one_command(attempt.records):
                    end = place + len(attempt.written)
                    self._previous = _Accepted(place, end, self._room, actor, candidates)
                    return self._accept(place, attempt, older)
                if attempt.fits:
                    doubtful = doubtful or attempt
                elif older is None and (best is None or attempt.same > best.same):
                    best = attempt
            if doubtful is not None:
                return self._accept_hidden(place) or self._accept(place, doubtful, older)
        if count := self._accept_hidden(place) or self._shorten_previous(place):
            return count
        self._faults += 1
        return self._report(place, best)

    def _shorten_previous(self, place: int) -> int:
        """Try a previous command with fewer records. Return how many records from `place` on then fit; 0 if none do.

        If two commands happen in the same millisecond, a record such as a clock's tick may fit both.
        """
        previous, room, report_fault, faults_before = self._previous, self._room, self._report_fault, self._faults
        if previous is None or previous.end != place or not self._may_go_back:
            return 0
        faults, end = list[str](), place
        self._may_go_back, self._report_fault = False, lambda step, sentence: faults.append(sentence)
        for command in previous.others:
            self._room = previous.room_before
            attempt = self._attempt(command, previous.actor, previous.place, Way())
            if attempt.fits and previous.place + len(attempt.written) < place:
                end = previous.place + self._accept(previous.place, attempt, None)
                while end <= place and not faults:
                    end += self._decide_next(end)
                break
        self._may_go_back, self._report_fault = True, report_fault
        if faults or end <= place:
            self._room, self._faults = room, faults_before
            return 0
        return end - place

    def _accept_hidden(self, place: int) -> int:
        """Accept events that a hidden command caused, and return their number. Here, there are none.

        The verifier of public logs overrides this method.
        """
        return 0

    def _accept(self, place: int, attempt: Attempt, older: Older | None) -> int:
        """Take over a decided command, and return the number of its records.

        `older`: None if the newest form fits, otherwise the row of OLDER whose form fits.
        """
        for what, shows in _SHOWS_NEWER if older is None else ():
            if what not in self._newer:
                newer = (written.record for written in attempt.written if shows(written.event))
                self._newer.update((what, record) for record in islice(newer, 1))
        if older is not None and older.what in self._newer:
            self._mixed.setdefault(older.what, []).append(attempt.written[0].record)
        if not attempt.is_exact:
            return self._fold(place, len(attempt.written))
        self._room = attempt.room
        return len(attempt.written)

    def _actor(self, record: Record) -> Actor | None:
        seat = self._room.view.seats.get(record.by)
        if seat is None:
            opens = not self._room.view.seats and record.by == GM_SEAT
            return Actor(GM_SEAT, Role.GM) if opens else None
        return Actor(seat.id, seat.role, seat.scopes)

    def _attempt(self, command: Command, actor: Actor, place: int, way: Way) -> Attempt:
        """Decide a command. If the log has other dice or times, decide it again, and compare neither."""
        attempt = self._with_note(command, actor, place, way)
        if attempt.fits or not self._differs_in_dice(place, attempt):
            return attempt
        if isinstance(command, c.RollingCommand):
            command = command.model_copy(update={"dice": None})
        return self._with_note(command, actor, place, way._replace(loose=True))

    def _differs_in_dice(self, place: int, attempt: Attempt) -> bool:
        """Return whether the first different record is a roll or earlier than the room. True if nothing was decided."""
        at = place + attempt.same
        if at >= len(self._steps) or not attempt.written:
            return not attempt.written
        record = self._index.records[at]
        return proof_of(record.event) is not None or record.at < self._room.at

    def _with_note(self, command: Command, actor: Actor, place: int, way: Way) -> Attempt:
        """Decide a command, with the note in the log if a record of the command seems to have that note."""
        at = self._index.note_ahead(place)
        if at is None or isinstance(command, InternalCommand) or command.note is not None:
            return self._decide(command, actor, place, way)
        with_note = command.model_copy(update={"note": self._index.records[at].event.note})
        before = self._index.records[place : min(at, place + _LOOK_AHEAD)]
        if all(type(record.event) in WITHOUT_NOTE for record in before):
            attempt = self._decide(with_note, actor, place, way)
            if attempt.fits:
                return attempt
        attempt = self._decide(command, actor, place, way)
        lacks_note = not attempt.fits and at == place + attempt.same
        return self._decide(with_note, actor, place, way) if lacks_note else attempt

    def _decide(self, command: Command, actor: Actor, place: int, way: Way) -> Attempt:
        """Decide a command with the dice of the log, and count how many of its first records equal the log's."""
        new_draft = Draft if place <= self._index.last_undo else _DraftWithoutUndo
        try:
            decision = self._decision(command, actor, place, way, new_draft, self._now(place))
        except Refused as refused:
            return Attempt((), self._room, 0, f"the server refuses it: {refused}")
        except BROKEN as error:
            return Attempt((), self._room, 0, f"it cannot be decided: {error}")
        same, is_exact = 0, True
        for written, text in zip(decision.written, self._texts[place : place + len(decision.written)], strict=False):
            if not is_alike(text, written, way):
                break
            is_exact = is_exact and text == written.text
            same += 1
        if way.tells_skipped and same < len(decision.written) and _is_skipped(decision.written[same].record):
            return self._decide(command, actor, place, way._replace(tells_skipped=False))
        problem = "" if decision.written else "it changes nothing"
        return Attempt(decision.written, decision.room, same, problem, is_exact)

    def _decision(self, command: Command, actor: Actor, place: int, way: Way, new_draft: Any, now_ms: int) -> Decision:
        return decide(
            replace(self._room, anchors=frozenset()) if way.loose else self._room,
            command,
            by=actor,
            dice=LoggedDice(self._index, place, loose=way.loose),
            now_ms=now_ms,
            fresh=self._index.random_parts(place).__next__,
            tells_skipped=way.tells_skipped,
            form=way.form,
            new_draft=new_draft,
        )

    def _now(self, place: int) -> int:
        """Return the time of a command.

        A record of the gm's channel is never earlier than the record before it. So if the server's clock was set back,
        the record can be later than its command. Then return the earliest time of the next records by the same seat.
        """
        record = self._index.records[place]
        if record.channel is Channel.PUBLIC or record.at > self._room.at:
            return record.at
        end = min(self._index.run_ends[place], place + _LOOK_AHEAD)
        return min((record.at for record in self._index.records[place:end]), default=0)

    def _report(self, place: int, best: Attempt | None) -> int:
        """Report how the log differs from the best attempt. Take over the log's records, and return their number."""
        if best is None or not best.written:
            problem = best.problem if best is not None else "nothing before it leads to it"
            self._report_fault(self._steps[place], problem)
            return self._fold(place, 1)
        expected = best.records[best.same :]
        rest = self._index.records[place + best.same : place + len(best.written)]
        if rest:
            self._report_fault(self._steps[place + best.same], difference(rest[0], expected[0]))
        else:
            missing = f"after it must come `{expected[0].event.type}`, which is not there"
            self._report_fault(self._steps[-1], missing)
        alike = [type(record.event) is type(other.event) for record, other in zip(rest, expected, strict=False)]
        return self._fold(place, max(1, best.same + [*alike, False].index(False)))

    def _fold(self, place: int, count: int) -> int:
        """Apply records of the log to the room as one command, without any check. Return their number."""
        room, written = Evolving(self._room), list[Written]()
        for text in self._texts[place : place + count]:
            written.append(read(room, text))
            try:
                room.add(written[-1])
            except BROKEN:
                room.pass_over(written[-1])
        try:
            self._room = room.end(written)
        except BROKEN:
            self._room = room.end(written, keeps_undo=False)
        return count


def is_judged(step: Step) -> bool:
    """Return whether a record was written under this edition of the rules."""
    return EDITION in (step.before.public.edition, step.after.public.edition)


def is_alike(text: str, written: Written, way: Way) -> bool:
    """Return whether a text of the log equals the decided text. `way` says which differences to ignore."""
    ours = written.text
    if text != ours and way.loose:
        text = _TIME.sub(lambda time: str(max(int(time[0]), written.record.at)), text)  # accept earlier times
        if proof_of(written.event) is not None:
            bare = _without_slot if isinstance(written.event, e.CountdownRolled) else _NO_SLOT
            text, ours = (_PROOF.sub(bare, line) for line in (text, ours))
    if text == ours or way.form.writes_all:
        return text == ours
    return is_of_older(text, Record.model_validate_json(ours))


def _without_slot(proof: re.Match[str]) -> str:
    """Remove the slot from a proof, but keep whether the roll continues the slot of an earlier roll."""
    return _NO_SLOT.replace('"start":0', '"start":1') if _START.search(proof[0]) else _NO_SLOT


def difference(record: Record, expected: Record) -> str:
    """Return a sentence about the first field in which a record differs from the expected record."""
    if (record.channel, type(record.event)) != (expected.channel, type(expected.event)):
        return f"before it must come `{expected.event.type}`, which is not there"
    fields = [side.model_dump(mode="json", exclude_none=True) for side in (record, expected)]
    events = [side.pop("event") for side in fields]
    value, other = events if events[0] != events[1] else fields
    path = ""
    while isinstance(value, dict) and isinstance(other, dict) and value != other:
        name = next(name for name in (*value, *other) if value.get(name) != other.get(name))
        value, other, path = value.get(name), other.get(name), f"{path}.{name}"
    return f"its {path[1:]} is {_short(value)} where {_short(other)} follows"


def _short(value: Any) -> str:
    text = "absent" if value is None else value if isinstance(value, str) else canonical(value)
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}..."


def _is_skipped(record: Record) -> bool:
    return record.channel is Channel.GM and isinstance(record.event, e.ConsequenceSkipped)


def _remark(what: str, newer: Record, records: Sequence[Record]) -> str:
    """Return a sentence about a log in which records of an older server follow records of a newer one."""
    first, last = (f"record {record.seq} of {record.channel}" for record in (records[0], records[-1]))
    return (
        f"Some records from {first} to {last} are of an older server than record {newer.seq} of {newer.channel} before "
        f"them: {what}. Two versions served the room, or an older version was installed again."
    )
