"""Finding what a command names. What a seat may not see is answered as if it did not exist."""

from collections.abc import Mapping
from typing import TypeVar

from dreadclock.wire.base import Channel, Id, Kind, Role, Visibility
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.things import (
    Challenge,
    Character,
    Clock,
    ClockKind,
    Countdown,
    Effort,
    Scene,
    SceneStatus,
    Seat,
    Situation,
)
from dreadclock_server.core.draft import Draft, Root

_Thing = TypeVar("_Thing")


def find(draft: Draft, field: str, kind: str, thing_id: Id) -> tuple[Channel, object]:
    """Return a thing of a family that the sender sees, and the channel it lies in.

    Raises Refused(unknown) if there is none.
    """
    for channel in draft.by.channels:
        things: Mapping[Id, object] = getattr(draft.part(channel), field)
        if thing_id in things:
            return channel, things[thing_id]
    if thing_id in draft.view.public.sealed and Channel.GM not in draft.by.channels:
        raise Refused(Code.NOT_ALLOWED, allowed="the gm")
    raise Refused(Code.UNKNOWN, kind=kind, id=thing_id)


def seat(draft: Draft, seat_id: Id) -> Seat:
    """Return a seat. Raises Refused(unknown) if there is none."""
    if seat_id not in draft.view.seats:
        raise Refused(Code.UNKNOWN, kind="seat", id=seat_id)
    return draft.view.seats[seat_id]


def character(draft: Draft, character_id: Id) -> Character:
    """Return a character. Raises Refused(unknown) if there is none."""
    return _typed(Character, draft, "characters", Kind.CHARACTER, character_id)


def countdown(draft: Draft, countdown_id: Id) -> Countdown:
    """Return a countdown that the sender sees."""
    return _typed(Countdown, draft, "countdowns", Kind.COUNTDOWN, countdown_id)


def clock(draft: Draft, clock_id: Id) -> Clock:
    """Return a clock that the sender sees."""
    return _typed(Clock, draft, "clocks", Kind.CLOCK, clock_id)


def scene(draft: Draft, scene_id: Id) -> Scene:
    """Return a scene that the sender sees."""
    return _typed(Scene, draft, "scenes", Kind.SCENE, scene_id)


def open_scene(draft: Draft, scene_id: Id) -> Scene:
    """Return a scene that is still open. Raises Refused(ended) if it is over."""
    one = scene(draft, scene_id)
    if one.status is not SceneStatus.OPEN:
        raise Refused(Code.ENDED, kind=Kind.SCENE, id=scene_id, status=one.status)
    return one


def situation(draft: Draft, situation_id: Id) -> Situation:
    """Return a situation that the sender sees."""
    return _typed(Situation, draft, "situations", Kind.SITUATION, situation_id)


def challenge(draft: Draft, challenge_id: Id) -> Challenge:
    """Return a challenge that the sender sees."""
    return _typed(Challenge, draft, "challenges", Kind.CHALLENGE, challenge_id)


def effort(draft: Draft, effort_id: Id) -> Effort:
    """Return an effort that waits for its ruling."""
    return _typed(Effort, draft, "efforts", Kind.EFFORT, effort_id)


def _typed(sort: type[_Thing], draft: Draft, field: str, kind: Kind, thing_id: Id) -> _Thing:
    found = find(draft, field, kind, thing_id)[1]
    assert isinstance(found, sort)
    return found


def root_of_scene(draft: Draft, scene_id: Id) -> Root:
    """Return the root that a scene and all in it are told under."""
    one = draft.view.scenes[scene_id]
    return Root(Kind.SCENE, one.id, one.name, one.visibility)


def root_of_situation(draft: Draft, situation_id: Id) -> Root:
    """Return the root of a situation's scene."""
    return root_of_scene(draft, draft.view.situations[situation_id].scene_id)


def root_of_clock(draft: Draft, one: Clock) -> Root:
    """Return the clock itself if it stands for itself, else its scene."""
    if one.kind is ClockKind.FREE or one.of is None:
        return Root(Kind.CLOCK, one.id, one.name, one.visibility)
    return root_of_scene(draft, scene_of_clock(draft, one))


def scene_of_clock(draft: Draft, one: Clock) -> Id:
    """Return the scene that a clock belongs to, however deep in it."""
    view, owner = draft.view, str(one.of)
    if one.kind is ClockKind.CHALLENGE:
        owner = view.challenges[owner].situation_id
    if one.kind in (ClockKind.CHALLENGE, ClockKind.SITUATION):
        owner = view.situations[owner].scene_id
    return owner


def require_gm_for(draft: Draft, visibility: Visibility) -> None:
    """Refuse to let anyone but the gm keep a secret."""
    if visibility is not Visibility.PUBLIC and draft.by.role is not Role.GM:
        raise Refused(Code.NOT_ALLOWED, allowed="the gm")
