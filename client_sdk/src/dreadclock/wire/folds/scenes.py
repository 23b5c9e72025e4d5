"""How events of scenes, situations, races and clocks change a view."""

from collections.abc import Callable
from typing import Any

from dreadclock.rules.limits import CLOCKS_KEPT, SCENES_KEPT, SITUATIONS_KEPT
from dreadclock.wire import events as e
from dreadclock.wire.base import Id, Kind
from dreadclock.wire.family import Changes, family_of, without
from dreadclock.wire.folds.keeping import counted, latest
from dreadclock.wire.things import (
    Challenge,
    ChallengeStatus,
    Clock,
    ClockKind,
    Scene,
    SceneStatus,
    Situation,
    SituationStatus,
)
from dreadclock.wire.views import ChannelView


def _with_clocks(part: ChannelView, *clocks: Clock | None) -> dict[Id, Clock]:
    return {**part.clocks, **{clock.id: clock for clock in clocks if clock is not None}}


def _scene_opened(part: ChannelView, event: e.SceneOpened) -> Changes:
    part = _make_room_for_scene(part)
    return {
        "scenes": {**part.scenes, event.scene.id: event.scene},
        "situations": part.situations,
        "challenges": part.challenges,
        "efforts": part.efforts,
        "clocks": _with_clocks(part, event.clock),
        **counted(part, Kind.SCENE, event.scene.id),
    }


def _make_room_for_scene(part: ChannelView) -> ChannelView:
    ended = [scene.id for scene in part.scenes.values() if scene.status is not SceneStatus.OPEN]
    for scene_id in ended[: max(0, len(ended) - SCENES_KEPT)]:
        part = part.model_copy(update=without(part, family_of(part, Kind.SCENE, scene_id)))
    return part


def _situation_started(part: ChannelView, event: e.SituationStarted) -> Changes:
    one = event.situation
    part = _make_room_for_situation(part)
    return {
        "scenes": part.scenes if event.threat is None else _threatened(part, one.scene_id, event.threat.id),
        "situations": {**part.situations, one.id: one},
        "challenges": part.challenges,
        "clocks": _with_clocks(part, event.clock, event.threat),
        **counted(part, Kind.SITUATION, one.id),
    }


def _threatened(part: ChannelView, scene_id: Id, threat_id: Id) -> dict[Id, Scene]:
    """Give a scene its threat clock; a race always lies in its scene's channel."""
    return {**part.scenes, scene_id: part.scenes[scene_id].model_copy(update={"threat_id": threat_id})}


def _make_room_for_situation(part: ChannelView) -> ChannelView:
    ended = [each.id for each in part.situations.values() if each.status is not SituationStatus.OPEN]
    for situation_id in ended[: max(0, len(ended) - SITUATIONS_KEPT)]:
        part = part.model_copy(update=without(part, family_of(part, Kind.SITUATION, situation_id)))
    return part


def _challenge_added(part: ChannelView, event: e.ChallengeAdded) -> Changes:
    one = event.challenge
    return {
        "challenges": {**part.challenges, one.id: one},
        "clocks": _with_clocks(part, event.clock),
        **counted(part, Kind.CHALLENGE, one.id),
    }


def _clock_started(part: ChannelView, event: e.ClockStarted) -> Changes:
    clocks = latest_clocks(_with_clocks(part, event.clock))
    return {"clocks": clocks, **counted(part, Kind.CLOCK, event.clock.id)}


def latest_clocks(clocks: dict[Id, Clock]) -> dict[Id, Clock]:
    """Keep all clocks but the oldest of the free-standing ones that are done."""
    return latest(clocks, _free_and_done, CLOCKS_KEPT)


def _free_and_done(clock: Clock) -> bool:
    return clock.kind is ClockKind.FREE and clock.done


def _clock_set(part: ChannelView, event: e.ClockTicked | e.ClockAmended) -> Changes:
    return {"clocks": _with_clocks(part, part.clocks[event.clock_id].model_copy(update={"value": event.value}))}


