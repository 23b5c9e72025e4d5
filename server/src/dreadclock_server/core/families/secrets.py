"""Hidden things (only the gm knows them) and sealed things (everyone sees the name): how they start and are revealed.

Source: rules.md E4.
"""

from typing import Any, get_args

from dreadclock.wire import commands as c
from dreadclock.wire import events as e
from dreadclock.wire import things as t
from dreadclock.wire.base import Channel, HiddenKind, Id, Kind, Visibility
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.events import SkipReason
from dreadclock.wire.families.checks import check_odds
from dreadclock.wire.families.contents import FIELDS, contents_of
from dreadclock.wire.families.dice import lane_of_thing
from dreadclock.wire.families.pushes import push_odds
from dreadclock.wire.families.secrets import gather
from dreadclock.wire.views import ChannelView, View
from dreadclock_server.core.draft import Draft, Topic
from dreadclock_server.core.effects import Due, EffectRow, Effects, unless
from dreadclock_server.core.rights import Rights, Who, only

RIGHTS: Rights = {
    c.Reveal: only(Who.GM),
}


def begin_hidden(draft: Draft, topic: Topic, *, rolled: bool) -> None:
    """Prepare the start of a hidden or sealed thing. Does nothing for a public thing.

    Tells everyone that a sealed thing exists. If dice will be rolled for the thing (`rolled`), also opens a lane
    for these dice in the gm's channel.
    """
    if topic.visibility is Visibility.PUBLIC:
        return
    own = lane_of_thing(topic.kind, topic.id)
    lane = t.Lane(label=own, key=draft.dice.key(own, None)) if rolled else None
    if topic.visibility is Visibility.SEALED:
        label, key = (lane.label, lane.key) if lane else (None, None)
        starter = draft.by.seat_id if lane else None
        stub = t.Sealed(kind=topic.kind, id=topic.id, name=topic.name, seat_id=starter, lane=label, key=key)
        draft.emit(Channel.PUBLIC, e.SealedStarted(thing=stub))
    if lane is not None:
        draft.emit(Channel.GM, e.LaneOpened(lane=lane))


def reveal(draft: Draft, command: c.Reveal) -> None:
    """Decide `reveal`: show everyone a sealed or hidden thing, or the secret number of a total."""
    hidden, public = draft.part(Channel.GM), draft.part(Channel.PUBLIC)
    kind = kind_of(hidden, command.thing_id)
    if kind is not None:
        if _is_prepared(hidden, command.thing_id):
            raise Refused(Code.NOT_BEGUN, id=command.thing_id)
        return show(draft, kind, command.thing_id)
    total = public.totals.get(command.thing_id)
    if total is not None and total.secret:
        return _show_required(draft, total)
    if total is not None or kind_of(public, command.thing_id) is not None:
        raise Refused(Code.NOT_HIDDEN, id=command.thing_id)
    raise Refused(Code.UNKNOWN, kind="hidden thing", id=command.thing_id)


def _is_prepared(part: ChannelView, thing_id: Id) -> bool:
    situation = part.situations.get(thing_id)
    return situation is not None and situation.status is t.SituationStatus.PREPARED


def _show_required(draft: Draft, total: t.Total) -> None:
    """Reveal the secret number of a total. Source: rules.md D4."""
    secret = draft.part(Channel.GM).secrets[total.id]
    on_offer = total.status is t.TotalStatus.OFFERED
    event = e.RequiredRevealed(
        total_id=total.id,
        required=secret.required,
        odds=secret.odds,
        push_odds=push_odds(total.kept, secret.required) if on_offer else None,
    )
    draft.emit(Channel.PUBLIC, event)


# Consequences


_WITH_VISIBILITY = tuple(field for field in FIELDS if field not in ("challenges", "efforts", "checks", "countdowns"))


def end(draft: Draft, topic: Topic) -> None:
    """Reveal a thing that has ended, if it is sealed."""
    if topic.visibility is Visibility.SEALED:
        show(draft, topic.kind, topic.id)


def show(draft: Draft, kind: HiddenKind, thing_id: Id) -> None:
    """Move a hidden thing and everything in it from the gm's channel to the public channel.

    Hidden characters that act in the thing are revealed first.
    """
    if draft.view.gm is None:  # a verifier of the public log alone, which does not have the hidden thing
        return
    for character_id in _hidden_actors(draft.view.hidden, kind, thing_id):
        show(draft, Kind.CHARACTER, character_id)
    things = _for_everyone(draft.view, kind, thing_id)
    draft.emit(Channel.GM, e.MadePublic(kind=kind, id=thing_id))
    draft.emit(Channel.PUBLIC, e.Revealed(kind=kind, id=thing_id, things=things))


