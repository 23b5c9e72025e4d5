"""Scenes. A scene is the party's main objective, with a clock. Source: rules.md B.

A race is a situation in a scene that must be won before the scene's threat clock is empty.
"""

from collections.abc import Mapping

from dreadclock.rules.clocks import RaceOutcome, is_typical_scene
from dreadclock.wire import commands as c
from dreadclock.wire import events as e
from dreadclock.wire.base import Id, Kind, Visibility
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.events import Cause
from dreadclock.wire.families.situations import ends_as, open_races
from dreadclock.wire.things import ClockKind, Scene, Situation, SituationKind, SituationStatus
from dreadclock_server.core import find
from dreadclock_server.core.draft import Draft, Topic, channel_of
from dreadclock_server.core.families import clocks
from dreadclock_server.core.families.secrets import begin_hidden
from dreadclock_server.core.invariants import refuse_too_many
from dreadclock_server.core.rights import Rights, Who, only

RIGHTS: Rights = {
    c.OpenScene: only(Who.GM),
    c.Travel: only(Who.GM),
    c.Rest: only(Who.GM),
    c.EndScene: only(Who.GM),
}


def open_scene(draft: Draft, command: c.OpenScene) -> None:
    """Decide `open_scene`: open a scene with a full clock."""
    refuse_too_many(draft, "scenes", command.visibility)
    scene_id = draft.new_id(Kind.SCENE, command.id, public=command.visibility is not Visibility.GM)
    topic = Topic(Kind.SCENE, scene_id, command.name, command.visibility)
    begin_hidden(draft, topic, rolled=False)
    clock = clocks.full_clock(ClockKind.SCENE, scene_id, command.name, command.clock, command.visibility)
    scene = Scene(
        id=scene_id,
        name=command.name,
        clock_id=clock.id,
        typical=is_typical_scene(command.clock),
        sixes_add=command.sixes_add,
        visibility=command.visibility,
    )
    draft.emit(channel_of(command.visibility), e.SceneOpened(scene=scene, clock=clock))


def travel(draft: Draft, command: c.Travel) -> None:
    """Decide `travel`: take a point off the scene clock, because the party travels."""
    _take_point(draft, command.scene_id, Cause.TRAVEL)


def rest(draft: Draft, command: c.Rest) -> None:
    """Decide `rest`: take a point off the scene clock, because the party rests."""
    _take_point(draft, command.scene_id, Cause.REST)


def _take_point(draft: Draft, scene_id: Id, cause: Cause) -> None:
    scene = find.open_scene(draft, scene_id)
    clocks.tick(draft, scene.clock_id, 1, cause)


def end_scene(draft: Draft, command: c.EndScene) -> None:
    """Decide `end_scene`: end a scene and its open races.

    Raises Refused if `expect` is given and differs from the outcomes of the races. Source: rules.md B21.
    """
    scene = find.open_scene(draft, command.scene_id)
    if command.expect is not None:
        _require_expected(draft, scene, command.expect)
    clocks.end_scene(draft, scene)


def _require_expected(draft: Draft, scene: Scene, expect: Mapping[Id, RaceOutcome]) -> None:
    for situation_id, expected in expect.items():
        now = _outcome(draft, scene, find.situation(draft, situation_id))
        if now is not expected:
            raise Refused(Code.OUTCOME_CHANGED, id=situation_id, now=_NAMES[now], expected=_NAMES[expected])
    for race in open_races(draft.view, scene.id):
        if race.id not in expect:
            raise Refused(Code.OUTCOME_UNEXPECTED, id=race.id, now=_NAMES[ends_as(draft.view, race)])


_NAMES = {
    RaceOutcome.SUCCESS: "a success",
    RaceOutcome.PARTIAL_SUCCESS: "a partial success",
    RaceOutcome.FAILURE: "a failure",
}


def _outcome(draft: Draft, scene: Scene, situation: Situation) -> RaceOutcome:
    """Return the outcome of a race of a scene: how it ended, or for an open race how it would end now.

    Raises Refused if the situation is no race, belongs to another scene, or has not begun.
    """
    is_open = situation.kind is SituationKind.RACE and situation.status is SituationStatus.OPEN
    outcome = ends_as(draft.view, situation) if is_open else situation.outcome
    if outcome is None or situation.scene_id != scene.id:
        raise Refused(Code.NOT_A_RACE, id=situation.id)
    return outcome
