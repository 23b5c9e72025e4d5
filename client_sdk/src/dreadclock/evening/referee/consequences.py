"""Consequences: attached by the gm, and brought about by what they are attached to. Source: rules.md E5."""

from __future__ import annotations

from dreadclock.evening.export import Step
from dreadclock.evening.referee.countdowns import check_new
from dreadclock.evening.referee.reader import Beginnings, Reader
from dreadclock.evening.referee.things import check_id
from dreadclock.following import attaching, consequences
from dreadclock.following.bringing import Due, why_not
from dreadclock.following.countdowns import begun, pool_of
from dreadclock.following.telling import Happened
from dreadclock.rules.limits import MAX_EFFECTS
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Faces, Kind, RollProof, Visibility
from dreadclock.wire.events import Cause
from dreadclock.wire.families.consequences import is_over
from dreadclock.wire.families.dice import lane_of_thing
from dreadclock.wire.things import Countdown, Lane, NewCountdown, Sealed

_OF_COMMANDS = (  # what no consequence ever brings about
    *(e.CommandVoided, e.Cancelled, e.Narrated, e.PolicySet, e.SeatRenamed, e.DiceRolled, e.LaneOpened),
    *(e.SeatLent, e.SeatTakenBack),
    *(e.CharacterAdded, e.CharacterUpdated, e.CharacterReturned, e.SheetProposed, e.SheetApproved, e.TrackSet),
    *(e.CountdownAmended, e.CountdownCancelled, e.TurnEnded, e.RoundEnded, e.SceneTurnEnded),
    *(e.SceneOpened, e.SceneSetAside, e.SceneTakenUp, e.SituationStarted, e.SituationBegun, e.SituationResolved),
    *(e.SituationFailed, e.ChallengeAdded, e.EffortMade, e.EffortRuled, e.ComplicationIntroduced),
    *(e.ClockStarted, e.ClockAmended, e.CheckProposed, e.HelpJoined, e.OppositionJoined, e.CheckRolled),
    *(e.EffectChosen, e.CostProposed, e.CostAnswered, e.FailureSettled),
    *(e.TotalProposed, e.TotalRolled, e.TotalJudged, e.RequiredSet, e.PushOffered, e.LuckPushed, e.CrisisDescribed),
    *(e.ConsequenceAttached, e.ConsequenceDetached),
)
_BY_ITSELF = (Cause.CHALLENGE, Cause.SITUATION, Cause.CONSEQUENCE, Cause.HIDDEN)


def attached(r: Reader, step: Step, event: e.ConsequenceAttached) -> None:
    """The gm attaches what may come about, where those who may know of it are told."""
    one, view = event.consequence, step.before
    r.allow(step)
    r.require(step, step.record.channel is one.channel, "it does not lie where it belongs")
    check_id(r, step, Kind.CONSEQUENCE, one.id, known=one.channel is Channel.PUBLIC)
    r.require(step, 1 <= len(one.do) <= MAX_EFFECTS, "no consequence does so much")
    r.require(step, not is_over(view, one.of), "what it follows from is not there, or over")
    r.require(step, attaching.has_moment(view, one.of, one.when), "what it follows from has no such moment")
    fits = all(attaching.is_there(view, each) and attaching.can_happen(view, each) for each in one.do)
    fits &= all(attaching.may_fumble_do(view, each) for each in attaching.within(one.do))
    fits &= not any(each.is_on_nobody for each in one.do)
    r.require(step, fits, "what it does could never happen")
    secret = one.channel is Channel.PUBLIC and attaching.names_hidden(view, one)
    r.require(step, not secret, "it names what not everyone sees")
    r.same(step, event, event.model_copy(update={"dropped": attaching.dropped(view, one.channel)}))


def detached(r: Reader, step: Step, event: e.ConsequenceDetached) -> None:
    """The gm takes a consequence away."""
    r.allow(step)
    known = step.before.channels[step.record.channel].consequences
    r.require(step, event.consequence_id in known, f"there is no consequence {event.consequence_id}")


def brought(r: Reader, step: Step, event: e.ConsequenceHappened | e.ConsequenceSkipped | e.ConsequencesStopped) -> None:
    """What came before brings consequences about; one that is hidden says only that what comes follows from it."""
    if isinstance(event, e.ConsequenceHappened) and _is_of_hidden(event) and not r.holds_gm:
        r.unseen = r.went_unseen = True
        return r.require(step, event.of is None and event.when is None, "it names what is hidden")
    one = step.before.public.consequences.get(getattr(event, "consequence_id", None) or "")
    if r.went_unseen and one is not None:  # of another command of that time, perhaps, or of what is hidden
        r.moments.append(Happened(one.of.kind, one.of.id, one.when.when, one.when.at))
    r.undo()
    run(r)
    return r.require(step, r.is_past(step), "nothing before it brings it about")


def _is_of_hidden(event: e.ConsequenceHappened) -> bool:
    """Tell whether it says only that something hidden comes about."""
    return event.consequence_id is None and event.effect is None


def run(r: Reader) -> None:
    """Expect what follows from the moments of the command under way."""
    consequences.run(r, _Bringing(r))


