"""The pace of a story: as fast as people read, only while somebody watches."""

import asyncio
from collections.abc import Callable

import pytest

from dreadclock_server.in_play import pace as pacing
from dreadclock_server.in_play.pace import WATCHED_FOR_S, Abandoned, Pace

LONG = "x" * 1600


async def settled() -> None:
    """Let everybody have several turns."""
    for _ in range(10):
        await asyncio.sleep(0)


class Hands:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def hands() -> Hands:
    return Hands()


async def reading(pace: Pace) -> "asyncio.Task[None]":
    task = asyncio.create_task(pace.read(LONG))
    await settled()
    return task


def passed(hands: Hands, seconds: float) -> None:
    hands.now += seconds


async def test_a_pause_holds_a_step_back_and_next_takes_it_all_the_same(hands: Callable[[], float]) -> None:
    pace = Pace(600, hands)
    pace.set(paused=True)
    task = await reading(pace)
    assert isinstance(hands, Hands)
    passed(hands, 500)
    pace.watched()
    await settled()
    assert not task.done()

    pace.set(skip=True)
    await task


async def test_what_was_read_before_a_pause_need_not_be_read_again(hands: Hands) -> None:
    pace = Pace(600, hands)
    task = await reading(pace)
    passed(hands, 10)
    pace.set(paused=True)
    await settled()
    passed(hands, len(LONG))
    pace.watched()
    pace.set(paused=False)
    await settled()
    assert not task.done()

    passed(hands, 1)
    pace.watched()
    pace.set(fast=True)
    await settled()
    assert not task.done()
    for _ in range(10):  # at four times the pace
        passed(hands, 2.5)
        pace.watched()
        pace.set()
        await settled()
    assert task.done()


async def test_nothing_goes_on_while_nobody_watches(hands: Hands) -> None:
    pace = Pace(600, hands)
    passed(hands, WATCHED_FOR_S + 1)
    task = await reading(pace)
    passed(hands, 300)
    pace.set()
    await settled()
    assert not task.done()
    task.cancel()


async def test_who_is_away_for_long_has_abandoned_it(hands: Hands, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pacing, "LOOK_AGAIN_S", 0)
    pace = Pace(600, hands)
    passed(hands, 600)

    with pytest.raises(Abandoned):
        await pace.rest()
