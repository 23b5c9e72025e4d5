"""What a consequence does: whether it can happen by then, and its ordinary events. Source: rules.md E5."""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from dreadclock.following import characters, clocks, countdowns, secrets, standing, tokens
from dreadclock.following.telling import Drawn, Telling
from dreadclock.following.ventures import recount
from dreadclock.rules import clocks as rules
from dreadclock.rules.ledger import LANE_LENGTH
from dreadclock.rules.limits import MAX_COUNTDOWNS, MAX_ON_SHEET, MAX_POOL
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Faces, HiddenKind, Id, Kind, RollProof, Visibility
from dreadclock.wire.events import Cause, SkipReason
from dreadclock.wire.families.check_effects import tokens_after
from dreadclock.wire.families.consequences import TARGETS
from dreadclock.wire.families.countdowns import ALIVE, was_rolled
from dreadclock.wire.families.dice import lane_of_thing
from dreadclock.wire.families.fates import in_play
from dreadclock.wire.things import (
    CharacterStatus,
    ClockKind,
    Countdown,
    CountdownStatus,
    Does,
    Effect,
    NewCountdown,
    SituationStatus,
)
from dreadclock.wire.views import View

Reason = SkipReason | None
FAMILIES = {does: tuple(f"{kind}s" for kind in kinds) for does, kinds in TARGETS.items()}
"""In which fields of a view the thing of an effect may be."""


class Due(NamedTuple):
    """What comes about next: an attached consequence, or what a fumble effect does (`id` is None).

    `happened` announces it in its channel, before the first of its effects.
    """

    id: Id | None
    channel: Channel
    do: tuple[Effect, ...]
    happened: e.ConsequenceHappened


class Bringing(Protocol):
    """Gives what consequences need beyond telling."""

    def seq(self, channel: Channel) -> int:
        """Return the number of a channel's last record."""

    def throw(self, countdown: Countdown) -> tuple[Faces, RollProof | None] | None:
        """Return the faces of a countdown's pool; None if there are no dice for it."""

    def start(self, new: NewCountdown) -> None:
        """Start a countdown under an id that the server makes; of a hidden one its dice are fixed before."""

    def elsewhere(self, before: Due | None) -> None:
        """Read, without the gm's channel, what hidden consequences do next; `before` is what follows, if anything."""


def target(view: View, effect: Effect) -> Any:
    """Return the thing that an effect is on; None if it is not there, or the effect is on nothing that has to be."""
    found = (getattr(view, family).get(effect.thing_id) for family in FAMILIES.get(effect.does, ()))
    return next((thing for thing in found if thing is not None), None)


def names_public(view: View, effect: Effect) -> bool:
    """Tell whether everyone sees the thing that an effect is on."""
    return any(effect.thing_id in getattr(view.public, family) for family in FAMILIES[effect.does])


def is_public(view: View, effect: Effect) -> bool:
    """Tell whether everyone hears what an effect does."""
    if effect.does in FAMILIES:
        return names_public(view, effect)
    starts_known = effect.countdown is not None and effect.countdown.visibility is not Visibility.GM
    return effect.does is Does.REVEAL or starts_known


# Whether it can happen


def why_not(view: View, effect: Effect) -> Reason:
    """Return why an effect cannot happen as things stand; None if it can."""
    thing = target(view, effect)
    if effect.does in FAMILIES and thing is None:
        return SkipReason.GONE
    return _WHY_NOT[effect.does](view, effect, thing)


def _no_tick(view: View, effect: Effect, clock: Any) -> Reason:
    by = effect.by or 0
    ended = clock.done and not (by < 0 and clock.kind is ClockKind.FREE)  # from its end it can be set back: B15
    if ended or not clocks.is_open(view, clock) or (by < 0 and clock.kind is ClockKind.THREAT):
        return SkipReason.OVER
    return SkipReason.UNCHANGED if rules.tick(clock.value, by, clock.size, clock.direction) == clock.value else None


