"""Facts that sentences need, but that the fields of an event lack, such as the name of a thing.

A part is one character's roll in a check. A venture is dice that a character has earned for a later roll.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from dreadclock.narration.messages import Messages, Reading
from dreadclock.rules.contest import Side
from dreadclock.wire.base import Channel, Id, Kind, Visibility
from dreadclock.wire.events import Event, SeatRenamed
from dreadclock.wire.families.consequences import KINDS_OF_HIDDEN, TARGETS
from dreadclock.wire.ids import GM_SEAT, NAMED_OPPONENT, UNNAMED_GM
from dreadclock.wire.records import Record
from dreadclock.wire.things import Roll, Total
from dreadclock.wire.views import View

# Finding the things that sentences name: in the views, or in the recent records that started the things.


KINDS: Final = ("seat", *Kind)

_STARTS: Final = {  # by event type: the field with the thing that the event starts
    "seat_joined": "seat",
    "character_added": "character",
    "countdown_started": "countdown",
    "scene_opened": "scene",
    "situation_started": "situation",
    "challenge_added": "challenge",
    "clock_started": "clock",
    "effort_made": "effort",
    "dice_rolled": "roll",
    "check_proposed": "check",
    "total_proposed": "total",
    "consequence_attached": "consequence",
}


def started_id(event: Event) -> Id | None:
    """Return the id of the thing that an event starts, if a command can name the thing; otherwise None. Commands
    can name hidden plain rolls, but not public plain rolls.
    """
    thing = started(event)
    if thing is None or (isinstance(thing, Roll) and thing.visibility is Visibility.PUBLIC):
        return None
    return str(thing.id)


def started(event: Event, kind: str | None = None) -> Any | None:
    """Return the thing that an event starts; None if the event starts no thing, or a thing of another kind."""
    field = _STARTS.get(event.type)
    return getattr(event, field) if field is not None and kind in (None, field) else None


def find(views: Sequence[View], kind: str, thing_id: Id) -> Any | None:
    """Find a thing in the views. If no view has it (its start was undone), find it in the views' recent records."""
    for view in views:
        if thing_id in (things := getattr(view, f"{kind}s")):
            return things[thing_id]
    begun = (started(record.event, kind) for record in _remembered(views))
    return next((thing for thing in begun if thing is not None and thing.id == thing_id), None)


def told_before(views: Sequence[View], record: Record) -> Iterator[Record]:
    """Return the recent public records before a public record, the latest first; none for a hidden record."""
    records = _remembered(views) if record.channel is Channel.PUBLIC else ()
    return (earlier for earlier in records if earlier.channel is Channel.PUBLIC and earlier.seq < record.seq)


def _remembered(views: Sequence[View]) -> Iterator[Record]:
    """Yield the recent records of the views, the latest first."""
    for view in views:
        for part in view.channels.values():
            yield from reversed(part.recent)


JUST_BEFORE: Final = 3  # how many earlier records `_ended_by` searches


class Facts(Reading):
    """The names that templates can use for a record or a thing.

    These are the fields of the event and of the values in it, and:

        by            the id of the seat that acted
        <kind>        the thing of a `<kind>_id`, if a view has it
        <fact>        the functions of FACTS for the event or thing
    """

    def __init__(self, messages: Messages, record: Record | None, views: tuple[View, ...]) -> None:
        self.record: Record | None = record
        self.views: tuple[View, ...] = views
        self.messages: Messages = messages

    def step(self, value: object, name: str) -> object:
        """Return a field of an event or a thing, or a fact of that name."""
        field = super().step(value, name)
        if field is not None:
            return field
        if name == "by":
            return self.record.by if self.record else None
        if name in KINDS and isinstance(thing_id := super().step(value, f"{name}_id"), str):
            return find(self.views, name, thing_id)
        fact = FACTS.get(name)
        return fact(self, value) if fact is not None else None

    def worded(self, word: str, value: object) -> str:
        """Return the name of a thing. `word`: its kind. `value`: its id. Other words are left to `Reading`."""
        return self._name(word, value) if word in KINDS and isinstance(value, str) else super().worded(word, value)

    def _name(self, kind: str, thing_id: Id) -> str:
        thing: Any = self._opponent() if thing_id == NAMED_OPPONENT else find(self.views, kind, thing_id)
        given = str(thing.name) if thing and (kind, thing_id, thing.name) != ("seat", GM_SEAT, UNNAMED_GM) else ""
        name = given or (unnamed(self.messages, thing_id) if kind == "seat" else thing_id)
        return within(self.messages, name) if kind in ("seat", "character") else name

    def _opponent(self) -> Any:
        """Return the part in the event's check of an opponent who has no character sheet."""
        event: Any = self.record.event if self.record else None
        check = getattr(event, "check", None) or find(self.views, "check", getattr(event, "check_id", ""))
        parts = (getattr(event, "part", None), *(check.parts if check is not None else ()))
        return next((part for part in parts if part is not None and part.name is not None), None)


def unnamed(messages: Messages, seat_id: Id) -> str:
    """Make a name from the id of a seat without a name: Player 1."""
    role, _, number = seat_id.partition("-")
    return messages.text("name.seat", {"role": role, "number": number})


def within(messages: Messages, name: str) -> str:
    """Write a name as within a sentence: the warden, not The warden."""
    first, blank, _ = name.partition(" ")
    return name[0].lower() + name[1:] if blank and first in messages.text("name.articles").split() else name


def _leads(facts: Facts, rolled: Any) -> bool:
    """Tell whether the rolled part is the part of the check's leader. True if no view has the check."""
    check = find(facts.views, "check", rolled.check_id)
    return check is None or rolled.part.character_id == check.leader.character_id