_KINDS: dict[str, HiddenKind] = {f"{kind}s": kind for kind in get_args(HiddenKind)}


def kind_of(part: ChannelView, thing_id: Id) -> HiddenKind | None:
    """Return a thing's kind if the channel's view has the thing, and it can be revealed by itself; otherwise None."""
    for field, kind in _KINDS.items():
        thing = getattr(part, field).get(thing_id)
        if thing is not None and not _is_inside(part, thing):
            return kind
    return None


def _is_inside(part: ChannelView, thing: object) -> bool:
    """Tell whether a thing belongs to another thing, and can only be revealed with it."""
    scene = part.scenes.get(getattr(thing, "scene_id", ""))
    within_hidden = scene is not None and scene.visibility is not Visibility.PUBLIC
    return within_hidden or getattr(thing, "of", None) is not None


def act(draft: Draft, character_id: Id) -> None:
    """Reveal a hidden character that acts in public. Source: rules.md C24."""
    if character_id in draft.view.hidden.characters:
        show(draft, Kind.CHARACTER, character_id)


def _hidden_actors(part: ChannelView, kind: HiddenKind, thing_id: Id) -> list[Id]:
    """Return the hidden characters that act in a thing that is about to be revealed. They are revealed first."""
    things = gather(part, contents_of(part, kind, thing_id))
    named = [check_part.character_id for check in things.checks for check_part in check.parts]
    named += [roll.character_id or "" for roll in things.rolls]
    named += [effort.character_id or "" for effort in things.efforts]
    return [character_id for character_id in dict.fromkeys(named) if character_id in part.characters]


def _for_everyone(view: View, kind: HiddenKind, thing_id: Id) -> t.Things:
    hidden = view.hidden
    things = gather(hidden, contents_of(hidden, kind, thing_id, shown=True))
    shown: dict[str, tuple[Any, ...]] = {
        field: tuple(thing.model_copy(update={"visibility": Visibility.PUBLIC}) for thing in getattr(things, field))
        for field in _WITH_VISIBILITY
    }
    situations = (situation.model_copy(update={"kept_back": False}) for situation in shown["situations"])
    shown["situations"] = tuple(situations)
    checks = tuple(_check_for_everyone(view, check) for check in things.checks)
    countdowns = tuple(_countdown_for_everyone(view, countdown) for countdown in things.countdowns)
    return things.model_copy(update={**shown, "checks": checks, "countdowns": countdowns})


def _countdown_for_everyone(view: View, countdown: t.Countdown) -> t.Countdown:
    """Return a countdown as everyone may see it: without references to things that stay hidden."""
    changes: dict[str, object] = {"visibility": Visibility.PUBLIC}
    if countdown.about not in view.public.characters:
        changes |= {"about": None, "fate": None, "from_attribute": None}
    if countdown.bound_id is not None and countdown.bound_id not in {*view.public.situations, *view.public.scenes}:
        changes |= {"bound_to": t.BoundTo.NOTHING, "bound_id": None}
    return countdown.model_copy(update=changes)


def _check_for_everyone(view: View, check: t.Check) -> t.Check:
    """Return a check as everyone may see it: without the reference to a challenge that stays hidden.

    An unrolled check gets new odds: tokens count for a public check, but not for a hidden one.
    """
    shows_effort = check.effort in view.public.challenges
    shown = check.model_copy(update={"visibility": Visibility.PUBLIC, "effort": check.effort if shows_effort else None})
    begun = any(part.roll for part in check.parts)
    return shown if begun else shown.model_copy(update={"odds": check_odds(view, shown)})


def _hidden_kind(view: View, effect: t.Effect) -> HiddenKind | None:
    """Return the kind of the hidden thing that an effect would reveal now.

    None if there is no such thing, or if it is a situation that is only prepared.
    """
    thing_id, hidden = str(effect.thing_id), view.hidden
    return None if _is_prepared(hidden, thing_id) else kind_of(hidden, thing_id)


def _reveal(draft: Draft, _: Due, effect: t.Effect, thing: None) -> None:
    kind = _hidden_kind(draft.view, effect)
    if kind is not None:
        show(draft, kind, str(effect.thing_id))


EFFECTS: Effects = {
    t.Does.REVEAL: EffectRow(
        lambda view, effect, _: kind_of(view.hidden, str(effect.thing_id)) is not None,
        lambda view, effect, _: unless(_hidden_kind(view, effect) is not None, SkipReason.GONE),
        _reveal,
        lambda view, effect: True,
    ),
}
