"""Deciding a log again: each command is rebuilt, core decides it, and the texts of its records are compared."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple

from dreadclock.dice.audit import ReportFault, RulesChecked
from dreadclock.evening.export import Header, Step
from dreadclock.rules.limits import EDITION
from dreadclock.wire import commands as c
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Role
from dreadclock.wire.errors import Refused
from dreadclock.wire.fold import proof_of
from dreadclock.wire.ids import GM_SEAT
from dreadclock.wire.records import Record, canonical
from dreadclock_server.core.decide import InternalCommand, decide
from dreadclock_server.core.draft import Actor, Draft
from dreadclock_server.core.forms import FORMS, NEWEST, OLDER, Form, Older
from dreadclock_server.core.room import Evolving, Room, Written, empty_room, read
from dreadclock_server.verify.commands import commands_of
from dreadclock_server.verify.course import Course, LoggedDice
from dreadclock_server.verify.rebuilding import BROKEN, Command

_TIME = re.compile(r'(?<="at":)[0-9]+(?=,"by":)')
_PROOF = re.compile(r'(?<="proof":{)[^{}]*')
_NO_SLOT = '"lane":"","n":1'
_START = re.compile(r'"start":[1-9]')
_MUTE = (e.SealedChanged, e.SealedStarted, e.LaneOpened, e.EditionChanged)  # they carry no note
_TRY_OLDER = 32  # faults: beyond them a log is no honest one of an older server
_SHOWN = tuple((row.what, row.shows) for row in OLDER if row.shows is not None)
_MOST_SHOWN = 80  # characters of a value
_BEFORE_NOTE = 8  # records of which the first that carries a note is taken to carry it


class Attempt(NamedTuple):
    """What a rebuilt command comes to, held against the log; `same`: how many of its records are in the log."""

    written: Sequence[Written]
    room: Room
    same: int
    problem: str = ""
    is_exact: bool = True  # whether texts were compared byte for byte
    unexplained: Sequence[int] = ()  # lines of what only hidden things may have caused
    expected: e.Event | None = None  # of the first record that differs, where only that is known

    @property
    def fits(self) -> bool:
        """Whether all that it brings about is in the log, and something is."""
        return 0 < self.same == len(self.written)


class Way(NamedTuple):
    """How a command is decided.

    `loose`: what `dice` and the order of times say is left out: the slots of public rolls, and times.
    `tells_skipped`: whether there is space for what the gm is told of skipped effects.
    """

    form: Form = NEWEST
    loose: bool = False
    tells_skipped: bool = True


class _Taken(NamedTuple):
    """A command that was taken, and the others that its records may begin to tell of."""

    place: int
    end: int
    room: Room  # before it
    actor: Actor
    others: Iterator[Command]


class _DraftForGood(Draft):
    """A draft of what nothing takes back later."""

    keeps_undo = False


class Verifier:
    """Decides a log again, command by command; what differs is told, and the log's own records are folded."""

    def __init__(self, header: Header, steps: Sequence[Step], texts: Sequence[str], tell: ReportFault) -> None:
        self._steps, self._texts, self._tell = steps, texts, tell
        self._course = Course([step.record for step in steps])
        self._room = empty_room(header.room, header.log_id)
        self._faults = 0
        self._latest: _Taken | None = None
        self._goes_back = True  # whether the command before may be taken otherwise
        self._newer: dict[str, Record] = {}  # by what was otherwise before: the first record of the newer form
        self._mixed: dict[str, list[Record]] = {}  # records of the older form that came after it

    def run(self) -> RulesChecked:
        """Decide the whole log again."""
        place = 0
        while place < len(self._steps):
            count = self._judged(place) if is_judged(self._steps[place]) else self._unjudged(place)
            place += count
        remarks = tuple(_remark(what, self._newer[what], records) for what, records in self._mixed.items())
        return RulesChecked(sum(not is_judged(step) for step in self._steps), remarks)

    def _unjudged(self, place: int) -> int:
        """Fold what came about by another edition: what cannot be told apart by what is taken back, as one command."""
        end = place + 1
        while end < self._course.run_ends[place] and not is_judged(self._steps[end]):
            record = self._steps[end].record
            if (record.channel, record.seq) in self._course.boundaries:
                break
            end += 1
        return self._fold(place, end - place)

    def _judged(self, place: int) -> int:
        """Decide the command that begins at a place; return how many records it has."""
        actor = self._actor(self._course.records[place])
        if actor is None:
            self._tell(self._steps[place], "there is no such seat")
            return self._fold(place, 1)
        made, commands, best = commands_of(self._course, place, self._room.view), list[Command](), None
        forms = FORMS if self._faults < _TRY_OLDER else FORMS[:1]
        for older, form in zip((None, *OLDER), forms, strict=False):
            doubtful = None
            for command in _noting(made, commands) if older is None else commands:
                attempt = self._attempt(command, actor, place, Way(form))
                if attempt.fits and self._course.is_one_command([each.record for each in attempt.written]):
                    self._latest = _Taken(place, place + len(attempt.written), self._room, actor, made)
                    return self._accept(place, attempt, older)
                if attempt.fits:
                    doubtful = doubtful or attempt
                elif form is NEWEST and (best is None or attempt.same > best.same):
                    best = attempt
            if doubtful is not None:
                return self._alone(place) or self._accept(place, doubtful, older)
        if count := self._alone(place) or self._otherwise(place):
            return count
        self._faults += 1
        return self._fault(place, best)

    def _otherwise(self, place: int) -> int:
        """Take the command before as a shorter one, if nothing differs then; return how many records later that is.

        Commands of one millisecond may share a record: a clock that ticks for one or for the other.
        """
        latest, room, tell, told = self._latest, self._room, self._tell, list[str]()
        if latest is None or latest.end != place or not self._goes_back:
            return 0
        self._goes_back, self._tell = False, lambda step, what: told.append(what)
        end = place
        for command in latest.others:
            self._room = latest.room
            attempt = self._attempt(command, latest.actor, latest.place, Way())
            if attempt.fits and latest.place + len(attempt.written) < place:
                end = latest.place + self._accept(latest.place, attempt, None)
                while end <= place and not told:
                    end += self._judged(end)
                break
        self._goes_back, self._tell = True, tell
        if told or end <= place:
            self._room = room
            return 0
        return end - place

    def _alone(self, place: int) -> int:
        """Take in what came about without a command of the log; return how many records, where all is told none."""
        return 0

    def _accept(self, place: int, attempt: Attempt, older: Older | None) -> int:
        """Go on behind a command; `older`: the latest change that the server which wrote it lacks."""
        for what, shows in _SHOWN if older is None else ():
            if what not in self._newer:
                showing = (each.record for each in attempt.written if shows(each.event))
                self._newer.update((what, record) for record in islice(showing, 1))
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
        """Decide a command with the note that the log shows; once more without what others check, if that differs."""
        attempt = self._with_note(command, actor, place, way)
        if attempt.fits or not self._is_over_dice(place, attempt):
            return attempt
        if isinstance(command, c.RollingCommand):
            command = command.model_copy(update={"dice": None})
        return self._with_note(command, actor, place, way._replace(loose=True))

    def _is_over_dice(self, place: int, attempt: Attempt) -> bool:
        """Tell whether a command differs first in a roll or a lane, or where a time goes back."""
        at = place + attempt.same
        if at >= len(self._steps) or not attempt.written:
            return not attempt.written
        record = self._course.records[at]
        return proof_of(record.event) is not None or record.at < self._room.at

    def _with_note(self, command: Command, actor: Actor, place: int, way: Way) -> Attempt:
        noted = self._course.noted(place)
        if isinstance(command, InternalCommand) or command.note is not None:
            return self._decide(command, actor, place, way)
        if noted is None:
            return self._decide(command, actor, place, way)
        with_note = command.model_copy(update={"note": self._course.records[noted].event.note})
        if self._carries_note(place, noted):
            attempt = self._decide(with_note, actor, place, way)
            if attempt.fits:
                return attempt
        attempt = self._decide(command, actor, place, way)
        misses_note = not attempt.fits and noted == place + attempt.same
        return self._decide(with_note, actor, place, way) if misses_note else attempt

    def _carries_note(self, place: int, noted: int) -> bool:
        """Tell whether a note is on the first record that can carry it."""
        records = self._course.records[place : min(noted, place + _BEFORE_NOTE)]
        return all(isinstance(each.event, _MUTE) for each in records)

    def _decide(self, command: Command, actor: Actor, place: int, way: Way) -> Attempt:
        """Decide a command with the dice of the log, and count how many of its records are those of the log."""
        try:
            decision = decide(
                replace(self._room, anchors=frozenset()) if way.loose else self._room,
                command,
                by=actor,
                dice=LoggedDice(self._course, place, loose=way.loose),
                now_ms=self._now(place),
                fresh=self._course.fresh_parts(place).__next__,
                tells_skipped=way.tells_skipped,
                form=way.form,
                new_draft=Draft if place <= self._course.last_void else _DraftForGood,
            )
        except Refused as refused:
            return Attempt((), self._room, 0, f"the server refuses it: {refused}")
        except BROKEN as error:
            return Attempt((), self._room, 0, f"it cannot be decided: {error}")
        same, is_exact = 0, True
        for each, told in zip(decision.written, self._texts[place : place + len(decision.written)], strict=False):
            if not is_alike(told, each, way):
                break
            is_exact = is_exact and told == each.text
            same += 1
        if way.tells_skipped and same < len(decision.written) and _is_skipped(decision.written[same].record):
            return self._decide(command, actor, place, way._replace(tells_skipped=False))
        problem = "" if decision.written else "it changes nothing"
        return Attempt(decision.written, decision.room, same, problem, is_exact)

    def _now(self, place: int) -> int:
        """Return the time of a command: after a clock was set back, the gm's records keep a later one."""
        record = self._course.records[place]
        if record.channel is Channel.PUBLIC or record.at > self._room.at:
            return record.at
        ends = self._course.run_ends[place]
        return min((self._course.records[at].at for at in range(place, min(ends, place + _BEFORE_NOTE))), default=0)

    def _fault(self, place: int, best: Attempt | None) -> int:
        """Tell what differs from the command that comes nearest, and fold what the log has in its place."""
        if best is None or not best.written:
            problem = best.problem if best is not None else "nothing before it leads to it"
            self._tell(self._steps[place], problem)
            return self._fold(place, 1)
        at, expected = place + best.same, best.written[best.same].record
        if at >= len(self._steps):
            self._tell(self._steps[-1], f"after it must come `{expected.event.type}`, which is not there")
        else:
            self._tell(self._steps[at], difference(self._course.records[at], expected))
        return self._fold(place, self._alike(place, best))

    def _alike(self, place: int, best: Attempt) -> int:
        """Return how many records of the log are of a command that differs: as far as their types are as expected."""
        count = best.same
        for each in best.written[best.same :]:
            at = place + count
            if at >= len(self._steps) or type(self._steps[at].record.event) is not type(each.event):
                break
            count += 1
        return max(count, 1)

    def _fold(self, place: int, count: int) -> int:
        """Fold records of the log, whatever they say, as one command."""
        room, written = Evolving(self._room), []
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
    """Return whether a record came about by this edition of the rules."""
    return EDITION in (step.before.public.edition, step.after.public.edition)