def _unless(holds: bool, otherwise: SkipReason = SkipReason.OVER) -> Reason:
    """Return None if something holds, else the reason."""
    return None if holds else otherwise


def _no_replenish(view: View, effect: Effect, one: Any) -> Reason:
    if one.status not in ALIVE or not one.replenishable:
        return SkipReason.OVER
    return _unless(one.pool + (effect.by or 0) <= MAX_POOL, SkipReason.CAP)


def _no_roll(view: View, effect: Effect, one: Any) -> Reason:
    if one.status is not CountdownStatus.RUNNING or was_rolled(view, one):
        return SkipReason.OVER
    return _unless(not lane_used_up(view, one), SkipReason.DICE)


def lane_used_up(view: View, one: Countdown) -> bool:
    """Tell whether a hidden countdown has no roll of the ledger left."""
    lane = view.hidden.lanes.get(lane_of_thing(Kind.COUNTDOWN, one.id))
    return one.visibility is not Visibility.PUBLIC and lane is not None and lane.used >= LANE_LENGTH


def _no_start(view: View, effect: Effect, _: Any) -> Reason:
    new = effect.countdown
    if new is None or (new.owner is not None and new.owner not in view.seats) or not countdowns.may_start(view, new):
        return SkipReason.GONE
    return _unless(not too_many_countdowns(view, new.visibility), SkipReason.CAP)


def too_many_countdowns(view: View, visibility: Visibility) -> bool:
    """Tell whether the cap is reached; known and hidden ones count apart, or the cap would tell of secrets."""
    known = visibility is not Visibility.GM
    part = view.public if known else view.hidden
    own = sum(each.status in ALIVE and (known or each.visibility is visibility) for each in part.countdowns.values())
    sealed = sum(each.kind is Kind.COUNTDOWN for each in view.public.sealed.values()) if known else 0
    return own + sealed >= MAX_COUNTDOWNS


def _no_leave(view: View, effect: Effect, one: Any) -> Reason:
    assert effect.fate is not None
    if not in_play(view, one.id):
        return SkipReason.OVER
    return _unless(characters.may_leave(view, one.id, effect.fate), SkipReason.CAP)


def _no_state(view: View, effect: Effect, one: Any) -> Reason:
    if not in_play(view, one.id):
        return SkipReason.OVER
    if (effect.name in one.states) == (effect.does is Does.GIVE_STATE):
        return SkipReason.UNCHANGED
    return _unless(effect.does is Does.DROP_STATE or len(one.states) < MAX_ON_SHEET, SkipReason.CAP)


def _no_track(view: View, effect: Effect, one: Any) -> Reason:
    track = one.tracks.get(effect.name)
    if track is None or not in_play(view, one.id):
        return SkipReason.OVER
    moved = max(0, min(track.most, track.value + (effect.by or 0)))
    return _unless(moved != track.value, SkipReason.UNCHANGED)


def _no_token(view: View, effect: Effect, one: Any) -> Reason:
    if one.visibility is not Visibility.PUBLIC or one.status is not CharacterStatus.IN_PLAY or effect.token is None:
        return SkipReason.OVER
    held = (one.momentum, one.interference)
    return _unless(tokens_after(*held, effect.token) != held, SkipReason.UNCHANGED)


_WHY_NOT: dict[Does, Callable[[View, Effect, Any], Reason]] = {
    Does.TICK: _no_tick,
    Does.STABILIZE: lambda view, _, one: _unless(one.status is CountdownStatus.RUNNING and one.stabilizable),
    Does.RESUME: lambda view, _, one: _unless(one.status is CountdownStatus.STABILIZED),
    Does.REPLENISH: _no_replenish,
    Does.ROLL: _no_roll,
    Does.START: _no_start,
    Does.TAKE_OFF: lambda view, _, one: _unless(clocks.is_open(view, view.clocks[one.clock_id])),
    Does.LEAVE: _no_leave,
    Does.GIVE_STATE: _no_state,
    Does.DROP_STATE: _no_state,
    Does.MOVE_TRACK: _no_track,
    Does.GIVE_TOKEN: _no_token,
    **dict.fromkeys((Does.SET_FUMBLE, Does.DROP_FUMBLE), standing.no_change),
    Does.REVEAL: lambda view, effect, _: _unless(_hidden_kind(view, effect) is not None, SkipReason.GONE),
    Does.TELL: lambda view, _, one: None,
}


