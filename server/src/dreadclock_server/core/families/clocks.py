"""Clocks: starting, moving and changing them, and what follows when they reach their end. Source: rules.md B.

A race is a situation that must be won before the threat clock of its scene is empty.
"""

from collections.abc import Callable

from dreadclock.rules import clocks as rules
from dreadclock.rules.clocks import Difficulty, Direction, RaceOutcome
from dreadclock.rules.limits import MAX_CLOCK
from dreadclock.wire import commands as c
from dreadclock.wire import events as e
from dreadclock.wire import things as t
from dreadclock.wire.base import Channel, Id, Kind, Visibility
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.events import Cause, SkipReason
from dreadclock.wire.families.clocks import owner_is_over, scene_of_clock, situation_of_clock
from dreadclock.wire.families.situations import NOT_OVER, ends_as, open_races, race_clocks
from dreadclock.wire.ids import CLOCK_SUFFIX, THREAT_SUFFIX
from dreadclock.wire.views import View
from dreadclock_server.core import find
from dreadclock_server.core.draft import Draft, Topic, channel_of
from dreadclock_server.core.effects import Due, EffectRow, Effects, Reason, unless
from dreadclock_server.core.families import secrets
from dreadclock_server.core.families.secrets import begin_hidden
from dreadclock_server.core.find import owner_for, topic_of_clock, topic_of_scene, topic_of_situation
from dreadclock_server.core.invariants import refuse_too_many
from dreadclock_server.core.rights import Rights, Who, named, only, owned

RIGHTS: Rights = {
    c.StartClock: only(Who.GM, Who.PLAYER, Who.CLOCKS),
    c.TickClock: owned(named(find.clock, "clock_id"), Who.CLOCKS),
    c.EnlargeClock: only(Who.GM),
    c.AmendClock: only(Who.GM, Who.CLOCKS),
}


def start_clock(draft: Draft, command: c.StartClock) -> None:
    """Decide `start_clock`: start a free-standing clock."""
    find.require_gm_for(draft, command.visibility)
    refuse_too_many(draft, "clocks", command.visibility)
    owner = owner_for(draft, command.owner)
    clock_id = draft.new_id(Kind.CLOCK, command.id, public=command.visibility is not Visibility.GM)
    topic = Topic(Kind.CLOCK, clock_id, command.name, command.visibility)
    begin_hidden(draft, topic, rolled=False)
    clock = t.Clock(
        id=clock_id,
        kind=t.ClockKind.FREE,
        name=command.name,
        size=command.size,
        value=command.size if command.direction is Direction.DOWN else 0,
        direction=command.direction,
        owner=owner,
        visibility=command.visibility,
        made_by=draft.maker,
    )
    draft.emit(channel_of(command.visibility), e.ClockStarted(clock=clock))


def tick_clock(draft: Draft, command: c.TickClock, clock: t.Clock) -> None:
    """Decide `tick_clock`: move a free-standing clock on. The gm may move clocks back, except a threat clock. B15."""
    if command.back:
        find.require_gm(draft)
        return change(draft, clock, c.ClockEffect(clock_id=clock.id, by=-command.by), Cause.TICK)
    if clock.kind is t.ClockKind.SCENE:
        raise Refused(Code.SCENE_CLOCK, id=clock.id)
    if clock.kind is not t.ClockKind.FREE:
        raise Refused(Code.NOT_FREE_STANDING, id=clock.id, kind=clock.kind)
    return tick(draft, clock.id, command.by, Cause.TICK)


def enlarge_clock(draft: Draft, command: c.EnlargeClock) -> None:
    """Decide `enlarge_clock`: enlarge a clock, except a threat clock. Source: rules.md B15."""
    clock = find.clock(draft, command.clock_id)
    change(draft, clock, c.ClockEffect(clock_id=clock.id, enlarge=command.by), Cause.RULING)


