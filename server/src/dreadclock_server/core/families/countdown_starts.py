"""Start countdowns, and check their dice, their character, and the scene or situation that they are bound to.

A stage is a number of dice at which something happens. Source: rules.md A.
"""

from collections.abc import Mapping, Sequence

from dreadclock.rules.limits import MAX_COUNTDOWNS, MAX_POOL
from dreadclock.wire import events as e
from dreadclock.wire import things as t
from dreadclock.wire.base import Channel, Id, Kind, Role, Visibility
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.events import SkipReason
from dreadclock.wire.views import View
from dreadclock_server.core import find
from dreadclock_server.core.draft import Draft, Topic
from dreadclock_server.core.effects import Due, EffectRow, Effects, Reason, unless
from dreadclock_server.core.families.secrets import begin_hidden
from dreadclock_server.core.find import owner_for


def begin_countdown(draft: Draft, new: t.NewCountdown) -> t.Countdown:
    """Check and start the countdown of `start_countdown` or of a complication, and return it.

    Raises Refused if only the gm may start it, if there are too many countdowns, or if its fields do not fit.
    """
    find.require_gm_for(draft, new.visibility)
    if too_many_countdowns(draft.view, new.visibility):
        raise Refused(Code.TOO_MANY, limit=MAX_COUNTDOWNS, what="countdowns")
    pool = _pool(draft, new)
    refuse_double_stages(new.stages)
    require_fit(draft, new)
    return begin(draft, new, owner_for(draft, new.owner), pool, made_by=draft.maker)


def begin(draft: Draft, new: t.NewCountdown, owner: Id | None, pool: int, *, made_by: Id | None = None) -> t.Countdown:
    """Start a countdown without checking its fields, and return it.

    A stage at the starting number of dice is reached at once. `made_by`: the seat whose text limit counts.
    """
    countdown_id = draft.new_id(Kind.COUNTDOWN, new.id, public=new.visibility is not Visibility.GM)
    topic = Topic(Kind.COUNTDOWN, countdown_id, new.name, new.visibility)
    begin_hidden(draft, topic, rolled=True)
    fields = new.model_dump(exclude={"id", "owner", "note", "act_for", "type", "stages", "pool", "at_start"})
    started = draft.room.seq(Channel.PUBLIC) + (1 if new.visibility is Visibility.PUBLIC else 0)
    starts_at = (stage for stage in new.stages if stage.at == pool and draft.form.starts_at_stages)
    stage = next(starts_at, None)
    fields |= {"owner": owner, "pool": pool, "started_with": pool, "made_by": made_by, "start_stage": stage and True}
    # Leave out fields that are None: pydantic stores the names of given fields in a set. A set of 19 or more names
    # takes 1.4 KiB more.
    given = {name: value for name, value in fields.items() if value is not None}
    countdown = t.Countdown(id=countdown_id, started=started, stages=new.stages, **given)
    draft.emit(topic.channel, e.CountdownStarted(countdown=countdown))
    # `emit`, not `tell`: a `sealed_changed` would reveal that a sealed countdown has a stage at its start. A3
    if stage is not None:
        reached = e.StageReached(countdown_id=countdown_id, at=pool, effect=stage.effect, starts=True)
        draft.emit(topic.channel, reached)
        draft.happened(Kind.COUNTDOWN, countdown_id, t.When.STAGE, pool)
    return countdown


def _pool(draft: find.Searcher, new: t.NewCountdown) -> int:
    """Return the number of dice of a new countdown: as given, or from an attribute. Source: rules.md A10."""
    if (new.pool is None) == (new.from_attribute is None):
        raise Refused(Code.POOL_NEEDED)
    if new.pool is not None:
        return new.pool
    if new.about is None:
        raise Refused(Code.ABOUT_NEEDED, what="attribute")
    character = find.character(draft, new.about)
    score = character.attributes.get(str(new.from_attribute))
    if score is None:
        raise Refused(Code.NOT_ON_SHEET, id=character.id, kind="attribute", name=str(new.from_attribute))
    if score < 1:
        raise Refused(Code.POOL_OUT_OF_RANGE, sum=score, least=1, most=MAX_POOL)
    return score


def require_fit(
    draft: find.Searcher, countdown: t.NewCountdown | t.Countdown, before: t.Countdown | None = None
) -> None:
    """Raise Refused if a countdown's character or binding is missing, does not fit, or would reveal a hidden thing.

    `before`: the countdown before a change. An unchanged character or binding is not checked again.
    """
    if countdown.fate is not None and countdown.about is None:
        raise Refused(Code.ABOUT_NEEDED, what="end")
    if countdown.about is not None and (before is None or before.about != countdown.about):
        find.character(draft, countdown.about)
        _require_seen(draft, countdown, "characters", Kind.CHARACTER, countdown.about)
    if before is None or (before.bound_to, before.bound_id) != (countdown.bound_to, countdown.bound_id):
        _require_binding(draft, countdown)


