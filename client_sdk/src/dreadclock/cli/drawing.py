"""A room as a picture in text. Everything is drawn from what one viewer sees, nothing is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeVar

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from dreadclock.cli.plain import plain
from dreadclock.cli.words import QUIET, dice, sentence
from dreadclock.mirror import in_order
from dreadclock.wire.base import Id, Visibility
from dreadclock.wire.records import Record
from dreadclock.wire.things import (
    Challenge,
    ChallengeStatus,
    Clock,
    ClockKind,
    Countdown,
    CountdownStatus,
    Scene,
    SceneStatus,
    Situation,
    SituationKind,
    SituationStatus,
)
from dreadclock.wire.views import View

LATEST: Final = 8  # events
ENDED: Final = 3  # scenes, countdowns and clocks that are over
LABEL: Final = 28  # columns at least, so that bars and pools stand in line
BAR: Final = 20  # cells; a larger clock shares them

_OVER: Final = "dim"
_LOST: Final = "dim strike"
_MARKS: Final = {Visibility.PUBLIC: "", Visibility.SEALED: "sealed", Visibility.GM: "gm only"}
_Thing = TypeVar("_Thing")


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The characters that a terminal can show."""

    faces: str
    die: str  # in a pool
    full: str  # of a bar
    empty: str
    here: str  # a seat that is connected
    away: str


PRETTY: Final = Glyphs(faces="⚀⚁⚂⚃⚄⚅", die="▢", full="█", empty="░", here="●", away="○")
ASCII: Final = Glyphs(faces="123456", die="o", full="#", empty="-", here="*", away=" ")


@dataclass(frozen=True, slots=True)
class Seen:
    """All that a picture shows: a view, the seats that are connected, and whether the viewer is."""

    view: View
    here: Mapping[Id, int] = field(default_factory=dict)
    connected: bool = True


def picture(seen: Seen, glyphs: Glyphs = PRETTY) -> RenderableType:
    """Draw a room: its people, scenes, clocks and countdowns, what is sealed, and what happened last."""
    view = seen.view
    parts: list[list[RenderableType]] = [
        [_title(seen), _people(seen, glyphs)],
        *_scenes(view, glyphs),
        _titled("Clocks", _free_clocks(view, glyphs)),
        _titled("Countdowns", _countdowns(view, glyphs)),
        [_sealed(view)] if view.sealed else [],
        _titled("Latest", _told(view)),
    ]
    drawn = [each for part in parts if part for each in (Text(), *part)]
    return Group(*drawn[1:])


def _titled(title: str, drawn: list[RenderableType]) -> list[RenderableType]:
    return [Text(title, "bold"), *drawn] if drawn else []


def _title(seen: Seen) -> Text:
    title = Text(plain(seen.view.title), "bold").append(f"   turn {seen.view.turn}", "not bold")
    if seen.view.public.closed:
        title.append("   closed", "not bold yellow")
    if not seen.connected:
        title.append("   reconnecting ...", "not bold red")
    return title


def _people(seen: Seen, glyphs: Glyphs) -> Text:
    people = [
        Text(f"{glyphs.here if here else glyphs.away} {plain(seat.name)} ({seat.role})", "" if here else _OVER)
        for seat in seen.view.seats.values()
        for here in [seat.id in seen.here]
    ]
    return Text("   ").join(people)


def _grid() -> Table:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(overflow="ellipsis", no_wrap=True, min_width=LABEL, max_width=44)
    return grid


# Scenes and clocks


def _scenes(view: View, glyphs: Glyphs) -> list[list[RenderableType]]:
    scenes = _with_few_ended(view.scenes, lambda scene: scene.status is not SceneStatus.OPEN)
    return [[_scene(view, scene, glyphs)] for scene in scenes]


def _scene(view: View, scene: Scene, glyphs: Glyphs) -> Table:
    grid = _grid()
    ended = "" if scene.status is SceneStatus.OPEN else scene.status
    _add_clock(grid, glyphs, f"Scene: {scene.name}", view.clocks[scene.clock_id], ended, _MARKS[scene.visibility])
    if scene.threat_id is not None:
        _add_clock(grid, glyphs, "  Threat", view.clocks[scene.threat_id], style="red")
    for situation in view.situations.values():
        if situation.scene_id == scene.id:
            _add_situation(grid, glyphs, view, situation)
    return grid


def _add_situation(grid: Table, glyphs: Glyphs, view: View, situation: Situation) -> None:
    race = situation.kind is SituationKind.RACE
    _add_clock(
        grid,
        glyphs,
        f"  {'Race' if race else 'Situation'}: {situation.name}",
        view.clocks[situation.clock_id],
        (situation.outcome or situation.status).replace("_", " ") if _is_over(situation) else "",
        f"level {situation.level}, {situation.difficulty}" if race else situation.content,
        f"round {situation.round + 1}" if race and not _is_over(situation) else "",
    )
    for challenge in view.challenges.values():
        if challenge.situation_id == situation.id and not _is_over(situation):
            _add_challenge(grid, glyphs, view, challenge)


