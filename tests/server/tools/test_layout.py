"""What is left out of a picture where a terminal is too low for all of it."""

import io

import pytest
from rich.console import Console
from rich.text import Text

from dreadclock_server.tools.canvas import ASCII, Pen, Rank, Row, Section, remarks
from dreadclock_server.tools.layout import fitted, whole
from dreadclock_server.tools.words import words_of


def line(text: str, rank: Rank = Rank.GOES_ON) -> Row:
    return Row((Text(text),), rank)


SECTIONS = [
    Section("", [line("Title", Rank.TOP), line("People")]),
    Section("Scenes", [line("Scene", Rank.SCENE), line("Long ago", Rank.ENDED), line("Door", Rank.WAITS)]),
    Section("Clocks", [line("Water"), line("Fire"), line("Rust", Rank.ENDED)]),
    Section("Checks", [line("Old", Rank.ENDED), line("Dive", Rank.WAITS), line("Kick", Rank.WAITS)]),
    Section("Latest", [*(line(f"Turn {n}", Rank.TOLD) for n in (1, 2, 3)), line("Turn 4", Rank.TOP)]),
]
DENSE = 19  # lines of all that without empty ones


def shown(height: int, sections: list[Section] | None = None) -> list[str]:
    """Fit sections into a terminal and return the lines."""
    console = Console(file=io.StringIO(), width=40, height=height, force_terminal=True, color_system=None, _environ={})
    with console.capture() as capture:
        console.print(fitted(SECTIONS if sections is None else sections, console, words_of("en")))
    return capture.get().splitlines()


def test_where_there_is_room_sections_are_set_apart_and_nothing_is_left_out() -> None:
    console = Console(file=io.StringIO(), width=40, color_system=None, _environ={})
    console.print(whole(SECTIONS))

    assert shown(DENSE + 4) == console.file.getvalue().splitlines()  # type: ignore[attr-defined]
    assert shown(DENSE + 4)[:4] == ["Title", "People", "", "Scenes"]


def test_empty_lines_go_first() -> None:
    assert (len(shown(DENSE)), "" in shown(DENSE), "more" in " ".join(shown(DENSE))) == (DENSE, False, False)


def test_then_goes_what_has_ended_and_the_lines_that_are_left_out_are_counted() -> None:
    assert shown(DENSE - 2) == [
        *("Title", "People", "Scenes", "Scene", "Door", "Clocks", "Water", "Fire", "Checks", "Dive", "Kick"),
        "... 3 more lines",
        *("Latest", "Turn 1", "Turn 2", "Turn 3", "Turn 4"),
    ]


def test_then_goes_what_goes_on_from_the_end() -> None:
    assert shown(DENSE - 5)[:8] == ["Title", "People", "Scenes", "Scene", "Door", "Checks", "Dive", "Kick"]


def test_what_waits_and_what_happened_last_stay() -> None:
    assert shown(9) == [
        *("Title", "Scenes", "Door", "Checks", "Dive", "Kick"),
        "... 11 more lines",
        *("Latest", "Turn 4"),
    ]


@pytest.mark.parametrize("height", range(5, DENSE + 8))
def test_the_picture_is_never_higher_than_the_terminal_and_the_count_is_right(height: int) -> None:
    lines = shown(height)
    counted = [int(each.split()[1]) for each in lines if each.startswith("...")]

    assert len(lines) <= height
    assert [len(lines) - 1 + number for number in counted] == [DENSE] * (height < DENSE)


@pytest.mark.parametrize(
    ("height", "lines"), [(1, ["Title", "... 18 more lines"]), (2, ["Title", "... 18 more lines"])]
)
def test_a_terminal_too_low_for_anything_gets_the_title(height: int, lines: list[str]) -> None:
    assert shown(height) == lines


def test_a_section_alone_is_cut_too() -> None:
    assert shown(2, SECTIONS[1:2]) == ["Scenes", "Door", "... 2 more lines"]


# Labels of a name and an id, in the columns that there are


NAME = "Water in the lower vault, and it is rising"


@pytest.mark.parametrize(
    ("pen", "label"),
    [
        (Pen(width=80), "  Water in the lower vault… [clock-12]"),
        (Pen(ASCII, width=80), "  Water in the lower vault. [clock-12]"),
        (Pen(width=80, ids=False), "  Water in the lower vault, and it is…"),
        (Pen(width=120), "  Water in the lower vault, and… [clock-12]"),
        (Pen(width=20), "  Water in the l… [clock-12]"),
    ],
)
def test_a_long_name_is_shortened_so_that_its_id_stays_beside_it(pen: Pen, label: str) -> None:
    text = pen.labelled(2, NAME, "clock-12")

    assert text.plain == label
    assert text.cell_len <= pen.label


def test_a_name_as_wide_as_its_room_is_left_as_it_is() -> None:
    assert Pen(width=80).labelled(2, "N" * 25, "clock-12").plain == f"  {'N' * 25} [clock-12]"


def test_a_name_of_wide_characters_is_measured_by_its_columns() -> None:
    assert Pen(width=80).labelled(2, "水" * 20, "clock-12").plain == f"  {'水' * 12}… [clock-12]"


def test_a_name_in_a_right_to_left_script_is_isolated_from_what_stands_beside_it() -> None:
    hebrew = "\u05e9\u05e8\u05d4"

    assert Pen(width=80).labelled(2, hebrew, "clock-12").plain == f"  \u2068{hebrew}\u2069 [clock-12]"
    assert Pen(width=80).labelled(2, hebrew * 20, "clock-12").plain == f"  \u2068{hebrew * 8}…\u2069 [clock-12]"
    assert remarks("up", f"of {hebrew}").plain == f"up, \u2068of {hebrew}\u2069"


def test_an_id_as_long_as_its_column_stands_below_a_name_that_does_not_fit_beside_it() -> None:
    below = "a" * 32

    lines = Pen(width=80).labelled(4, NAME, below).plain.splitlines()

    assert lines == ["    Water in the lower vault, and it…", f"    [{below}]"]
    assert max(map(len, lines)) <= Pen(width=80).label
    assert Pen(width=80).labelled(2, "W", below).plain == f"  W [{below}]"


def test_a_label_without_an_id_is_its_name() -> None:
    assert Pen().labelled(4, "helped by Chen", None).plain == "    helped by Chen"
