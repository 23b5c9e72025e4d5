"""Attaching and detaching consequences: effects that follow by themselves when a trigger happens. Source: E5."""

from collections.abc import Iterable

from dreadclock.rules.limits import MAX_CONSEQUENCE_BYTES, MAX_CONSEQUENCES
from dreadclock.wire import commands as c
from dreadclock.wire import events as e
from dreadclock.wire import things as t
from dreadclock.wire.base import Kind, Visibility
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.families.consequences import TARGETS, is_over
from dreadclock.wire.views import View
from dreadclock_server.core import find
from dreadclock_server.core.draft import Draft
from dreadclock_server.core.effects import can_happen, hides, is_there, names_hidden, within
from dreadclock_server.core.rights import Rights, Who, only

RIGHTS: Rights = {
    c.AttachConsequence: only(Who.GM),
    c.DetachConsequence: only(Who.GM),
}


def attach_consequence(draft: Draft, command: c.AttachConsequence) -> None:
    """Decide `attach_consequence`: attach effects to a trigger of a thing.

    Also drops consequences of the same channel whose things are over.
    """
    _require_moment(draft, command)
    for effect in command.do:
        _require_possible(draft, effect)
    require_of_fumbles(draft, within(command.do))
    public = command.visibility is Visibility.PUBLIC
    consequence = t.Consequence(
        id=draft.new_id(Kind.CONSEQUENCE, command.id, public=public),
        of=command.of,
        when=command.when,
        do=tuple(effect.stored() for effect in command.do),
        visibility=command.visibility,
    )
    if public and names_hidden(draft.view, consequence):
        raise Refused(Code.SECRET_NAMED)
    attached = draft.part(consequence.channel).consequences.values()
    dropped = tuple(other.id for other in attached if is_over(draft.view, other.of))
    stay = [other for other in attached if other.id not in dropped]
    if len(stay) >= MAX_CONSEQUENCES:
        raise Refused(Code.TOO_MANY, limit=MAX_CONSEQUENCES, what="consequences")
    size = sum(len(attached.model_dump_json(exclude_none=True)) for attached in (*stay, consequence))
    if size > MAX_CONSEQUENCE_BYTES:
        raise Refused(Code.TOO_MANY, limit=MAX_CONSEQUENCE_BYTES, what="bytes of consequences")
    draft.emit(consequence.channel, e.ConsequenceAttached(consequence=consequence, dropped=dropped))


def _require_moment(draft: Draft, command: c.AttachConsequence) -> None:
    of, when = command.of, command.when
    find.find(f"{of.kind}s", of.kind, draft, of.id)
    if is_over(draft.view, of):
        raise Refused(Code.ENDED, kind=of.kind, id=of.id, status=_status(draft, of))
    if not has_moment(draft.view, of, when):
        raise Refused(Code.NO_SUCH_MOMENT, kind=of.kind, id=of.id)


def _status(draft: Draft, of: t.Subject) -> str:
    return str(getattr(getattr(draft.view, f"{of.kind}s").get(of.id), "status", "closed"))


def _require_possible(draft: Draft, effect: t.Effect) -> None:
    if not is_there(draft.view, effect):
        [kind, *more] = TARGETS[effect.does]
        if more:
            raise Refused(Code.UNKNOWN, kind="character, scene or situation", id=str(effect.thing_id))
        raise Refused(Code.UNKNOWN, kind=kind, id=str(effect.thing_id))
    if not can_happen(draft.view, effect):
        named = effect.countdown.name if effect.countdown is not None else str(effect.thing_id)
        raise Refused(Code.NEVER_HAPPENS, id=named)


def require_of_fumbles(draft: Draft, effects: Iterable[t.Effect]) -> None:
    """Raise Refused if one of these effects names a missing or hidden thing, or can never happen. C26.

    `effects`: what fumble effects do automatically. An effect on the character who fumbles is not checked, because this
    character is not known yet.
    """
    for effect in effects:
        if not effect.is_on_nobody:
            _require_possible(draft, effect)
            if hides(draft.view, effect):
                raise Refused(Code.SECRET_NAMED)


def detach_consequence(draft: Draft, command: c.DetachConsequence) -> None:
    """Decide `detach_consequence`: remove a consequence, even if it has happened before."""
    consequence: t.Consequence = find.find("consequences", Kind.CONSEQUENCE, draft, command.consequence_id)
    draft.emit(consequence.channel, e.ConsequenceDetached(consequence_id=consequence.id))


# Which triggers a thing can have


_MOMENTS: dict[str, tuple[t.When, ...]] = {
    Kind.COUNTDOWN: (t.When.STAGE, t.When.END),
    Kind.CLOCK: (t.When.END,),
    Kind.CHECK: (t.When.FUMBLE, t.When.FAIL, t.When.SUCCESS, t.When.TRIUMPH, t.When.WON, t.When.LOST),
    Kind.TOTAL: (t.When.SUCCEEDED, t.When.FAILED, t.When.CRISIS),
    Kind.CHARACTER: (t.When.CRISIS,),
}


def has_moment(view: View, of: t.Subject, moment: t.Moment) -> bool:
    """Tell whether a trigger can still happen on an existing thing."""
    thing = getattr(view, f"{of.kind}s").get(of.id)
    paid = moment.when is t.When.SUCCESS  # a resolved check can still become a success, by a cost
    if of.kind is Kind.CHECK and thing.status is t.CheckStatus.RESOLVED and not paid:
        return False
    if moment.when not in _MOMENTS[of.kind] or (moment.at is not None) != (moment.when is t.When.STAGE):
        return False
    stages = getattr(thing, "stages", ())
    return moment.at is None or moment.at in [stage.at for stage in stages]