def _is_over(situation: Situation) -> bool:
    return situation.status is not SituationStatus.OPEN


def _add_challenge(grid: Table, glyphs: Glyphs, view: View, challenge: Challenge) -> None:
    waiting = [_seat_name(view, each.seat_id) for each in view.efforts.values() if each.challenge_id == challenge.id]
    ended = "" if challenge.status is ChallengeStatus.OPEN else challenge.status
    efforts = f"effort of {', '.join(waiting)} waits for the gm" if waiting else ""
    label = f"    {challenge.kind.capitalize()}: {challenge.name}"
    _add_clock(grid, glyphs, label, view.clocks[challenge.clock_id], ended, efforts)


def _free_clocks(view: View, glyphs: Glyphs) -> list[RenderableType]:
    free = {key: clock for key, clock in view.clocks.items() if clock.kind is ClockKind.FREE}
    grid = _grid()
    for clock in _with_few_ended(free, lambda clock: clock.done):
        owner = f"of {_seat_name(view, clock.owner)}" if clock.owner else ""
        ended = "done" if clock.done else ""
        _add_clock(grid, glyphs, f"  {clock.name}", clock, ended, owner, _MARKS[clock.visibility])
    return [grid] if grid.row_count else []


def _add_clock(
    grid: Table, glyphs: Glyphs, label: str, clock: Clock, ended: str = "", *remarks: str, style: str = "cyan"
) -> None:
    """Add a clock's row: its label, a bar, its value, and what else there is to say."""
    cells = min(clock.size, BAR)
    full = -(-clock.value * cells // clock.size)  # rounded up: only a clock at 0 looks empty
    bar = Text(glyphs.full * full, style).append(glyphs.empty * (cells - full), _OVER)
    indent = len(label) - len(label.lstrip())
    name = Text(" " * indent + plain(label), _OVER if ended else "")
    grid.add_row(name, bar, Text(f"{clock.value}/{clock.size}"), _remarks(ended, *remarks))


def _remarks(*remarks: str) -> Text:
    return Text(plain(", ".join(remark for remark in remarks if remark)), _OVER)


# Countdowns


def _countdowns(view: View, glyphs: Glyphs) -> list[RenderableType]:
    grid = _grid()
    for countdown in _with_few_ended(view.countdowns, _has_ended):
        name = Text("  " + plain(countdown.name), _OVER if _has_ended(countdown) else "")
        pool = Text(glyphs.die * countdown.pool)
        grid.add_row(name, pool, _rolled(countdown, glyphs), _said_of(view, countdown))
    return [grid] if grid.row_count else []


def _has_ended(countdown: Countdown) -> bool:
    return countdown.status in (CountdownStatus.EXPIRED, CountdownStatus.CANCELLED)


def _rolled(countdown: Countdown, glyphs: Glyphs) -> Text:
    """Show the last roll, in the order rolled; dice that left the pool are in brackets."""
    gone = countdown.speed.expiring
    faces = [
        Text(f"({glyphs.faces[face - 1]})", _LOST) if face in gone else Text(glyphs.faces[face - 1], "bold")
        for face in countdown.last_faces
    ]
    return Text(" ").join(faces)


def _said_of(view: View, countdown: Countdown) -> Text:
    return _remarks(
        dice(countdown.pool) if countdown.status is CountdownStatus.RUNNING else countdown.status,
        countdown.speed,
        f"of {_seat_name(view, countdown.owner)}" if countdown.owner else "",
        *(f"at {stage.at}: {stage.effect}" for stage in countdown.stages if stage.at < countdown.pool),
        _MARKS[countdown.visibility],
    )


# The rest


def _sealed(view: View) -> Text:
    lines = [f"sealed: {plain(each.name)} ({each.kind})" for each in view.sealed.values()]
    return Text("\n".join(lines), "magenta")


def _told(view: View) -> list[RenderableType]:
    return [Text("  " + sentence(record, view)) for record in latest(view)[-LATEST:]]


def latest(view: View) -> list[Record]:
    """List the latest records of all channels that a story would tell, oldest first."""
    records = in_order(record for part in view.channels.values() for record in part.recent)
    return [record for record in records if record.event.type not in QUIET]


def _seat_name(view: View, seat_id: Id) -> str:
    seat = view.seats.get(seat_id)
    return seat.name if seat else seat_id


def _with_few_ended(things: Mapping[Id, _Thing], ended: Callable[[_Thing], bool]) -> list[_Thing]:
    """List the things that go on and the latest few that ended, in their order."""
    over = [key for key, thing in things.items() if ended(thing)]
    forgotten = set(over[:-ENDED])
    return [thing for key, thing in things.items() if key not in forgotten]
