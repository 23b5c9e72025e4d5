"""A room whose dice secret is missing from the store, or is another one: nothing is rolled, and all else goes on."""

import pytest
from redis.asyncio import Redis

from dreadclock.wire.errors import Code
from dreadclock.wire.things import Policy
from dreadclock_server.core.families.room import Open
from dreadclock_server.core.sessions import Done, No
from dreadclock_server.rooms.log import snapshot
from dreadclock_server.rooms.registry import Rooms
from dreadclock_server.store.base import Store
from dreadclock_server.store.keys import DICE, key
from kit.nodes import ROLL, ask, node

LANE = {"type": "open_lane", "anchor": "Q" * 42 + "A"}


@pytest.mark.parametrize("instead", [[], ["no", "secret"]], ids=["nothing", "another type"])
async def test_a_room_without_its_dice_secret_is_played_without_dice(
    store: Store, admin: Redis, room_id: str, instead: list[str]
):
    await admin.delete(key(room_id, DICE))
    if instead:
        await admin.lpush(key(room_id, DICE), *instead)
    live = await node(store, room_id)

    assert await ask(live, ROLL) == No(Code.DICE_LOST, {})
    assert isinstance(await ask(live, {"type": "end_turn"}), Done)
    assert await admin.exists(key(room_id, DICE)) == bool(instead)


@pytest.mark.parametrize("secret", [bytes(32), b"", bytes(31), b"no secret"], ids=["swapped", "empty", "short", "text"])
async def test_a_room_whose_dice_secret_was_changed_is_played_without_dice(
    store: Store, admin: Redis, room_id: str, secret: bytes, capsys: pytest.CaptureFixture[str]
):
    await admin.set(key(room_id, DICE), secret)
    live = await node(store, room_id)

    assert await ask(live, ROLL) == await ask(live, LANE) == await ask(live, ROLL) == No(Code.DICE_LOST, {})
    assert isinstance(await ask(live, {"type": "end_turn"}), Done)
    assert capsys.readouterr().out.count("the dice secret is") == 1
    assert await store.dice_secret(room_id) == secret


async def test_a_changed_dice_secret_is_noticed_from_a_snapshot_and_when_only_the_gms_lane_is_left(
    store: Store, admin: Redis, room_id: str
):
    live = await node(store, room_id)
    for seat_id in [each for each in live.room.view.seats if each != "gm"]:
        await ask(live, {"type": "remove_seat", "seat_id": seat_id})
    await store.save_snapshot(room_id, live.log.position, snapshot(live.log))
    await admin.set(key(room_id, DICE), bytes(32))

    again = await node(store, room_id)

    assert list(again.room.view.public.lanes) == ["seat/gm/0"]
    assert await ask(again, ROLL) == No(Code.DICE_LOST, {})


async def test_the_dice_secret_is_known_in_a_room_that_was_just_opened(store: Store):
    room_id = await Rooms(store).begin(Open("Empty", Policy()), {})
    live = await node(store, room_id)

    assert list(live.room.view.public.lanes) == ["seat/gm/0"]
    assert isinstance(await ask(live, ROLL), Done)


async def test_the_dice_secret_of_another_room_is_none_of_this_ones(store: Store, admin: Redis, room_id: str):
    other_id = await Rooms(store).begin(Open("Another", Policy()), {})
    await admin.set(key(room_id, DICE), await store.dice_secret(other_id) or b"")

    assert await ask(await node(store, room_id), ROLL) == No(Code.DICE_LOST, {})