def _capped(_: Facts, roll: Any) -> bool:
    """Tell whether some sixes of a damage roll added no die, because of the cap on a roll's dice.

    Source: rules.md E2.
    """
    added = getattr(roll, "added", None)
    return added is not None and roll.faces.count(6) > added


def _bonus_dice(_: Facts, event: Any) -> int:
    """Return how many dice of ventures an event spends, or lets lapse."""
    bonuses = event.paid if hasattr(event, "paid") else event.lapsed
    return sum(bonus.dice for bonus in bonuses)


def _claimed(facts: Facts, part: Any) -> list[object]:
    """Return the ventures whose dice a part of a check claims, as far as the views have them."""
    character = find(facts.views, "character", part.character_id)
    return [bonus for bonus in getattr(character, "bonuses", ()) if bonus.key in (part.claims or ())]


def _owner_name(facts: Facts, thing: Any) -> str | None:
    """Return the name of a thing's owner; None if the thing has no owner, or the same name as its owner."""
    name = facts.worded("seat", thing.owner) if thing.owner else thing.name
    return name if name != thing.name else None


def _named_total(facts: Facts, event: Any) -> object:
    """Return the event's total. If the field `total` is a number (the sum), finds the total by its id."""
    total = getattr(event, "total", None)
    return total if isinstance(total, Total) else find(facts.views, "total", event.total_id)


def _thing(facts: Facts, event: Any) -> object:
    """Return the thing that an event reveals, cancels or gives other effects."""
    if not hasattr(event, "things"):
        return find(facts.views, event.kind, event.id)
    things = getattr(event.things, f"{event.kind}s")
    return next((thing for thing in things if thing.id == event.id), None)


def _name_before(facts: Facts, event: Any) -> str:
    """Return the name of a seat before it was renamed."""
    assert facts.record is not None
    for earlier in told_before(facts.views, facts.record):
        seat = started(earlier.event, "seat")
        if seat is not None and seat.id == event.seat_id:
            return str(seat.name)
        if isinstance(earlier.event, SeatRenamed) and earlier.event.seat_id == event.seat_id:
            return earlier.event.name
    names = (view.seats[event.seat_id].name for view in facts.views if event.seat_id in view.seats)
    other = (name for name in names if name != event.name)
    return next(other, None) or unnamed(facts.messages, event.seat_id)


def _ended_by(facts: Facts, event: Any) -> object:
    """Return the countdown that took a character out of play just before. Source: rules.md A9."""
    assert facts.record is not None
    for record in islice(told_before(facts.views, facts.record), JUST_BEFORE):
        if record.event.type in ("countdown_expired", "countdown_repeated"):
            countdown = find(facts.views, "countdown", getattr(record.event, "countdown_id", ""))
            if countdown is not None and countdown.fate is not None and countdown.about == event.character_id:
                return countdown
    return None


def _too_late_for(facts: Facts, event: Any) -> object:
    """Return the challenge of a success that came too late, because its situation had failed before; otherwise None.

    Source: rules.md B1.
    """
    assert facts.record is not None
    kind = "check" if hasattr(event, "check_id") else "total"
    rolled = find(facts.views, kind, getattr(event, f"{kind}_id"))
    challenge = find(facts.views, "challenge", getattr(rolled, "effort", None) or "")
    if challenge is None or (kind == "check" and not event.result.won_by(Side.ACTING)):
        return None
    events = (record.event for record in told_before(facts.views, facts.record))
    failed = {getattr(event, "situation_id", "") for event in events if event.type == "situation_failed"}
    return challenge if challenge.situation_id in failed else None


def _undone(facts: Facts, event: Any) -> object:
    """Return the thing that an undone command changed or made; None if there is none, or several.

    Counts only things that have a name, and are of the kind with which the command's event type begins: "clock" in
    "clock_ticked".
    """
    begins = event.what.partition("_")[0]
    kind = UNDONE.get(begins, begins)
    made = (find(facts.views, kind, thing_id) for thing_id in event.restored.removed.get(f"{kind}s", ()))
    named = [thing for thing in (*getattr(event.restored, f"{kind}s", ()), *made) if getattr(thing, "name", None)]
    return named[0] if len(named) == 1 else None


def _target(facts: Facts, effect: Any) -> object:
    """Return the thing that an effect changes, or its id if no view has the thing."""
    kinds = TARGETS.get(effect.does, KINDS_OF_HIDDEN)
    things = (find(facts.views, kind, effect.thing_id) for kind in kinds)
    return next((thing for thing in things if thing is not None), {"id": effect.thing_id})


UNDONE: Final = {"race": "situation", "round": "situation", "state": "character", "track": "character"}
"""By the first word of an event's type: the kind of thing that the event changes. Only where the two differ."""

FACTS: Final[Mapping[str, Callable[[Facts, Any], object]]] = {
    "leader": lambda _, check: check.leader,
    "unopposed": lambda _, check: check.contest and not check.side(Side.OPPOSING),
    "leads": _leads,
    "reduced": lambda _, roll: roll.remaining != roll.faces,
    "capped": _capped,
    "bonus_dice": _bonus_dice,
    "claimed": _claimed,
    "owner_name": _owner_name,
    "named_total": _named_total,
    "thing": _thing,
    "name_before": _name_before,
    "ended_by": _ended_by,
    "too_late_for": _too_late_for,
    "undone": _undone,
    "subject": lambda facts, of: find(facts.views, of.kind, of.id),
    "target": _target,
    "points": lambda _, effect: abs(effect.by),
    "backwards": lambda _, effect: effect.by < 0,
}
