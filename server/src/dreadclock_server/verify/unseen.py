"""Deciding a log again without the gm's channel: what hidden things cause is taken as the log tells it.

A draft that reads along compares each event that is decided with the log's next record. Where that is another one that
something hidden may have caused, it is taken in first, with all that follows from it by the rules, and listed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from dreadclock.dice.audit import ReportFault, RulesChecked
from dreadclock.evening.export import Header, Step
from dreadclock.rules.clocks import Direction
from dreadclock.rules.total import Fate
from dreadclock.wire import commands as c
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Id, Kind, Role
from dreadclock.wire.errors import Refused
from dreadclock.wire.events import Cause
from dreadclock.wire.families.dice import lane_of_thing
from dreadclock.wire.families.totals import total_odds
from dreadclock.wire.ids import is_server_made, made_id
from dreadclock.wire.records import Record, text_of
from dreadclock.wire.things import (
    Does,
    Effect,
    EffectKind,
    NewCountdown,
    PhysicalDice,
    SecretRequired,
    SituationStatus,
    StandingEffects,
)
from dreadclock.wire.views import ChannelView, View
from dreadclock_server.core.decide import decide
from dreadclock_server.core.draft import Actor, CarriesNote, Draft
from dreadclock_server.core.effects import Due, Fumbled, Happened, apply_effects, perform, why_not
from dreadclock_server.core.families import clocks
from dreadclock_server.core.forms import Older
from dreadclock_server.core.room import Evolving, Room, Written, read
from dreadclock_server.verify.course import Course, LoggedDice
from dreadclock_server.verify.deciding import Attempt, Verifier, Way, difference, is_alike
from dreadclock_server.verify.rebuilding import BROKEN, Command
from dreadclock_server.verify.shown import Before, problems_of

MOST_REQUIRED = 99
_SHOWN = 20  # lines of what is not explained; the others are counted
_ROLLED = (Kind.COUNTDOWN, Kind.ROLL, Kind.CHECK)
_HIDDEN = e.ConsequenceHappened()  # all that the public is told of a hidden consequence


class Differs(Exception):
    """The log tells something else than `expected` at a place."""

    def __init__(self, place: int, expected: e.Event) -> None:
        super().__init__(f"before it must come `{expected.type}`, which is not there")
        self.place, self.expected = place, expected


class Known:
    """What an export without the gm's channel tells of hidden things, apart from what its views show."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._changes: dict[Id, list[int]] = defaultdict(list)  # lines on which sealed things changed
        self._real_dice = self._continued = len(steps) + 2  # the line from which on there may be any
        for step in steps:
            if isinstance(step.record.event, e.SealedChanged):
                self._changes[step.record.event.id].append(step.line)
            elif isinstance(step.record.event, e.RoomContinued):
                self._continued = min(self._continued, step.line)
            if step.before.public.policy.physical_dice is not PhysicalDice.OFF:
                self._real_dice = min(self._real_dice, step.line)

    def problem_of(self, line: int, event: e.Revealed, view: View) -> str | None:
        """Return what cannot be in what comes to light; None if all of it can."""
        changes = bisect_left(self._changes[event.id], line)
        before = Before(view, changes, line >= self._real_dice, line > self._continued)
        try:
            return next(problems_of(event, before), None)
        except BROKEN as error:
            return f"it cannot be: {error}"


