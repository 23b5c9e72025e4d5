"""Drawings as SVG. They contain no names: the page writes names beside a drawing.

They contain no colours, only classes of the page's style, which has a light and a dark theme.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from dreadclock.rules.countdown import Speed
from dreadclock.wire.things import ClockKind
from dreadclock_server.evening.recap import chances
from dreadclock_server.evening.recap.dice import FACES, Tally
from dreadclock_server.evening.recap.markup import Markup, tag
from dreadclock_server.evening.recap.things import Course, Panel, Stretch, Survival
from dreadclock_server.evening.recap.times import Axis, Times

_WIDTH: Final = 360
_RIGHT, _TOP = 350, 10
_LINE: Final = 17  # distance between two lines of text
_DASHES: Final = ("", " dashed", " dotted")
_COLOURS: Final = ("brass", "violet", "gold", "verdigris")
_MARKS: Final = 4  # the maximum number of marks on the time axis, and of intervals on the vertical axis
_ROLLS: Final = 6  # the maximum number of intervals on the axis of a countdown's rolls
_DOT: Final = 4
_PIPS: Final = {1: (5,), 2: (3, 7), 3: (3, 5, 7), 4: (1, 3, 7, 9), 5: (1, 3, 5, 7, 9), 6: (1, 3, 4, 6, 7, 9)}

Point = tuple[float, float]


class CountdownWords(NamedTuple):
    """The labels at the axes of a countdown's drawing."""

    rolls: str
    dice: str


class _Sheet(NamedTuple):
    """The scale of a drawing: values from `first` to `last` horizontally, and from 0 to `top` vertically."""

    left: float
    bottom: float
    first: float
    last: float
    top: float

    def x(self, value: float) -> float:
        return round(self.left + (value - self.first) / (self.last - self.first or 1) * (_RIGHT - self.left), 1)

    def y(self, value: float) -> float:
        return round(self.bottom - value / (self.top or 1) * (self.bottom - _TOP), 1)

    def at(self, point: Point) -> str:
        return f"{self.x(point[0]):g} {self.y(point[1]):g}"


def lines(courses: Sequence[Course]) -> tuple[str, ...]:
    """Return the CSS classes for the lines of clocks. A scene's clock and its threat have their own colours.

    The other clocks first get different colours, then the same colours with dashes.
    """
    given, place = [], 0
    for course in courses:
        if course.clock.kind is ClockKind.SCENE:
            given.append("ink")
        elif course.clock.kind is ClockKind.THREAT:
            given.append("blood")
        else:
            dashes, colour = divmod(place, len(_COLOURS))
            given.append(_COLOURS[colour] + _DASHES[dashes % len(_DASHES)])
            place += 1
    return tuple(given)


def draw_clocks(panel: Panel, axis: Axis, times: Times, described: str) -> Markup:
    """Draw the clocks of a panel over time. `described`: the alternative text."""
    first = axis.place(min(course.moves[0][0] for course in panel.courses))
    last = axis.place(max(course.until for course in panel.courses))
    marks = axis.marks(first, last, _MARKS)
    marks = list({times.date(at) + times.of_day(at): (place, at) for place, at in reversed(marks)}.values())[::-1]
    days = len({times.date(at) for _, at in marks}) > 1
    sheet = _Sheet(30, 155, first, last, max(course.clock.size for course in panel.courses))
    along = [
        _text(words, sheet.x(place), sheet.bottom + _LINE * line, _anchor(place, first, last))
        for place, at in marks
        for line, words in enumerate([times.of_day(at), *([times.date(at)] if days else [])], 1)
    ]
    drawn = [
        _course(sheet, *course_and_line, axis)
        for course_and_line in zip(panel.courses, lines(panel.courses), strict=True)
    ]
    return _svg(described, sheet.bottom + _LINE * (2 if days else 1) + 6, *along, *_heights(sheet), *drawn)


def _anchor(place: float, first: float, last: float) -> str:
    """Return the text anchor: labels at either end are aligned inwards, so that nothing is cut off."""
    return "start" if place == first else "end" if place == last else "middle"


def _course(sheet: _Sheet, course: Course, line: str, axis: Axis) -> Markup:
    (at, value), *later = course.moves
    steps = "".join(f"H{sheet.x(axis.place(at)):g}V{sheet.y(value):g}" for at, value in later)
    end = axis.place(course.until), course.moves[-1][1]
    path = f"M{sheet.at((axis.place(at), value))}{steps}H{sheet.x(end[0]):g}"
    return tag("g", tag("path", class_=f"line {line}", d=path), _dot(sheet, end, line))


