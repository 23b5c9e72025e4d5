"""Clocks: those that stand for themselves, and the gm's hand on any."""

from dreadclock.following import clocks
from dreadclock.following.telling import Root, channel_of, root_of_clock
from dreadclock.rules import clocks as rules
from dreadclock.rules.clocks import Direction
from dreadclock.rules.limits import MAX_CLOCK, MAX_FREE_CLOCKS
from dreadclock.wire import events as e
from dreadclock.wire.base import Id, Kind, Role, Visibility
from dreadclock.wire.commands import AmendClock, ClockEffect, EnlargeClock, StartClock, TickClock
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.events import Cause
from dreadclock.wire.families.clocks import scene_of_clock, situation_of_clock
from dreadclock.wire.things import (
    ChallengeStatus,
    Clock,
    ClockKind,
    SituationStatus,
)
from dreadclock_server.core import find
from dreadclock_server.core.draft import Deciders, Draft
from dreadclock_server.core.families.secrets import begin_hidden
from dreadclock_server.core.find import owner_for
from dreadclock_server.core.rights import Rights, Who, only, owned


def _owner(draft: Draft, command: TickClock) -> Id | None:
    return find.clock(draft, command.clock_id).owner


RIGHTS: Rights = {
    StartClock: only(Who.GM, Who.PLAYER, Who.CLOCKS),
    TickClock: owned(_owner, Who.CLOCKS),
    EnlargeClock: only(Who.GM),
    AmendClock: only(Who.GM, Who.CLOCKS),
}


def start_clock(draft: Draft, command: StartClock) -> None:
    """Decide `start_clock`."""
    find.require_gm_for(draft, command.visibility)
    _refuse_too_many(draft, command.visibility)
    owner = owner_for(draft, command.owner)
    clock_id = draft.new_id(Kind.CLOCK, command.id, known=command.visibility is not Visibility.GM)
    root = Root(Kind.CLOCK, clock_id, command.name, command.visibility)
    begin_hidden(draft, root, rolled=False)
    clock = Clock(
        id=clock_id,
        kind=ClockKind.FREE,
        name=command.name,
        size=command.size,
        value=command.size if command.direction is Direction.DOWN else 0,
        direction=command.direction,
        owner=owner,
        visibility=command.visibility,
        made_by=draft.maker,
    )
    draft.emit(channel_of(command.visibility), e.ClockStarted(clock=clock))


def _refuse_too_many(draft: Draft, visibility: Visibility) -> None:
    running = [each for each in draft.view.clocks.values() if each.kind is ClockKind.FREE and not each.done]
    alike = [each for each in running if (each.visibility is Visibility.GM) == (visibility is Visibility.GM)]
    if len(alike) >= MAX_FREE_CLOCKS:
        raise Refused(Code.TOO_MANY, limit=MAX_FREE_CLOCKS, what="clocks")


def tick_clock(draft: Draft, command: TickClock) -> None:
    """Decide `tick_clock`; only the gm moves a clock back. Source: rules.md B15."""
    clock = find.clock(draft, command.clock_id)
    if command.back:
        _require_gm(draft)
        return change(draft, clock, ClockEffect(clock_id=clock.id, by=-command.by), Cause.TICK)
    if clock.kind is ClockKind.SCENE:
        raise Refused(Code.SCENE_CLOCK, id=clock.id)
    if clock.kind is not ClockKind.FREE:
        raise Refused(Code.NOT_FREE_STANDING, id=clock.id, kind=clock.kind)
    return clocks.tick(draft, clock.id, command.by, Cause.TICK)


def _require_gm(draft: Draft) -> None:
    if draft.by.role is not Role.GM:
        raise Refused(Code.NOT_ALLOWED, allowed="the gm")


def enlarge_clock(draft: Draft, command: EnlargeClock) -> None:
    """Decide `enlarge_clock`. Source: rules.md B15."""
    clock = find.clock(draft, command.clock_id)
    change(draft, clock, ClockEffect(clock_id=clock.id, enlarge=command.by), Cause.RULING)


