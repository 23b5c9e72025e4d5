"""Find the public events that hidden things can have caused.

The log is known only in part: the public channel, but not the gm's channel with the records of hidden things.

A sealed thing is hidden, but everyone knows its id, kind and name. A consequence has effects, which happen
when something triggers it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from dreadclock.rules.clocks import Direction
from dreadclock.rules.total import Fate
from dreadclock.wire import events as e
from dreadclock.wire.base import Id, Kind
from dreadclock.wire.events import Cause
from dreadclock.wire.families.dice import lane_of_thing
from dreadclock.wire.ids import GM_PREFIX, is_server_made, made_id
from dreadclock.wire.records import Record
from dreadclock.wire.things import Carried, Does, Effect, EffectKind, NewCountdown, StandingEffects
from dreadclock.wire.views import View
from dreadclock_server.evening.verify.rebuilding import new_countdown

MOST_REQUIRED = 99
_ROLLED = (Kind.COUNTDOWN, Kind.ROLL, Kind.CHECK)


def is_about_hidden(event: e.Event) -> bool:
    """Return whether an event says that a hidden thing was sealed, changed or revealed."""
    return isinstance(event, e.SealedStarted | e.SealedChanged | e.Revealed)


def has_hidden_cause(event: e.Event) -> bool:
    """Return whether only something hidden can have caused an event."""
    return is_about_hidden(event) or (isinstance(event, e.ClockTicked | e.ClockResized) and event.cause is Cause.HIDDEN)


def is_hidden_consequence(event: e.ConsequenceHappened) -> bool:
    """Return whether an event is the public event of a hidden consequence, which has no details."""
    return event.model_copy(update={"note": None}) == e.ConsequenceHappened()


def is_sealed(view: View, event: e.SealedChanged) -> bool:
    """Return whether the event names a sealed thing, with its right kind and name."""
    thing = view.public.sealed.get(event.id)
    return thing is not None and (thing.kind, thing.name) == (event.kind, event.name)


def may_be_sealed(view: View, event: e.SealedStarted, carried: Carried | None) -> bool:
    """Return whether `sealed_started` may announce a thing with this id and this lane (its dice, fixed in advance).

    The id is public, so it must not be an id that only the gm may know. `carried`: the things that the room is
    about to carry over from another room, if any. Then the id must be from that room, or made by a server.
    """
    thing, part = event.thing, view.public
    label = lane_of_thing(thing.kind, thing.id) if thing.kind in _ROLLED else None
    if carried is not None:
        is_new = is_server_made(thing.id) or thing.id in carried.taken
    elif is_server_made(thing.id):
        is_new = thing.id == made_id(Kind(thing.kind), part.made.get(thing.kind, 0) + 1)
    else:
        is_new = thing.id not in part.taken
    is_new = is_new and thing.id not in part.sealed and not thing.id.startswith(GM_PREFIX)
    return is_new and thing.lane == label and (thing.key is None) == (label is None)


# Effects of hidden consequences


def effects_of(view: View, event: Any) -> Iterator[Effect]:
    """Yield the effects of a consequence that may have led to an event."""
    if (fields := _EFFECTS.get(type(event))) is not None:
        yield Effect(**fields(view, event))
    if isinstance(event, e.EffectsSet):
        yield from _fumble_effects(getattr(view, f"{event.kind}s")[event.id].effects, event)


def _tick(view: View, event: e.ClockTicked) -> dict[str, Any]:
    clock = view.clocks[event.clock_id]
    by = event.value - clock.value
    return {"does": Does.TICK, "thing_id": clock.id, "by": by if clock.direction is Direction.UP else -by}


def _start(view: View, event: e.CountdownStarted) -> dict[str, Any]:
    return {"does": Does.START, "countdown": NewCountdown(**{**new_countdown(event.countdown), "id": None})}


def _move(view: View, event: e.TrackMoved) -> dict[str, Any]:
    by = event.value - view.characters[event.character_id].tracks[event.track].value
    return {"does": Does.MOVE_TRACK, "thing_id": event.character_id, "name": event.track, "by": by}


def _on(does: Does, of: str, **fields: Any) -> Callable[[View, Any], dict[str, Any]]:
    """Return a function that makes the fields of an effect from an event.

    `of`: the event's field with the target's id. `fields`: other fields of the effect. A value that begins with `=`
    names a field of the event.
    """

    def make(view: View, event: Any) -> dict[str, Any]:
        copied = {
            name: getattr(event, str(value)[1:]) if str(value).startswith("=") else value
            for name, value in fields.items()
        }
        return {"does": does, "thing_id": getattr(event, of), **copied}

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
    """Yield an effect (of a consequence) for each fumble effect that the event added, changed or removed."""
    old, new = (before or StandingEffects()), event.effects
    old_does, new_does = ({row.effect: row.do for row in effects.fumble_does} for effects in (old, new))
    for text in new.fumble_effects:
        if text not in old.fumble_effects or new_does.get(text) != old_does.get(text):
            yield Effect(does=Does.SET_FUMBLE, thing_id=event.id, text=text, do=new_does.get(text))
    for text in old.fumble_effects:
        if text not in new.fumble_effects:
            yield Effect(does=Does.DROP_FUMBLE, thing_id=event.id, text=text)


# Numbers that only the gm knows


class HiddenNumbers:
    """An assumed number for each total whose required number is secret.

    If the log reveals the secret later, the assumed number is the secret. Otherwise, the assumed number fits the
    outcomes in the log.
    """

    def __init__(self, records: Sequence[Record]) -> None:
        # By total: a list for each time that its number was set, with the place in the log, and the smallest and
        # largest possible number.
        self._bounds: dict[Id, list[list[int]]] = {}
        self._totals: dict[Id, int] = {}
        for place, record in enumerate(records):
            self._add(place, record.event)

    def at(self, total_id: Id, place: int) -> int:
        """Return the required number of a total at a place of the log."""
        set_before = [least for start, least, _ in self._bounds.get(total_id, ()) if start <= place]
        return set_before[-1] if set_before else 1

    def _add(self, place: int, event: e.Event) -> None:
        match event:
            case e.RequiredSet(total_id=total_id, secret=True, enough=enough):
                self._set(place, total_id, enough)
            case e.RoomContinued(carried=carried):
                for total in carried.totals:
                    self._totals[total.id] = total.total
                    self._set(place, total.id, total.enough)
            case e.TotalRolled(total_id=total_id, total=shown, enough=enough):
                self._totals[total_id] = shown
                self._narrow(total_id, enough)
            case e.LuckPushed(total_id=total_id, push=push):
                self._totals[total_id] = push.total
                self._narrow(total_id, push.enough if not push.crisis else None)
            case e.RequiredRevealed(total_id=total_id, required=required) if total_id in self._bounds:
                self._bounds[total_id][-1][1:] = [required, required]

    def _set(self, place: int, total_id: Id, enough: bool | None) -> None:
        self._bounds.setdefault(total_id, []).append([place, 1, MOST_REQUIRED])
        self._narrow(total_id, enough)

    def _narrow(self, total_id: Id, enough: bool | None) -> None:
        if enough is None or total_id not in self._bounds:
            return
        latest, total = self._bounds[total_id][-1], self._totals.get(total_id, 0)
        if enough:
            latest[2] = min(latest[2], total)
        else:
            latest[1] = max(latest[1], min(total + 1, MOST_REQUIRED))
