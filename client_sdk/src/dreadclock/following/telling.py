"""Where consequences are told, and under which thing: who hears of a thing hears of it with its root."""

from typing import NamedTuple, Protocol

from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Faces, HiddenKind, Id, Kind, RollProof, Visibility
from dreadclock.wire.families.clocks import situation_of_clock
from dreadclock.wire.things import Character, Check, Clock, ClockKind, Countdown, Effect, When
from dreadclock.wire.views import View


class Root(NamedTuple):
    """The thing whose visibility decides who hears of an event: a countdown, clock, scene, ..., or a character."""

    kind: HiddenKind
    id: Id
    name: str
    visibility: Visibility

    @property
    def channel(self) -> Channel:
        """The channel in which its events lie."""
        return channel_of(self.visibility)


class Happened(NamedTuple):
    """A moment of a thing that just came; `at` names a countdown's stage."""

    kind: Kind
    id: Id
    when: When
    at: int | None = None


class Fumbled(NamedTuple):
    """A fumble effect that just happened to a character, and what it does."""

    character_id: Id
    effect: str
    do: tuple[Effect, ...]


class Drawn(NamedTuple):
    """Faces of a roll, and what they come from; physical ones have no proof."""

    faces: Faces
    proof: RollProof | None


class Telling(Protocol):
    """Takes the events that follow: a command's draft."""

    @property
    def view(self) -> View:
        """What is seen after the events so far."""

    @property
    def moments(self) -> list[Happened | Fumbled]:
        """The moments that came since consequences were last brought about, in order."""

    def emit(self, channel: Channel, event: e.Event) -> None:
        """Tell an event in a channel."""

    def may_emit(self, channel: Channel, event: e.Event) -> None:
        """Tell an event that not every server tells here."""

    def tell(self, root: Root, event: e.Event) -> None:
        """Tell an event about a thing where it belongs; of a sealed one the public hears that it changed."""

    def hint(self, root: Root) -> None:
        """Let the public hear that a sealed thing changed, once for a command."""

    def draw(self, root: Root, count: int) -> Drawn:
        """Return `count` faces for the roll that is told next."""


def note(t: Telling, kind: Kind, thing_id: Id, when: When, at: int | None = None) -> None:
    """Note that a moment came: what is attached to it follows when all else that the command brings is told. E5."""
    t.moments.append(Happened(kind, thing_id, when, at))


def channel_of(visibility: Visibility) -> Channel:
    """Return the channel in which a thing's events lie."""
    return Channel.PUBLIC if visibility is Visibility.PUBLIC else Channel.GM


def root_of_scene(view: View, scene_id: Id) -> Root:
    """Return the root that a scene and all in it are told under."""
    one = view.scenes[scene_id]
    return Root(Kind.SCENE, one.id, one.name, one.visibility)


def root_of_situation(view: View, situation_id: Id) -> Root:
    """Return the root of a situation and all in it: itself if it does not come to light with its scene."""
    one = view.situations[situation_id]
    scene = root_of_scene(view, one.scene_id)
    if not one.kept_back and (one.visibility is Visibility.PUBLIC or scene.visibility is not Visibility.PUBLIC):
        return scene
    return Root(Kind.SITUATION, one.id, one.name, one.visibility)


def root_of_clock(view: View, one: Clock) -> Root:
    """Return the root of a clock: itself if it stands for itself, else that of its situation or scene."""
    if one.kind is ClockKind.FREE or one.of is None:
        return Root(Kind.CLOCK, one.id, one.name, one.visibility)
    situation_id = situation_of_clock(view, one)
    return root_of_scene(view, one.of) if situation_id is None else root_of_situation(view, situation_id)


def root_of_check(check: Check) -> Root:
    """Return the root of a check: itself; its purpose is no name that everyone may know."""
    return Root(Kind.CHECK, check.id, "A check", check.visibility)


def root_of_character(one: Character) -> Root:
    """Return the root of a character: itself."""
    return Root(Kind.CHARACTER, one.id, one.name, one.visibility)


def root_of_countdown(one: Countdown) -> Root:
    """Return the root of a countdown: itself."""
    return Root(Kind.COUNTDOWN, one.id, one.name, one.visibility)
