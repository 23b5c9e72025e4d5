"""Scenes, situations and the challenges in them: what begins with each. Source: rules.md B."""

from __future__ import annotations

from dreadclock.evening.export import Step
from dreadclock.evening.referee.countdowns import check_none_due
from dreadclock.evening.referee.hands import check_change
from dreadclock.evening.referee.reader import Beginnings, Reader
from dreadclock.evening.referee.things import check_id, check_place, check_start
from dreadclock.following import clocks
from dreadclock.following.clocks import end_if_done, full_clock
from dreadclock.following.races import new_threat
from dreadclock.following.telling import Root, root_of_clock, root_of_scene, root_of_situation
from dreadclock.rules import clocks as rules
from dreadclock.rules.clocks import Difficulty
from dreadclock.wire import events as e
from dreadclock.wire.base import Kind, Scope, Visibility
from dreadclock.wire.events import Cause
from dreadclock.wire.families.situations import NOT_OVER
from dreadclock.wire.ids import clock_id_of
from dreadclock.wire.things import (
    Challenge,
    CharacterStatus,
    Clock,
    ClockKind,
    Scene,
    SceneStatus,
    Situation,
    SituationKind,
    SituationStatus,
)

_UNSAID = "this situation cannot be started so"
_ASIDE = "its scene is set aside"


def scene_opened(r: Reader, step: Step, event: e.SceneOpened) -> None:
    """The gm opens a scene with its clock."""
    one = event.scene
    r.allow(step)
    check_start(r, step, Kind.SCENE, one.id, one.visibility, rolled=False)
    clock = full_clock(ClockKind.SCENE, one.id, one.name, event.clock.size, one.visibility)
    r.same(step, event.clock, clock, "clock.")
    fresh = Scene(
        id=one.id,
        name=one.name,
        clock_id=clock.id,
        typical=rules.is_typical_scene(clock.size),
        sixes_add=one.sixes_add,
        visibility=one.visibility,
    )
    r.same(step, one, fresh, "scene.")


def situation_started(r: Reader, step: Step, event: e.SituationStarted) -> None:
    """The gm starts a situation; a race is measured against its scene's threat."""
    one, view = event.situation, step.before
    r.allow(step)
    scene = view.scenes.get(one.scene_id)
    prepared = one.status is SituationStatus.PREPARED
    if scene is None or scene.status is not SceneStatus.OPEN or (scene.aside and not prepared):
        return r.fault(step, "its scene is not open")
    _check_secrecy(r, step, one, scene)
    race, own = one.kind is SituationKind.RACE, one.kept_back or one.visibility is not scene.visibility
    measured = one.difficulty is not None or prepared
    r.require(step, measured if race else one.difficulty is None, _UNSAID)
    r.require(step, not race or one.level is not None, _UNSAID)
    _check_race_around(r, step, one, prepared=prepared)
    said = {name: getattr(one, name) for name in _SAID}
    status = SituationStatus.PREPARED if prepared else SituationStatus.OPEN
    fresh = Situation.model_construct(**said, clock_id=clock_id_of(one.id), status=status)
    r.same(step, one, fresh, "situation.")
    r.same(
        step, event.clock, full_clock(ClockKind.SITUATION, one.id, one.name, event.clock.size, one.visibility), "clock."
    )
    party = [view.characters.get(each) for each in one.party or ()]
    playing = all(each is not None and each.status is CharacterStatus.IN_PLAY for each in party)
    r.require(step, playing and len({*(one.party or ())}) == len(party), "its party is not in play")
    _check_threat(r, step, one, event.threat, scene)
    if own:
        return check_start(r, step, Kind.SITUATION, one.id, one.visibility, rolled=False)
    root = root_of_scene(view, scene.id)
    r.require(step, step.record.channel is root.channel, "it does not lie where it belongs")
    check_id(r, step, Kind.SITUATION, one.id, known=root.visibility is Visibility.PUBLIC)
    return r.hint(root)


_SAID = (
    *("id", "scene_id", "name", "kind", "content", "level", "difficulty", "visibility", "within", "kept_back"),
    "party",
)


def _check_secrecy(r: Reader, step: Step, one: Situation, scene: Scene) -> None:
    """A situation is as hidden as its scene, unless it is hidden or prepared in its own right. Source: rules.md B20."""
    race, in_hidden = one.kind is SituationKind.RACE, scene.visibility is not Visibility.PUBLIC
    if one.status is SituationStatus.PREPARED:
        return r.require(step, one.kept_back and one.visibility is Visibility.GM, "what is prepared is the gm's alone")
    hides = one.kept_back and one.visibility is Visibility.GM and not race
    r.require(step, not in_hidden or hides or one.visibility is scene.visibility, "it is not as hidden as its scene")
    secret_race = race and not in_hidden and one.visibility is not Visibility.PUBLIC
    r.require(step, not secret_race, "a race in a scene that everyone sees is no secret")
    return r.require(step, in_hidden or not one.kept_back, "it is kept back from nobody")