def change(draft: Draft, clock: t.Clock, effect: c.ClockEffect, cause: Cause) -> None:
    """Enlarge a clock, then move it. Source: rules.md B15.

    Raises Refused if this is not allowed for the clock, or would change nothing.
    """
    _require_open(draft, clock)
    _refuse_vain(clock, effect)
    _refuse_reviving(draft, clock)
    if effect.enlarge:
        enlarge(draft, clock.id, effect.enlarge, cause)
    if effect.by:
        tick(draft, clock.id, effect.by, cause)


def _refuse_reviving(draft: Draft, clock: t.Clock) -> None:
    """Raise Refused if a change would restart a free-standing clock at its end while too many clocks are running."""
    if clock.done and clock.kind is t.ClockKind.FREE:
        refuse_too_many(draft, "clocks", clock.visibility)


def _refuse_vain(clock: t.Clock, effect: c.ClockEffect) -> None:
    if clock.kind is t.ClockKind.THREAT and (effect.enlarge or effect.by < 0):
        raise Refused(Code.THREAT_STANDS, id=clock.id, size=clock.size)
    if clock.size + effect.enlarge > MAX_CLOCK:
        raise Refused(Code.CLOCK_TOO_LARGE, size=clock.size, by=effect.enlarge, limit=MAX_CLOCK)
    moved = rules.tick(clock.value, effect.by, clock.size, clock.direction)
    if not effect.enlarge and moved == clock.value:
        raise Refused(Code.CLOCK_STANDS, id=clock.id, value=clock.value, size=clock.size, would=_would(clock))


def _would(clock: t.Clock) -> str:
    """Return the end of a refusal's sentence: which commands would change a clock with this value."""
    if clock.kind is t.ClockKind.THREAT:
        return "an amendment" if clock.done else "moving it on"
    start = clock.size if clock.direction is Direction.DOWN else 0
    ways = ["on"] * (not clock.done) + ["back"] * (clock.value != start)
    return f"moving it {' or '.join(ways)}, or enlarging it"


def amend_clock(draft: Draft, command: c.AmendClock) -> None:
    """Decide `amend_clock`: set a clock's value. If this is its end, the usual consequences follow. Source: B10."""
    clock = find.clock(draft, command.clock_id)
    _require_open(draft, clock)
    if command.value > clock.size:
        raise Refused(Code.BEYOND_SIZE, id=clock.id, size=clock.size, value=command.value)
    topic = topic_of_clock(draft.view, clock)
    if command.value == clock.value:
        return draft.notify_sealed_changed(topic)
    _refuse_reviving(draft, clock)
    amended = e.ClockAmended(clock_id=clock.id, kind=clock.kind, value=command.value, reason=command.reason)
    draft.tell(topic, amended)
    after = draft.view.clocks[clock.id]
    if after.done:
        reach_end(draft, after)
    return None


def _require_open(draft: find.Searcher, clock: t.Clock) -> None:
    """Raise Refused if the clock of a scene, situation or challenge must not change now.

    The reasons: the scene is over or set aside, the situation is over or only prepared, or the challenge is over. Does
    nothing for a free-standing clock.
    """
    view, owner = draft.view, str(clock.of)
    if clock.kind is t.ClockKind.FREE:
        return
    find.open_scene(draft, scene_of_clock(draft.view, clock))
    situation_id = situation_of_clock(view, clock)
    if situation_id is not None and view.situations[situation_id].status is t.SituationStatus.PREPARED:
        raise Refused(Code.NOT_BEGUN, id=situation_id)
    if clock.kind is t.ClockKind.SITUATION and view.situations[owner].status is not t.SituationStatus.OPEN:
        raise Refused(Code.ENDED, kind=Kind.SITUATION, id=owner, status=view.situations[owner].status)
    if clock.kind is t.ClockKind.CHALLENGE and view.challenges[owner].status is not t.ChallengeStatus.OPEN:
        raise Refused(Code.ENDED, kind=Kind.CHALLENGE, id=owner, status=view.challenges[owner].status)


