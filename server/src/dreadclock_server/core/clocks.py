"""Clocks: those that stand for themselves, and the gm's hand on any."""

from dreadclock.following import clocks, secrets
from dreadclock.following.telling import (
    Root,
    channel_of,
    root_of_clock,
    root_of_scene,
    root_of_situation,
    scene_of_clock,
)
from dreadclock.rules.clocks import Direction
from dreadclock.wire import events as e
from dreadclock.wire.base import CancelKind, Channel, Kind, Visibility
from dreadclock.wire.commands import AmendClock, Cancel, ClockEffect, StartClock, TickClock
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.events import Cause
from dreadclock.wire.things import (
    ChallengeStatus,
    Clock,
    ClockKind,
    Scene,
    SceneStatus,
    SituationStatus,
)
from dreadclock_server.core import find
from dreadclock_server.core.draft import Draft
from dreadclock_server.core.people import owner_for
from dreadclock_server.core.secrets import begin

MAX_FREE_CLOCKS = 64  # that have not reached their end


def start_clock(draft: Draft, command: StartClock) -> None:
    """Decide `start_clock`."""
    find.require_gm_for(draft, command.visibility)
    _refuse_too_many(draft, command.visibility)
    owner = owner_for(draft, command.owner)
    clock_id = draft.new_id(Kind.CLOCK, command.id, known=command.visibility is not Visibility.GM)
    root = Root(Kind.CLOCK, clock_id, command.name, command.visibility)
    begin(draft, root, rolled=False)
    clock = Clock(
        id=clock_id,
        kind=ClockKind.FREE,
        name=command.name,
        size=command.size,
        value=command.size if command.direction is Direction.DOWN else 0,
        direction=command.direction,
        owner=owner,
        visibility=command.visibility,
    )
    draft.emit(channel_of(command.visibility), e.ClockStarted(clock=clock))


def _refuse_too_many(draft: Draft, visibility: Visibility) -> None:
    running = [each for each in draft.view.clocks.values() if each.kind is ClockKind.FREE and not each.done]
    alike = [each for each in running if (each.visibility is Visibility.GM) == (visibility is Visibility.GM)]
    if len(alike) >= MAX_FREE_CLOCKS:
        raise Refused(Code.TOO_MANY, limit=MAX_FREE_CLOCKS, what="clocks")


def tick_clock(draft: Draft, command: TickClock) -> None:
    """Decide `tick_clock`."""
    clock = find.clock(draft, command.clock_id)
    if clock.kind is not ClockKind.FREE:
        raise Refused(Code.NOT_FREE_STANDING, id=clock.id, kind=clock.kind)
    clocks.tick(draft, clock.id, command.by, Cause.TICK)


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
    draft.tell(root, e.ClockAmended(clock_id=clock.id, kind=clock.kind, value=value, reason=reason))
    return clocks.reached(draft, clock.id)


def _require_open(draft: Draft, clock: Clock) -> None:
    """Refuse to move a clock whose scene, situation or challenge is over."""
    view, owner = draft.view, str(clock.of)
    if clock.kind is ClockKind.FREE:
        return
    find.open_scene(draft, scene_of_clock(draft.view, clock))
    if clock.kind is ClockKind.SITUATION and view.situations[owner].status is not SituationStatus.OPEN:
        raise Refused(Code.ENDED, kind=Kind.SITUATION, id=owner, status=view.situations[owner].status)
    if clock.kind is ClockKind.CHALLENGE and view.challenges[owner].status is not ChallengeStatus.OPEN:
        raise Refused(Code.ENDED, kind=Kind.CHALLENGE, id=owner, status=view.challenges[owner].status)


def complicate(draft: Draft, effect: ClockEffect, source: Root) -> None:
    """Move a clock for a complication; a clock that more people see does not say what moved it."""
    clock = find.clock(draft, effect.clock_id)
    _require_open(draft, clock)
    seen_by_more = root_of_clock(draft.view, clock) != source and source.visibility is not Visibility.PUBLIC
    clocks.tick(draft, clock.id, effect.by, Cause.HIDDEN if seen_by_more else Cause.COMPLICATION)


def cancel(draft: Draft, command: Cancel) -> None:
    """Decide `cancel`: a sealed thing is shown before it goes."""
    kind, root = _mistake(draft, command)
    if kind is Kind.SCENE:
        _cancel_hidden_in(draft, draft.view.scenes[command.thing_id], command.reason)
    if root.visibility is Visibility.SEALED and root.id == command.thing_id:
        secrets.end(draft, root)
        root = root._replace(visibility=Visibility.PUBLIC)
    draft.tell(root, e.Cancelled(kind=kind, id=command.thing_id, reason=command.reason))


def _cancel_hidden_in(draft: Draft, scene: Scene, reason: str) -> None:
    """Take back what lies hidden in a scene that everyone sees, as it goes with the scene."""
    clocks.show_sealed_in(draft, scene)
    for situation in clocks.hidden_situations(draft, scene.id):
        draft.emit(Channel.GM, e.Cancelled(kind=Kind.SITUATION, id=situation.id, reason=reason))


def _mistake(draft: Draft, command: Cancel) -> tuple[CancelKind, Root]:
    view, thing_id = draft.view, command.thing_id
    if thing_id in view.scenes:
        scene = find.open_scene(draft, thing_id)
        return Kind.SCENE, root_of_scene(draft.view, scene.id)
    if thing_id in view.situations:
        return Kind.SITUATION, _open_root(draft, Kind.SITUATION, view.situations[thing_id].status, thing_id)
    if thing_id in view.challenges:
        return Kind.CHALLENGE, _open_root(draft, Kind.CHALLENGE, view.challenges[thing_id].status, thing_id)
    clock = find.clock(draft, thing_id)
    if clock.kind is not ClockKind.FREE:
        raise Refused(Code.NOT_FREE_STANDING, id=clock.id, kind=clock.kind)
    return Kind.CLOCK, root_of_clock(draft.view, clock)


def _open_root(draft: Draft, kind: Kind, status: str, thing_id: str) -> Root:
    if status != SceneStatus.OPEN:
        raise Refused(Code.ENDED, kind=kind, id=thing_id, status=status)
    situation_id = draft.view.challenges[thing_id].situation_id if kind is Kind.CHALLENGE else thing_id
    return root_of_situation(draft.view, situation_id)