def _check_race_around(r: Reader, step: Step, one: Situation, *, prepared: bool) -> None:
    """A situation lies within a race of its scene that is under way, or is prepared with it. Source: rules.md B19."""
    if one.within is None:
        return
    race, may_be = step.before.situations.get(one.within), NOT_OVER if prepared else (SituationStatus.OPEN,)
    around = race is not None and race.kind is SituationKind.RACE and race.scene_id == one.scene_id
    fits = around and race is not None and race.status in may_be and one.kind is not SituationKind.RACE
    r.require(step, fits, "it does not lie within a race of its scene")


def _check_threat(r: Reader, step: Step, one: Situation, threat: Clock | None, scene: Scene) -> None:
    """A scene's first race brings its threat; later ones come with what is left of it. Source: rules.md B5 and B8."""
    begins = one.kind is SituationKind.RACE and one.status is SituationStatus.OPEN
    if not begins or threat is None:
        return r.require(step, begins == (threat is not None), _UNSAID)
    if scene.threat_id is not None:
        left = step.before.clocks[scene.threat_id]
        r.require(step, not left.done, "its scene's threat is spent")
        return r.same(step, threat, left, "threat.")
    fresh = new_threat(scene, one.level or 0, one.difficulty or Difficulty.NORMAL)
    return r.same(step, threat, fresh, "threat.")


def challenge_added(r: Reader, step: Step, event: e.ChallengeAdded) -> None:
    """The gm puts a challenge into an open situation."""
    one = event.challenge
    r.allow(step)
    situation = step.before.situations.get(one.situation_id)
    if situation is None or situation.status not in NOT_OVER:
        return r.fault(step, "its situation is not open")
    _require_taken_up(r, step, situation)
    root = root_of_situation(step.before, situation.id)
    check_place(r, step, root)
    check_id(r, step, Kind.CHALLENGE, one.id, known=root.visibility is Visibility.PUBLIC)
    clock = full_clock(ClockKind.CHALLENGE, one.id, one.name, event.clock.size, root.visibility)
    r.same(step, event.clock, clock, "clock.")
    fresh = Challenge(id=one.id, situation_id=one.situation_id, name=one.name, kind=one.kind, clock_id=clock.id)
    r.same(step, one, fresh, "challenge.")
    r.hint(root)
    return clocks.make_room_for_challenges(r, situation.id)


def situation_failed(r: Reader, step: Step, event: e.SituationFailed) -> None:
    """The gm declares a situation lost."""
    r.allow(step)
    situation = step.before.situations.get(event.situation_id)
    if situation is None or situation.status is not SituationStatus.OPEN:
        return r.fault(step, "the situation is not open")
    _require_taken_up(r, step, situation)
    r.require(step, event.reason is not e.SituationFailure.THREAT, "its threat is not empty")
    root = root_of_situation(step.before, situation.id)
    check_place(r, step, root)
    r.hint(root)
    return clocks.after_failure(r, situation)


def round_ended(r: Reader, step: Step, event: e.RoundEnded) -> None:
    """A round ends, and the threat of a race ticks. Source: rules.md B1 and B6."""
    r.allow(step, scopes=(Scope.TURNS,))
    situation = step.before.situations.get(event.situation_id)
    if situation is None or situation.status is not SituationStatus.OPEN:
        return r.fault(step, "the situation is not open")
    _require_taken_up(r, step, situation)
    root = root_of_situation(step.before, situation.id)
    check_place(r, step, root)
    r.same(step, event, event.model_copy(update={"round": situation.round + 1}))
    check_none_due(r, step)
    r.hint(root)
    return clocks.round_ends(r, situation)


def _require_taken_up(r: Reader, step: Step, situation: Situation) -> None:
    """Nothing goes on in a scene that is set aside, but that more is prepared. Source: rules.md B20."""
    aside = step.before.scenes[situation.scene_id].aside and situation.status is not SituationStatus.PREPARED
    r.require(step, not aside, _ASIDE)


