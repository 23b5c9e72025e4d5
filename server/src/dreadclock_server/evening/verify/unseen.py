"""Verify a log without the gm's channel, which has the records of hidden things. Public events that hidden things can
have caused are allowed, and listed.

A draft collects the events of a command while the command is decided. Here, it also compares each event with the next
record of the log. If the record differs, and something hidden can have caused the record, the draft accepts the record
and applies the consequences of its event. Then the draft compares its own event with the following record.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from dreadclock.dice.audit import ReportFault, RulesChecked
from dreadclock.export import Header, Step
from dreadclock.rules.limits import MAX_CONSEQUENCE_EVENTS, MAX_EFFECTS
from dreadclock.wire import commands as c
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Role
from dreadclock.wire.errors import Refused
from dreadclock.wire.events import Cause
from dreadclock.wire.families.totals import total_odds
from dreadclock.wire.records import text_of
from dreadclock.wire.things import Carried, SecretRequired, SituationStatus
from dreadclock.wire.views import ChannelView, View
from dreadclock_server.core.access import acting
from dreadclock_server.core.draft import Actor, CarriesNote, Draft
from dreadclock_server.core.effects import Due, Fumbled, Happened, apply_effects, perform, why_not
from dreadclock_server.core.families import clocks
from dreadclock_server.core.forms import Older
from dreadclock_server.core.room import Evolving, Room, Written, read
from dreadclock_server.evening.verify import hidden
from dreadclock_server.evening.verify.deciding import STRICT, Attempt, Verifier, Way, difference, is_alike
from dreadclock_server.evening.verify.log_index import LoggedDice, LogIndex
from dreadclock_server.evening.verify.rebuilding import BROKEN, Command
from dreadclock_server.evening.verify.shown import Reveals

_SHOWN = 20  # how many lines a remark lists; further lines are only counted


class Differs(Exception):
    """The log has another record at `place` than the `expected` event."""

    def __init__(self, place: int, expected: e.Event) -> None:
        super().__init__(f"before it must come `{expected.type}`, which is not there")
        self.place, self.expected = place, expected


class LogReader:
    """Reads the records of one command at a time. `place` is the index of the next record."""

    def __init__(self, steps: Sequence[Step], texts: Sequence[str], index: LogIndex) -> None:
        self.steps, self.texts, self._index, self.reveals = steps, texts, index, Reveals(steps)
        self.begin(0)

    def begin(self, place: int, way: Way = STRICT) -> None:
        """Begin to read the command at a place."""
        self.start = self.place = place
        self.way = way
        self.unexplained: list[int] = []  # lines of events that only hidden things can have caused
        self.problem: str | None = None  # set if a revealed thing does not fit the log

    @property
    def next(self) -> Step | None:
        """The command's next record; None if the command has no more records."""
        if self.place >= self._index.run_ends[self.start]:
            return None
        step, first = self.steps[self.place], self.steps[self.start]
        return step if step.record.at <= first.record.at else None

    @property
    def is_at_boundary(self) -> bool:
        """Whether the next record belongs to another command, as the range of a later undo shows."""
        record = self.steps[self.place].record
        return self.place > self.start and (record.channel, record.seq) in self._index.boundaries

    @property
    def may_be_undone(self) -> bool:
        """Whether the log has an undo after this command."""
        return self.start <= self._index.last_undo

    @property
    def carried(self) -> Carried | None:
        """The things that a later record of this command carries over from another room; None if there is no such
        record.
        """
        record = self._index.ahead(self.place, e.RoomContinued)
        return record.event.carried if record is not None and isinstance(record.event, e.RoomContinued) else None

    def announces(self, happened: e.ConsequenceHappened) -> bool:
        """Return whether a later record of the command announces this consequence."""
        if self.place >= self._index.run_ends[self.start]:
            return False
        later = self._index.all_ahead(self.place, e.ConsequenceHappened)
        return any(record.event.model_copy(update={"note": None}) == happened for record in later)


