"""Arrange the sections of a picture, and leave out rows if the terminal has too few lines."""

from collections.abc import Collection, Sequence
from functools import partial

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from dreadclock_server.tools.canvas import LABEL, OVER, Rank, Row, Section
from dreadclock_server.tools.words import Words

_Place = tuple[int, int]  # the place of a row: the number of its section, and its number in the section


def whole(sections: Sequence[Section]) -> RenderableType:
    """Draw everything, with an empty line between sections."""
    parts = _drawn(sections, _places(sections))
    return Group(*[line for part in parts for line in (Text(), *part)][1:])


def fitted(sections: Sequence[Section], console: Console, words: Words) -> RenderableType:
    """Draw as much as fits the terminal, with the number of omitted lines.

    Leaves out empty lines first, then ended things, then open things from the end. Things that wait for somebody and
    the latest events stay longest.
    """
    everything = whole(sections)
    if _height(console, everything) <= console.height:
        return everything
    places = sorted(_places(sections), key=lambda place: _importance(sections, place))
    dense = partial(_dense, sections, words)
    lines = _height(console, dense(places))
    if lines <= console.height:
        return dense(places)
    fits, too_many = 1, len(places)
    while too_many - fits > 1:
        middle = (fits + too_many) // 2
        # not `<=`: the line about omitted lines also needs space
        if _height(console, dense(places[:middle])) < console.height:
            fits = middle
        else:
            too_many = middle
    return dense(places[:fits], lines - _height(console, dense(places[:fits])))


def _importance(sections: Sequence[Section], place: _Place) -> tuple[int, int, int]:
    """Return the sort key of a row: rows with a low key stay longest.

    Within a rank, earlier rows stay longer than later rows. But later events stay longer than earlier events.
    """
    number, at = place
    rank = sections[number].rows[at].rank
    return rank, number, -at if rank is Rank.TOLD else at


def _places(sections: Sequence[Section]) -> list[_Place]:
    return [(number, at) for number, section in enumerate(sections) for at in range(len(section.rows))]


def _height(console: Console, drawn: RenderableType) -> int:
    return len(console.render_lines(drawn, console.options.update(height=None), pad=False))


def _dense(sections: Sequence[Section], words: Words, places: Collection[_Place], left_out: int = 0) -> RenderableType:
    """Draw the rows at these places without empty lines. A line before the events says how many lines are missing."""
    parts = _drawn(sections, places)
    if left_out:
        last_is_told = len(parts) > 1 and any(number == len(sections) - 1 for number, _ in places)
        parts[-2 if last_is_told else -1].append(Text(words("more", number=left_out), OVER))
    return Group(*(line for part in parts for line in part))


def _drawn(sections: Sequence[Section], places: Collection[_Place]) -> list[list[RenderableType]]:
    """Draw the rows at these places, section by section."""
    chosen = set(places)
    parts: list[list[RenderableType]] = []
    for number, section in enumerate(sections):
        rows = [row for at, row in enumerate(section.rows) if (number, at) in chosen]
        if rows:
            parts.append([*([Text(section.title, "bold")] if section.title else []), *_rows(section, rows)])
    return parts


def _rows(section: Section, rows: list[Row]) -> list[RenderableType]:
    if all(len(row.cells) == 1 for row in rows):
        return [row.cells[0] for row in rows]
    table = Table.grid(padding=(0, 2))
    table.add_column(overflow="ellipsis", no_wrap=True, min_width=LABEL, max_width=section.label)
    for row in rows:
        table.add_row(*row.cells)
    return [table]
