"""Find the things that commands name, and refuse those that the sender may not see or use.

A hidden thing that the sender may not see is refused as unknown. Everyone knows that a sealed thing exists, so it is
refused with the words that only the gm may do this.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, TypeVar

from dreadclock.wire import things as t
from dreadclock.wire.base import Channel, Id, Kind, Role, Visibility
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.families.clocks import situation_of_clock
from dreadclock.wire.ids import GM_SEAT
from dreadclock.wire.views import View
from dreadclock_server.core.draft import Actor, Draft, Topic
from dreadclock_server.core.rights import named

_Thing = TypeVar("_Thing")


class SeesAll(NamedTuple):
    """A searcher that sees everything in a view, with the gm's rights."""

    view: View
    by: Actor = Actor(GM_SEAT, Role.GM)


Searcher = Draft | SeesAll  # the view to search, and the seat whose rights count


def holds(require: Callable[[SeesAll, _Thing], object], view: View, thing: _Thing) -> bool:
    """Tell whether `require` accepts a thing if everything is visible. False if it raises Refused."""
    try:
        require(SeesAll(view), thing)
    except Refused:
        return False
    return True


def find(field: str, kind: str, draft: Searcher, thing_id: Id) -> Any:
    """Return the thing `thing_id` from the field `field` of the channels that the sender sees.

    Raises Refused(not_allowed) if the thing is sealed for the sender, and Refused(unknown) if the sender sees no such
    thing. `kind`: the word for the thing in the refusal.
    """
    parts = draft.view.channels
    for channel in draft.by.channels:
        thing = getattr(parts[channel], field).get(thing_id)
        if thing is not None:
            return thing
    if thing_id in draft.view.public.sealed and Channel.GM not in draft.by.channels:
        raise Refused(Code.NOT_ALLOWED, allowed="the gm")
    raise Refused(Code.UNKNOWN, kind=kind, id=thing_id)


def _finder(sort: type[_Thing]) -> Callable[[Searcher, Id], _Thing]:
    """Return a function that finds a thing of type `sort` by its id.

    It raises Refused if the sender does not see it.
    """
    kind = Kind(sort.__name__.lower())
    return partial(find, f"{kind}s", kind)


countdown, clock, scene, situation = _finder(t.Countdown), _finder(t.Clock), _finder(t.Scene), _finder(t.Situation)
challenge, effort = _finder(t.Challenge), _finder(t.Effort)  # an effort: an attempt, until the gm rules on it
character, check, total = _finder(t.Character), _finder(t.Check), _finder(t.Total)


def seat(draft: Draft, seat_id: Id) -> t.Seat:
    """Return a seat. Raises Refused(unknown) if there is none."""
    if seat_id not in draft.view.seats:
        raise Refused(Code.UNKNOWN, kind="seat", id=seat_id)
    return draft.view.seats[seat_id]


def owning_seat(draft: Draft, seat_id: Id) -> t.Seat:
    """Return a seat that may own things. Raises Refused if there is no such seat, or if it is a spectator's."""
    owner = seat(draft, seat_id)
    if owner.role is Role.SPECTATOR:
        raise Refused(Code.LOOKS_ON, id=owner.id)
    return owner


def require_in_play(character: t.Character) -> None:
    """Raise Refused if a character is out of play."""
    if character.status is not t.CharacterStatus.IN_PLAY:
        raise Refused(Code.OUT_OF_PLAY, id=character.id, status=character.status)


def require_able(character: t.Character) -> None:
    """Raise Refused if no dice may be rolled for a character.

    This is so if the character is out of play, or if the gm must first name the kind of its crisis. Source: rules.md
    D6 and D7.
    """
    require_in_play(character)
    if character.crisis_due is not None:
        raise Refused(Code.CRISIS_WAITS, id=character.id)


def open_scene(draft: Searcher, scene_id: Id, *, aside: bool = False) -> t.Scene:
    """Return a scene that is still open.

    Raises Refused if the sender sees no such scene, if it is over, or if it is set aside and `aside` is false. Source:
    rules.md B20.
    """
    target = scene(draft, scene_id)
    if target.status is not t.SceneStatus.OPEN:
        raise Refused(Code.ENDED, kind=Kind.SCENE, id=scene_id, status=target.status)
    if target.aside and not aside:
        raise Refused(Code.SCENE_ASIDE, id=scene_id)
    return target


def open_place(draft: Draft, place_id: Id) -> Id:
    """Return the id of a public scene or situation in which rolls can happen.

    Raises Refused if there is no such public place, or if it is over or only prepared. Source: rules.md C21.
    """
    part = draft.part(Channel.PUBLIC)
    place = part.situations.get(place_id) or part.scenes.get(place_id)
    if place is None:
        raise Refused(Code.UNKNOWN, kind="scene or situation", id=place_id)
    if place.status not in (t.SceneStatus.OPEN, t.SituationStatus.OPEN):
        kind = Kind.SCENE if isinstance(place, t.Scene) else Kind.SITUATION
        raise Refused(Code.ENDED, kind=kind, id=place_id, status=place.status)
    return place_id


def require_under_way(draft: Draft, challenge_id: Id | None) -> None:
    """Raise Refused if a roll is an effort against an open challenge whose scene is over or set aside.

    `challenge_id`: None if the roll is no effort. Source: rules.md B20.
    """
    challenge = draft.view.challenges.get(challenge_id or "")
    if challenge is not None and challenge.status is t.ChallengeStatus.OPEN:
        open_scene(draft, draft.view.situations[challenge.situation_id].scene_id)