class Log:
    """Where a log is being read: `place` is the next record, `end` where the command's records end at the latest."""

    def __init__(self, steps: Sequence[Step], texts: Sequence[str], course: Course, known: Known) -> None:
        self.steps, self.texts, self._course, self.known = steps, texts, course, known
        self.begin(0, 0, Way())

    def begin(self, place: int, end: int, way: Way) -> None:
        """Read a command that begins at a place."""
        self.start = self.place = place
        self.end, self.way = end, way
        self.unexplained: list[int] = []  # lines
        self.problem: str | None = None  # of what came to light

    @property
    def next(self) -> Step | None:
        """The command's next record; None if it has no more."""
        if self.place >= self.end:
            return None
        step, first = self.steps[self.place], self.steps[self.start]
        return step if step.record.at <= first.record.at else None

    @property
    def is_at_boundary(self) -> bool:
        """Whether the next record is of another command, by what is taken back later."""
        record = self.steps[self.place].record
        return self.place > self.start and (record.channel, record.seq) in self._course.boundaries

    @property
    def may_be_taken_back(self) -> bool:
        """Whether any command is taken back later."""
        return self.start <= self._course.last_void

    def announces(self, happened: e.ConsequenceHappened) -> bool:
        """Tell whether the command goes on to say that this happened."""
        told = self._course.all_ahead(self.place, e.ConsequenceHappened) if self.place < self.end else ()
        return any(_bare(each.event) == happened for each in told if isinstance(each.event, e.ConsequenceHappened))


