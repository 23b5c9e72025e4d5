"""Whether a consequence can come about at all, as far as can be told when it is attached. Source: rules.md E5."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from dreadclock.following import secrets, standing
from dreadclock.following.bringing import FAMILIES, names_public, target
from dreadclock.following.countdowns import may_start
from dreadclock.wire.base import Channel, Id, Kind, Role, Visibility
from dreadclock.wire.families.clocks import owner_is_over
from dreadclock.wire.families.consequences import is_over
from dreadclock.wire.families.countdowns import ALIVE
from dreadclock.wire.families.fates import in_play
from dreadclock.wire.things import (
    ChallengeStatus,
    CheckStatus,
    ClockKind,
    Consequence,
    CountdownStatus,
    Does,
    Effect,
    Moment,
    NewCountdown,
    StandingEffects,
    Subject,
    When,
)
from dreadclock.wire.views import View

_MOMENTS: dict[str, tuple[When, ...]] = {
    Kind.COUNTDOWN: (When.STAGE, When.END),
    Kind.CLOCK: (When.END,),
    Kind.CHECK: (When.FUMBLE, When.FAIL, When.SUCCESS, When.TRIUMPH, When.WON, When.LOST),
    Kind.TOTAL: (When.SUCCEEDED, When.FAILED, When.CRISIS),
    Kind.CHARACTER: (When.CRISIS,),
}


def has_moment(view: View, of: Subject, moment: Moment) -> bool:
    """Tell whether a thing that is there has such a moment."""
    thing = getattr(view, f"{of.kind}s").get(of.id)
    paid = moment.when is When.SUCCESS  # what a check that is resolved can still come to, by a cost
    if of.kind is Kind.CHECK and thing.status is CheckStatus.RESOLVED and not paid:
        return False
    if moment.when not in _MOMENTS[of.kind] or (moment.at is not None) != (moment.when is When.STAGE):
        return False
    stages = getattr(thing, "stages", ())
    return moment.at is None or moment.at in [stage.at for stage in stages]


def dropped(view: View, channel: Channel) -> tuple[Id, ...]:
    """Name the consequences of a channel that can never come about any more."""
    return tuple(one.id for one in view.channels[channel].consequences.values() if is_over(view, one.of))


def can_happen(view: View, effect: Effect) -> bool:
    """Tell whether an effect on a thing that is there could ever happen."""
    return _CAN[effect.does](view, effect, target(view, effect))


def is_there(view: View, effect: Effect) -> bool:
    """Tell whether the thing that an effect names is there."""
    return effect.does not in FAMILIES or target(view, effect) is not None


def _can_tick(view: View, effect: Effect, clock: Any) -> bool:
    return not owner_is_over(view, clock) and not (clock.kind is ClockKind.THREAT and (effect.by or 0) < 0)


def _can_start(view: View, effect: Effect, _: Any) -> bool:
    new = effect.countdown
    assert isinstance(new, NewCountdown)
    owner = view.seats.get(new.owner or "")
    owned = new.owner is None or (owner is not None and owner.role is not Role.SPECTATOR)
    return owned and may_start(view, new) and len({stage.at for stage in new.stages}) == len(new.stages)


_CAN: dict[Does, Callable[[View, Effect, Any], bool]] = {
    Does.TICK: _can_tick,
    Does.STABILIZE: lambda _, effect, one: one.status in ALIVE and one.stabilizable,
    Does.RESUME: lambda _, effect, one: (
        one.status is CountdownStatus.STABILIZED or (one.status in ALIVE and one.stabilizable)
    ),
    Does.REPLENISH: lambda _, effect, one: one.status in ALIVE and one.replenishable,
    Does.ROLL: lambda _, effect, one: one.status in ALIVE,
    Does.START: _can_start,
    Does.TAKE_OFF: lambda _, effect, one: one.status is ChallengeStatus.OPEN,
    **dict.fromkeys((Does.LEAVE, Does.GIVE_STATE, Does.DROP_STATE), lambda view, effect, one: in_play(view, one.id)),
    Does.MOVE_TRACK: lambda view, effect, one: in_play(view, one.id) and effect.name in one.tracks,
    Does.GIVE_TOKEN: lambda view, effect, one: in_play(view, one.id) and one.visibility is Visibility.PUBLIC,
    **dict.fromkeys((Does.SET_FUMBLE, Does.DROP_FUMBLE), lambda view, _, one: standing.goes_on(view, one)),
    Does.REVEAL: lambda view, effect, _: secrets.kind_of(view.hidden, str(effect.thing_id)) is not None,
    Does.TELL: lambda _, effect, one: True,
}


def within(effects: Iterable[Effect]) -> Iterator[Effect]:
    """Give what fumble effects do that these effects set, however deep one is within another."""
    for effect in effects:
        yield from effect.do or ()
        yield from within(effect.do or ())


def of_fumbles(effects: StandingEffects) -> tuple[Effect, ...]:
    """Return all that fumble effects do, what they set included."""
    do = tuple(effect for each in effects.fumble_does for effect in each.do)
    return (*do, *within(do))


def may_fumble_do(view: View, effect: Effect) -> bool:
    """Tell whether a fumble effect may do this: it could happen, and it names nothing hidden. Source: rules.md C26."""
    if effect.is_on_nobody:
        return True
    return is_there(view, effect) and not hides(view, effect) and can_happen(view, effect)


def names_hidden(view: View, one: Consequence) -> bool:
    """Tell whether a consequence names what not everyone sees."""
    return one.of.id not in getattr(view.public, f"{one.of.kind}s") or any(hides(view, each) for each in one.do)


def hides(view: View, effect: Effect) -> bool:
    """Tell whether an effect names what not everyone sees."""
    if effect.does in FAMILIES:
        return not names_public(view, effect)
    starts_hidden = effect.countdown is not None and effect.countdown.visibility is not Visibility.PUBLIC
    return effect.does is Does.REVEAL or starts_hidden