def difference(told: Record, expected: Record) -> str:
    """Return a sentence about the first field in which a record is not the expected one."""
    if (told.channel, type(told.event)) != (expected.channel, type(expected.event)):
        return f"before it must come `{expected.event.type}`, which is not there"
    fields = [each.model_dump(mode="json", exclude_none=True) for each in (told, expected)]
    events = [each.pop("event") for each in fields]
    return _difference(*(events if events[0] != events[1] else fields))


def _difference(told: Any, expected: Any, path: str = "") -> str:
    while isinstance(told, dict) and isinstance(expected, dict) and told != expected:
        name = next(name for name in (*told, *expected) if told.get(name) != expected.get(name))
        told, expected, path = told.get(name), expected.get(name), f"{path}.{name}"
    return f"its {path[1:]} is {_short(told)} where {_short(expected)} follows"


def _short(value: Any) -> str:
    text = "absent" if value is None else value if isinstance(value, str) else canonical(value)
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}..."


def _noting(made: Iterator[Command], known: list[Command]) -> Iterator[Command]:
    """Give commands as they are made, and note them for a second time."""
    for command in made:
        known.append(command)
        yield command


def _remark(what: str, newer: Record, records: Sequence[Record]) -> str:
    """Say that a log mixes versions."""
    first, last = (f"record {each.seq} of {each.channel}" for each in (records[0], records[-1]))
    return (
        f"From {first} to {last} an older version wrote some of it than record {newer.seq} of {newer.channel} before: "
        f"{what}. Two versions served the room, or somebody went back."
    )


def is_alike(told: str, each: Written, way: Way) -> bool:
    """Tell whether a record of the log says what is decided, as far as the way of deciding asks for it."""
    ours = each.text
    if told != ours and way.loose:
        told = _TIME.sub(lambda time: str(max(int(time[0]), each.record.at)), told)  # earlier is a fault of order
        if proof_of(each.event) is not None:
            bare = _without_slot if isinstance(each.event, e.CountdownRolled) else _NO_SLOT
            told, ours = (_PROOF.sub(bare, text) for text in (told, ours))
    if told == ours or way.form.writes_all:
        return told == ours
    return Record.model_validate_json(told) == Record.model_validate_json(ours)


def _without_slot(proof: re.Match[str]) -> str:
    """Leave out of a proof which slot it is of, but not whether the roll goes on with another one's."""
    return f'{_NO_SLOT},"start":1' if _START.search(proof[0]) else _NO_SLOT


def _is_skipped(record: Record) -> bool:
    """Tell whether a record tells the gm what was skipped: a server leaves that out where it has no space for it."""
    return record.channel is Channel.GM and isinstance(record.event, e.ConsequenceSkipped)