def complicate(draft: Draft, effect: c.ClockEffect, source: Topic) -> None:
    """Change a clock for a complication. Hide the cause if more people may see the clock than the complication."""
    clock = find.clock(draft, effect.clock_id)
    seen_by_more = topic_of_clock(draft.view, clock) != source and source.visibility is not Visibility.PUBLIC
    change(draft, clock, effect, Cause.HIDDEN if seen_by_more else Cause.COMPLICATION)


# Consequences. Source: rules.md B1-B13


def full_clock(kind: t.ClockKind, owner: Id, name: str, size: int, visibility: Visibility) -> t.Clock:
    """Return the full clock of a new scene, situation or challenge."""
    clock_id = owner + CLOCK_SUFFIX
    return t.Clock(id=clock_id, kind=kind, name=name, of=owner, size=size, value=size, visibility=visibility)


def tick(draft: Draft, clock_id: Id, by: int, cause: Cause) -> None:
    """Move a clock `by` points towards its end, and do what follows there. A clock at its end stays there (B11)."""
    if move(draft, clock_id, by, cause):
        reach_end(draft, draft.view.clocks[clock_id])


def move(draft: Draft, clock_id: Id, by: int, cause: Cause) -> bool:
    """Move a clock, but do not do what follows at its end. Return whether it moved to its end."""
    clock = draft.view.clocks[clock_id]
    value = rules.tick(clock.value, by, clock.size, clock.direction)
    topic = topic_of_clock(draft.view, clock)
    if value == clock.value:
        draft.notify_sealed_changed(topic)
        return False
    draft.tell(topic, e.ClockTicked(clock_id=clock.id, kind=clock.kind, cause=cause, value=value, back=by < 0 or None))
    return rules.is_done(value, clock.size, clock.direction)


def enlarge(draft: Draft, clock_id: Id, by: int, cause: Cause) -> None:
    """Enlarge a clock by some points. A clock that runs down gains as many points. Source: rules.md B15."""
    clock = draft.view.clocks[clock_id]
    _resize(draft, clock, clock.size + by, rules.enlarged(clock.value, by, clock.direction), cause)


def make_room_for_challenges(draft: Draft, situation_id: Id) -> None:
    """If a situation's clock is below the number of its open challenges, raise it to that number. Source: B16."""
    clock = draft.view.clocks[draft.view.situations[situation_id].clock_id]
    inside = [challenge for challenge in draft.view.challenges.values() if challenge.situation_id == situation_id]
    still_open = sum(challenge.status is t.ChallengeStatus.OPEN for challenge in inside)
    if clock.value < still_open:
        _resize(draft, clock, max(clock.size, still_open), still_open, Cause.CHALLENGE)


def _resize(draft: Draft, clock: t.Clock, size: int, value: int, cause: Cause) -> None:
    typical = rules.is_typical_scene(size) if clock.kind is t.ClockKind.SCENE else None
    resized = e.ClockResized(clock_id=clock.id, kind=clock.kind, cause=cause, size=size, value=value, typical=typical)
    draft.tell(topic_of_clock(draft.view, clock), resized)


def reach_end(draft: Draft, clock: t.Clock) -> None:
    """Do what follows when a clock reaches its end, by a move or by an amendment. Source: rules.md B10."""
    # For the clock of a situation, `succeed` notes the trigger: the gm may also declare a situation won.
    if clock.kind is not t.ClockKind.SITUATION:
        draft.happened(Kind.CLOCK, clock.id, t.When.END)
    _ENDS[clock.kind](draft, clock)


def _challenge_done(draft: Draft, clock: t.Clock) -> None:
    challenge = draft.view.challenges[str(clock.of)]
    draft.tell(topic_of_situation(draft.view, challenge.situation_id), e.ChallengeOvercome(challenge_id=challenge.id))
    tick(draft, draft.view.situations[challenge.situation_id].clock_id, 1, Cause.CHALLENGE)


def _situation_done(draft: Draft, clock: t.Clock) -> None:
    situation = draft.view.situations[str(clock.of)]
    draft.tell(topic_of_situation(draft.view, situation.id), e.SituationWon(situation_id=situation.id))
    succeed(draft, situation)


