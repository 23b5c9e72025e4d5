"""What is sent to a crowd in one broadcast, and how long that waits for more."""

import asyncio
import random
from collections.abc import Awaitable, Callable

import pytest

from dreadclock.wire.base import Channel
from dreadclock_server.core.sessions import Done, Outcome
from dreadclock_server.rooms import broadcast
from dreadclock_server.rooms.answers import QueuedCommand, unavailable
from dreadclock_server.rooms.broadcast import CROWD, Delay
from dreadclock_server.rooms.live import LiveRoom
from dreadclock_server.store.base import Store, Trouble
from kit.nodes import LATE_S, ROLL, Meddler, Witness, ask, meddled, node, submit
from kit.stores import whole_log
from kit.tables import GM, command_of
from kit.waiting import until

FOR_EVER_S = 1000.0


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a round wait for ever for what the one before it leads to."""
    monkeypatch.setattr(broadcast, "PACE_S", FOR_EVER_S)
    monkeypatch.setattr(broadcast, "LONGEST_PACE_S", FOR_EVER_S)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a round wait for ever for one more append."""
    monkeypatch.setattr(broadcast, "APPEND_S", FOR_EVER_S)


def crowd(live: LiveRoom) -> Witness:
    witness = Witness(live)
    witness.size = CROWD
    return witness


async def meanwhile(meddler: Meddler, live: LiveRoom) -> "asyncio.Future[Outcome]":
    """Submit a command, and another one while it is being appended; return the first outcome to come."""
    seconds: list[asyncio.Future[Outcome]] = []

    async def second() -> None:
        seconds.append(submit(live, ROLL, session="s", n=2)[0])

    meddler.before_append = second
    first = submit(live, ROLL, session="s", n=1)[0]
    await until(lambda: bool(seconds))
    await seconds[0]
    return first


# How long a broadcast waits


def sent(delay: Delay, *sizes: int, connections: int = 100, has_waited: bool = False) -> Delay:
    """Note broadcasts of so many commands, each of which began at 0."""
    for commands in sizes:
        delay.sent(0.0, commands, connections, has_waited=has_waited)
    return delay


@pytest.mark.parametrize(
    ("connections", "waits_ms"), [(1, 0), (63, 0), (64, 1.28), (100, 2), (500, 10), (1000, 20), (10_000, 20)]
)
def test_a_broadcast_to_a_crowd_waits_20_us_per_connection_since_the_last_one(connections: int, waits_ms: float):
    delay = Delay()
    delay.sent(7.0, 1, connections, has_waited=False)

    assert max(0.0, delay.left_s(7.0)) == pytest.approx(waits_ms / 1000)
    assert delay.left_s(7.0 + waits_ms / 1000) <= 1e-9


def test_the_first_broadcast_does_not_wait():
    assert Delay().left_s(1.0) <= 0


def test_a_broadcast_waits_for_as_many_commands_as_each_of_the_last_two_had():
    delay, expected = Delay(), list[int]()
    for commands in (4, 9, 6, 6, 1, 5):
        expected.append(sent(delay, commands).expected)

    assert expected == [0, 4, 6, 6, 1, 1]


def test_after_a_wait_that_brought_no_second_command_ever_more_broadcasts_do_not_wait():
    delay, skipped = Delay(), list[int]()
    for _ in range(7):
        sent(delay, 1, has_waited=True)
        skipped.append(0)
        while delay.left_s(0.0) <= 0:
            sent(delay, 1)
            skipped[-1] += 1

    assert skipped == [1, 3, 7, 15, 31, 31, 31]


def test_a_second_command_ends_that():
    delay = sent(Delay(), 1, 1, 1, has_waited=True)
    assert delay.left_s(0.0) == 0

    assert sent(delay, 2).left_s(0.0) > 0
    sent(delay, 1, has_waited=True)
    assert sent(delay, 1).left_s(0.0) > 0, "only one broadcast did not wait"


@pytest.mark.parametrize(
    ("commands", "queued", "connections", "waits_ms"),
    [
        (1, 0, 100, 2),
        (4, 0, 100, 2),
        (5, 0, 100, 0),  # as many as each of the last two
        (1, 1, 100, 3),  # for what is queued
        (9, 1, 64, 3),
        (9, 1, 63, 0),
    ],
)
def test_the_queue_waits_3_ms_and_others_for_enough(commands: int, queued: int, connections: int, waits_ms: float):
    delay = sent(Delay(), 5, 6)

    assert delay.wait_s(0.0, commands, queued, connections) == pytest.approx(waits_ms / 1000)


def test_a_lone_command_waits_for_a_second_one_even_if_none_of_the_last_broadcasts_had_one():
    delay = sent(Delay(), 1, 1)

    assert delay.wait_s(0.0, 1, 0, 100) == pytest.approx(0.002)
    assert delay.wait_s(0.0, 2, 0, 100) == 0
    assert sent(delay, 1, has_waited=True).wait_s(0.0, 1, 0, 100) == 0, "the last wait was for nothing"
    assert delay.wait_s(0.0, 1, 1, 100) == pytest.approx(0.003), "what is queued is waited for all the same"


# What is sent together


async def test_a_crowd_is_told_in_one_go_of_what_waited_for_the_store(store: Store, room_id: str, slow: None):
    meddler, store = meddled(store)
    live = await node(store, room_id)
    witness = crowd(live)

    first = await meanwhile(meddler, live)

    assert first.done()
    assert (meddler.appends, witness.rounds) == (2, [2])


