"""What things are told under: each thing's visibility is that of its root."""

from dreadclock.wire.base import Id, Kind, Visibility
from dreadclock.wire.things import Check, Clock, ClockKind
from dreadclock_server.core.draft import Draft, Root


def root_of_scene(draft: Draft, scene_id: Id) -> Root:
    """Return the root that a scene and all in it are told under."""
    one = draft.view.scenes[scene_id]
    return Root(Kind.SCENE, one.id, one.name, one.visibility)


def root_of_situation(draft: Draft, situation_id: Id) -> Root:
    """Return what a situation and all in it are told under: itself if it is hidden in a scene that is not."""
    one = draft.view.situations[situation_id]
    scene_root = root_of_scene(draft, one.scene_id)
    if one.visibility is Visibility.PUBLIC or scene_root.visibility is not Visibility.PUBLIC:
        return scene_root
    return Root(Kind.SITUATION, one.id, one.name, one.visibility)


def root_of_clock(draft: Draft, one: Clock) -> Root:
    """Return the clock itself if it stands for itself, else the root of its situation or scene."""
    if one.kind is ClockKind.FREE or one.of is None:
        return Root(Kind.CLOCK, one.id, one.name, one.visibility)
    situation_id = _situation_of_clock(draft, one)
    return root_of_scene(draft, one.of) if situation_id is None else root_of_situation(draft, situation_id)


def scene_of_clock(draft: Draft, one: Clock) -> Id:
    """Return the scene that a clock belongs to, however deep in it."""
    situation_id = _situation_of_clock(draft, one)
    return str(one.of) if situation_id is None else draft.view.situations[situation_id].scene_id


def _situation_of_clock(draft: Draft, one: Clock) -> Id | None:
    if one.kind is ClockKind.CHALLENGE:
        return draft.view.challenges[str(one.of)].situation_id
    return one.of if one.kind is ClockKind.SITUATION else None


def root_of_check(check: Check) -> Root:
    """Return the check itself; its purpose is no name that everyone may know."""
    return Root(Kind.CHECK, check.id, "A check", check.visibility)
