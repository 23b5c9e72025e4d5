import pytest

from dreadclock.evening.referee.things import _may_be_next
from dreadclock.wire.base import Kind


@pytest.mark.parametrize("thing_id", ["roll-1", "roll-9", "roll-10"])
def test_a_roll_may_have_the_next_number_or_one_that_an_earlier_version_counted(thing_id: str):
    assert _may_be_next(thing_id, Kind.ROLL, 10)


@pytest.mark.parametrize(
    "thing_id", ["roll-0", "roll-11", "roll-09", "roll-", "roll--1", "roll-1-clock", "check-10", "10"]
)
def test_a_roll_may_have_no_other_id(thing_id: str):
    assert not _may_be_next(thing_id, Kind.ROLL, 10)


def test_any_other_thing_has_the_next_number():
    assert [each for each in range(12) if _may_be_next(f"check-{each}", Kind.CHECK, 10)] == [10]
