"""Drawings: what is in them can be read off their text and their lines."""

from __future__ import annotations

import re
from datetime import UTC

from dreadclock.evening.recap.clocks import Course, Panel
from dreadclock.evening.recap.countdowns import Survival
from dreadclock.evening.recap.dice import Tally
from dreadclock.evening.recap.drawing import (
    PAINTS,
    CountdownWords,
    Line,
    draw_clocks,
    draw_countdown,
    draw_tally,
    lines,
)
from dreadclock.evening.recap.times import Axis, Times
from kit.evenings.played import EIGHT_PM_MS
from kit.scenery import FEVER, RACE_CLOCK, SCENE_CLOCK, THREAT, WATER

HOUR_MS = 3_600_000
AXIS = Axis(EIGHT_PM_MS + minute * 60_000 for minute in range(0, 61, 10))


def texts(svg: str) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)</text>", svg)


def course(*values: int) -> Course:
    moves = [(EIGHT_PM_MS + 600_000 * place, value) for place, value in enumerate(values)]
    return Course(WATER, moves, EIGHT_PM_MS + HOUR_MS)


def test_clocks_stand_over_the_times_of_the_evening() -> None:
    svg = draw_clocks(Panel(None, (course(3, 5, 8),)), AXIS, Times(UTC))

    assert texts(svg) == ["20:00", "20:20", "20:40", "21:00", "0", "2", "4", "6", "8"]


def test_over_several_days_times_have_dates() -> None:
    far = Axis([EIGHT_PM_MS, EIGHT_PM_MS + 24 * HOUR_MS])
    one = Course(WATER, [(EIGHT_PM_MS, 3), (EIGHT_PM_MS + 24 * HOUR_MS, 4)], EIGHT_PM_MS + 24 * HOUR_MS)

    shown = texts(draw_clocks(Panel(None, (one,)), far, Times(UTC)))

    assert shown[:4] == ["20:00", "2027-01-26", "20:00", "2027-01-27"]


def test_scene_and_threat_have_lines_of_their_own_and_no_two_others_look_alike() -> None:
    others = [WATER.model_copy(update={"id": f"water-{number}"}) for number in range(12)]
    clocks = [SCENE_CLOCK, THREAT, RACE_CLOCK, *others[:11]]

    drawn = lines([Course(clock) for clock in clocks])

    assert drawn[:2] == (Line("ink", width=3.0), Line("blood", width=2.5))
    assert len(set(drawn)) == len(clocks)


def test_a_countdown_shows_its_rolls_beside_its_odds_and_further_where_it_ended_early() -> None:
    words = CountdownWords("rolls", "dice")

    shown = texts(draw_countdown(Survival(FEVER, [(4, 0)]), words))

    assert shown[-1] == "dice"
    assert "rolls" in shown
    assert max(int(text) for text in shown if text.isdecimal()) >= 4


def test_a_tally_names_each_face_with_its_count() -> None:
    shown = texts(draw_tally(Tally(None, physical=False, counts=(3, 0, 11, 1, 2, 7))))

    assert shown == ["1", "3×", "2", "0×", "3", "11×", "4", "1×", "5", "2×", "6", "7×"]


def test_no_colour_but_the_pages_own_is_used() -> None:
    drawn = (
        draw_clocks(Panel(None, (course(3, 5, 8),)), AXIS, Times(UTC)),
        draw_countdown(Survival(FEVER, [(4, 2), (5, 0)]), CountdownWords("rolls", "dice")),
        draw_tally(Tally(None, physical=False, counts=(1,) * 6)),
    )

    assert set(re.findall(r"#[0-9a-f]{6}", "".join(drawn))) <= set(PAINTS.values())


def test_the_same_evening_is_drawn_the_same_and_without_a_date() -> None:
    panel = Panel(None, (course(3, 5, 8),))

    svg = draw_clocks(panel, AXIS, Times(UTC))

    assert svg == draw_clocks(panel, AXIS, Times(UTC))
    assert "dc:date" not in svg