class ReadingDraft(Draft):
    """A draft that compares each public event with the log, and takes the events of hidden things from the log."""

    has_hidden_things = False

    def __init__(self, reader: LogReader, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._reader = reader
        self.taken: list[Written] = []  # records of the log
        self._effects_left = 0  # how many more effects the latest hidden consequence may have
        self._effects_taken = 0  # effects taken by all hidden consequences of the command
        self._tried = -1  # the place of the record whose effect is being performed
        self.keeps_undo = reader.may_be_undone
        self._take_while(hidden.has_hidden_cause)

    def emit(self, channel: Channel, event: e.Event) -> None:
        """Take the next public record if it has this event. First take records that hidden things can have caused.

        Raises Differs if the next record is neither.

        Events of the gm's channel stay in the draft. Events that announce hidden things are taken from the log, at
        their place in the log.
        """
        if channel is not Channel.PUBLIC:
            return super().emit(channel, event)
        if isinstance(event, e.Revealed | e.SealedChanged):
            return None
        while not self._is_next(event):
            if not self._take_hidden():
                raise Differs(self._reader.place, event)
        self._take()
        self._take_while(hidden.is_about_hidden)
        if isinstance(event, e.ConsequenceHappened):
            self._effects_left = 0
        return None

    def _is_next(self, event: e.Event) -> bool:
        step = self._reader.next
        if step is None or type(step.record.event) is not type(event):
            return False
        if step.record.event.note is not None:
            event = event.model_copy(update={"note": step.record.event.note})
        if isinstance(event, e.RoomContinued) and isinstance(step.record.event, e.RoomContinued):
            # What is carried over may depend on hidden things.
            event = event.model_copy(update={"carried": step.record.event.carried})
        by, acted_for, public = self.sender.seat_id, step.record.acted_for, Channel.PUBLIC
        record = self.room.next_record(public, event, by=by, acted_for=acted_for, now_ms=self.now_ms)
        written = Written(record, text_of(record), self.room.positions[public])  # any head: `is_alike` compares texts
        return is_alike(self._reader.texts[self._reader.place], written, self._reader.way)

    def _take(self) -> None:
        written = read(self.room, self._reader.texts[self._reader.place])
        self.room.add(written)
        self._records.append(written.record)
        self.taken.append(written)
        self._reader.place += 1

    def _take_while(self, fits: Callable[[e.Event], bool]) -> None:
        """Take the next records as long as `fits` accepts their events. The command's decision may depend on them."""
        while self._reader.next is not None and fits(self._reader.next.record.event):
            if not self._take_hidden():
                return

    def finish(self, command: CarriesNote) -> list[Written]:
        """Return the public records.

        The command's note may be on any of these records. If there are no records, the note becomes a `narrated` event.
        """
        if command.note is not None and not self.taken:
            self.emit(Channel.PUBLIC, e.Narrated(text=command.note))
        self.read_on()
        return self.taken

    def read_on(self) -> None:
        """Take all further events that hidden things cause, and apply their consequences."""
        self.read_hidden(None)
        while self.moments:
            apply_effects(self)
            self.read_hidden(None)

    def read_hidden(self, before: Due | None) -> None:
        """Take the effects of hidden consequences before the public consequence `before`, or at the end (None).

        If all effects of `before` were skipped, the log does not show when the consequence was triggered. Assume the
        first point at which none of its effects is possible.
        """
        is_silent = before is not None and not self._reader.announces(before.happened)
        while self._reader.next is not None:
            if is_silent and before is not None and all(why_not(self.view, effect) for effect in before.do):
                return
            if not self._take_hidden():
                return

    def _take_hidden(self) -> bool:
        """Take the next record if something hidden can have caused it; return whether it was taken."""
        step, reader = self._reader.next, self._reader
        if step is None or reader.place == self._tried or reader.is_at_boundary or self.by.role is Role.SPECTATOR:
            return False
        match step.record.event:
            case e.SealedChanged() as event:
                return self._take_if(step, hidden.is_sealed(self.view, event))
            case e.SealedStarted() as event:
                may_seal = self._effects_left > 0 or self.by.role is Role.GM
                return self._take_if(step, may_seal and hidden.may_be_sealed(self.view, event, reader.carried))
            case e.Revealed() as event:
                reader.problem = reader.reveals.problem_of(step.line, event, self.view)
                if not self._take_if(step, reader.problem is None):
                    return False
                self._take_point_of(event)
                return True
            case e.ConsequenceHappened() as event if hidden.is_hidden_consequence(event):
                self._effects_left = min(MAX_EFFECTS, MAX_CONSEQUENCE_EVENTS - self._effects_taken)
                return self._take_if(step, self._effects_left > 0)
            case event:
                return self._perform_hidden(step, event)

    def _take_if(self, step: Step, fits: bool) -> bool:
        if fits:
            self._reader.unexplained.append(step.line)
            self._take()
        return fits

    def _take_point_of(self, event: e.Revealed) -> None:
        """Move the scene's clock if the log does so next, because the revealed situation was won in secret."""
        step, situation = self._reader.next, self.view.situations.get(event.id)
        tick = step.record.event if step is not None else None
        has_point = isinstance(tick, e.ClockTicked) and tick.cause is Cause.SITUATION
        if has_point and situation is not None and situation.status in (SituationStatus.WON, SituationStatus.RESOLVED):
            clocks.scene_won(self, situation, hidden=False)

    def _perform_hidden(self, step: Step, event: e.Event) -> bool:
        """Perform the hidden effect that leads to the next record. Return whether there is such an effect."""
        # A hidden countdown that ends may take a character out of play. Source: rules.md A9.
        by_hidden = hidden.has_hidden_cause(event) or isinstance(event, e.CharacterDied | e.CharacterLeft)
        if not by_hidden and self._effects_left == 0:
            return False
        place, tried, before = self._reader.place, self._tried, _State.of(self)
        self._tried = place
        try:
            self._perform(event)
        except (Differs, Refused, *BROKEN):
            self._reader.place = place
        if self._reader.place == place:
            before.restore(self)
            self._tried = tried
            return False
        if not by_hidden:
            self._effects_left, self._effects_taken = self._effects_left - 1, self._effects_taken + 1
        self._reader.unexplained.append(step.line)
        return True

    def _perform(self, event: e.Event) -> None:
        if isinstance(event, e.ClockResized):
            by = event.size - self.view.clocks[event.clock_id].size
            return clocks.enlarge(self, event.clock_id, by, Cause.HIDDEN)
        possible = (effect for effect in hidden.effects_of(self.view, event) if why_not(self.view, effect) is None)
        if (effect := next(possible, None)) is not None:
            perform(self, Due(None, Channel.GM, (effect,), e.ConsequenceHappened()), effect)
        return None


class _State(NamedTuple):
    """A savepoint of a draft."""

    room: Evolving
    records: int
    taken: int
    moments: tuple[Happened | Fumbled, ...]
    slots: dict[str, int]
    effects: tuple[int, int]
    unexplained: int

    @classmethod
    def of(cls, draft: ReadingDraft) -> _State:
        """Save the state of a draft, which continues with a copy of its room."""
        room, draft.room = draft.room, draft.room.fork()
        draft.view = draft.room.view
        slots = {label: slot.taken for label, slot in draft.slots.items()}
        records, taken, moments = len(draft._records), len(draft.taken), tuple(draft.moments)
        effects = draft._effects_left, draft._effects_taken
        return cls(room, records, taken, moments, slots, effects, len(draft._reader.unexplained))

    def restore(self, draft: ReadingDraft) -> None:
        """Roll a draft back to this state."""
        draft.room, draft.view = self.room, self.room.view
        draft._effects_left, draft._effects_taken = self.effects
        del draft._records[self.records :], draft.taken[self.taken :], draft._reader.unexplained[self.unexplained :]
        draft.moments[:] = self.moments
        draft.slots = {label: slot for label, slot in draft.slots.items() if label in self.slots}
        for label, taken in self.slots.items():
            draft.slots[label].taken = taken


class PublicVerifier(Verifier):
    """Verifies a log that has only the public channel."""

    def __init__(self, header: Header, steps: Sequence[Step], texts: Sequence[str], report_fault: ReportFault) -> None:
        super().__init__(header, steps, texts, report_fault)
        self._numbers = hidden.HiddenNumbers(self._index.records)
        self._reader = LogReader(steps, texts, self._index)
        self._unexplained: set[int] = set()

    def run(self) -> RulesChecked:
        """Decide every command of the log again."""
        unjudged, remarks = super().run()
        if lines := sorted(self._unexplained):
            shown = ", ".join(map(str, lines[:_SHOWN]))
            more = f" and {len(lines) - _SHOWN} more" if len(lines) > _SHOWN else ""
            unexplained = f"What hidden things caused is not explained by this export: lines {shown}{more}."
            remarks = (*remarks, unexplained)
        return RulesChecked(unjudged, remarks)

    def _decide_next(self, place: int) -> int:
        self._room = self._with_numbers(place)
        return super()._decide_next(place)

    def _with_numbers(self, place: int) -> Room:
        """Return the room without hidden data, except an assumed number for each total whose number is secret."""
        room = self._room
        secrets = dict(room.view.secrets)  # secrets of removed totals stay, because an undo may restore the totals
        for total in room.view.public.totals.values():
            if total.secret:
                required = self._numbers.at(total.id, place)
                odds = total_odds(total.pool, required)
                secrets[total.id] = SecretRequired(total_id=total.id, required=required, odds=odds)
        view = View(channels={Channel.PUBLIC: room.view.public, Channel.GM: ChannelView(secrets=secrets)})
        return replace(room, view=view, witnesses={})

    def _with_note(self, command: Command, actor: Actor, place: int, way: Way) -> Attempt:
        return self._decide(command, actor, place, way)

    def _decide(self, command: Command, actor: Actor, place: int, way: Way) -> Attempt:
        self._reader.begin(place, way)
        new_draft, now_ms = partial(ReadingDraft, self._reader), self._index.records[place].at
        try:
            decision = self._decision(command, actor, place, way, new_draft, now_ms)
        except Refused as refused:
            return Attempt((), self._room, 0, f"the server refuses it: {refused}")
        except Differs as differs:
            problem, same = self._reader.problem or str(differs), differs.place - place
            return Attempt((), self._room, same, problem, expected=differs.expected)
        except BROKEN as error:
            return Attempt((), self._room, 0, f"it cannot be decided: {error}")
        written, problem = decision.written, "" if decision.written else "it changes nothing"
        return Attempt(written, decision.room, len(written), problem, unexplained=tuple(self._reader.unexplained))

    def _accept(self, place: int, attempt: Attempt, older: Older | None) -> int:
        self._unexplained.update(attempt.unexplained)
        return super()._accept(place, attempt, older)

    def _report(self, place: int, best: Attempt | None) -> int:
        count, expected = (best.same, best.expected) if best is not None else (0, None)
        problem = best.problem if best is not None else self._reader.problem or "nothing before it leads to it"
        self._reader.begin(place)
        self._reader.place += count
        step = self._reader.next
        if step is None or expected is None or type(step.record.event) is not type(expected):
            self._report_fault(step or self._steps[place + count - 1], problem)
            return self._fold(place, max(1, count))
        self._report_fault(step, difference(step.record, step.record.model_copy(update={"event": expected})))
        return self._fold(place, count + 1)

    def _accept_hidden(self, place: int) -> int:
        record = self._index.records[place]
        actor = self._actor(record)
        if actor is None or self._room.view.public.closed:
            return 0
        dice, fresh = LoggedDice(self._index, place), self._index.random_parts(place).__next__
        self._reader.begin(place)
        try:
            by = acting(self._room, actor, c.EndTurn(act_for=record.acted_for))
            if Channel.GM not in by.channels:
                return 0  # only a seat that sees hidden things can send a command without public events
            draft = ReadingDraft(self._reader, self._room, actor, by, dice, record.at, fresh)
            draft.read_on()
        except (Refused, Differs, *BROKEN):
            return 0
        if draft.taken:
            self._room = draft.room.end(draft.taken)
            self._unexplained.update(self._reader.unexplained)
        return len(draft.taken)