def situation_begun(r: Reader, step: Step, event: e.SituationBegun) -> None:
    """The gm begins a situation that was prepared; what everyone sees of it came to light before."""
    one = event.situation
    r.allow(step)
    before = step.before.channels[step.record.channel].situations.get(one.id)
    if before is None or before.status is not SituationStatus.PREPARED:
        return r.fault(step, "it was not prepared")
    scene = step.before.scenes[before.scene_id]
    r.require(step, scene.status is SceneStatus.OPEN and not scene.aside, "its scene is not open")
    race = one.kind is SituationKind.RACE
    difficulty = one.difficulty if race else None
    begun = {"status": SituationStatus.OPEN, "visibility": scene.visibility, "kept_back": False}
    r.same(step, one, before.model_copy(update={**begun, "difficulty": difficulty}), "situation.")
    r.require(step, not race or difficulty is not None, _UNSAID)
    _check_race_around(r, step, one, prepared=False)
    _check_threat(r, step, one, event.threat, scene)
    root = root_of_scene(step.before, scene.id)
    check_place(r, step, root)
    return r.hint(root)


def scene_turned(r: Reader, step: Step, event: e.SceneSetAside | e.SceneTakenUp) -> None:
    """The gm sets a scene aside, or takes it up again. Source: rules.md B20."""
    r.allow(step)
    scene = step.before.scenes.get(event.scene_id)
    if scene is None or scene.status is not SceneStatus.OPEN:
        return r.fault(step, "the scene is not open")
    r.require(step, scene.aside is isinstance(event, e.SceneTakenUp), "it was so before")
    root = root_of_scene(step.before, scene.id)
    check_place(r, step, root)
    return r.hint(root)


def race_ended(r: Reader, step: Step, event: e.RaceEnded) -> None:
    """A race that ends first ends with its scene."""
    r.allow(step)
    situation = step.before.situations.get(event.situation_id)
    if situation is None or situation.status is not SituationStatus.OPEN:
        return r.fault(step, "the race is not under way")
    _require_taken_up(r, step, situation)
    r.undo()
    return clocks.end_scene(r, step.before.scenes[situation.scene_id])


def scene_ended(r: Reader, step: Step, event: e.SceneEnded) -> None:
    """The gm ends a scene; what is sealed in it was shown before."""
    r.allow(step)
    scene = step.before.scenes.get(event.scene_id)
    if scene is None or scene.status is not SceneStatus.OPEN:
        return r.fault(step, "the scene is not open")
    r.require(step, not scene.aside, _ASIDE)
    r.undo()
    return clocks.end_scene(r, scene)


def complicated(r: Reader, step: Step, event: e.ComplicationIntroduced) -> None:
    """The gm tells of a complication; what it does to a clock follows at once, a countdown begins by itself."""
    r.allow(step)
    view, situation = step.before, step.before.situations.get(event.situation_id or "")
    scene_id = situation.scene_id if situation is not None else event.scene_id or ""
    r.require(step, (event.situation_id is None) != (event.scene_id is None), "it does not name one place")
    if scene_id not in view.scenes or view.scenes[scene_id].status is not SceneStatus.OPEN:
        return r.fault(step, "its scene is not open")
    r.require(step, not view.scenes[scene_id].aside, _ASIDE)
    root = root_of_scene(view, scene_id) if situation is None else root_of_situation(view, situation.id)
    check_place(r, step, root)
    r.hint(root)
    for sort in (e.ClockResized, e.ClockTicked):
        coming = r.coming()
        if coming is not None and isinstance(coming.record.event, sort):
            _complicate(r, coming, coming.record.event, root)
    return None


def _complicate(r: Reader, step: Step, change: e.ClockTicked | e.ClockResized, source: Root) -> None:
    """A clock that more people see than the complication does not say what changed it."""
    clock = step.before.clocks.get(change.clock_id)
    if clock is None:
        return
    root = root_of_clock(step.before, clock)
    seen_by_more = root != source and source.visibility is not Visibility.PUBLIC
    if change.cause is not (Cause.HIDDEN if seen_by_more else Cause.COMPLICATION):
        return
    r.take(root.channel, type(change))
    check_change(r, step, change, clock)
    r.hint(root)
    end_if_done(r, clock.id)


BEGINNINGS: Beginnings = {
    e.SceneOpened: scene_opened,
    e.SituationStarted: situation_started,
    e.ChallengeAdded: challenge_added,
    e.SituationFailed: situation_failed,
    e.RoundEnded: round_ended,
    e.RaceEnded: race_ended,
    e.SituationBegun: situation_begun,
    e.SceneSetAside: scene_turned,
    e.SceneTakenUp: scene_turned,
    e.SceneEnded: scene_ended,
    e.ComplicationIntroduced: complicated,
}
