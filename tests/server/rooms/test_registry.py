"""The rooms of a node: opened, loaded from the log or a snapshot, kept up to date, put away."""

import asyncio
import time
import weakref
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
from redis.asyncio import Redis

from dreadclock.wire.base import Channel
from dreadclock.wire.errors import Code
from dreadclock.wire.records import opening_head
from dreadclock.wire.things import PhysicalDice, Policy
from dreadclock_server.core.families.room import Open
from dreadclock_server.core.room import empty_room
from dreadclock_server.core.sessions import Done, No
from dreadclock_server.rooms import log as log_module
from dreadclock_server.rooms import registry, replica
from dreadclock_server.rooms.log import BrokenLog, Log, empty_log, from_snapshot, snapshot
from dreadclock_server.rooms.registry import PRESENCE, Rooms
from dreadclock_server.store.base import EMPTY, RoomHead, RoomUnknown, Store
from dreadclock_server.store.codec import decode
from dreadclock_server.store.keys import DICE, LOG, SNAPSHOT, channel, key
from dreadclock_server.store.listener import ValkeyListener
from kit.nodes import ROLL, Witness, ask, backup, node, opened, restore
from kit.stores import whole_log
from kit.waiting import until

PUBLIC = Channel.PUBLIC


@asynccontextmanager
async def running(store: Store) -> AsyncIterator[Rooms]:
    """Run a node that listens to the others."""
    rooms = Rooms(store)
    await rooms.start()
    yield rooms
    await rooms.aclose()


# Opening


async def test_an_opened_room_has_its_first_entry_its_tokens_and_its_gm(store: Store):
    room_id = await Rooms(store).begin(Open("The bomb", Policy(physical_dice=PhysicalDice.GM)), {"hash": "{}"})

    live = await node(store, room_id)
    meta = await store.meta(room_id)

    assert live.room.view.title == "The bomb"
    assert live.room.view.policy.physical_dice is PhysicalDice.GM
    assert list(live.room.view.seats) == ["gm"]
    assert await store.tokens(room_id) == {"hash": "{}"}
    assert len(await store.dice_secret(room_id) or b"") == len(meta.session_key) == 32
    assert live.room.log_id == meta.log_id
    head = decode((await whole_log(store, room_id))[0]).heads[PUBLIC]
    assert head.seq == 3
    assert head != opening_head(room_id, meta.log_id, PUBLIC)


async def test_no_two_rooms_are_alike(store: Store):
    rooms = Rooms(store)
    first, second = await rooms.begin(Open("A", Policy()), {}), await rooms.begin(Open("A", Policy()), {})

    assert first != second
    assert await store.dice_secret(first) != await store.dice_secret(second)
    assert (await store.meta(first)).log_id != (await store.meta(second)).log_id


# Loading


async def test_a_room_is_loaded_once_however_many_ask_for_it_at_once(store: Store, room_id: str):
    rooms = Rooms(store)

    first, *others = await asyncio.gather(*(rooms.get(room_id) for _ in range(5)))

    assert {id(each) for each in others} == {id(first)}
    assert await rooms.get(room_id) is first


async def test_a_room_that_is_not_in_the_store_is_unknown(store: Store):
    rooms = Rooms(store)

    for _ in range(2):
        with pytest.raises(RoomUnknown):
            await rooms.get("a" * 26)


async def test_a_snapshot_and_what_follows_it_are_the_log(store: Store, room_id: str):
    live = await node(store, room_id)
    await ask(live, ROLL, session="s", n=1)
    await store.save_snapshot(room_id, live.log.position, snapshot(live.log))
    second = await ask(live, ROLL, session="s", n=2)

    loaded = await node(store, room_id)

    assert (loaded.room, loaded.log.position) == (live.room, live.log.position)
    assert loaded.log.sessions.by_id == live.log.sessions.by_id
    assert await ask(loaded, ROLL, session="s", n=2) == second


