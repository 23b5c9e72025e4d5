"""What things are told under: who hears of a thing hears of it with its root. Source: rules.md E4."""

from __future__ import annotations

from typing import NamedTuple

from dreadclock.wire.base import Channel, HiddenKind, Id, Kind, Visibility
from dreadclock.wire.things import Check, Clock, ClockKind, Countdown
from dreadclock.wire.views import View


class Root(NamedTuple):
    """The thing whose visibility decides who hears of an event."""

    kind: HiddenKind
    id: Id
    name: str
    visibility: Visibility

    @property
    def channel(self) -> Channel:
        """The channel in which its events lie."""
        return channel_of(self.visibility)


def channel_of(visibility: Visibility) -> Channel:
    """Return the channel in which a thing's events lie."""
    return Channel.PUBLIC if visibility is Visibility.PUBLIC else Channel.GM


def root_of_scene(view: View, scene_id: Id) -> Root:
    """Return the root of a scene."""
    one = view.scenes[scene_id]
    return Root(Kind.SCENE, one.id, one.name, one.visibility)


def root_of_situation(view: View, situation_id: Id) -> Root:
    """Return the root of a situation: itself if it is hidden in a scene that is not."""
    one = view.situations[situation_id]
    scene = root_of_scene(view, one.scene_id)
    if one.visibility is Visibility.PUBLIC or scene.visibility is not Visibility.PUBLIC:
        return scene
    return Root(Kind.SITUATION, one.id, one.name, one.visibility)


def root_of_clock(view: View, one: Clock) -> Root:
    """Return the root of a clock: itself if it stands for itself."""
    if one.kind is ClockKind.FREE or one.of is None:
        return Root(Kind.CLOCK, one.id, one.name, one.visibility)
    if one.kind is ClockKind.CHALLENGE:
        return root_of_situation(view, view.challenges[one.of].situation_id)
    return root_of_situation(view, one.of) if one.kind is ClockKind.SITUATION else root_of_scene(view, one.of)


def scene_of_clock(view: View, one: Clock) -> Id:
    """Return the scene that a clock belongs to, however deep in it."""
    owner = str(one.of)
    if one.kind is ClockKind.CHALLENGE:
        owner = view.challenges[owner].situation_id
    inside = one.kind in (ClockKind.CHALLENGE, ClockKind.SITUATION)
    return view.situations[owner].scene_id if inside else owner


def root_of_check(check: Check) -> Root:
    """Return the root of a check: itself, without its purpose."""
    return Root(Kind.CHECK, check.id, "A check", check.visibility)


def root_of_countdown(one: Countdown) -> Root:
    """Return the root of a countdown: itself."""
    return Root(Kind.COUNTDOWN, one.id, one.name, one.visibility)
