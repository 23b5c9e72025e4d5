"""Times in a zone, and the axis on which long pauses are short."""

from __future__ import annotations

from datetime import timedelta, timezone

import pytest

from dreadclock_server.evening.recap.times import Axis, Times
from kit.evenings.played import EIGHT_PM_MS

INDIA = timezone(timedelta(hours=5, minutes=30))
MINUTE_MS = 60_000


def test_times_are_written_in_the_zone_that_was_named() -> None:
    times = Times(INDIA)

    assert times.of_day(EIGHT_PM_MS) == "01:30"
    assert times.to_the_second(EIGHT_PM_MS + 7_000) == "01:30:07"
    assert times.date(EIGHT_PM_MS) == "2027-01-27"
    assert times.offset(EIGHT_PM_MS) == "UTC+05:30"


def test_a_time_beyond_the_calendar_is_at_its_end() -> None:
    assert Times(INDIA).date(10**30).startswith("9999-")


def test_a_long_pause_takes_a_quarter_of_an_hour_on_the_axis() -> None:
    minutes = [0, 10, 10 + 24 * 60, 10 + 24 * 60 + 5]
    axis = Axis(EIGHT_PM_MS + minute * MINUTE_MS for minute in minutes)

    assert [axis.place(EIGHT_PM_MS + minute * MINUTE_MS) for minute in minutes] == [0, 10, 25, 30]


def test_a_clock_that_was_set_back_takes_no_time() -> None:
    axis = Axis([EIGHT_PM_MS, EIGHT_PM_MS - MINUTE_MS, EIGHT_PM_MS + MINUTE_MS])

    assert axis.place(EIGHT_PM_MS - MINUTE_MS) == 0
    assert axis.place(EIGHT_PM_MS + MINUTE_MS) == 1


@pytest.mark.parametrize(
    ("first", "last", "minutes"),
    [(0, 30, [0, 10, 20, 30]), (10, 20, [10, 13, 20]), (7, 7, [7])],
    ids=["all of it", "a part of it", "one moment"],
)
def test_marks_are_records_that_lie_well_apart(first: int, last: int, minutes: list[int]) -> None:
    records = (0, 1, 7, 10, 13, 20, 21, 30)
    axis = Axis(EIGHT_PM_MS + minute * MINUTE_MS for minute in records)

    marks = axis.marks(first, last, 4)

    assert marks == [(minute, EIGHT_PM_MS + minute * MINUTE_MS) for minute in minutes]