def succeed(draft: Draft, situation: t.Situation) -> None:
    """Do what follows when a situation is won: the scene's clock moves, and a race ends. B2 and B8.

    A sealed situation, of which everyone saw only the name, is revealed.
    """
    draft.happened(Kind.CLOCK, situation.clock_id, t.When.END)
    _show_sealed(draft, situation)
    scene_won(draft, situation, hidden=topic_of_situation(draft.view, situation.id).kind is Kind.SITUATION)


def scene_won(draft: Draft, situation: t.Situation, *, hidden: bool) -> None:
    """Move the scene's clock by 1 for a won situation. A race ends before its scene can end.

    `hidden`: whether to hide the cause, because the situation is hidden.
    """
    scene = draft.view.scenes[situation.scene_id]
    done = move(draft, scene.clock_id, 1, Cause.HIDDEN if hidden else Cause.SITUATION)
    end_race(draft, situation, RaceOutcome.SUCCESS)
    if done:
        reach_end(draft, draft.view.clocks[scene.clock_id])


def _threat_done(draft: Draft, clock: t.Clock) -> None:
    for race in open_races(draft.view, str(clock.of)):
        fail(draft, race, e.SituationFailure.THREAT)


def fail(draft: Draft, situation: t.Situation, reason: e.SituationFailure) -> None:
    """Mark a situation as lost; the scene continues. The outcome of a race is a failure. B8 and B9.

    A sealed situation is revealed.
    """
    failed = e.SituationFailed(situation_id=situation.id, reason=reason)
    draft.tell(topic_of_situation(draft.view, situation.id), failed)
    end_race(draft, situation, RaceOutcome.FAILURE)
    _show_sealed(draft, situation)


def _show_sealed(draft: Draft, situation: t.Situation) -> None:
    """Reveal a sealed situation of a public scene. A situation of a sealed scene is revealed with the scene."""
    topic = topic_of_situation(draft.view, situation.id)
    if topic.kind is Kind.SITUATION:
        secrets.end(draft, topic)


def _scene_done(draft: Draft, clock: t.Clock) -> None:
    """End a scene whose clock is at its end. If a race is still open in it, the gm must end the scene. Source: B3."""
    if not open_races(draft.view, str(clock.of)):
        end_scene(draft, draft.view.scenes[str(clock.of)])


def end_scene(draft: Draft, scene: t.Scene) -> None:
    """End a scene. Its open races end first, with the values of their clocks. Source: rules.md B4."""
    for race in open_races(draft.view, scene.id):
        end_race(draft, race, ends_as(draft.view, race))
    show_sealed_in(draft, scene)
    emptied = draft.view.clocks[scene.clock_id].done
    outcome = t.SceneStatus.SUCCESS if emptied else t.SceneStatus.UNFINISHED
    draft.tell(topic_of_scene(draft.view, scene.id), e.SceneEnded(scene_id=scene.id, outcome=outcome))
    for situation in hidden_situations(draft, scene.id):  # the public `scene_ended` must not name them
        if situation.status in NOT_OVER:
            draft.emit(Channel.GM, e.SituationClosed(situation_id=situation.id))
    secrets.end(draft, topic_of_scene(draft.view, scene.id))


def round_ends(draft: Draft, situation: t.Situation) -> None:
    """Tick the threat at the end of a round of a race, or of a situation within a race. Source: rules.md B6 and B19."""
    race = race_around(draft.view, situation)
    if race is not None:
        topic = topic_of_situation(draft.view, situation.id)
        seen_by_more = topic.channel is not topic_of_situation(draft.view, race.id).channel
        threat_id = str(draft.view.scenes[race.scene_id].threat_id)
        tick(draft, threat_id, 1, Cause.HIDDEN if seen_by_more else Cause.ROUND)


def show_sealed_in(draft: Draft, scene: t.Scene) -> None:
    """Reveal the sealed things in a scene that is about to end, because they end with the scene."""
    for situation in hidden_situations(draft, scene.id):
        _show_sealed(draft, situation)


