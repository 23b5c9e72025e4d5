"""Helpers for pictures made of text: the characters to draw with, rows, and remarks."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, TypeVar

from rich.console import Console
from rich.text import Text

from dreadclock.narration import Narrator
from dreadclock.wire.base import Face, Id, Visibility
from dreadclock.wire.plain import isolated, plain, reclosed
from dreadclock.wire.views import View
from dreadclock_server.tools.words import Words, words_of

ENDED: Final = 3  # how many ended things of each kind are shown
LABEL: Final = 28  # minimum columns of a label, so that bars and pools are aligned
OVER: Final = "dim"
LOST: Final = "dim strike"

_WIDE: Final = 100  # from this many columns on, bars are long
_LONGEST_LABEL: Final = 44
_BESIDE_LABEL: Final = 42  # columns beside the label
_SHORTEST_NAME: Final = 12  # if fewer columns are left beside the id for the name, the id goes to the next line

_ENGLISH: Final = Narrator()

_Thing = TypeVar("_Thing")


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The characters that stand for dice, bars and marks in a picture."""

    faces: str
    die: str  # a die in a pool
    full: str  # a filled cell of a bar
    empty: str
    here: str  # marks a connected seat
    away: str
    box: str  # an empty box for a crisis
    marked: str  # a box after a crisis
    cut: str  # marks the end of a shortened name


PRETTY: Final = Glyphs(faces="⚀⚁⚂⚃⚄⚅", die="▢", full="█", empty="░", here="●", away="○", box="☐", marked="☒", cut="…")
ASCII: Final = Glyphs(faces="123456", die="o", full="#", empty="-", here="*", away=" ", box="_", marked="X", cut=".")


@dataclass(frozen=True, slots=True)
class Pen:
    """The options of a picture: characters, columns, whether to show ids, and the language."""

    glyphs: Glyphs = PRETTY
    width: int = _WIDE
    ids: bool = True
    narrator: Narrator = _ENGLISH

    @classmethod
    def on(cls, console: Console, narrator: Narrator, *, ids: bool) -> "Pen":
        """Return a Pen for a console."""
        return cls(ASCII if console.options.ascii_only else PRETTY, console.width, ids, narrator)

    @property
    def words(self) -> Words:
        """The words of the narrator's language."""
        return words_of(self.narrator.language)

    @property
    def label(self) -> int:
        """The columns for a label."""
        return max(LABEL, min(_LONGEST_LABEL, self.width - _BESIDE_LABEL))

    @property
    def bar(self) -> int:
        """The cells of a bar. Larger clocks are scaled down."""
        return 20 if self.width >= _WIDE else 10

    def id_of(self, thing_id: Id) -> str:
        """Return an id in the form that follows a name; empty if the picture has no ids."""
        return f" [{thing_id}]" if self.ids else ""

    def of(self, view: View, owner: Id | None) -> str:
        """Return words that name the owner of a thing; empty if there is no owner."""
        return self.words("of", name=self.seat_name(view, owner)) if owner else ""

    def seat_name(self, view: View, seat_id: Id) -> str:
        """Return a seat's name, or its id if the seat is gone."""
        seat = view.seats.get(seat_id)
        return seat.name if seat else self.narrator.unnamed(seat_id)

    def dice(self, number: int) -> str:
        """Return a number of dice in words."""
        return self.narrator.word("dice", number)

    def rolled(self, faces: Iterable[Face], stands: Iterable[bool]) -> Text:
        """Draw the faces of a roll in their order.

        `stands`: for each die, whether it still counts. Dice that do not count are drawn in brackets.
        """
        drawn = [
            Text(self.glyphs.faces[face - 1], "bold") if stays else Text(f"({self.glyphs.faces[face - 1]})", LOST)
            for face, stays in zip(faces, stands, strict=True)
        ]
        return Text(" ").join(drawn)

    def mark(self, visibility: Visibility) -> str:
        """Return words that say who sees a thing; empty if everyone sees it."""
        return self.words(f"mark.{visibility}")

    def labelled(self, indent: int, name: str, thing_id: Id | None, style: str = "") -> Text:
        """Draw a label with a name and its id.

        If there is little space, the name is shortened, or the id goes to the next line.
        """
        shown_id = self.id_of(thing_id) if thing_id is not None else ""
        text, room = plain(name), self.label - indent
        beside = room - len(shown_id)
        if shown_id and Text(text).cell_len > beside and beside < _SHORTEST_NAME:
            shown_id, beside = f"\n{' ' * indent}{shown_id.strip()}", room
        return Text(" " * indent).append(isolated(self._cut(text, beside)), style).append(shown_id, OVER)

    def _cut(self, text: str, columns: int) -> str:
        shortened = Text(text)
        if shortened.cell_len <= columns:
            return text
        shortened.truncate(columns - 1)
        return reclosed(shortened.plain.rstrip()) + self.glyphs.cut


class Rank(IntEnum):
    """The priority of a row. If not all rows fit, rows with a high number are left out first."""

    TOP = 0
    WAITS = 1  # somebody has to act
    SCENE = 2  # an open scene
    TOLD = 3  # an event
    GOES_ON = 4  # any other thing that has not ended
    ENDED = 5


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a section: a label and its content, or a line without a label."""

    cells: tuple[Text, ...]
    rank: Rank = Rank.GOES_ON


@dataclass(frozen=True, slots=True)
class Section:
    """Rows that belong together, with an optional title. `label`: the width of the labels in columns."""

    title: str
    rows: list[Row]
    label: int = LABEL


def remarks(*said: str) -> Text:
    """Join remarks with commas. Leaves out empty remarks."""
    return Text(plain(", ".join(isolated(remark) for remark in said if remark)), OVER)


def with_few_ended(things: Mapping[Id, _Thing], ended: Callable[[_Thing], bool]) -> list[_Thing]:
    """Return all open things, and the last few (ENDED) of the ended things, in the order of `things`."""
    over = [key for key, thing in things.items() if ended(thing)]
    forgotten = set(over[:-ENDED])
    return [thing for key, thing in things.items() if key not in forgotten]
