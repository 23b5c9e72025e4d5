"""A room that has all the bytes it may have: nothing new is taken, what was answered stays so, and all can be read."""

import pytest

from dreadclock.wire.base import Role
from dreadclock.wire.errors import Code, Refused
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.sessions import Done, No
from dreadclock_server.rooms.registry import Rooms
from dreadclock_server.rooms.size import Size
from dreadclock_server.store.base import Store
from kit.nodes import ROLL, ask, submit
from kit.stores import whole_log
from kit.tables import GM
from kit.waiting import until

MIB = 1024 * 1024
ANN = Actor("player-1", Role.PLAYER)
MOST = 20_000
FULL = No(Code.TOO_MANY, {"limit": 1, "what": "MiB of events, all of which its gm can save"})


async def fill(rooms: Rooms, room_id: str, by: Actor = ANN) -> int:
    """Roll until nothing more is taken; give how many rolls were."""
    live = await rooms.get(room_id)
    for count in range(1000):
        if await ask(live, ROLL, by=by, session=by.seat_id, n=count + 1) == FULL:
            return count
    raise AssertionError("1,000 rolls were taken")


async def test_a_full_room_takes_nothing_more_and_can_be_read(store: Store, room_id: str):
    rooms = Rooms(store, MOST)

    rolls = await fill(rooms, room_id)

    log = await whole_log(store, room_id)
    assert 10 < rolls < 200
    assert MOST * 15 // 16 <= (await store.meta(room_id)).log_bytes < MOST
    live = await rooms.get(room_id)
    assert [await ask(live, ROLL, by=ANN, session="s", n=1) for _ in range(300)] == [FULL] * 300
    assert await whole_log(store, room_id) == log
    assert (await Rooms(store, MOST).get(room_id)).room == live.room


async def test_the_last_of_a_room_is_kept_for_its_gm_who_can_close_it(store: Store, room_id: str):
    rooms = Rooms(store, MOST)
    await fill(rooms, room_id)
    live = await rooms.get(room_id)

    assert isinstance(await ask(live, {"type": "close_room"}), Done)
    assert await ask(live, ROLL) == No(Code.ROOM_CLOSED, {})


async def test_a_gm_too_comes_to_the_end_of_a_room(store: Store, room_id: str):
    rooms = Rooms(store, MOST)

    await fill(rooms, room_id, by=GM)

    assert (await store.meta(room_id)).log_bytes >= MOST
    assert await ask(await rooms.get(room_id), ROLL, by=ANN) == FULL


@pytest.mark.parametrize("is_known", [True, False], ids=["here", "on another node"])
async def test_what_was_answered_before_a_room_was_full_is_answered_so_again(
    store: Store, room_id: str, is_known: bool
):
    rooms = Rooms(store, MOST)
    first = await ask(await rooms.get(room_id), ROLL, by=ANN, session="mine")
    ghost = {"type": "roll_countdown", "countdown_id": "ghost"}
    refused = await ask(await rooms.get(room_id), ghost, by=ANN, session="mine", n=2)
    await fill(rooms, room_id)

    live = await (rooms if is_known else Rooms(store, MOST)).get(room_id)

    assert [await ask(live, ROLL, by=ANN, session="mine", n=n) for n in (1, 2, 3)] == [first, refused, FULL]
    assert isinstance(refused, No)
    assert refused.code is Code.UNKNOWN


async def test_one_batch_may_hold_what_is_taken_and_what_is_not(store: Store, room_id: str):
    rooms = Rooms(store, MOST)
    await fill(rooms, room_id)
    live = await rooms.get(room_id)

    anns, gms = submit(live, ROLL, by=ANN)[0], submit(live, ROLL, by=GM)[0]

    assert await anns == FULL
    assert isinstance(await gms, Done)


async def test_a_node_learns_how_large_others_made_a_room(store: Store, other: Store, room_id: str):
    here, there = Rooms(store, MOST), Rooms(other, MOST)
    await here.start()
    live = await here.get(room_id)

    await fill(there, room_id)

    await until(lambda: live.size.refusal(ANN) == FULL)
    assert live.size.refusal(GM) is None
    await here.aclose()


async def test_a_room_without_a_limit_grows_on(store: Store, room_id: str):
    live = await Rooms(store).get(room_id)

    assert [type(await ask(live, ROLL, by=ANN)) for _ in range(100)] == [Done] * 100
    assert live.size.log_bytes > MOST


def test_the_sentence_says_how_much_there_is_and_that_it_can_be_saved():
    full = Size(1024 * MIB, 128 * MIB)

    sentences = [Refused(no.code, **no.details).sentence for by in (ANN, GM) if (no := full.refusal(by))]

    assert sentences == [
        "The room already has 120 MiB of events, all of which its gm can save, the most it can hold.",
        "The room already has 128 MiB of events, all of which its gm can save, the most it can hold.",
    ]