class Reading(Draft):
    """A draft that holds what is decided against a log, and takes in what hidden things cause."""

    def __init__(self, log: Log, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._log = log
        self._told: list[Written] = []  # the log's records so far
        self._is_unseen = False  # whether a hidden consequence was announced, whose effects come
        self._tried = -1  # the place of the effect that is being brought about
        self.keeps_undo = log.may_be_taken_back
        self._take_while(_is_hidden)

    def emit(self, channel: Channel, event: e.Event) -> None:
        """Take the log's next public record, which must tell this; what is hidden stays in the draft."""
        if channel is not Channel.PUBLIC:
            return super().emit(channel, event)
        if isinstance(event, e.Revealed | e.SealedChanged):
            return None  # the log tells of hidden things: that is taken in where it stands
        while not self._is_next(event):
            if not self._take_in():
                raise Differs(self._log.place, event)
        self._take()
        self._take_while(_is_hint)
        self._is_unseen = self._is_unseen and not isinstance(event, e.ConsequenceHappened)
        return None

    def _is_next(self, event: e.Event) -> bool:
        step = self._log.next
        if step is None or type(step.record.event) is not type(event):
            return False
        noted = event if step.record.event.note is None else event.model_copy(update={"note": step.record.event.note})
        acted_for = step.record.acted_for
        by, channel = self.sender.seat_id, Channel.PUBLIC
        record = self.room.next_record(channel, noted, by=by, acted_for=acted_for, now_ms=self.now_ms)
        each = Written(record, text_of(record), self.room.positions[channel])  # its head is the log's to say
        return is_alike(self._log.texts[self._log.place], each, self._log.way)

    def _take(self) -> None:
        written = read(self.room, self._log.texts[self._log.place])
        self.room.add(written)
        self._records.append(written.record)
        self._told.append(written)
        self._log.place += 1

    def _take_while(self, fits: Callable[[e.Event], bool]) -> None:
        """Take in at once what only hidden things cause: what is decided next counts on it."""
        while self._log.next is not None and fits(self._log.next.record.event):
            if not self._take_in():
                return

    def finish(self, command: CarriesNote) -> list[Written]:
        """Return the public records; a note may be on any of them, and is told where there are none."""
        if command.note is not None and not self._told:
            self.emit(Channel.PUBLIC, e.Narrated(text=command.note))
        self.read_on()
        return self._told

    def read_on(self) -> None:
        """Take in what hidden things cause from here on, with what follows from that."""
        self.elsewhere(None)
        while self.moments:
            apply_effects(self)
            self.elsewhere(None)

    def elsewhere(self, before: Due | None) -> None:
        """Take in what hidden consequences do before a public one, or at the end.

        If all effects of `before` are skipped, no public record shows where it came. It is then taken to come at the
        first point at which none of its effects can happen.
        """
        unheard = before is not None and not self._log.announces(before.happened)
        while self._log.next is not None:
            if unheard and before is not None and all(why_not(self.view, effect) for effect in before.do):
                return
            if not self._take_in():
                return

    def _take_in(self) -> bool:
        """Take in the next record, if something hidden may have caused it; tell whether it did."""
        step, place = self._log.next, self._log.place
        if step is None or place == self._tried or self._log.is_at_boundary or self.by.role is Role.SPECTATOR:
            return False
        match step.record.event:
            case e.SealedChanged() as event:
                return self._take_hidden(step, _is_sealed(self.view, event))
            case e.SealedStarted() as event:
                may = self._is_unseen or self.by.role is Role.GM
                return self._take_hidden(step, may and _may_be_sealed(self.view, event))
            case e.Revealed() as event:
                self._log.problem = self._log.known.problem_of(step.line, event, self.view)
                return self._take_hidden(step, self._log.problem is None) and self._won(event)
            case e.ConsequenceHappened() as event if _bare(event) == _HIDDEN:
                self._is_unseen = True
                return self._take_hidden(step, True)
            case event:
                return self._bring(step, event)

    def _take_hidden(self, step: Step, may: bool) -> bool:
        if may:
            self._log.unexplained.append(step.line)
            self._take()
        return may

    def _won(self, event: e.Revealed) -> bool:
        """Take the point of a scene in which a situation was won in secret, which comes to light."""
        step, situation = self._log.next, self.view.situations.get(event.id)
        ticked = step.record.event if step is not None else None
        tells = isinstance(ticked, e.ClockTicked) and ticked.cause is Cause.SITUATION
        if tells and situation is not None and situation.status in (SituationStatus.WON, SituationStatus.RESOLVED):
            clocks.scene_won(self, situation, hidden=False)
        return True

    def _bring(self, step: Step, event: e.Event) -> bool:
        """Bring about the effect that the next record tells of, as a hidden consequence would; tell whether it did."""
        told = isinstance(event, e.ClockTicked | e.ClockResized) and event.cause is Cause.HIDDEN
        told |= isinstance(event, e.CharacterDied | e.CharacterLeft)  # by a hidden countdown's end: A9
        if not told and not self._is_unseen:
            return False
        tried, self._tried = self._tried, self._log.place
        before, at = _State.of(self), self._log.place
        try:
            self._do(event)
        except (Differs, Refused, *BROKEN):
            self._log.place = at
        if self._log.place == at:
            before.restore(self)
            self._tried = tried
            return False
        self._log.unexplained.append(step.line)
        return True

    def _do(self, event: e.Event) -> None:
        if isinstance(event, e.ClockResized):
            size = self.view.clocks[event.clock_id].size
            return clocks.enlarge(self, event.clock_id, event.size - size, Cause.HIDDEN)
        for effect in _effects_of(self.view, event):
            if why_not(self.view, effect) is None:
                one = Due(None, Channel.GM, (effect,), _HIDDEN)
                perform(self, one, effect)
                return None
        return None


class _State(NamedTuple):
    """How a draft stood before something was tried."""

    room: Evolving
    records: int
    told: int
    moments: tuple[Happened | Fumbled, ...]
    slots: dict[str, int]
    is_unseen: bool
    unexplained: int

    @classmethod
    def of(cls, draft: Reading) -> _State:
        """Note how a draft stands, and let it go on in another room."""
        room, draft.room = draft.room, draft.room.fork()
        draft.view = draft.room.view
        slots = {label: slot.taken for label, slot in draft.slots.items()}
        records, told, moments = len(draft._records), len(draft._told), tuple(draft.moments)
        return cls(room, records, told, moments, slots, draft._is_unseen, len(draft._log.unexplained))

    def restore(self, draft: Reading) -> None:
        """Let a draft stand so again."""
        draft.room, draft.view, draft._is_unseen = self.room, self.room.view, self.is_unseen
        del draft._records[self.records :], draft._told[self.told :], draft._log.unexplained[self.unexplained :]
        draft.moments[:] = self.moments
        draft.slots = {label: slot for label, slot in draft.slots.items() if label in self.slots}
        for label, taken in self.slots.items():
            draft.slots[label].taken = taken


def _is_hint(event: e.Event) -> bool:
    """Tell whether an event tells of something hidden."""
    return isinstance(event, e.SealedStarted | e.SealedChanged | e.Revealed)


def _is_hidden(event: e.Event) -> bool:
    """Tell whether only something hidden can have caused an event."""
    return _is_hint(event) or (isinstance(event, e.ClockTicked | e.ClockResized) and event.cause is Cause.HIDDEN)


def _bare(event: e.ConsequenceHappened) -> e.ConsequenceHappened:
    return event.model_copy(update={"note": None})


def _is_sealed(view: View, event: e.SealedChanged) -> bool:
    stub = view.public.sealed.get(event.id)
    return stub is not None and (stub.kind, stub.name) == (event.kind, event.name)


def _may_be_sealed(view: View, event: e.SealedStarted) -> bool:
    """Tell whether a thing may be sealed under its id, with its lane."""
    thing, part = event.thing, view.public
    label = lane_of_thing(thing.kind, thing.id) if thing.kind in _ROLLED else None
    if is_server_made(thing.id):
        fresh = thing.id == made_id(Kind(thing.kind), part.made.get(thing.kind, 0) + 1)
    else:
        fresh = thing.id not in part.taken
    return fresh and thing.id not in part.sealed and thing.lane == label and (thing.key is None) == (label is None)


# Which effect an event tells of


def _effects_of(view: View, event: Any) -> Iterator[Effect]:
    """Give the effects that may have brought an event about."""
    if (make := _EFFECTS.get(type(event))) is not None:
        yield Effect(**make(view, event))
    if isinstance(event, e.EffectsSet):
        yield from _fumble_effects(getattr(view, f"{event.kind}s")[event.id].effects, event)


def _tick(view: View, event: e.ClockTicked) -> dict[str, Any]:
    clock = view.clocks[event.clock_id]
    by = event.value - clock.value
    return {"does": Does.TICK, "thing_id": clock.id, "by": by if clock.direction is Direction.UP else -by}


def _start(view: View, event: e.CountdownStarted) -> dict[str, Any]:
    one = event.countdown
    said = {name: getattr(one, name) for name in NewCountdown.model_fields if name != "id"}
    new = NewCountdown(**{**said, "pool": None if one.from_attribute else one.pool})
    return {"does": Does.START, "countdown": new}


def _move(view: View, event: e.TrackMoved) -> dict[str, Any]:
    by = event.value - view.characters[event.character_id].tracks[event.track].value
    return {"does": Does.MOVE_TRACK, "thing_id": event.character_id, "name": event.track, "by": by}


def _on(does: Does, of: str, **given: Any) -> Callable[[View, Any], dict[str, Any]]:
    """Return what makes an effect on the thing that an event names; `given`: further fields, `=` those of the event."""

    def make(view: View, event: Any) -> dict[str, Any]:
        said = {
            name: getattr(event, str(each)[1:]) if str(each).startswith("=") else each for name, each in given.items()
        }
        return {"does": does, "thing_id": getattr(event, of), **said}

    return make


_EFFECTS: dict[type, Callable[[View, Any], dict[str, Any]]] = {
    e.ClockTicked: _tick,
    e.CountdownStarted: _start,
    e.CountdownRolled: _on(Does.ROLL, "countdown_id"),
    e.CountdownStabilized: _on(Does.STABILIZE, "countdown_id"),
    e.CountdownResumed: _on(Does.RESUME, "countdown_id"),
    e.CountdownReplenished: _on(Does.REPLENISH, "countdown_id", by="=added"),
    e.CharacterDied: _on(Does.LEAVE, "character_id", fate=Fate.DIES),
    e.CharacterRetired: _on(Does.LEAVE, "character_id", fate=Fate.RETIRES),
    e.CharacterLeft: _on(Does.LEAVE, "character_id", fate=Fate.LEAVES),
    e.StateGained: _on(Does.GIVE_STATE, "character_id", name="=state"),
    e.StateLost: _on(Does.DROP_STATE, "character_id", name="=state"),
    e.TrackMoved: _move,
    e.MomentumGained: _on(Does.GIVE_TOKEN, "character_id", token=EffectKind.MOMENTUM),
    e.InterferenceGained: _on(Does.GIVE_TOKEN, "character_id", token=EffectKind.INTERFERENCE),
}


def _fumble_effects(before: StandingEffects | None, event: e.EffectsSet) -> Iterator[Effect]:
    """Give what sets or drops a fumble effect, if just one differs."""
    was, now = (before or StandingEffects()), event.effects
    for text in now.fumble_effects:
        do = next((each.do for each in now.fumble_does if each.effect == text), None)
        known = next((each.do for each in was.fumble_does if each.effect == text), None)
        if text not in was.fumble_effects or do != known:
            yield Effect(does=Does.SET_FUMBLE, thing_id=event.id, text=text, do=do)
    for text in was.fumble_effects:
        if text not in now.fumble_effects:
            yield Effect(does=Does.DROP_FUMBLE, thing_id=event.id, text=text)


# Numbers that only the gm knows


def hidden_numbers(records: Sequence[Record]) -> dict[Id, list[tuple[int, int]]]:
    """Return by total which number may have been required of it in secret, from which place on.

    It is the one that is revealed later, else one that fits all that is said of whether the total reached it.
    """
    bounds: dict[Id, list[list[int]]] = {}  # place, least, most
    totals: dict[Id, int] = {}
    for place, record in enumerate(records):
        match record.event:
            case e.RequiredSet(total_id=total_id, secret=True, enough=enough):
                bounds.setdefault(total_id, []).append([place, 1, MOST_REQUIRED])
                _narrow(bounds, total_id, enough, totals.get(total_id, 0))
            case e.RoomContinued(carried=carried):
                for total in carried.totals:
                    totals[total.id] = total.total
                    bounds.setdefault(total.id, []).append([place, 1, MOST_REQUIRED])
                    _narrow(bounds, total.id, total.enough, total.total)
            case e.TotalRolled(total_id=total_id, total=shown, enough=enough):
                totals[total_id] = shown
                _narrow(bounds, total_id, enough, shown)
            case e.LuckPushed(total_id=total_id, push=push):
                totals[total_id] = push.total
                _narrow(bounds, total_id, push.enough if not push.crisis else None, push.total)
            case e.RequiredRevealed(total_id=total_id, required=required) if total_id in bounds:
                bounds[total_id][-1][1:] = [required, required]
    return {total_id: [(place, least) for place, least, _ in each] for total_id, each in bounds.items()}


def _narrow(bounds: dict[Id, list[list[int]]], total_id: Id, enough: bool | None, total: int) -> None:
    if enough is None or total_id not in bounds:
        return
    latest = bounds[total_id][-1]
    if enough:
        latest[2] = min(latest[2], total)
    else:
        latest[1] = max(latest[1], min(total + 1, MOST_REQUIRED))


def with_numbers(room: Room, numbers: dict[Id, list[tuple[int, int]]], place: int) -> Room:
    """Return a room that knows a number for each total that has a secret one, and nothing else that is hidden."""
    secrets = dict(room.view.secrets)  # a total that is gone may come back
    for total in room.view.public.totals.values():
        if total.secret:
            known = [number for start, number in numbers.get(total.id, ()) if start <= place]
            required = known[-1] if known else 1
            odds = total_odds(total.pool, required)
            secrets[total.id] = SecretRequired(total_id=total.id, required=required, odds=odds)
    view = View(channels={Channel.PUBLIC: room.view.public, Channel.GM: ChannelView(secrets=secrets)})
    return Room(
        *(room.room_id, room.log_id, view, room.positions, room.at, room.changed, room.anchors, {}, room.undo_logs)
    )


class PublicVerifier(Verifier):
    """Decides a log again of which only the public channel is there."""

    def __init__(self, header: Header, steps: Sequence[Step], texts: Sequence[str], tell: ReportFault) -> None:
        super().__init__(header, steps, texts, tell)
        self._numbers = hidden_numbers([step.record for step in steps])
        self._log = Log(steps, texts, self._course, Known(steps))
        self._unexplained: list[int] = []

    def run(self) -> RulesChecked:
        """Decide the whole log again."""
        unjudged, remarks = super().run()
        if lines := sorted(set(self._unexplained)):
            shown = ", ".join(map(str, lines[:_SHOWN]))
            more = f" and {len(lines) - _SHOWN} more" if len(lines) > _SHOWN else ""
            unexplained = f"What hidden things caused is not explained by this export: lines {shown}{more}."
            remarks = (*remarks, unexplained)
        return RulesChecked(unjudged, remarks)

    def _judged(self, place: int) -> int:
        self._room = with_numbers(self._room, self._numbers, place)
        return super()._judged(place)

    def _with_note(self, command: Command, actor: Actor, place: int, way: Way) -> Attempt:
        return self._decide(command, actor, place, way)

    def _decide(self, command: Command, actor: Actor, place: int, way: Way) -> Attempt:
        self._log.begin(place, self._course.run_ends[place], way)
        try:
            decision = decide(
                replace(self._room, anchors=frozenset()) if way.loose else self._room,
                command,
                by=actor,
                dice=LoggedDice(self._course, place, loose=way.loose),
                now_ms=self._course.records[place].at,
                fresh=self._course.fresh_parts(place).__next__,
                form=way.form,
                new_draft=partial(Reading, self._log),
            )
        except Refused as refused:
            return Attempt((), self._room, 0, f"the server refuses it: {refused}")
        except Differs as differs:
            problem, same = self._log.problem or str(differs), differs.place - place
            return Attempt((), self._room, same, problem, expected=differs.expected)
        except BROKEN as error:
            return Attempt((), self._room, 0, f"it cannot be decided: {error}")
        written = decision.written
        problem = "" if written else "it changes nothing"
        return Attempt(written, decision.room, len(written), problem, unexplained=tuple(self._log.unexplained))

    def _accept(self, place: int, attempt: Attempt, older: Older | None) -> int:
        self._unexplained += attempt.unexplained
        return super()._accept(place, attempt, older)

    def _fault(self, place: int, best: Attempt | None) -> int:
        """Tell of what differs, and fold what the log has in its place."""
        count, expected = (best.same, best.expected) if best is not None else (0, None)
        problem = best.problem if best is not None else self._log.problem or "nothing before it leads to it"
        self._log.begin(place, self._course.run_ends[place], Way())
        self._log.place += count
        step = self._log.next
        if step is None or type(step.record.event) is not type(expected):
            self._tell(step or self._steps[place + count - 1], problem)
            return self._fold(place, max(1, count))
        expected_record = step.record.model_copy(update={"event": expected})
        self._tell(step, difference(step.record, expected_record))
        return self._fold(place, count + 1)

    def _alone(self, place: int) -> int:
        """Take in what hidden things cause without a command that is told in public; return how many records."""
        actor = self._actor(self._course.records[place])
        if actor is None:
            return 0
        dice = LoggedDice(self._course, place)
        self._log.begin(place, self._course.run_ends[place], Way())
        fresh = self._course.fresh_parts(place).__next__
        try:
            draft = Reading(self._log, self._room, actor, actor, dice, self._course.records[place].at, fresh)
            written = draft.finish(c.CloseRoom())
        except (Refused, Differs, *BROKEN):
            return 0
        if written:
            self._room = draft.room.end(written)
            self._unexplained += self._log.unexplained
        return len(written)
