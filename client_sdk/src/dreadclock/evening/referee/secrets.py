"""Sealed and hidden things: how they start, come to light, and are taken back. Source: rules.md E4."""

from __future__ import annotations

from dreadclock.evening.export import Step
from dreadclock.evening.referee.reader import Beginnings, Reader
from dreadclock.evening.referee.things import check_id
from dreadclock.following.secrets import show
from dreadclock.following.telling import channel_of, root_of_clock, root_of_scene, root_of_situation
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Id, Kind, Scope, Visibility
from dreadclock.wire.families.dice import lane_of_thing
from dreadclock.wire.families.situations import NOT_OVER
from dreadclock.wire.things import ChallengeStatus, Lane, SceneStatus, SituationStatus

_ROLLED = (Kind.COUNTDOWN, Kind.ROLL, Kind.CHECK)
_OPEN = (SceneStatus.OPEN, *NOT_OVER, ChallengeStatus.OPEN)
_SINGLE = {Kind.COUNTDOWN: "countdowns", Kind.ROLL: "rolls", Kind.CHECK: "checks", Kind.CHARACTER: "characters"}
_PLACES = {Kind.SCENE: "scenes", Kind.SITUATION: "situations", Kind.CHALLENGE: "challenges", Kind.CLOCK: "clocks"}


def sealed_started(r: Reader, step: Step, event: e.SealedStarted) -> None:
    """The gm seals a thing; the lane that it is rolled with is fixed before it starts."""
    thing = event.thing
    r.allow(step)
    r.begun = None
    r.require(step, thing.id not in step.before.public.sealed, f"{thing.id} is sealed already")
    if r.ahead(e.RoomContinued) is None:
        check_id(r, step, Kind(thing.kind), thing.id, known=True)
    label = lane_of_thing(thing.kind, thing.id) if thing.kind in _ROLLED else None
    r.require(step, thing.lane == label and (thing.key is None) == (label is None), "its lane is not its own")
    if label is not None and thing.key is not None:
        r.emit(Channel.GM, e.LaneOpened(lane=Lane(label=label, key=thing.key)))
    r.begun = (thing.kind, thing.id, Visibility.SEALED)


def made_public(r: Reader, step: Step, event: e.MadePublic) -> None:
    """The gm shows a hidden thing."""
    r.allow(step)
    r.undo()
    before = r.hidden
    fields = {**_PLACES, **_SINGLE}
    r.require(step, event.id in getattr(before, fields[Kind(event.kind)]), "there is no such hidden thing")
    _require_begun(r, step, event.id)
    show(r, event.kind, event.id)


def _require_begun(r: Reader, step: Step, thing_id: Id) -> None:
    """What was only prepared comes to light when it begins, and not otherwise. Source: rules.md B20."""
    situation = r.hidden.situations.get(thing_id)
    prepared = situation is not None and situation.status is SituationStatus.PREPARED
    r.require(step, not prepared or r.ahead(e.SituationBegun) is not None, "it was only prepared")


def cancelled(r: Reader, step: Step, event: e.Cancelled) -> None:
    """The gm takes back what is still open; what is hidden in a scene goes before it."""
    r.allow(step)
    view, kind = step.before, event.kind
    part = step.before.channels[step.record.channel]
    thing = getattr(part, _PLACES[Kind(kind)]).get(event.id)
    if thing is None:
        return r.fault(step, f"there is no {kind} {event.id}")
    if kind is Kind.CLOCK:
        root = root_of_clock(view, thing)
        r.require(step, root.kind is Kind.CLOCK, "only a free-standing clock is taken back")
    else:
        situation = thing.situation_id if kind is Kind.CHALLENGE else event.id
        root = root_of_scene(view, event.id) if kind is Kind.SCENE else root_of_situation(view, situation)
        with_scene = kind is Kind.SITUATION and step.record.channel is Channel.GM and root.id == event.id
        r.require(step, thing.status in _OPEN or with_scene, "it is over")
    r.require(step, step.record.channel is channel_of(root.visibility), "it does not lie where it belongs")
    left = [each for each in r.hidden.situations.values() if kind is Kind.SCENE and each.scene_id == event.id]
    r.require(step, not left, "what is hidden in it must go before it")
    return r.hint(root)


def sealed_changed(r: Reader, step: Step, event: e.SealedChanged) -> None:
    """The public hears that a sealed thing changed."""
    r.allow(step, scopes=tuple(Scope), hidden=True)
    r.stub(step, event)


BEGINNINGS: Beginnings = {
    e.SealedStarted: sealed_started,
    e.SealedChanged: sealed_changed,
    e.MadePublic: made_public,
    e.Cancelled: cancelled,
}