def require_gm(draft: Draft) -> None:
    """Raise Refused if the sender is not the gm."""
    if draft.by.role is not Role.GM:
        raise Refused(Code.NOT_ALLOWED, allowed="the gm")


def require_gm_for(draft: Draft, visibility: Visibility) -> None:
    """Raise Refused if the visibility is not public and the sender is not the gm."""
    if visibility is not Visibility.PUBLIC:
        require_gm(draft)


def must_wait(draft: Draft) -> bool:
    """Tell whether checks and totals that the sender proposes must be approved by the gm."""
    return draft.view.policy.check_approval is t.CheckApproval.GM and draft.by.role is not Role.GM


def owner_for(draft: Draft, asked: Id | None) -> Id | None:
    """Return the owner of a new thing: a player's own seat, or the seat that the gm or an integration names, or None.

    Raises Refused if a player names another seat, or if the seat does not exist or is a spectator's.
    """
    if draft.by.role is Role.PLAYER:
        if asked not in (None, draft.by.seat_id):
            raise Refused(Code.NOT_ALLOWED, allowed="the gm")
        return draft.by.seat_id
    return owning_seat(draft, asked).id if asked is not None else None


def given(command: Any, fields: tuple[str, ...]) -> dict[str, object]:
    given = {field: getattr(command, field) for field in fields if getattr(command, field) is not None}
    if not given:
        raise Refused(Code.NOTHING_TO_CHANGE)
    return given


named_character = named(character, "character_id")  # a function that finds the character that a command names


def own_or_named(draft: Draft, character: t.Character | None) -> Id | None:
    """Return the seat that counts as the owner in a command whose character is optional.

    If there is a character, its owner counts. Without a character, every player may send the command: a player's own
    seat counts as the owner. Returns None if nobody counts as the owner.
    """
    if character is not None:
        return character.owner
    return draft.by.seat_id if draft.by.role is Role.PLAYER else None


def owner_of(draft: Draft, character_id: Id) -> Id | None:
    """Return the owner of a character; None if it has no owner, or the view no longer keeps the character."""
    character = draft.view.characters.get(character_id)
    return character.owner if character is not None else None


def open_situation(draft: Draft, situation_id: Id) -> t.Situation:
    """Return an open situation in an open scene.

    Raises Refused if there is no such situation, if it is over or only prepared, or if its scene is over or set aside.
    """
    target = situation(draft, situation_id)
    if target.status is t.SituationStatus.PREPARED:
        raise Refused(Code.NOT_BEGUN, id=situation_id)
    if not target.is_open:
        raise Refused(Code.ENDED, kind=Kind.SITUATION, id=situation_id, status=target.status)
    open_scene(draft, target.scene_id)
    return target


def open_challenge(draft: Draft, challenge_id: Id) -> t.Challenge:
    """Return an open challenge in an open situation.

    Raises Refused if there is no such challenge, if it is over, or if its situation is not open.
    """
    target = challenge(draft, challenge_id)
    if not target.is_open:
        raise Refused(Code.ENDED, kind=Kind.CHALLENGE, id=challenge_id, status=target.status)
    open_situation(draft, target.situation_id)
    return target


# A topic is the thing whose visibility decides who receives an event


def topic_of_scene(view: View, scene_id: Id) -> Topic:
    """Return the topic for a scene and everything in it."""
    scene = view.scenes[scene_id]
    return Topic(Kind.SCENE, scene.id, scene.name, scene.visibility)


def topic_of_situation(view: View, situation_id: Id) -> Topic:
    """Return the topic for a situation and everything in it.

    This is the situation itself if it is hidden or sealed in a public scene, or hidden separately in a hidden scene.
    Otherwise it is the scene.
    """
    situation = view.situations[situation_id]
    scene = topic_of_scene(view, situation.scene_id)
    comes_later = situation.visibility is not Visibility.PUBLIC and scene.visibility is Visibility.PUBLIC
    if not situation.kept_back and not comes_later:
        return scene
    return Topic(Kind.SITUATION, situation.id, situation.name, situation.visibility)


def topic_of_clock(view: View, clock: t.Clock) -> Topic:
    """Return the topic of a clock: the clock itself if free-standing, otherwise the topic of its situation or scene."""
    if clock.kind is t.ClockKind.FREE or clock.of is None:
        return Topic(Kind.CLOCK, clock.id, clock.name, clock.visibility)
    situation_id = situation_of_clock(view, clock)
    return topic_of_scene(view, clock.of) if situation_id is None else topic_of_situation(view, situation_id)


def topic_of_check(check: t.Check) -> Topic:
    """Return the topic of a check: the check itself.

    The name is always "A check": everyone sees the name of a sealed check, and the name must not give its purpose away.
    """
    return Topic(Kind.CHECK, check.id, "A check", check.visibility)


def topic_of_character(character: t.Character) -> Topic:
    """Return the topic of a character: the character itself."""
    return Topic(Kind.CHARACTER, character.id, character.name, character.visibility)


def topic_of_countdown(countdown: t.Countdown) -> Topic:
    """Return the topic of a countdown: the countdown itself."""
    return Topic(Kind.COUNTDOWN, countdown.id, countdown.name, countdown.visibility)