# What happens


def perform(t: Telling, by: Bringing, one: Due, effect: Effect) -> Reason:
    """Bring about an effect that can happen; return a reason only if it needed dice and there were none."""
    thing = target(t.view, effect)
    match effect.does:
        case Does.ROLL:
            return _roll(t, by, thing)
        case Does.START:
            assert effect.countdown is not None
            by.start(effect.countdown)
        case Does.TELL:
            told = e.ConsequenceTold(consequence_id=one.id, text=str(effect.text), effect=one.happened.effect)
            t.emit(one.channel, told)
        case _:
            _DO[effect.does](t, one, effect, thing)
    return None


def _roll(t: Telling, by: Bringing, countdown: Any) -> Reason:
    thrown = by.throw(countdown)
    if thrown is None:
        return SkipReason.DICE
    countdowns.roll(t, countdown, Drawn(*thrown))
    return None


def _tick(t: Telling, one: Due, effect: Effect, thing: Any) -> None:
    """Move a clock; if it is public and the consequence is not, its event says only that something hidden moved it."""
    clock_id = thing.clock_id if effect.does is Does.TAKE_OFF else thing.id
    seen_by_more = one.channel is not Channel.PUBLIC and clock_id in t.view.public.clocks
    clocks.tick(t, clock_id, effect.by or 0, Cause.HIDDEN if seen_by_more else Cause.CONSEQUENCE)


def _reveal(t: Telling, one: Due, effect: Effect, _: Any) -> None:
    kind = _hidden_kind(t.view, effect)
    if kind is not None:
        secrets.show(t, kind, str(effect.thing_id))


def _hidden_kind(view: View, effect: Effect) -> HiddenKind | None:
    return secrets.kind_of(view.hidden, str(effect.thing_id)) if _is_begun(view, effect) else None


def _is_begun(view: View, effect: Effect) -> bool:
    situation = view.situations.get(str(effect.thing_id))
    return situation is None or situation.status is not SituationStatus.PREPARED


def _leave(t: Telling, one: Due, effect: Effect, character: Any) -> None:
    assert effect.fate is not None
    characters.leave_play(t, character.id, effect.fate)


def _give(t: Telling, one: Due, effect: Effect, character: Any) -> None:
    assert effect.token is not None
    tokens.gain(t, character.id, effect.token, None)
    recount(t)


_DO: dict[Does, Callable[[Telling, Due, Effect, Any], None]] = {
    Does.TICK: _tick,
    Does.TAKE_OFF: _tick,
    Does.STABILIZE: lambda t, _, effect, thing: countdowns.stabilize(t, thing),
    Does.RESUME: lambda t, _, effect, thing: countdowns.resume(t, thing),
    Does.REPLENISH: lambda t, _, effect, thing: countdowns.replenish(t, thing, effect.by or 0),
    Does.LEAVE: _leave,
    Does.GIVE_STATE: lambda t, _, effect, thing: characters.give_state(t, thing.id, str(effect.name)),
    Does.DROP_STATE: lambda t, _, effect, thing: characters.drop_state(t, thing.id, str(effect.name)),
    Does.MOVE_TRACK: lambda t, _, effect, thing: characters.move_track(t, thing.id, str(effect.name), effect.by or 0),
    Does.GIVE_TOKEN: _give,
    **dict.fromkeys((Does.SET_FUMBLE, Does.DROP_FUMBLE), lambda t, _, effect, thing: standing.change(t, effect, thing)),
    Does.REVEAL: _reveal,
}
