"""Reading a log as the course of commands: what begins, and what must follow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from dreadclock.evening.export import Step
from dreadclock.evening.referee.words import named, short
from dreadclock.following.telling import Drawn, Fumbled, Happened, Root
from dreadclock.rules.ledger import LANE_LENGTH
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Id, Model, Role, Scope, Visibility
from dreadclock.wire.records import Record
from dreadclock.wire.things import Lane, PhysicalDice, Seat
from dreadclock.wire.views import ChannelView, View

Fault = Callable[[Step, str], None]
People = tuple[Id, Id | None]  # who acted, and for whom
_OPENING = (e.RoomOpened, e.SeatJoined, e.LaneOpened, e.SealedStarted, e.RoomContinued)
_OF_HIDDEN = (e.SealedChanged, e.Revealed)
ROLLS = (e.CheckRolled, e.TotalRolled, e.DiceRolled)


Beginnings = Mapping[type[e.EventBase], Callable[["Reader", Step, Any], None]]  # what begins with an event


class Reader:
    """Goes through the steps of a log; what does not follow is told to `fault`, and reading goes on.

    Two sorts of records may come between any others of a command: that a sealed thing changed, and a further lane of
    a seat whose lane is used up. Where the gm's channel is not held, so may what a reveal brings to light.
    """

    def __init__(self, steps: Sequence[Step], channels: Collection[Channel], after: View, fault: Fault) -> None:
        self.channels = channels
        self.latest: Step | None = None  # the one that was taken last
        self.begun: tuple[str, Id, Visibility] | None = None  # the hidden thing that is about to start
        self.continued: set[Channel] = set()  # where the room went on from another one
        self.physical = False  # whether physical dice were ever allowed
        self.hints: Counter[Id] = Counter()  # by sealed thing: how often it changed
        self.moments: list[Happened | Fumbled] = []  # whose consequences are still to come
        self.unseen = False  # whether what comes follows from a hidden consequence, which cannot be seen
        self.went_unseen = False  # whether anything at the time of this command did
        self.on_unseen: Callable[[Reader, Step], None] = lambda reader, step: None
        self.amid = False  # whether what is being read came between the records of a command
        self.on_reveal: Callable[[Reader, Step, e.Revealed], None] = lambda reader, step, event: None
        self._steps, self._next, self._after, self._fault = steps, 0, after, fault
        self._places = {(each.record.channel, each.record.seq): place for place, each in enumerate(steps)}
        self._voided: set[tuple[Channel, int]] = set()
        self._by: People = ("", None)
        self._earlier = -1  # the latest time before the command under way
        self._moments: dict[Channel, int] = {}  # when the command under way happened
        self._hinted: set[Id] = set()
        self._seqs: dict[Channel, int] = {}
        self._looked: dict[tuple[type[e.EventBase], ...], tuple[int, int, Step | None]] = {}  # what was looked for
        self._is_first = True  # whether the command under way is the room's first
        self._course = 0  # counts what begins
        self._courses: dict[tuple[Channel, int], int] = {}  # by record: what it follows from

    @property
    def holds_gm(self) -> bool:
        """Whether the gm's channel can be read."""
        return Channel.GM in self.channels

    @property
    def view(self) -> View:
        """What is seen after what was taken last."""
        return self._steps[self._next].before if self._next < len(self._steps) else self._after

    @property
    def public(self) -> ChannelView:
        """What everyone sees."""
        return self.view.public

    @property
    def hidden(self) -> ChannelView:
        """What only the gm sees; empty where that channel is not held."""
        return self.view.gm or ChannelView()

    def begin(self) -> Step | None:
        """Take the record that begins something; None at the end."""
        if self._next >= len(self._steps):
            return None
        step = self._steps[self._next]
        if not self._same_command(step):
            self._is_first = self._next == 0
            self._earlier = max(self._earlier, *self._moments.values(), 0)
            self._by, self._moments, self._hinted = people_of(step), {}, set()
            self._check_loan(step)
            self.unseen = self.went_unseen = False
            self._looked.clear()
        self._course += 1
        return self._take(step)

    def _check_loan(self, step: Step) -> None:
        """Check that a player lent the seat that another one acts for."""
        seats, record = step.before.public.seats, step.record
        if record.acted_for is not None:
            lent, by = seats.get(record.acted_for), seats.get(record.by)
            fits = lent is not None and by is not None and lent.lent_to == by.id and Scope.ACT_FOR in by.scopes
            self.require(step, fits, f"{record.acted_for} did not lend its seat to {record.by}")

    def require_own_hand(self, step: Step) -> None:
        """Tell of a fault if one seat did for another what nobody does for another."""
        self.require(step, step.record.acted_for is None, "nobody does this for another")

    def is_opening(self, step: Step) -> bool:
        """Tell whether a record is of the room's first command, with nothing but an opening before it."""
        place = self._places[_place(step.record)]
        before = self._steps[:place] if self._is_first else ()
        return self._is_first and all(isinstance(each.record.event, _OPENING) for each in before)

    def undo(self) -> None:
        """Give back the record that was taken last: it is part of a course that is read from its start."""
        self._next -= 1
        record = self._steps[self._next].record
        self._seqs[record.channel] = record.seq - 1

    def stay_beyond(self, step: Step) -> None:
        """Go on behind a record, whatever became of it."""
        if self._next < len(self._steps) and self._steps[self._next] is step:
            self._next += 1

    @property
    def is_at_end(self) -> bool:
        """Whether the command under way has no more records."""
        return self._next >= len(self._steps) or not self._same_command(self._steps[self._next])

    def is_past(self, step: Step) -> bool:
        """Tell whether a record that was given back was taken again."""
        return self._next >= len(self._steps) or self._steps[self._next] is not step

    def begin_amid(self, step: Step) -> None:
        """Let the command's next record begin something amid what follows from what went before it."""
        self._take(step)
        self.on_unseen(self, step)
        self.stay_beyond(step)

    def seq(self, channel: Channel) -> int:
        """Return the number of the last record of a channel that was taken."""
        return self._seqs.get(channel, 0)

    def coming(self) -> Step | None:
        """Return the command's next record, past those that may come between any; None if it has no more."""
        while self._next < len(self._steps):
            step = self._steps[self._next]
            if not self._same_command(step):
                return None
            if not self._is_between(step):
                return step
            self._take(step)
        return None

    def ahead(self, *types: type[e.EventBase]) -> Step | None:
        """Find the command's next record of one of these types, without taking anything."""
        start, end, found = self._looked.get(types, (0, -1, None))
        if not start <= self._next <= end:
            end, found = self._look(types)
            self._looked[types] = (self._next, end, found)
        return found

    def _look(self, types: tuple[type[e.EventBase], ...]) -> tuple[int, Step | None]:
        """Look ahead; return also the last place from which the answer is the same."""
        for place in range(self._next, len(self._steps)):
            step = self._steps[place]
            if not self._same_command(step):
                return place - 1, None
            if isinstance(step.record.event, types):
                return place, step
        return len(self._steps), None

    def announces(self, happened: e.ConsequenceHappened) -> bool:
        """Tell whether the command goes on to say that this happened."""
        for place in range(self._next, len(self._steps)):
            step = self._steps[place]
            if not self._same_command(step):
                return False
            event = step.record.event
            if isinstance(event, e.ConsequenceHappened) and event.model_copy(update={"note": None}) == happened:
                return True
        return False

    def find(self, channel: Channel, seq: int) -> Step | None:
        """Return the step of a record."""
        place = self._places.get((channel, seq))
        return self._steps[place] if place is not None else None

    def goes_beyond(self, channel: Channel, first: int, last: int) -> bool:
        """Tell whether something right before or after these records follows from the same event as they do.

        Without the gm's channel, what comes of the hidden may be a command of its own: seat and time do not tell.
        """
        courses = [self._courses.get((channel, seq)) for seq in (first - 1, first, last, last + 1)]
        for place, seq in ((0, first), (3, last + 1)):
            step = self.find(channel, seq)
            if step is not None and not self.holds_gm and isinstance(step.record.event, _OF_HIDDEN):
                courses[place] = None
        return None not in courses[1:3] and (courses[0] == courses[1] or courses[2] == courses[3])

    def beside(self, channel: Channel, first: int, last: int, other: Channel) -> list[Step]:
        """Return the records of another channel that lie between two of this one, or follow from the same event."""
        start, end = self._places[channel, first], self._places[channel, last]
        while start > 0 and self._is_one_course(start - 1, start):
            start -= 1
        while end + 1 < len(self._steps) and self._is_one_course(end, end + 1):
            end += 1
        return [each for each in self._steps[start : end + 1] if each.record.channel is other]

    def _is_one_course(self, *places: int) -> bool:
        courses = {self._courses.get(_place(self._steps[place].record)) for place in places}
        return len(courses) == 1 and None not in courses

    def note_voided(self, channel: Channel, first: int, last: int) -> bool:
        """Note records that were taken back; tell whether none of them was before."""
        seqs = {(channel, seq) for seq in range(first, last + 1)}
        fresh = not seqs & self._voided
        self._voided |= seqs
        return fresh

    def is_voided(self, channel: Channel, seq: int) -> bool:
        """Tell whether a record was taken back."""
        return (channel, seq) in self._voided

    def emit(self, channel: Channel, expected: e.Event) -> None:
        """Take the command's next record, which must be this."""
        step = self.take(channel, type(expected))
        if step is not None:
            self.same(step, step.record.event, expected)

    def may_emit(self, channel: Channel, expected: e.Event) -> None:
        """Take the command's next record if it is this, which older servers did not tell."""
        step = self.coming()
        if step is not None and step.record.channel is channel and step.record.event == expected:
            self._take(step)

    def take(self, channel: Channel, sort: type[e.EventBase]) -> Step | None:
        """Take the command's next record, which must be of this sort; None if it is not, or cannot be seen."""
        if channel not in self.channels:
            return None
        step = self.coming()
        if step is None or step.record.channel is not channel or not isinstance(step.record.event, sort):
            self._missing(sort)
            return None
        return self._take(step)

    def tell(self, root: Root, expected: e.Event) -> None:
        """Take an event about a thing where it belongs; of a sealed one the public hears that it changed."""
        self.emit(root.channel, expected)
        self.hint(root)

    def hint(self, root: Root) -> None:
        """Take the public's notice that a sealed thing changed, which is given once for a command."""
        if root.visibility is not Visibility.SEALED or not self.holds_gm or root.id in self._hinted:
            return
        self._hinted.add(root.id)
        step = self._steps[self._next] if self._next < len(self._steps) else None
        expected = e.SealedChanged(kind=root.kind, id=root.id, name=root.name)
        if step is None or not self._same_command(step) or not isinstance(step.record.event, e.SealedChanged):
            self._missing(e.SealedChanged)
        else:
            self.same(self._take(step), step.record.event, expected)

    def draw(self, root: Root, count: int) -> Drawn:
        """Return what the command's next record rolls, which must be `count` faces that say where they come from."""
        step = self.coming()
        event = step.record.event if step is not None else None
        drawn = Drawn(getattr(event, "faces", ()), getattr(event, "proof", None))
        if step is not None and (len(drawn.faces) != count or drawn.proof is None):
            self.fault(step, f"it must roll {count} dice, and say where they come from")
        return drawn if len(drawn.faces) == count else Drawn((1,) * count, None)

    def same(self, step: Step, said: Model, follows: Model, of: str = "") -> None:
        """Hold what was said against what follows, field by field; a note is free."""
        if said == follows:
            return None
        for name in type(said).model_fields:
            mine, theirs = getattr(said, name), getattr(follows, name, None)
            if mine == theirs or (name == "note" and not of):
                continue
            if isinstance(mine, Model) and isinstance(theirs, Model):
                return self.same(step, mine, theirs, f"{of}{name}.")
            return self.fault(step, f"its {of}{name} is {short(mine)} where {short(theirs)} follows")
        return None

    def require(self, step: Step, holds: bool, otherwise: str) -> None:
        """Tell of a fault unless something holds."""
        if not holds:
            self.fault(step, otherwise)

    def fault(self, step: Step, sentence: str) -> None:
        """Tell of a fault."""
        self._fault(step, sentence)

    def actor(self, step: Step) -> Id:
        """Return the seat whose rights count: the one that a record is by, or that it was lent."""
        return step.record.acted_for or step.record.by

    def role(self, step: Step) -> Role | None:
        """Return the role of that seat; None if there is no such seat."""
        seat = step.before.public.seats.get(self.actor(step))
        return seat.role if seat else None

    def allow(
        self,
        step: Step,
        *owners: Id | None,
        player: bool = False,
        scopes: Collection[Scope] = (),
        hidden: bool = False,
    ) -> None:
        """Tell of a fault if the seat may not do this: the gm may, and owners, and those who are named.

        `scopes`: an integration that has one of them may, too.

        What is `hidden` may follow from a hidden consequence, whoever acted: who holds the gm's channel sees that.
        """
        role, by = self.role(step), self.actor(step)
        seat = step.before.public.seats.get(by)
        if step.record.channel is not Channel.PUBLIC:
            owners, player = (), False  # whatever they own, they do not see it there
        may = (
            self.unseen
            or (hidden and role not in (None, Role.SPECTATOR) and not self.holds_gm)
            or role is Role.GM
            or (role is not None and by in owners)
            or (player and role is Role.PLAYER)
            or (seat is not None and role is Role.INTEGRATION and _grants(seat, step.record.channel, scopes))
        )
        self.require(step, may, f"the seat {by} may not do this")

    def _take(self, step: Step) -> Step:
        record = step.record
        known = self._moments.setdefault(record.channel, record.at)
        self.require(step, known == record.at, "it has not the time of what it follows from")
        self._next += 1
        self._seqs[record.channel] = record.seq
        self.physical = self.physical or step.before.public.policy.physical_dice is not PhysicalDice.OFF
        if isinstance(record.event, e.SealedChanged) and _place(record) not in self._courses:
            self.hints[record.event.id] += 1
        self._courses[_place(record)] = self._course
        self.latest = step
        return step

    def _same_command(self, step: Step) -> bool:
        """Tell whether a record may be of the command under way: of its seat and its time.

        Where a clock was set back, the channels' times differ, as neither goes back with it.
        """
        at, known = step.record.at, self._moments.get(step.record.channel)
        same_time = at in self._moments.values() or at <= self._earlier if known is None else at == known
        return people_of(step) == self._by and same_time

    def _is_between(self, step: Step) -> bool:
        event = step.record.event
        if isinstance(event, e.SealedChanged):
            self.stub(step, event)
            return True
        if isinstance(event, e.Revealed) and not self.holds_gm:
            self.amid = True
            self.on_reveal(self, step, event)
            self.amid = False
            return True
        return isinstance(event, e.LaneOpened) and self.is_further(step, event.lane)

    def stub(self, step: Step, event: e.SealedChanged) -> None:
        """Check that what is said to have changed is sealed."""
        known = step.before.public.sealed.get(event.id)
        fits = known is not None and (known.kind, known.name) == (event.kind, event.name)
        self.require(step, fits, "no such thing is sealed")

    def is_further(self, step: Step, lane: Lane) -> bool:
        """Tell whether a lane without tokens is one that a seat gets because its last one is used up."""
        mine = [each for each in step.before.public.lanes.values() if each.seat_id == lane.seat_id]
        plain = [each for each in mine if each.anchor is None]
        used_up = bool(plain) and all(each.used >= LANE_LENGTH for each in plain)
        return lane.anchor is None and lane.seat_id == step.record.by and used_up

    def _missing(self, sort: type[e.EventBase]) -> None:
        step = self._steps[self._next] if self._next < len(self._steps) else self.latest
        if step is not None:
            place = "before it" if step is not self.latest else "after it"
            self.fault(step, f"{place} must come {named(sort)}, which is not there")


def _place(record: Record) -> tuple[Channel, int]:
    return record.channel, record.seq


def people_of(step: Step) -> People:
    """Return who acted, and for whom."""
    return step.record.by, step.record.acted_for


def _grants(seat: Seat, channel: Channel, scopes: Collection[Scope]) -> bool:
    """Tell whether an integration has one of these scopes, and sees what it would act on.

    A turn is ended for what is hidden, too.
    """
    sees = channel is Channel.PUBLIC or Scope.SECRETS in seat.scopes
    return any(scope in seat.scopes and (sees or scope is Scope.TURNS) for scope in scopes)