def begin_unseen(r: Reader) -> bool:
    """Tell whether the command's next record says that something hidden comes about: its own are all told then."""
    step = None if r.holds_gm else r.coming()
    return step is not None and isinstance(step.record.event, e.ConsequenceHappened)


class _Bringing:
    """Reads what the server rolled and started for consequences."""

    def __init__(self, reader: Reader) -> None:
        self._r = reader

    def seq(self, channel: Channel) -> int:
        """Return the number of the last record that was taken."""
        return self._r.seq(channel)

    def throw(self, countdown: Countdown) -> tuple[Faces, RollProof | None] | None:
        """Return the faces that the next record shows; None if it is none of this countdown's rolls."""
        step = self._r.coming()
        event = step.record.event if step is not None else None
        if step is None or not isinstance(event, e.CountdownRolled) or event.countdown_id != countdown.id:
            return None
        fits = not event.physical and event.proof is not None and len(event.faces) == countdown.pool
        self._r.require(step, fits, "a consequence rolls the server's dice, one for each of the pool")
        return event.faces, event.proof

    def start(self, new: NewCountdown) -> None:
        """Take the start of a countdown, and what goes before it if it is hidden."""
        r, hidden = self._r, new.visibility is not Visibility.PUBLIC
        if new.visibility is Visibility.SEALED:
            self._take_stub(new)
        lane = r.take(Channel.GM, e.LaneOpened) if hidden else None
        step = r.take(Channel.GM if hidden else Channel.PUBLIC, e.CountdownStarted)
        if step is None or not isinstance(step.record.event, e.CountdownStarted):
            return
        one = step.record.event.countdown
        if lane is not None and isinstance(lane.record.event, e.LaneOpened):
            opened = lane.record.event.lane
            label = lane_of_thing(Kind.COUNTDOWN, one.id)
            r.same(lane, opened, Lane(label=label, key=opened.key), "lane.")
        if r.begun is None or r.begun[1] != one.id:
            check_id(r, step, Kind.COUNTDOWN, one.id, known=new.visibility is not Visibility.GM)
        r.begun = None
        check_new(r, step, one)
        said = {name: value for name, value in new if name != "id"}
        said |= {"pool": pool_of(step.before, new), "made_by": None}
        r.same(step, one, one.model_copy(update=said), "countdown.")
        begun(r, one)

    def _take_stub(self, new: NewCountdown) -> None:
        step = self._r.take(Channel.PUBLIC, e.SealedStarted)
        if step is None or not isinstance(step.record.event, e.SealedStarted):
            return
        thing = step.record.event.thing
        check_id(self._r, step, Kind.COUNTDOWN, thing.id, known=True)
        label = lane_of_thing(Kind.COUNTDOWN, thing.id)
        by = self._r.actor(step)
        fresh = Sealed(kind=Kind.COUNTDOWN, id=thing.id, name=new.name, seat_id=by, lane=label, key=thing.key)
        self._r.same(step, thing, fresh, "thing.")
        self._r.begun = (Kind.COUNTDOWN, thing.id, Visibility.SEALED)

    def elsewhere(self, before: Due | None) -> None:
        """Without the gm's channel: take the public records of what hidden consequences did, up to `before`.

        If all effects of `before` are skipped, no public record shows where it came. It is then taken to come at the
        first point at which none of its effects can happen.
        """
        r = self._r
        if r.holds_gm:
            return
        unheard = before is not None and not r.announces(before.happened)
        while (step := r.coming()) is not None and _is_unseen(r, step.record.event):
            if unheard and before is not None and all(why_not(r.view, effect) for effect in before.do):
                return
            r.begin_amid(step)


def _is_unseen(r: Reader, event: e.Event) -> bool:
    """Tell whether a hidden consequence did this, and keep `r.unseen`.

    A `consequence_happened` that names nothing begins what a hidden one did; one that names a consequence ends it, and
    so does what only a command brings: several of a seat can have the same time.
    """
    if isinstance(event, e.ConsequenceHappened):
        r.unseen = _is_of_hidden(event)
        r.went_unseen |= r.unseen
        return r.unseen
    if isinstance(event, _OF_COMMANDS) or (isinstance(event, e.ClockTicked) and event.cause not in _BY_ITSELF):
        return False
    moved_unseen = isinstance(event, e.ClockTicked) and event.cause is Cause.HIDDEN
    ended_unseen = isinstance(event, e.CharacterDied | e.CharacterLeft)  # by a hidden countdown: A9
    return moved_unseen or ended_unseen or (r.unseen and not isinstance(event, e.ConsequencesStopped))


def told(r: Reader, step: Step, event: e.ConsequenceTold) -> None:
    """Only a consequence tells such a text, and says so before."""
    r.fault(step, "no consequence tells it")


BEGINNINGS: Beginnings = {
    e.ConsequenceAttached: attached,
    e.ConsequenceDetached: detached,
    e.ConsequenceHappened: brought,
    e.ConsequenceSkipped: brought,
    e.ConsequencesStopped: brought,
    e.ConsequenceTold: told,
}
