"""What the gm has ready: prepared situations begin, scenes are set aside and taken up. Source: rules.md B20."""

from dreadclock.following.secrets import show
from dreadclock.following.telling import root_of_scene
from dreadclock.wire import events as e
from dreadclock.wire.base import Kind
from dreadclock.wire.commands import BeginSituation, SetSceneAside, TakeUpScene
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.things import Clock, Scene, Situation, SituationKind, SituationStatus
from dreadclock_server.core import find
from dreadclock_server.core.draft import Deciders, Draft
from dreadclock_server.core.families.situations import difficulty_of, is_known, is_race_for, refuse_too_many, threat_of


def begin_situation(draft: Draft, command: BeginSituation) -> None:
    """Decide `begin_situation`: in a scene that everyone sees it comes to light first."""
    situation = find.situation(draft, command.situation_id)
    if situation.status is not SituationStatus.PREPARED:
        raise Refused(Code.BEGUN, id=situation.id)
    scene = find.open_scene(draft, situation.scene_id)
    _require_race_around(draft, situation)
    changes, threat = _measured(draft, scene, situation, command)
    if is_known(scene, scene.visibility):
        refuse_too_many(draft, known=True)
        show(draft, Kind.SITUATION, situation.id)
    changes |= {"status": SituationStatus.OPEN, "visibility": scene.visibility, "kept_back": False}
    begun = e.SituationBegun(situation=situation.model_copy(update=changes), threat=threat)
    draft.tell(root_of_scene(draft.view, scene.id), begun)


def _require_race_around(draft: Draft, situation: Situation) -> None:
    race = draft.view.situations.get(situation.within or "")
    if situation.within is not None and (race is None or not is_race_for(race, prepared=False)):
        raise Refused(Code.NOT_A_RACE, id=situation.within)


def _measured(
    draft: Draft, scene: Scene, situation: Situation, command: BeginSituation
) -> tuple[dict[str, object], Clock | None]:
    """Return what is known of a race by its beginning, and its scene's threat clock. Source: rules.md B5 and B8."""
    if situation.kind is not SituationKind.RACE:
        return {}, None
    level, named = situation.level or 1, command.difficulty
    if named is None and command.party_levels is None:
        named = situation.difficulty
    difficulty = named or difficulty_of(draft, level, command.party_levels, situation.party)
    return {"difficulty": difficulty}, threat_of(draft, scene, level, difficulty)


def set_scene_aside(draft: Draft, command: SetSceneAside) -> None:
    """Decide `set_scene_aside`."""
    scene = find.open_scene(draft, command.scene_id)
    draft.tell(root_of_scene(draft.view, scene.id), e.SceneSetAside(scene_id=scene.id))


def take_up_scene(draft: Draft, command: TakeUpScene) -> None:
    """Decide `take_up_scene`."""
    scene = find.open_scene(draft, command.scene_id, aside=True)
    if not scene.aside:
        raise Refused(Code.NOT_ASIDE, id=scene.id)
    draft.tell(root_of_scene(draft.view, scene.id), e.SceneTakenUp(scene_id=scene.id))


DECIDE: Deciders = {
    BeginSituation: begin_situation,
    SetSceneAside: set_scene_aside,
    TakeUpScene: take_up_scene,
}