def draw_countdown(survival: Survival, words: CountdownWords, described: str) -> Markup:
    """Draw a countdown's pool after each roll, with the mean and the usual range."""
    stretches, speed = survival.stretches, survival.countdown.speed
    horizon = chances.horizon(stretches[-1].pools[0], speed)
    *before, latest = [stretch.rolls for stretch in stretches]
    shown = [*before, max(latest, horizon)]
    sheet = _Sheet(46, 145, 0, sum(shown), max(dice for stretch in stretches for dice in stretch.pools))
    drawn = [
        part
        for place, stretch in enumerate(stretches)
        for part in _stretch(sheet, stretch, sum(before[:place]), shown[place], speed)
    ]
    rolls = [_text(f"{roll}", sheet.x(roll), sheet.bottom + _LINE, "middle") for roll in _numbers(sheet.last, _ROLLS)]
    middle = (_TOP + sheet.bottom) / 2
    axes = (
        _text(words.rolls, (sheet.left + _RIGHT) / 2, sheet.bottom + 2 * _LINE, "middle"),
        tag("text", words.dice, transform=f"translate(14 {middle:g})rotate(-90)", text_anchor="middle"),
    )
    return _svg(described, sheet.bottom + 2 * _LINE + 6, *_heights(sheet), *drawn, *rolls, *axes)


def _stretch(sheet: _Sheet, stretch: Stretch, first: int, shown: int, speed: Speed) -> Iterator[Markup]:
    pool, rolls = stretch.pools[0], range(shown + 1)
    band = [chances.band(pool, speed, roll) for roll in rolls]
    low, high = ([(first + roll, bounds[end]) for roll, bounds in enumerate(band)] for end in (0, 1))
    yield tag("path", class_="band", d=_path(sheet, [*low, *reversed(high)]) + "Z")
    means = [(first + roll, chances.mean(pool, speed, roll)) for roll in rolls]
    yield tag("path", class_="mean", d=_path(sheet, means))
    pools = [(first + roll, dice) for roll, dice in enumerate(stretch.pools)]
    yield tag("path", class_="line brass", d=_path(sheet, pools))
    yield from (_dot(sheet, point, "brass") for point in pools)


def draw_tally(tally: Tally, described: str) -> Markup:
    """Draw how often each face was rolled, and the average of fair dice."""
    sheet = _Sheet(0, 95, 0.4, 6.6, max(tally.counts) * 1.1)
    fair = sheet.y(tally.dice / len(FACES))
    return _svg(
        described,
        sheet.bottom + 47,
        *(_bar(sheet, face, count) for face, count in zip(FACES, tally.counts, strict=True)),
        tag("path", class_="fair", d=f"M8 {fair:g}H{_RIGHT}"),
        tag("path", class_="ground", d=f"M8 {sheet.bottom:g}H{_RIGHT}"),
    )


def _bar(sheet: _Sheet, face: int, count: int) -> Markup:
    middle, top = sheet.x(face), sheet.y(count)
    bar = tag("rect", class_="bar-of", x=middle - 18, y=top, width=36, height=round(sheet.bottom - top, 1), rx=3)
    return tag("g", bar, _die(face, middle - 9, sheet.bottom + 6), _text(f"{count}×", middle, sheet.bottom + 41))


def draw_dice(dice: Sequence[tuple[int, str]], described: str) -> Markup:
    """Draw dice in rows. `dice`: faces, each with the CSS class of its mark, or an empty text."""
    drawn = (tag("svg", _die(face, 1, 1, mark), viewBox="0 0 20 20", aria_hidden="true") for face, mark in dice)
    return tag("p", *drawn, class_="dice", role="img", aria_label=described)


def _die(face: int, left: float, top: float, mark: str = "") -> Markup:
    pips = (
        tag("circle", class_="pip", cx=4.5 + 4.5 * ((pip - 1) % 3), cy=4.5 + 4.5 * ((pip - 1) // 3), r=1.7)
        for pip in _PIPS[face]
    )
    edge = tag("rect", class_=f"die {mark}".rstrip(), width=18, height=18, rx=4)
    return tag("g", edge, *pips, transform=f"translate({left:g} {top:g})")


# Helpers for all drawings


def _svg(described: str, height: float, *parts: Markup) -> Markup:
    box = f"0 0 {_WIDTH} {height:g}"
    return tag("svg", *parts, class_="drawing", role="img", aria_label=described, viewBox=box)


def _heights(sheet: _Sheet) -> Iterator[Markup]:
    """Draw a few horizontal lines with their numbers."""
    for number in _numbers(sheet.top, _MARKS):
        y = sheet.y(number)
        yield tag("path", class_="grid" if number else "ground", d=f"M{sheet.left:g} {y:g}H{_RIGHT}")
        yield _text(f"{number}", sheet.left - 7, y + 4, "end")


def _numbers(top: float, spaces: int) -> range:
    """Return whole numbers from 0 to `top`, with at most `spaces` equal spaces between them."""
    apart = next(
        step * ten for ten in (10**power for power in range(20)) for step in (1, 2, 5) if step * ten * spaces >= top
    )
    return range(0, int(top) + 1, apart)


def _text(words: str, x: float, y: float, anchor: str = "middle") -> Markup:
    return tag("text", words, x=f"{x:g}", y=f"{y:g}", text_anchor=anchor)


def _path(sheet: _Sheet, points: Iterable[Point]) -> str:
    return "M" + "L".join(map(sheet.at, points))


def _dot(sheet: _Sheet, point: Point, line: str) -> Markup:
    return tag("circle", class_=f"dot {line.partition(' ')[0]}", cx=sheet.x(point[0]), cy=sheet.y(point[1]), r=_DOT)