def _effort_made(part: ChannelView, event: e.EffortMade) -> Changes:
    return {"efforts": {**part.efforts, event.effort.id: event.effort}, **counted(part, Kind.EFFORT, event.effort.id)}


def _effort_ruled(part: ChannelView, event: e.EffortRuled) -> Changes:
    return {"efforts": {key: effort for key, effort in part.efforts.items() if key != event.effort_id}}


def _challenge_overcome(part: ChannelView, event: e.ChallengeOvercome) -> Changes:
    challenge = part.challenges[event.challenge_id].model_copy(update={"status": ChallengeStatus.OVERCOME})
    pending = {key: each for key, each in part.efforts.items() if each.challenge_id != challenge.id}
    return {"challenges": {**part.challenges, challenge.id: challenge}, "efforts": pending}


def _situation_set(part: ChannelView, situation_id: Id, **changes: object) -> Changes:
    situation = part.situations[situation_id].model_copy(update=changes)
    return {"situations": {**part.situations, situation_id: situation}}


def _situation_ended(status: SituationStatus) -> Callable[[ChannelView, Any], Changes]:
    def ended(part: ChannelView, event: Any) -> Changes:
        return {**_situation_set(part, event.situation_id, status=status), **_closed(part, {event.situation_id})}

    return ended


def _closed(part: ChannelView, situations: set[Id]) -> Changes:
    """Close what is open in situations that ended, and drop the efforts that wait in them."""

    def close(challenge: Challenge) -> Challenge:
        if challenge.situation_id in situations and challenge.status is ChallengeStatus.OPEN:
            return challenge.model_copy(update={"status": ChallengeStatus.CLOSED})
        return challenge

    challenges = {key: close(challenge) for key, challenge in part.challenges.items()}
    inside = {key for key, challenge in challenges.items() if challenge.situation_id in situations}
    efforts = {key: effort for key, effort in part.efforts.items() if effort.challenge_id not in inside}
    return {"challenges": challenges, "efforts": efforts}


def _scene_ended(part: ChannelView, event: e.SceneEnded) -> Changes:
    def close(situation: Situation) -> Situation:
        if situation.scene_id == event.scene_id and situation.status is SituationStatus.OPEN:
            return situation.model_copy(update={"status": SituationStatus.CLOSED})
        return situation

    scene = part.scenes[event.scene_id].model_copy(update={"status": event.outcome})
    inside = {key for key, situation in part.situations.items() if situation.scene_id == event.scene_id}
    return {
        "scenes": {**part.scenes, scene.id: scene},
        "situations": {key: close(situation) for key, situation in part.situations.items()},
        **_closed(part, inside),
    }


FOLDS: dict[type[e.EventBase], Callable[[ChannelView, Any], Changes]] = {
    e.SceneOpened: _scene_opened,
    e.SituationStarted: _situation_started,
    e.ChallengeAdded: _challenge_added,
    e.ClockStarted: _clock_started,
    e.ClockTicked: _clock_set,
    e.ClockAmended: _clock_set,
    e.EffortMade: _effort_made,
    e.EffortRuled: _effort_ruled,
    e.ChallengeOvercome: _challenge_overcome,
    e.SituationWon: _situation_ended(SituationStatus.WON),
    e.SituationResolved: _situation_ended(SituationStatus.RESOLVED),
    e.SituationFailed: _situation_ended(SituationStatus.FAILED),
    e.SituationClosed: _situation_ended(SituationStatus.CLOSED),
    e.RoundEnded: lambda part, event: _situation_set(part, event.situation_id, round=event.round),
    e.RaceEnded: lambda part, event: _situation_set(part, event.situation_id, outcome=event.outcome),
    e.SceneEnded: _scene_ended,
    e.ComplicationIntroduced: lambda part, event: {},
}
