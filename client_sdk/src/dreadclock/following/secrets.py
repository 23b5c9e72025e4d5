"""How sealed and hidden things come to light. Source: rules.md E4."""

from typing import Any

from dreadclock.following.telling import Root, Telling
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, HiddenKind, Id, Kind, Visibility
from dreadclock.wire.families.checks import check_odds
from dreadclock.wire.families.contents import FIELDS, contents_of
from dreadclock.wire.families.secrets import gather
from dreadclock.wire.things import BoundTo, Check, Countdown, Things
from dreadclock.wire.views import ChannelView, View

_WITH_VISIBILITY = tuple(field for field in FIELDS if field not in ("challenges", "efforts", "checks", "countdowns"))


def end(t: Telling, root: Root) -> None:
    """Show everyone a sealed thing that has ended."""
    if root.visibility is Visibility.SEALED:
        show(t, root.kind, root.id)


def show(t: Telling, kind: HiddenKind, thing_id: Id) -> None:
    """Move a hidden thing and all in it from the gm's channel to everyone's."""
    if t.view.gm is None:  # whoever reads the public log alone cannot tell what comes to light
        return
    for character_id in _hidden_actors(t.view.hidden, kind, thing_id):
        show(t, Kind.CHARACTER, character_id)
    things = _for_everyone(t.view, kind, thing_id)
    t.emit(Channel.GM, e.MadePublic(kind=kind, id=thing_id))
    t.emit(Channel.PUBLIC, e.Revealed(kind=kind, id=thing_id, things=things))


_KINDS: dict[str, HiddenKind] = {
    "countdowns": Kind.COUNTDOWN,
    "clocks": Kind.CLOCK,
    "scenes": Kind.SCENE,
    "situations": Kind.SITUATION,
    "rolls": Kind.ROLL,
    "checks": Kind.CHECK,
    "characters": Kind.CHARACTER,
}


def kind_of(part: ChannelView, thing_id: Id) -> HiddenKind | None:
    """Return the kind of a thing of a channel that can come to light on its own; None if there is none."""
    for field, kind in _KINDS.items():
        thing = getattr(part, field).get(thing_id)
        if thing is not None and not _is_inside(part, thing):
            return kind
    return None


def _is_inside(part: ChannelView, thing: object) -> bool:
    """Tell whether a thing belongs to another, and comes to light with that alone."""
    scene = part.scenes.get(getattr(thing, "scene_id", ""))
    within_hidden = scene is not None and scene.visibility is not Visibility.PUBLIC
    return within_hidden or getattr(thing, "of", None) is not None


def act(t: Telling, character_id: Id) -> None:
    """Show everyone a hidden character that acts in public. Source: rules.md C24."""
    if character_id in t.view.hidden.characters:
        show(t, Kind.CHARACTER, character_id)


def _hidden_actors(part: ChannelView, kind: HiddenKind, thing_id: Id) -> list[Id]:
    """Name the hidden characters that act in what is about to come to light, so that they do before it."""
    things = gather(part, contents_of(part, kind, thing_id))
    named = [each.character_id for check in things.checks for each in check.parts]
    named += [each.character_id or "" for each in things.rolls]
    named += [each.character_id or "" for each in things.efforts]
    return [each for each in dict.fromkeys(named) if each in part.characters]


def _for_everyone(view: View, kind: HiddenKind, thing_id: Id) -> Things:
    hidden = view.hidden
    things = gather(hidden, contents_of(hidden, kind, thing_id, shown=True))
    shown: dict[str, tuple[Any, ...]] = {
        field: tuple(each.model_copy(update={"visibility": Visibility.PUBLIC}) for each in getattr(things, field))
        for field in _WITH_VISIBILITY
    }
    situations = (each.model_copy(update={"kept_back": False}) for each in shown["situations"])
    shown["situations"] = tuple(situations)
    checks = tuple(_check_for_everyone(view, each) for each in things.checks)
    countdowns = tuple(_countdown_for_everyone(view, each) for each in things.countdowns)
    return things.model_copy(update={**shown, "checks": checks, "countdowns": countdowns})


def _countdown_for_everyone(view: View, one: Countdown) -> Countdown:
    """Show a countdown: about nobody, and bound to nothing, that stays hidden."""
    changes: dict[str, object] = {"visibility": Visibility.PUBLIC}
    if one.about not in view.public.characters:
        changes |= {"about": None, "fate": None, "from_attribute": None}
    if one.bound_id is not None and one.bound_id not in {*view.public.situations, *view.public.scenes}:
        changes |= {"bound_to": BoundTo.NOTHING, "bound_id": None}
    return one.model_copy(update=changes)


def _check_for_everyone(view: View, check: Check) -> Check:
    """Show a check: no effort any more against a challenge that stays hidden, and with odds that count tokens in."""
    known = check.effort in view.public.challenges
    shown = check.model_copy(update={"visibility": Visibility.PUBLIC, "effort": check.effort if known else None})
    begun = any(part.roll for part in check.parts)
    return shown if begun else shown.model_copy(update={"odds": check_odds(view, shown)})