_BOUND: Mapping[t.BoundTo, tuple[str, Kind]] = {
    t.BoundTo.ROUNDS: ("situations", Kind.SITUATION),
    t.BoundTo.SCENE: ("scenes", Kind.SCENE),
}


def _require_binding(draft: find.Searcher, countdown: t.NewCountdown | t.Countdown) -> None:
    """Raise Refused if `bound_id` is missing or superfluous, or if it names a situation or scene that is not open.

    Also raises Refused if the countdown is public, and the situation or scene is not.
    """
    family, kind = _BOUND.get(countdown.bound_to, ("", None))
    if kind is None or countdown.bound_id is None:
        if kind is not None or countdown.bound_id is not None:
            raise Refused(Code.BINDING_UNSAID, kind=kind or "situation or scene")
        return
    if kind is Kind.SITUATION:
        situation = find.situation(draft, countdown.bound_id)
        if situation.status is not t.SituationStatus.OPEN:
            raise Refused(Code.ENDED, kind=kind, id=situation.id, status=situation.status)
    else:
        find.open_scene(draft, countdown.bound_id, aside=True)
    _require_seen(draft, countdown, family, kind, countdown.bound_id)


def _require_seen(
    draft: find.Searcher, countdown: t.NewCountdown | t.Countdown, family: str, kind: Kind, thing_id: Id
) -> None:
    """Raise Refused if a public countdown refers to a thing that is not public."""
    if countdown.visibility is Visibility.PUBLIC and thing_id not in getattr(draft.view.public, family):
        raise Refused(Code.NAMES_HIDDEN, kind=kind, id=thing_id)


def _may_start(view: View, new: t.NewCountdown) -> bool:
    """Tell whether a countdown could start: its pool is valid, its character and binding exist and do not reveal a
    hidden thing.
    """
    return find.holds(_pool, view, new) and find.holds(require_fit, view, new)


def refuse_double_stages(stages: Sequence[t.Stage]) -> None:
    sizes = [stage.at for stage in stages]
    twice = [at for at in sizes if sizes.count(at) > 1]
    if twice:
        raise Refused(Code.STAGE_TWICE, at=twice[0])


def too_many_countdowns(view: View, visibility: Visibility) -> bool:
    """Tell whether MAX_COUNTDOWNS is reached for a visibility.

    Hidden countdowns count separately, so that a refusal does not reveal them. Public and sealed countdowns, whose
    names everyone sees, count together.
    """
    public = visibility is not Visibility.GM
    part = view.public if public else view.hidden
    running = [countdown for countdown in part.countdowns.values() if not countdown.is_over]
    own = sum(public or countdown.visibility is visibility for countdown in running)
    sealed = sum(thing.kind is Kind.COUNTDOWN for thing in view.public.sealed.values()) if public else 0
    return own + sealed >= MAX_COUNTDOWNS


def _can_start(view: View, effect: t.Effect, _: None) -> bool:
    new = effect.countdown
    assert isinstance(new, t.NewCountdown)
    owner = view.seats.get(new.owner or "")
    owned = new.owner is None or (owner is not None and owner.role is not Role.SPECTATOR)
    return owned and _may_start(view, new) and len({stage.at for stage in new.stages}) == len(new.stages)


def _no_start(view: View, effect: t.Effect, _: None) -> Reason:
    new = effect.countdown
    if new is None or (new.owner is not None and new.owner not in view.seats) or not _may_start(view, new):
        return SkipReason.GONE
    return unless(not too_many_countdowns(view, new.visibility), SkipReason.CAP)


def _start(draft: Draft, _: Due, effect: t.Effect, thing: None) -> None:
    """Start a countdown as a consequence.

    Searches with the gm's rights: the seat that triggered the consequence may not see the things that the countdown
    names.
    """
    new = effect.countdown
    assert new is not None
    begin(draft, new, new.owner, _pool(find.SeesAll(draft.view), new))


def _starts_known(_: View, effect: t.Effect) -> bool:
    return effect.countdown is not None and effect.countdown.visibility is not Visibility.GM


EFFECTS: Effects = {
    t.Does.START: EffectRow(_can_start, _no_start, _start, _starts_known),
}