async def test_a_few_are_told_of_every_append(store: Store, room_id: str, slow: None, patient: None):
    meddler, store = meddled(store)
    live = await node(store, room_id)
    witness = Witness(live)
    witness.size = 20  # more than sit at any table

    await meanwhile(meddler, live)

    assert (meddler.appends, witness.rounds) == (2, [1, 1])


async def test_nothing_waits_for_a_store_that_is_silent(store: Store, room_id: str):
    meddler, store = meddled(store)
    live = await node(store, room_id)
    witness, back = crowd(live), asyncio.Event()

    async def second_which_hangs() -> None:
        meddler.before_append = back.wait
        submit(live, ROLL)

    meddler.before_append = second_which_hangs

    assert isinstance(await ask(live, ROLL), Done)
    assert (meddler.appends, witness.rounds) == (2, [1])
    back.set()
    await until(lambda: witness.rounds == [1, 1])


async def test_right_after_a_round_the_next_one_waits_for_a_second_command(store: Store, room_id: str, patient: None):
    live = await node(store, room_id)
    witness = crowd(live)

    await ask(live, ROLL)
    waiting = submit(live, ROLL)[0]
    await until(lambda: not live.is_at_work)
    assert (witness.rounds, waiting.done()) == ([1], False)
    await ask(live, ROLL)

    assert waiting.done()
    assert witness.rounds == [1, 2]


async def test_as_many_as_were_told_together_are_appended_together(store: Store, room_id: str, patient: None):
    meddler, store = meddled(store)
    live = await node(store, room_id)
    witness = crowd(live)
    for _ in range(2):
        await asyncio.gather(submit(live, ROLL)[0], submit(live, ROLL)[0])
    assert (meddler.appends, witness.rounds) == (2, [2, 2])

    third = submit(live, ROLL)[0]
    await asyncio.sleep(0)
    assert live.is_at_work
    await asyncio.gather(third, submit(live, ROLL)[0])

    assert (meddler.appends, witness.rounds) == (3, [2, 2, 2])


async def test_who_waited_for_nothing_does_not_wait_again_so_soon(store: Store, room_id: str, patient: None):
    live = await node(store, room_id)
    witness = crowd(live)
    await ask(live, ROLL)
    waiting = submit(live, ROLL)[0]
    await until(lambda: not live.is_at_work)
    live.send_now()  # as when its time is over
    await waiting

    await ask(live, ROLL)
    await asyncio.gather(submit(live, ROLL)[0], submit(live, ROLL)[0])

    assert witness.rounds == [1, 1, 1, 2]


async def test_what_is_told_comes_before_a_later_refusal_and_before_the_end(store: Store, room_id: str, patient: None):
    meddler, store = meddled(store)
    live = await node(store, room_id)
    witness = crowd(live)
    told = list[Outcome | None]()
    await ask(live, ROLL)

    for n in (1, 2):
        future, _ = submit(live, ROLL, session="s", n=n)
        future.add_done_callback(lambda done: told.append(done.result()))
        await until(lambda: not live.is_at_work)
        meddler.appends_to_refuse = 1
    await until(lambda: len(told) == 2)

    assert isinstance(told[0], Done)
    assert told[1] == unavailable(Trouble.AWAY)
    assert len(witness.texts) == 2


async def test_what_is_told_comes_before_the_news_that_the_room_is_gone(store: Store, room_id: str, patient: None):
    live = await node(store, room_id)
    witness = crowd(live)
    await ask(live, ROLL)
    last = submit(live, ROLL)[0]
    await until(lambda: not live.is_at_work)

    await store.delete_room(room_id)
    live.catch_up()
    await until(lambda: witness.is_gone)

    assert last.done()
    assert len(witness.texts) == 2


class Newcomer(Witness):
    """Somebody who joins the way a connection does."""

    def __init__(self, live: LiveRoom) -> None:
        live.send_now()
        self.after = live.room.seq(Channel.PUBLIC)
        super().__init__(live)
        self.size = CROWD


@pytest.mark.parametrize("seed", range(12))
async def test_everybody_hears_everything_once_and_in_order(store: Store, other: Store, room_id: str, seed: int):
    here, there = await node(store, room_id), await node(other, room_id)
    chance, everybody, sent = random.Random(seed), [Newcomer(here)], list[asyncio.Future[Outcome]]()

    async def roll() -> None:
        sent.append(submit(here, ROLL)[0])

    async def roll_elsewhere() -> None:
        sent.append(submit(there, ROLL)[0])

    async def join() -> None:
        everybody.append(Newcomer(here))

    async def look() -> None:
        here.catch_up()

    async def pause() -> None:
        await asyncio.sleep(chance.choice((0, 0, 0.001, 0.004)))

    steps: list[Callable[[], Awaitable[None]]] = [roll, roll, roll, roll_elsewhere, join, look, pause, pause, pause]
    for _ in range(120):
        await chance.choice(steps)()
    await asyncio.gather(*sent)
    await here.refresh()
    here.send_now()

    assert [outcome.result() for outcome in sent if not isinstance(outcome.result(), Done)] == []
    log = everybody[0].texts
    assert len(log) == len(sent)
    first = everybody[0].after
    for each in everybody:
        assert each.texts == log[each.after - first :]
    assert len(await whole_log(store, room_id)) == here.log.position.number


async def test_an_answer_that_cannot_be_given_costs_nobody_else_theirs(store: Store, room_id: str):
    live = await node(store, room_id)

    def fail(outcome: Outcome | None) -> None:
        raise RuntimeError("a bug")

    live.submit(QueuedCommand(GM, command_of(ROLL), "", 1, fail))
    future, replies = submit(live, ROLL)

    outcome = await asyncio.wait_for(future, LATE_S)
    assert isinstance(outcome, Done)
    assert replies == [outcome]
