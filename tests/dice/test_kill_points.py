"""Nodes that die around an append, and stores set back: a slot shows the faces that were fixed for it, and no others.

`DREADCLOCK_KILLS` says how often a node dies; a dozen times unless it is set.
"""

import os
from collections import Counter
from itertools import cycle, islice
from random import Random

import pytest
from redis.asyncio import Redis

from dreadclock.wire.errors import Code
from dreadclock_server.core.sessions import Done, No
from dreadclock_server.rooms.live import LiveRoom
from dreadclock_server.rooms.log import snapshot
from dreadclock_server.store.base import Store
from dreadclock_server.store.keys import DICE, SNAPSHOT, key
from kit.dice.slots import DiceRoom, Doomed, Roller, dice_room
from kit.nodes import ask, backup, meddled, node, restore
from kit.tables import GM

KILLS = int(os.environ.get("DREADCLOCK_KILLS", "12"))
QUIET = [(1, False), (1, True)]  # at the one call to the store that a roll leads to, which is the append
CONTESTED = [(call, after) for call in range(1, 7) for after in (False, True)]  # append, read, read, heads, append
PLAIN = {"type": "roll_dice", "pool": 2}


@pytest.fixture
async def room(store: Store) -> DiceRoom:
    return await dice_room(store)


async def rolled(live: LiveRoom, roller: Roller, *slots: int) -> None:
    """Roll in slots, one after the other."""
    for n in slots:
        assert isinstance(await ask(live, roller.roll(n), by=roller.actor, session=roller.lane, n=n), Done)


async def comes_back(room: DiceRoom, n: int, pool: int) -> None:
    """Send Ann's roll again, twice, to nodes that do not die over it."""
    for _ in range(2):
        live = await room.node()
        assert isinstance(await ask(live, room.ann.roll(n, pool), by=room.ann.actor, session="ann", n=n), Done)


async def test_a_node_that_dies_over_a_roll_does_not_change_its_faces(room: DiceRoom, figures: list[str]):
    count, chance, n = Counter[str](), Random(1), 0
    for call, after in islice(cycle(QUIET), KILLS):
        n, pool = n + 1, chance.randint(1, 40)
        faces = await room.fixed(room.ann, n, pool)

        outcome = await Doomed(room.store, call, after=after).give(
            room, room.ann.roll(n, pool), room.ann.actor, "ann", n
        )
        kept = await room.shown(room.ann, n)
        if chance.random() < 0.5:
            await ask(await room.node(), PLAIN)
        await comes_back(room, n, pool)

        assert outcome is None
        assert kept == ([faces] if after else [])
        assert await room.shown(room.ann, n) == [faces]
        count["rolled already" if kept else "the slot still free"] += 1
    figures.append(f"dice: {count.total()} deaths around an append, no face changed: {dict(count)}")


async def test_a_node_that_was_second_and_dies_does_not_change_the_faces(room: DiceRoom, figures: list[str]):
    """While it decided, another node appended: it hears of a stale write, reads on, and appends again."""
    count, chance, n = Counter[str](), Random(2), 0
    for place, (call, after) in enumerate(islice(cycle(CONTESTED), KILLS), 1):
        n, pool = n + 1, chance.randint(1, 40)
        faces = await room.fixed(room.ann, n, pool)
        rival, doomed = await room.node(), Doomed(room.store, call, after=after)
        doomed.before_append = lambda rival=rival, place=place: ask(rival, room.bo.roll(place), by=room.bo.actor)

        outcome = await doomed.give(room, room.ann.roll(n, pool), room.ann.actor, "ann", n)
        kept = await room.shown(room.ann, n)
        await comes_back(room, n, pool)

        assert len(await room.shown(room.bo, place)) == 1
        assert await room.shown(room.ann, n) == [faces]
        count["done" if outcome else "rolled already" if kept else "the slot still free"] += 1
    assert count.keys() == {"done", "rolled already", "the slot still free"}
    figures.append(f"dice: {count.total()} stale writes, no face changed: {dict(count)}")


async def test_two_nodes_that_are_asked_for_one_slot_at_once_roll_it_once(room: DiceRoom):
    faces = await room.fixed(room.ann, 1)
    meddler, meddled_store = meddled(room.store)
    here, there = await node(meddled_store, room.id), await room.node()
    order = room.ann.roll(1)
    meddler.before_append = lambda: ask(there, order, by=room.ann.actor, session="ann", n=1)

    again = await ask(here, order, by=room.ann.actor, session="ann", n=1)
    another = await ask(here, order, by=room.ann.actor, session="ann", n=2)

    assert isinstance(again, Done)
    assert another == No(Code.SLOT_TAKEN, {"lane": room.ann.lane, "n": 1})
    assert await room.shown(room.ann, 1) == [faces]


# A store set back


@pytest.mark.parametrize("meanwhile", ["nothing", "another's first token", "a roll of the gm's", "a bigger pool"])
async def test_a_store_set_back_to_before_a_roll_gives_it_the_same_faces(room: DiceRoom, admin: Redis, meanwhile: str):
    await rolled(await room.node(), room.ann, 1)
    saved = await backup(admin, room.id)
    await rolled(await room.node(), room.ann, 2)
    [faces] = await room.shown(room.ann, 2)
    await restore(admin, saved)
    live, pool = await room.node(), 6
    assert await room.shown(room.ann, 2) == []

    match meanwhile:
        case "another's first token":
            await rolled(live, room.bo, 1)
        case "a roll of the gm's":
            await ask(live, PLAIN, by=GM)
        case "a bigger pool":
            pool = 20
    assert isinstance(await ask(live, room.ann.roll(2, pool), by=room.ann.actor, session="later", n=1), Done)

    [again] = await room.shown(room.ann, 2)
    assert again[:6] == faces


async def test_an_older_snapshot_gives_every_later_slot_the_same_faces(room: DiceRoom, admin: Redis):
    live = await room.node()
    await rolled(live, room.ann, 1)
    old = snapshot(live.log)
    await room.store.save_snapshot(room.id, live.log.position, old)
    saved = await admin.dump(key(room.id, SNAPSHOT))
    await rolled(live, room.bo, 1)
    await rolled(live, room.ann, 2, 3)
    await room.store.save_snapshot(room.id, live.log.position, snapshot(live.log))
    faces = await room.fixed(room.ann, 4)
    assert saved is not None

    await admin.restore(key(room.id, SNAPSHOT), 0, saved, replace=True)
    later = await room.node()
    await rolled(later, room.ann, 4)

    assert (await room.store.load_snapshot(room.id) or (None, b""))[1] == old
    assert later.room.view == (await room.node()).room.view
    assert await room.shown(room.ann, 4) == [faces]


async def test_a_store_set_back_with_a_new_secret_rolls_no_more(room: DiceRoom, admin: Redis):
    """What shows of a server that rolls on with one all the same is in `test_changed_past.py`."""
    await rolled(await room.node(), room.ann, 1)
    saved = await backup(admin, room.id)
    await rolled(await room.node(), room.ann, 2)

    await restore(admin, saved)
    before = await room.texts()
    await admin.set(key(room.id, DICE), bytes(32))

    assert await ask(await room.node(), room.ann.roll(2), by=room.ann.actor) == No(Code.DICE_LOST, {})
    assert await room.texts() == before


async def test_a_store_set_back_without_its_secret_rolls_no_more(room: DiceRoom, admin: Redis):
    await rolled(await room.node(), room.ann, 1)
    await admin.delete(key(room.id, DICE))

    assert await ask(await room.node(), room.ann.roll(2), by=room.ann.actor) == No(Code.DICE_LOST, {})
