"""Drawings: what is in them can be read off their text and their lines."""

from __future__ import annotations

import re
from datetime import UTC
from importlib.resources import files

from dreadclock_server.evening.recap import chances
from dreadclock_server.evening.recap.dice import Tally
from dreadclock_server.evening.recap.drawing import CountdownWords, draw_clocks, draw_countdown, draw_tally, lines
from dreadclock_server.evening.recap.things import Course, Panel, Survival
from dreadclock_server.evening.recap.times import Axis, Times
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
    svg = draw_clocks(Panel(None, (course(3, 5, 8),)), AXIS, Times(UTC), "clocks")

    assert texts(svg) == ["20:00", "20:20", "20:40", "21:00", "0", "2", "4", "6", "8"]


def test_a_minute_is_named_once() -> None:
    short = Axis(EIGHT_PM_MS + 20_000 * step for step in range(5))
    one = Course(WATER, [(EIGHT_PM_MS, 3), (EIGHT_PM_MS + 80_000, 4)], EIGHT_PM_MS + 80_000)

    assert texts(draw_clocks(Panel(None, (one,)), short, Times(UTC), "clocks"))[:3] == ["20:00", "20:01", "0"]


def test_over_several_days_times_have_dates() -> None:
    far = Axis([EIGHT_PM_MS, EIGHT_PM_MS + 24 * HOUR_MS])
    one = Course(WATER, [(EIGHT_PM_MS, 3), (EIGHT_PM_MS + 24 * HOUR_MS, 4)], EIGHT_PM_MS + 24 * HOUR_MS)

    shown = texts(draw_clocks(Panel(None, (one,)), far, Times(UTC), "clocks"))

    assert shown[:4] == ["20:00", "2027-01-26", "20:00", "2027-01-27"]


def test_scene_and_threat_have_lines_of_their_own_and_no_two_others_look_alike() -> None:
    others = [WATER.model_copy(update={"id": f"water-{number}"}) for number in range(12)]
    clocks = [SCENE_CLOCK, THREAT, RACE_CLOCK, *others[:11]]

    drawn = lines([Course(clock) for clock in clocks])

    assert drawn[:2] == ("ink", "blood")
    assert len(set(drawn)) == len(clocks)


def test_a_countdown_shows_its_rolls_beside_its_odds_and_further_where_it_ended_early() -> None:
    words = CountdownWords("rolls", "dice")

    drawn = draw_countdown(Survival(FEVER, [(4, 0)]), words, "a pool")

    horizon = chances.horizon(4, FEVER.speed)
    assert horizon == 6
    assert texts(drawn) == ["0", "1", "2", "3", "4", *map(str, range(horizon + 1)), "rolls", "dice"]
    assert re.findall(r'<circle class="dot brass" cx="([\d.]+)" cy="([\d.]+)"', drawn) == [
        ("46.0", "10.0"),
        (f"{46 + 304 / horizon:.1f}", "145.0"),
    ]


def test_a_tally_names_each_face_with_its_count() -> None:
    drawn = draw_tally(Tally(None, physical=False, counts=(3, 0, 11, 1, 2, 7)), "dice")

    assert texts(drawn) == ["3×", "0×", "11×", "1×", "2×", "7×"]
    assert [die.count('class="pip"') for die in drawn.split('class="die"')] == [0, 1, 2, 3, 4, 5, 6]


def test_a_drawing_says_what_it_shows_and_has_no_colour_but_the_classes_of_the_pages_style() -> None:
    twelve = [WATER.model_copy(update={"id": f"water-{number}"}) for number in range(12)]
    ways = [Course(each, [(EIGHT_PM_MS, 1)], EIGHT_PM_MS) for each in (SCENE_CLOCK, THREAT, *twelve)]
    drawn = (
        draw_clocks(Panel(None, tuple(ways)), AXIS, Times(UTC), 'what "it" <shows>'),
        draw_countdown(Survival(FEVER, [(4, 2), (5, 0)]), CountdownWords("rolls", "dice"), "a pool"),
        draw_tally(Tally(None, physical=False, counts=(1,) * 6), "dice"),
    )

    style = files("dreadclock_server.evening.recap").joinpath("evening.css").read_text(encoding="utf-8")
    used = {name for each in re.findall(r'class="([^"]*)"', "".join(drawn)) for name in each.split()}
    assert len(used) > 15
    assert used <= set(re.findall(r"\.([a-z-]+)", style))
    assert not re.search(r"#[0-9a-f]{3}|style=|fill=|stroke=", "".join(drawn))
    assert drawn[0].startswith('<svg class="drawing" role="img" aria-label="what &quot;it&quot; &lt;shows&gt;" ')
