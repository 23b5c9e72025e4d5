"""The story of an evening in sentences, by scene and turn. A step is a record, with the views before and after it."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

from dreadclock.dice.rolled import rolled
from dreadclock.export import Step
from dreadclock.narration import Narrator, is_quiet
from dreadclock.wire.base import Channel, Id
from dreadclock.wire.events import CharacterAdded, CheckResolved, Event, SceneOpened, TotalSucceeded
from dreadclock.wire.things import SceneStatus
from dreadclock.wire.views import View

_NO_STORY: Final = frozenset(
    {
        *("room_opened", "room_continued", "edition_changed", "room_closed", "room_reopened", "policy_set"),
        *("seat_joined", "seat_renamed", "seat_lent", "seat_taken_back", "seat_removed"),
        *("character_updated", "sheet_proposed", "sheet_approved", "sheet_refused", "effects_set", "effects_offered"),
        *("cancelled", "command_voided", "countdown_amended", "clock_amended", "sealed_changed"),
        *("check_proposed", "check_adjusted", "help_joined", "opposition_joined", "check_withdrawn"),
        *("check_odds_changed", "momentum_spent", "interference_spent", "venture_paid", "venture_lapsed"),
        *("cost_proposed", "cost_answered", "total_proposed", "total_adjusted", "total_withdrawn"),
        *("required_set", "secret_set", "required_revealed", "push_offered", "crisis_due"),
        *("turn_ended", "scene_turn_ended"),  # shown as a heading
        *("consequence_attached", "consequence_detached", "consequence_skipped", "consequences_stopped"),
    }
)
"""Events without a sentence in the story. They are only bookkeeping, or another event says the same."""

_BEGINS: Final = frozenset({"countdown_rolled", "round_ended", "scene_opened"})
"""Events that start a new group of sentences, even at the same time as the event before."""


class Told(NamedTuple):
    """Sentences of a group of events, separated by line breaks. `secret`: whether only the gm saw the events."""

    at: int
    sentence: str
    secret: bool


class Turn(NamedTuple):
    """What happened in a turn of a chapter."""

    number: int
    told: tuple[Told, ...]


class Played(NamedTuple):
    """A scene in one line. `at`: its start. `rolls`: how often dice were rolled while it was the latest open scene."""

    at: int
    name: str
    status: SceneStatus
    rolls: int


class Chapter(NamedTuple):
    """The events while one scene was the latest open scene. `scene`: its name, or None if no scene was open."""

    scene: str | None
    turns: tuple[Turn, ...]


def told(step: Step, narrator: Narrator) -> Told:
    """Return the sentences of a step."""
    record = step.record
    return Told(record.at, narrator.told(record, step.after, step.before), record.channel is Channel.GM)


def worth_telling(steps: Iterable[Step]) -> tuple[Step, ...]:
    """Return the steps whose events have a sentence."""
    return tuple(step for step in steps if not is_quiet(step.record.event))


def chapters(steps: Sequence[Step], narrator: Narrator) -> tuple[Chapter, ...]:
    """Return the chapters of an evening. The event that ends a scene is in the scene's chapter."""
    placed = [(_scene(step), step.before.turn, step) for step in worth_telling(steps) if _carries_story(step)]
    names = {scene.id: scene.name for step in steps for scene in step.after.scenes.values()} if placed else {}
    return tuple(
        Chapter(
            None if scene_id is None else names[scene_id],
            tuple(
                Turn(number, tuple(_sentences(group, narrator) for group in _together(step for _, _, step in of_turn)))
                for number, of_turn in groupby(of_scene, key=lambda item: item[1])
            ),
        )
        for scene_id, of_scene in groupby(placed, key=lambda item: item[0])
    )


def scenes(steps: Sequence[Step]) -> tuple[Played, ...]:
    """Return the scenes of an evening, in the order of their first events in these steps."""
    played: dict[Id, Played] = {}
    for step in steps:
        key = _scene(step)
        scene = step.after.scenes.get(key) if key is not None else None
        if scene is not None:
            roll = rolled(step.record.event)
            first = played.get(scene.id, Played(step.record.at, scene.name, scene.status, 0))
            rolls = first.rolls + (roll is not None and bool(roll.faces))
            played[scene.id] = first._replace(name=scene.name, status=scene.status, rolls=rolls)
    return tuple(played.values())


def _carries_story(step: Step) -> bool:
    """Return whether a step belongs in the story. False if another step or another section shows the same."""
    event = step.record.event
    if isinstance(event, CheckResolved):
        check = step.after.checks.get(event.check_id)
        return check is None or len(check.parts) > 1 or check.effort is not None
    if isinstance(event, CharacterAdded):
        return _latest_open(step.before) is not None  # characters from before the first scene are in the list of people
    if isinstance(event, TotalSucceeded):
        total = step.after.totals.get(event.total_id)
        return total is None or total.effort is not None
    return event.type not in _NO_STORY


def _together(steps: Iterable[Step]) -> Iterator[list[Step]]:
    """Group steps about the same check or total, and consecutive steps of the same seat and time.

    Groups are in the order of their first steps.
    """
    groups: list[list[Step]] = []
    of_roll: dict[tuple[Channel, Id], list[Step]] = {}
    latest: list[Step] = []
    for step in steps:
        roll = _roll(step.record.event)
        key = None if roll is None else (step.record.channel, roll)
        if key in of_roll:
            latest = of_roll[key]
        elif not (latest and _goes_on(latest[-1], step)):
            groups.append(latest := [])
        latest.append(step)
        if key is not None:
            of_roll[key] = latest
    yield from groups


def _roll(event: Event) -> Id | None:
    """Return the id of the event's check or total; None if the event is about neither."""
    about: Any = event
    return getattr(about, "check_id", None) or getattr(about, "total_id", None)


def _goes_on(before: Step, step: Step) -> bool:
    first, other = before.record, step.record
    is_same_moment = (first.channel, first.at, first.by) == (other.channel, other.at, other.by)
    return is_same_moment and other.event.type not in _BEGINS


def _sentences(steps: Sequence[Step], narrator: Narrator) -> Told:
    """Return the sentences of a group. If only the gm saw the events, the narrator marks the first as secret."""
    first, *others = steps
    begun = told(first, narrator)
    more = (narrator.sentence(step.record, step.after, step.before) for step in others)
    return Told(begun.at, "\n".join((begun.sentence, *more)), begun.secret)


def _scene(step: Step) -> Id | None:
    """Return the id of a step's scene: the scene that the step opens, or the latest scene that was open before it."""
    event = step.record.event
    return event.scene.id if isinstance(event, SceneOpened) else _latest_open(step.before)


def _latest_open(view: View) -> Id | None:
    return next((key for key, scene in reversed(view.scenes.items()) if scene.status is SceneStatus.OPEN), None)
