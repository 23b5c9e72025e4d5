"""Drawings as SVG. No name is ever written into one: names stand beside it, in the page.

Colours are named by `PAINTS`; the page replaces them by its own, which differ by day and by night.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from dreadclock.evening.recap import chances
from dreadclock.evening.recap.clocks import Course, Panel
from dreadclock.evening.recap.countdowns import Survival
from dreadclock.evening.recap.dice import FACES, Tally
from dreadclock.evening.recap.times import Axis, Times
from dreadclock.rules.countdown import Speed
from dreadclock.wire.things import ClockKind

PAINTS: Final = {
    name: f"#0102{place:02x}"
    for place, name in enumerate(("ink", "soft", "faint-line", "blood", "calm", "veil", "gold", "ember", "band"))
}

_WIDTH: Final = 5.0  # in inches of 72 units
_RIGHT, _TOP = 0.975, 0.96  # as parts of a sheet
_FONT: Final = 13
_DASHES: Final = ((), (6.0, 3.0), (2.0, 2.0))
_COLOURS: Final = ("calm", "veil", "gold", "ember")
_MARKS: Final = 4  # along the time
_STYLE: Final[dict[Any, Any]] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "dreadclock",
    "text.parse_math": False,
    "lines.scale_dashes": False,
    "font.size": _FONT,
    "axes.edgecolor": PAINTS["soft"],
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "grid.color": PAINTS["faint-line"],
    "xtick.labelcolor": PAINTS["soft"],
    "ytick.labelcolor": PAINTS["soft"],
    "xtick.color": PAINTS["soft"],
    "ytick.left": False,
}


@dataclass(frozen=True, slots=True)
class Line:
    """How a line is drawn: its colour by name, its dashes and gaps (none is solid), and its width."""

    colour: str
    dashes: tuple[float, ...] = ()
    width: float = 2.0


@dataclass(frozen=True, slots=True)
class CountdownWords:
    """What is written at the axes of a countdown."""

    rolls: str
    dice: str


def lines(courses: Sequence[Course]) -> tuple[Line, ...]:
    """Give each clock of a panel a line: colours first, then dashes tell them apart."""
    given, place = [], 0
    for course in courses:
        if course.clock.kind is ClockKind.SCENE:
            given.append(Line("ink", width=3.0))
        elif course.clock.kind is ClockKind.THREAT:
            given.append(Line("blood", width=2.5))
        else:
            dashes, colour = divmod(place, len(_COLOURS))
            given.append(Line(_COLOURS[colour], _DASHES[dashes % len(_DASHES)]))
            place += 1
    return tuple(given)


def draw_clocks(panel: Panel, axis: Axis, times: Times) -> str:
    """Draw the clocks of a panel over time."""
    first = axis.place(min(course.moves[0][0] for course in panel.courses))
    last = axis.place(max(course.until for course in panel.courses))
    marks = axis.marks(first, last, _MARKS)
    days = len({times.date(at) for _, at in marks}) > 1
    with _sheet(2.5, left=0.08, bottom=0.24 if days else 0.14) as (figure, axes):
        for course, line in zip(panel.courses, lines(panel.courses), strict=True):
            _draw_course(axes, course, line, axis)
        axes.set_ylim(0, max(course.clock.size for course in panel.courses))
        axes.set_xlim(first, last if last > first else first + 1)
        _whole_numbers(axes)
        labels = [f"{times.of_day(at)}\n{times.date(at)}" if days else times.of_day(at) for _, at in marks]
        axes.set_xticks([place for place, _ in marks], labels)
        for label, (place, _) in zip(axes.get_xticklabels(), marks, strict=True):  # inwards, that nothing is cut off
            label.set_horizontalalignment("left" if place == first else "right" if place == last else "center")
        return _svg(figure)


def _draw_course(axes: Axes, course: Course, line: Line, axis: Axis) -> None:
    places = [axis.place(at) for at, _ in course.moves] + [axis.place(course.until)]
    values = [value for _, value in course.moves] + [course.moves[-1][1]]
    style = (0, line.dashes) if line.dashes else "-"
    axes.step(places, values, PAINTS[line.colour], where="post", lw=line.width, ls=style, clip_on=False)
    axes.plot(places[-1:], values[-1:], "o", ms=2 + 1.5 * line.width, color=PAINTS[line.colour], clip_on=False)


def draw_countdown(survival: Survival, words: CountdownWords) -> str:
    """Draw a countdown's pool after each roll over the band and the mean that chance has for it."""
    speed, stretches, first = survival.countdown.speed, survival.stretches, 0
    with _sheet(2.5, left=0.13, bottom=0.23) as (figure, axes):
        for stretch in stretches:
            last = stretch is stretches[-1]
            seen = max(stretch.rolls, chances.horizon(stretch.pools[0], speed)) if last else stretch.rolls
            _odds(axes, first, stretch.pools[0], speed, seen)
            places = range(first, first + len(stretch.pools))
            axes.plot(places, stretch.pools, PAINTS["ember"], lw=2.5, marker="o", ms=5, clip_on=False)
            first += stretch.rolls
        axes.set_ylim(0)
        axes.set_xlim(0)
        axes.set_xlabel(words.rolls, color=PAINTS["soft"])
        axes.set_ylabel(words.dice, color=PAINTS["soft"])
        _whole_numbers(axes)
        axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
        return _svg(figure)


def _odds(axes: Axes, first: int, pool: int, speed: Speed, rolls: int) -> None:
    band = [chances.band(pool, speed, roll) for roll in range(rolls + 1)]
    places = range(first, first + rolls + 1)
    low, high = zip(*band, strict=True)
    axes.fill_between(places, low, high, color=PAINTS["band"], lw=0)
    means = [chances.mean(pool, speed, roll) for roll in range(rolls + 1)]
    axes.plot(places, means, PAINTS["soft"], lw=1.5, ls=(0, (4.0, 3.0)))


def draw_tally(tally: Tally) -> str:
    """Draw how often each face came, and the line that fair dice keep to on average."""
    with _sheet(2.0, left=0.01, bottom=0.26) as (figure, axes):
        axes.bar(FACES, tally.counts, color=PAINTS["calm"], width=0.7)
        axes.axhline(tally.dice / len(FACES), color=PAINTS["blood"], lw=1.5, ls=(0, (4.0, 3.0)))
        axes.set_ylim(0, max(tally.counts) * 1.1)
        axes.set_yticks([])
        axes.set_xticks(FACES, [f"{face}\n{count}×" for face, count in zip(FACES, tally.counts, strict=True)])
        axes.tick_params(axis="x", length=0)
        return _svg(figure)


# The sheet


@contextmanager
def _sheet(height: float, left: float, bottom: float) -> Iterator[tuple[Figure, Axes]]:
    """Lay out a sheet: its height in inches, and what its labels take at the left and below, as parts of it."""
    with rc_context(_STYLE):
        figure = Figure((_WIDTH, height))
        figure.patch.set_visible(False)
        axes = figure.add_axes((left, bottom, _RIGHT - left, _TOP - bottom))
        axes.patch.set_visible(False)
        yield figure, axes


def _svg(figure: Figure) -> str:
    file = io.StringIO()
    figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    return file.getvalue()


def _whole_numbers(axes: Axes) -> None:
    axes.yaxis.set_major_locator(MaxNLocator(4, integer=True))