async def test_a_snapshot_is_saved_every_so_often(store: Store, room_id: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(log_module, "SNAPSHOT_EVERY", 3)
    live = await node(store, room_id)
    for n in range(1, 5):
        await ask(live, ROLL, session="s", n=n)
    await live.aclose()

    saved = await store.load_snapshot(room_id)

    assert saved is not None
    assert saved[0].number == 6
    opening = empty_room(room_id, live.room.log_id)
    told, loaded = empty_log(opening, EMPTY), from_snapshot(opening, *saved)
    for number, data in await store.read(room_id, 0, 6):
        told.take(number, data)
    assert (loaded.room, loaded.position) == (told.room, told.position)
    assert loaded.sessions.by_id == told.sessions.by_id


async def snapshot_number(store: Store, room_id: str) -> int | None:
    saved = await store.load_snapshot(room_id)
    return saved[0].number if saved else None


async def test_short_lives_make_a_snapshot_as_a_long_one(store: Store, room_id: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(log_module, "SNAPSHOT_EVERY", 5)
    for life in range(3):
        live = await node(store, room_id)
        for n in range(2):
            await ask(live, ROLL, session="s", n=2 * life + n + 1)
        await live.aclose()

    assert await snapshot_number(store, room_id) == 5


async def test_a_snapshot_of_a_past_that_was_set_back_makes_room_for_another(store: Store, admin: Redis, room_id: str):
    live = await node(store, room_id)
    saved = await backup(admin, room_id)
    for _ in range(5):
        await ask(live, ROLL)
    await live.save()
    await restore(admin, saved)
    live = await node(store, room_id)
    await ask(live, ROLL)

    await live.save()

    assert await snapshot_number(store, room_id) == live.log.position.number == 3


async def test_a_room_that_loads_slowly_is_saved_at_once(store: Store, room_id: str, monkeypatch: pytest.MonkeyPatch):
    before = await node(store, room_id)
    for _ in range(3):
        await ask(before, ROLL)
    monkeypatch.setattr(log_module, "SNAPSHOT_EVERY", 4)

    await (await node(store, room_id)).aclose()

    assert await snapshot_number(store, room_id) == 5


async def test_a_lost_snapshot_costs_nothing(store: Store, admin: Redis, room_id: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(log_module, "SNAPSHOT_EVERY", 1)
    live = await node(store, room_id)
    await admin.delete(key(room_id, SNAPSHOT))
    await admin.rpush(key(room_id, SNAPSHOT), "of the wrong type")

    assert isinstance(await ask(live, ROLL), Done)

    await live.aclose()


@pytest.mark.parametrize("blob", [b"", b"not a snapshot"])
async def test_a_room_with_a_spoiled_snapshot_is_folded_from_its_log(store: Store, room_id: str, blob: bytes):
    live = await node(store, room_id)
    await store.save_snapshot(room_id, live.log.position, blob)

    assert (await node(store, room_id)).room == live.room


async def test_a_snapshot_that_tells_another_story_is_not_believed(store: Store, room_id: str):
    elsewhere = await node(store, await Rooms(store).begin(Open("Another", Policy()), {}))
    live = await node(store, room_id)
    await store.save_snapshot(room_id, live.log.position, snapshot(elsewhere.log))
    await ask(live, ROLL)

    assert (await node(store, room_id)).room == live.room


async def spoil(admin: Redis, room_id: str, number: int, old: bytes, new: bytes) -> None:
    """Change a stored entry behind the store's back."""
    rows: Any = await admin.xrange(key(room_id, LOG))
    await admin.delete(key(room_id, LOG))
    for entry_id, fields in rows:
        if entry_id == b"%d-0" % number:
            assert old in fields[b"e"]
            fields[b"e"] = fields[b"e"].replace(old, new)
        await admin.xadd(key(room_id, LOG), fields, id=entry_id)


@pytest.mark.parametrize(
    ("number", "old", "new"),
    [(1, b"The bomb", b"The pomb"), (2, b'"name":"Ann"', b'"name":"Bob"'), (2, b'"answers":[]', b'"answers":[ ]')],
    ids=["a record", "another", "an envelope"],
)
async def test_a_tampered_log_is_refused(store: Store, admin: Redis, room_id: str, number: int, old: bytes, new: bytes):
    await spoil(admin, room_id, number, old, new)

    with pytest.raises(BrokenLog):
        await node(store, room_id)


async def test_nobody_listens_to_a_room_that_could_not_be_loaded(store: Store, admin: Redis, room_id: str):
    await spoil(admin, room_id, 1, b"The bomb", b"The pomb")
    async with running(store) as rooms:
        with pytest.raises(BrokenLog):
            await rooms.get(room_id)

        async def is_silent() -> bool:
            return await admin.pubsub_numsub(channel(room_id)) == [(channel(room_id).encode(), 0)]

        await until(is_silent)


async def test_a_lost_roll_has_the_same_faces_on_any_node(store: Store, other: Store, admin: Redis, room_id: str):
    saved = await backup(admin, room_id)
    first, again = await node(store, room_id), await node(other, room_id)
    await ask(first, {**ROLL, "pool": 60})
    await restore(admin, saved)

    await ask(again, {**ROLL, "pool": 60, "name": "Again"})

    lost, kept = first.room.view.rolls["roll-1"], again.room.view.rolls["roll-1"]
    assert (kept.name, lost.name) == ("Again", None)
    assert (kept.faces, kept.proof) == (lost.faces, lost.proof)


# Kept up to date


async def test_what_one_node_appends_the_others_announce_to_their_own(store: Store, other: Store, room_id: str):
    async with running(store) as rooms, running(other) as others:
        here, there = await rooms.get(room_id), await others.get(room_id)
        witness = Witness(there)

        await ask(here, ROLL)

        await until(lambda: there.log.position == here.log.position)
        assert witness.texts == [here.log.tail.between(PUBLIC, here.room.seq(PUBLIC), here.room.seq(PUBLIC))[0]]


async def test_an_announcement_that_was_lost_is_made_up_for_by_the_sweep_in_a_second_or_two(
    store: Store, other: Store, room_id: str, monkeypatch: pytest.MonkeyPatch
):
    elsewhere = await node(other, room_id)
    async with running(store) as rooms:
        live = await rooms.get(room_id)
        monkeypatch.setattr(live, "hear_announced", lambda payload: None)

        await ask(elsewhere, ROLL)

        await until(lambda: live.log.position == elsewhere.log.position)


async def test_the_sweep_notices_a_rollback(store: Store, admin: Redis, room_id: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(registry, "SWEEP_S", 0.01)
    saved = await backup(admin, room_id)
    async with running(store) as rooms:
        live = await rooms.get(room_id)
        witness, kept = Witness(live), live.log.position
        await ask(live, ROLL)

        await restore(admin, saved)

        await until(lambda: len(witness.replaced_by) == 1)
        assert live.log.position == kept


async def test_the_sweep_skips_a_room_that_was_in_touch(store: Store, room_id: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(registry, "SWEEP_S", 0.01)
    looked: list[str] = []
    async with running(store) as rooms:
        live = await rooms.get(room_id)
        heads, swept = store.heads, list[object]()

        async def late(names: Sequence[str]) -> dict[str, RoomHead | None]:
            found = await heads(names)
            await ask(live, ROLL)
            swept.append(found)
            return found

        monkeypatch.setattr(live, "catch_up", lambda: looked.append(room_id))
        monkeypatch.setattr(store, "heads", late)
        await until(lambda: len(swept) >= 3)
        monkeypatch.undo()

    assert looked == []


async def test_the_sweep_notices_tokens_changed_elsewhere(store: Store, room_id: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(registry, "SWEEP_S", 0.01)
    async with running(store) as rooms:
        changed: list[str] = []
        rooms.on_tokens_changed = lambda live: changed.append(live.id)
        await rooms.get(room_id)

        await store.put_token(room_id, "hash", "{}")

        await until(lambda: changed == [room_id])


async def test_word_of_who_came_on_another_node_is_passed_on(store: Store, other: Store, room_id: str):
    async with running(store) as rooms:
        heard: list[tuple[str, str]] = []
        rooms.on_presence = lambda live, name: heard.append((live.id, name))
        await rooms.get(room_id)

        other.announce(room_id, PRESENCE + b"node-2")

        await until(lambda: heard == [(room_id, "node-2")])


async def test_an_unused_room_leaves_memory_and_comes_back(store: Store, room_id: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(registry, "SWEEP_S", 0.01)
    async with running(store) as rooms:
        quiet, busy = await rooms.get(room_id), await rooms.get(await rooms.begin(Open("Another", Policy()), {}))
        Witness(busy)
        for live in (quiet, busy):
            live.last_used = time.monotonic() - registry.IDLE_S - 1

        await until(lambda: list(rooms.live) == [busy.id])

        again = await rooms.get(room_id)
        assert again is not quiet
        assert again.room == quiet.room


async def test_others_get_a_turn_while_rooms_leave_memory(store: Store, room_id: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(registry, "SWEEP_S", 0.01)
    held: list[int] = []  # how many rooms are in use, at each turn of somebody else
    kept: list[int] = []  # and how many are in memory

    async with running(store) as rooms:
        many = weakref.WeakSet([await rooms.get(await opened(store)) for _ in range(20)])
        for live in many:
            live.last_used = time.monotonic() - registry.IDLE_S - 1
        del live

        while rooms.live:
            held.append(len(rooms.live))
            kept.append(len(many))
            await asyncio.sleep(0)

    assert set(range(1, 20)) <= set(held)
    assert all(few <= more + 1 for few, more in zip(kept, held, strict=True))


async def test_others_get_their_turn_while_rooms_are_loaded(store: Store, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(log_module, "_TAKEN_AT_ONCE", 4)
    opening = [await opened(store) for _ in range(registry.LOADS_AT_ONCE + 3)]
    async with running(store) as rooms:
        for each in opening:
            for _ in range(12):
                await ask(await rooms.get(each), ROLL)
    taken = [0]  # entries, between two turns of somebody else
    take = Log.take

    def counted(log: Log, number: int, data: bytes) -> Any:
        taken[-1] += 1
        return take(log, number, data)

    async def look() -> None:
        while True:
            taken.append(0)
            await asyncio.sleep(0)

    monkeypatch.setattr(Log, "take", counted)
    async with running(store) as rooms:
        looking = asyncio.create_task(look())
        await asyncio.gather(*(rooms.get(each) for each in opening))
        looking.cancel()

    assert sum(taken) == 14 * len(opening)  # with the two that open a room
    assert max(taken) <= 4 * registry.LOADS_AT_ONCE


async def test_a_slow_room_leaves_memory_with_a_snapshot(store: Store, room_id: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(registry, "SWEEP_S", 0.01)
    monkeypatch.setattr(registry, "SAVED_PER_SWEEP", 1)
    monkeypatch.setattr(replica, "SNAPSHOT_AT_REST", 4)
    async with running(store) as rooms:
        long, longer, short = [await rooms.get(each) for each in (room_id, await opened(store), await opened(store))]
        for live, commands in ((long, 2), (longer, 5), (short, 1)):
            for _ in range(commands):
                await ask(live, ROLL)
        for live in (long, longer, short):
            live.last_used = time.monotonic() - registry.IDLE_S - 1

        await until(lambda: not rooms.live)

    assert [await snapshot_number(store, each.id) for each in (long, longer, short)] == [4, 7, None]


async def test_a_room_entered_during_a_sweep_stays(store: Store, room_id: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(registry, "SWEEP_S", 0.01)
    async with running(store) as rooms:
        first, second = await rooms.get(room_id), await rooms.get(await rooms.begin(Open("Another", Policy()), {}))
        unwatch = ValkeyListener.unwatch

        async def somebody_comes(listener: ValkeyListener, room: str) -> None:
            assert await rooms.get(second.id) is second
            await unwatch(listener, room)

        monkeypatch.setattr(ValkeyListener, "unwatch", somebody_comes)
        for live in (first, second):
            live.last_used = time.monotonic() - registry.IDLE_S - 1

        await until(lambda: first.id not in rooms.live)
        await until(lambda: second.last_used > time.monotonic() - registry.IDLE_S)
        assert rooms.live == {second.id: second}


async def test_a_deleted_room_is_unloaded(store: Store, other: Store, room_id: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(registry, "SWEEP_S", 0.01)
    async with running(store) as rooms, running(other) as others:
        witnesses = [Witness(await rooms.get(room_id)), Witness(await others.get(room_id))]

        await rooms.delete(room_id)

        await until(lambda: all(witness.is_gone for witness in witnesses))
        with pytest.raises(RoomUnknown):
            await rooms.get(room_id)
        await until(lambda: room_id not in others.live)


# A room whose dice secret is missing from the store, or is another one: nothing is rolled, and all else goes on


LANE = {"type": "open_lane", "anchor": "Q" * 42 + "A"}


@pytest.mark.parametrize("instead", [[], ["no", "secret"]], ids=["nothing", "another type"])
async def test_without_its_dice_secret_a_room_has_no_dice(store: Store, admin: Redis, room_id: str, instead: list[str]):
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


async def test_a_changed_dice_secret_is_noticed_in_a_snapshot_or_the_gms_lane(store: Store, admin: Redis, room_id: str):
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
