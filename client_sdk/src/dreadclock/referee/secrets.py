"""Sealed and hidden things: how they start, come to light, and are taken back. Source: rules.md E4."""

from __future__ import annotations

from dreadclock.export import Step
from dreadclock.referee.odds import check_odds
from dreadclock.referee.reader import Beginnings, Reader
from dreadclock.referee.roots import Root, channel_of, root_of_clock, root_of_scene, root_of_situation
from dreadclock.referee.things import check_id
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, HiddenKind, Id, Kind, Visibility
from dreadclock.wire.families.contents import FIELDS, contents_of
from dreadclock.wire.families.secrets import gather
from dreadclock.wire.things import ChallengeStatus, Check, Lane, SceneStatus, SituationStatus, Things

_ROLLED = (Kind.COUNTDOWN, Kind.ROLL, Kind.CHECK)
_OPEN = (SceneStatus.OPEN, SituationStatus.OPEN, ChallengeStatus.OPEN)
_PLACES = {Kind.SCENE: "scenes", Kind.SITUATION: "situations", Kind.CHALLENGE: "challenges", Kind.CLOCK: "clocks"}


def sealed_started(r: Reader, step: Step, event: e.SealedStarted) -> None:
    """The gm seals a thing; the lane that it is rolled with is fixed before it starts."""
    thing = event.thing
    r.allow(step)
    r.begun = None
    r.require(step, thing.id not in step.before.public.sealed, f"{thing.id} is sealed already")
    if r.ahead(e.RoomContinued) is None:
        check_id(r, step, Kind(thing.kind), thing.id, known=True)
    label = f"thing/{thing.kind}/{thing.id}" if thing.kind in _ROLLED else None
    r.require(step, thing.lane == label and (thing.key is None) == (label is None), "its lane is not its own")
    if label is not None and thing.key is not None:
        r.must(Channel.GM, e.LaneOpened(lane=Lane(label=label, key=thing.key)))
    r.begun = (thing.kind, thing.id, Visibility.SEALED)


def end(r: Reader, root: Root) -> None:
    """A sealed thing that ended is shown to everyone."""
    if root.visibility is Visibility.SEALED:
        show(r, root.kind, root.id)


def show(r: Reader, kind: HiddenKind, thing_id: Id) -> None:
    """A hidden thing and all in it move from the gm's channel to everyone's."""
    if r.holds_gm:
        things = _shown(r, kind, thing_id)
        r.must(Channel.GM, e.MadePublic(kind=kind, id=thing_id))
        r.must(Channel.PUBLIC, e.Revealed(kind=kind, id=thing_id, things=things))


def _shown(r: Reader, kind: HiddenKind, thing_id: Id) -> Things:
    things = gather(r.hidden, contents_of(r.hidden, kind, thing_id))
    changed = {
        field: tuple(each.model_copy(update={"visibility": Visibility.PUBLIC}) for each in getattr(things, field))
        for field in FIELDS
        if field not in ("challenges", "efforts", "checks")
    }
    return things.model_copy(update=changed | {"checks": tuple(_shown_check(r, each) for each in things.checks)})


def _shown_check(r: Reader, check: Check) -> Check:
    """A check comes without an effort that stays hidden, and with odds that count in what everyone sees."""
    known = check.effort in r.public.challenges
    shown = check.model_copy(update={"visibility": Visibility.PUBLIC, "effort": check.effort if known else None})
    begun = any(part.roll for part in check.parts)
    return shown if begun else shown.model_copy(update={"odds": check_odds(r.view, shown)})


def made_public(r: Reader, step: Step, event: e.MadePublic) -> None:
    """The gm shows a hidden thing."""
    r.allow(step)
    r.undo()
    before = r.hidden
    fields = {**_PLACES, Kind.COUNTDOWN: "countdowns", Kind.ROLL: "rolls", Kind.CHECK: "checks"}
    r.require(step, event.id in getattr(before, fields[Kind(event.kind)]), "there is no such hidden thing")
    show(r, event.kind, event.id)


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
    r.allow(step, turns=True)
    r.stub(step, event)


BEGINNINGS: Beginnings = {
    e.SealedStarted: sealed_started,
    e.SealedChanged: sealed_changed,
    e.MadePublic: made_public,
    e.Cancelled: cancelled,
}
