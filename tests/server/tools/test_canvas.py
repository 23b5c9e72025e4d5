"""Labels of a name and an id, in the columns that there are."""

from __future__ import annotations

import pytest

from dreadclock_server.tools.canvas import ASCII, Pen, remarks

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