def hidden_situations(draft: Draft, scene_id: Id) -> list[t.Situation]:
    """Return the hidden and sealed situations of a public scene, open or not; none for a hidden scene."""
    if scene_id not in draft.view.public.scenes:
        return []
    return [situation for situation in draft.view.hidden.situations.values() if situation.scene_id == scene_id]


_ENDS: dict[t.ClockKind, Callable[[Draft, t.Clock], None]] = {
    t.ClockKind.CHALLENGE: _challenge_done,
    t.ClockKind.SITUATION: _situation_done,
    t.ClockKind.THREAT: _threat_done,
    t.ClockKind.SCENE: _scene_done,
    t.ClockKind.FREE: lambda draft, clock: secrets.end(draft, topic_of_clock(draft.view, clock)),
}


# Races. Source: rules.md B2-B8, B19 and B21


def new_threat(scene: t.Scene, level: int, difficulty: Difficulty) -> t.Clock:
    """Return the threat clock for a scene's first race. Source: rules.md B5 and B8."""
    start = rules.threat_budget(level, difficulty)
    return t.Clock(
        id=scene.id + THREAT_SUFFIX,
        kind=t.ClockKind.THREAT,
        name=f"Threat: {scene.name}"[:64],
        of=scene.id,
        size=start,
        value=start,
        visibility=scene.visibility,
    )


def race_around(view: View, situation: t.Situation) -> t.Situation | None:
    """Return the race whose threat ticks at the end of a situation's round; None if there is none.

    A race ticks its own threat. Another situation ticks the threat of the open race that it lies within.
    """
    if situation.kind is t.SituationKind.RACE:
        return situation
    race = view.situations.get(situation.within or "")
    return race if race is not None and race.status is t.SituationStatus.OPEN else None


def end_race(draft: Draft, situation: t.Situation, outcome: RaceOutcome) -> None:
    """End a race with the current values of its clocks. Does nothing for a standard situation."""
    if situation.kind is t.SituationKind.RACE:
        left, threat, scene = race_clocks(draft.view, situation)
        ended = e.RaceEnded(situation_id=situation.id, outcome=outcome, situation=left, threat=threat, scene=scene)
        draft.tell(topic_of_situation(draft.view, situation.id), ended)


def _can_tick(view: View, effect: t.Effect, clock: t.Clock) -> bool:
    return not owner_is_over(view, clock) and not (clock.kind is t.ClockKind.THREAT and (effect.by or 0) < 0)


def _no_tick(view: View, effect: t.Effect, clock: t.Clock) -> Reason:
    by = effect.by or 0
    # A free-standing clock at its end can still be set back: B15.
    ended = clock.done and not (by < 0 and clock.kind is t.ClockKind.FREE)
    if ended or not find.holds(_require_open, view, clock) or (by < 0 and clock.kind is t.ClockKind.THREAT):
        return SkipReason.OVER
    return unless(rules.tick(clock.value, by, clock.size, clock.direction) != clock.value, SkipReason.UNCHANGED)


def _tick(draft: Draft, due: Due, effect: t.Effect, thing: t.Clock | t.Challenge) -> None:
    """Move a clock. If a hidden consequence moves a public clock, the event has the cause `hidden`."""
    clock_id = thing.clock_id if isinstance(thing, t.Challenge) else thing.id
    seen_by_more = due.channel is not Channel.PUBLIC and clock_id in draft.view.public.clocks
    tick(draft, clock_id, effect.by or 0, Cause.HIDDEN if seen_by_more else Cause.CONSEQUENCE)


EFFECTS: Effects = {
    t.Does.TICK: EffectRow(_can_tick, _no_tick, _tick),
    t.Does.TAKE_OFF: EffectRow(
        lambda view, _, challenge: challenge.is_open,
        lambda view, _, challenge: unless(find.holds(_require_open, view, view.clocks[challenge.clock_id])),
        _tick,
    ),
}