def change(draft: Draft, clock: Clock, effect: ClockEffect, cause: Cause) -> None:
    """Enlarge a clock, then move it. Source: rules.md B15.

    Raises Refused if that is not to be done with such a clock, or would change nothing.
    """
    _require_open(draft, clock)
    _refuse_vain(clock, effect)
    _refuse_reviving(draft, clock)
    if effect.enlarge:
        clocks.enlarge(draft, clock.id, effect.enlarge, cause)
    if effect.by:
        clocks.tick(draft, clock.id, effect.by, cause)


def _refuse_reviving(draft: Draft, clock: Clock) -> None:
    """Count a free-standing clock that leaves its end as one more that is under way."""
    if clock.done and clock.kind is ClockKind.FREE:
        _refuse_too_many(draft, clock.visibility)


def _refuse_vain(clock: Clock, effect: ClockEffect) -> None:
    if clock.kind is ClockKind.THREAT and (effect.enlarge or effect.by < 0):
        raise Refused(Code.THREAT_STANDS, id=clock.id, size=clock.size)
    if clock.size + effect.enlarge > MAX_CLOCK:
        raise Refused(Code.CLOCK_TOO_LARGE, size=clock.size, by=effect.enlarge, limit=MAX_CLOCK)
    moved = rules.tick(clock.value, effect.by, clock.size, clock.direction)
    if not effect.enlarge and moved == clock.value:
        raise Refused(Code.CLOCK_STANDS, id=clock.id, value=clock.value, size=clock.size, would=_would(clock))


def _would(clock: Clock) -> str:
    """Name, as the end of a sentence, what would change a clock that stands where it does."""
    if clock.kind is ClockKind.THREAT:
        return "an amendment" if clock.done else "moving it on"
    start = clock.size if clock.direction is Direction.DOWN else 0
    ways = ["on"] * (not clock.done) + ["back"] * (clock.value != start)
    return f"moving it {' or '.join(ways)}, or enlarging it"


def amend_clock(draft: Draft, command: AmendClock) -> None:
    """Decide `amend_clock`; at its end the clock has its clocks. Source: rules.md B10."""
    clock = find.clock(draft, command.clock_id)
    _require_open(draft, clock)
    _set(draft, clock, command.value, command.reason)


def _set(draft: Draft, clock: Clock, value: int, reason: str) -> None:
    if value > clock.size:
        raise Refused(Code.BEYOND_SIZE, id=clock.id, size=clock.size, value=value)
    root = root_of_clock(draft.view, clock)
    if value == clock.value:
        return draft.hint(root)
    _refuse_reviving(draft, clock)
    draft.tell(root, e.ClockAmended(clock_id=clock.id, kind=clock.kind, value=value, reason=reason))
    return clocks.end_if_done(draft, clock.id)


def _require_open(draft: Draft, clock: Clock) -> None:
    """Refuse to move a clock whose scene, situation or challenge is over."""
    view, owner = draft.view, str(clock.of)
    if clock.kind is ClockKind.FREE:
        return
    find.open_scene(draft, scene_of_clock(draft.view, clock))
    situation_id = situation_of_clock(view, clock)
    if situation_id is not None and view.situations[situation_id].status is SituationStatus.PREPARED:
        raise Refused(Code.NOT_BEGUN, id=situation_id)
    if clock.kind is ClockKind.SITUATION and view.situations[owner].status is not SituationStatus.OPEN:
        raise Refused(Code.ENDED, kind=Kind.SITUATION, id=owner, status=view.situations[owner].status)
    if clock.kind is ClockKind.CHALLENGE and view.challenges[owner].status is not ChallengeStatus.OPEN:
        raise Refused(Code.ENDED, kind=Kind.CHALLENGE, id=owner, status=view.challenges[owner].status)


def complicate(draft: Draft, effect: ClockEffect, source: Root) -> None:
    """Move a clock for a complication; a clock that more people see does not say what moved it."""
    clock = find.clock(draft, effect.clock_id)
    seen_by_more = root_of_clock(draft.view, clock) != source and source.visibility is not Visibility.PUBLIC
    change(draft, clock, effect, Cause.HIDDEN if seen_by_more else Cause.COMPLICATION)


DECIDE: Deciders = {
    StartClock: start_clock,
    TickClock: tick_clock,
    EnlargeClock: enlarge_clock,
    AmendClock: amend_clock,
}
