"""Whether a consequence can come about at all, as far as can be told when it is attached. Source: rules.md E5."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from dreadclock.following import clocks, secrets, standing
from dreadclock.following.bringing import FAMILIES, names_public, target, thing_of
from dreadclock.following.characters import in_play
from dreadclock.following.checks import failed
from dreadclock.following.countdowns import ALIVE, may_start
from dreadclock.following.telling import hidden_part
from dreadclock.rules.contest import Side
from dreadclock.wire.base import Channel, Id, Kind, Role, Visibility
from dreadclock.wire.families.totals import over
from dreadclock.wire.things import (
    ChallengeStatus,
    CharacterStatus,
    Check,
    CheckStatus,
    ClockKind,
    Consequence,
    CostStage,
    CountdownStatus,
    Does,
    Effect,
    Moment,
    NewCountdown,
    Part,
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
    thing = thing_of(view, f"{of.kind}s", of.id)
    paid = moment.when is When.SUCCESS  # what a check that is resolved can still come to, by a cost
    if of.kind is Kind.CHECK and thing.status is CheckStatus.RESOLVED and not paid:
        return False
    if moment.when not in _MOMENTS[of.kind] or (moment.at is not None) != (moment.when is When.STAGE):
        return False
    stages = getattr(thing, "stages", ())
    return moment.at is None or moment.at in [stage.at for stage in stages]


def is_over(view: View, of: Subject) -> bool:
    """Tell whether no moment of a thing can come any more."""
    thing = thing_of(view, f"{of.kind}s", of.id)
    return thing is None or _OVER[of.kind](view, thing)


def _check_over(_: View, check: Check) -> bool:
    """Tell whether a check is resolved and its acting side can pay for no failure any more; it pays at most once."""
    if check.status is not CheckStatus.RESOLVED:
        return False
    stages = [cost.stage if (cost := check.cost_of(part)) else None for part in _unwon(check)]
    return CostStage.APPLIED in stages or all(stage is CostStage.DECLINED for stage in stages)


def _unwon(check: Check) -> list[Part]:
    """Return the acting side's parts that failed; none if the side won."""
    won = check.result is not None and check.result.won_by(Side.ACTING)
    return [] if won else [part for part in check.side(Side.ACTING) if failed(check, part)]


_OVER: dict[str, Callable[[View, Any], bool]] = {
    Kind.COUNTDOWN: lambda _, one: one.status not in ALIVE,
    Kind.CLOCK: clocks.is_over,
    Kind.CHECK: _check_over,
    Kind.TOTAL: lambda _, one: over(one),
    Kind.CHARACTER: lambda _, one: one.status in (CharacterStatus.DEAD, CharacterStatus.RETIRED),
}


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
    return not clocks.is_over(view, clock) and not (clock.kind is ClockKind.THREAT and (effect.by or 0) < 0)


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
    Does.REVEAL: lambda view, effect, _: secrets.kind_of(hidden_part(view), str(effect.thing_id)) is not None,
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
