"""A live room whose store loses replies, stays away, tells another story or is emptied."""

import asyncio
import gc
import weakref
from random import Random
from typing import Any

import pytest
from redis.asyncio import Redis

from dreadclock.wire.base import Channel
from dreadclock.wire.errors import Code
from dreadclock_server.core.sessions import Done, No
from dreadclock_server.rooms.answers import unavailable
from dreadclock_server.rooms.log import BrokenLog, Log, NewerLog
from dreadclock_server.store.base import EMPTY, Batch, RoomUnknown, Store, StoreUnavailable, Trouble
from dreadclock_server.store.keys import LOG, key
from kit.nodes import (
    LATE_S,
    ROLL,
    Witness,
    ask,
    backup,
    done_at,
    done_at_last,
    meddled,
    node,
    restore,
    rolls,
    same_everywhere,
    submit,
)
from kit.stores import whole_log
from kit.tables import ANN, GM
from kit.waiting import until

PUBLIC = Channel.PUBLIC
GHOST = {"type": "roll_countdown", "countdown_id": "ghost"}
START_GHOST = {"type": "start_countdown", "id": "ghost", "name": "Ghost", "pool": 9}
UNKNOWN = No(Code.UNKNOWN, {"kind": "countdown", "id": "ghost"})


# The store in trouble


async def test_a_lost_reply_is_asked_for_again_and_the_command_done_once(store: Store, room_id: str):
    meddler, meddled_store = meddled(store)
    live = await node(meddled_store, room_id)
    witness = Witness(live)
    meddler.replies_to_lose = 2

    future, replies = submit(live, ROLL, session="s")
    outcome = await future

    assert replies == [None, outcome]  # pending, then done
    assert meddler.appends == 3
    assert await rolls(store, room_id) == 1
    assert len(witness.texts) == 1
    await same_everywhere(store, live)


async def test_a_lost_reply_is_found_though_another_node_appended_since(store: Store, other: Store, room_id: str):
    meddler, meddled_store = meddled(store)
    here, there = await node(meddled_store, room_id), await node(other, room_id)
    meddler.replies_to_lose = 1

    future, replies = submit(here, ROLL, session="s")
    await until(lambda: replies == [None])
    await ask(there, ROLL, session="t")
    await future
    await here.refresh()

    assert await rolls(store, room_id) == 2
    await same_everywhere(store, here, there)


async def test_a_store_that_fails_after_a_lost_reply_is_asked_again(store: Store, admin: Redis, room_id: str):
    meddler, meddled_store = meddled(store)
    live = await node(meddled_store, room_id)
    log, aside = key(room_id, LOG), key(room_id, "aside")

    async def spoil_the_next() -> None:
        meddler.before_append = spoil

    async def spoil() -> None:
        await admin.rename(log, aside)
        await admin.set(log, "not a log")

    meddler.replies_to_lose, meddler.before_append = 1, spoil_the_next
    future, replies = submit(live, ROLL, session="s")
    await until(lambda: meddler.appends >= 3)
    await admin.rename(aside, log)
    await future

    assert [type(reply) for reply in replies] == [type(None), Done]
    assert await rolls(store, room_id) == 1
    await same_everywhere(store, live)


async def test_a_failure_after_storing_undoes_nothing(store: Store, room_id: str, monkeypatch: pytest.MonkeyPatch):
    meddler, meddled_store = meddled(store)
    live = await node(meddled_store, room_id)
    witness = Witness(live)
    put, stumbles = Log.put, 0

    def stumble(log: Log, *words: Any) -> None:
        nonlocal stumbles
        if log is live.log and not stumbles:
            stumbles, meddler.is_down = 1, True
            raise ValueError
        put(log, *words)

    monkeypatch.setattr(Log, "put", stumble)
    future, replies = submit(live, ROLL, session="s")
    await until(lambda: None in replies)
    meddler.is_down = False
    await future

    assert isinstance(replies[-1], Done)
    assert isinstance(await ask(live, ROLL, session="s", n=2), Done)
    assert await rolls(store, room_id) == 2
    assert [room.positions[PUBLIC].seq for room in witness.replaced_by] == [done_at(replies[-1])]
    await same_everywhere(store, live)


async def test_while_an_outcome_is_unknown_other_commands_are_turned_away(store: Store, room_id: str):
    meddler, meddled_store = meddled(store)
    live = await node(meddled_store, room_id)
    meddler.replies_to_lose = 1

    future, replies = submit(live, ROLL, session="s", n=1)
    await until(lambda: replies == [None])
    assert await ask(live, ROLL, session="s", n=2) == unavailable(Trouble.AWAY)
    await future

    assert isinstance(await ask(live, ROLL, session="s", n=2), Done)


async def test_an_append_that_was_refused_for_certain_is_given_up_and_may_be_sent_again(store: Store, room_id: str):
    meddler, meddled_store = meddled(store)
    live = await node(meddled_store, room_id)
    meddler.appends_to_refuse = 1

    assert await ask(live, ROLL, session="s") == unavailable(Trouble.AWAY)
    await done_at_last(live, Trouble.AWAY, session="s")
    assert await rolls(store, room_id) == 1


async def test_a_store_without_an_answer_is_asked_again_at_the_next_command(store: Store, admin: Redis, room_id: str):
    meddler, meddled_store = meddled(store)
    live = await node(meddled_store, room_id)
    meddler.appends_to_refuse = 1
    await admin.execute_command("ACL", "SETUSER", "default", "-set")  # what a ping is made of
    try:
        outcome = await ask(live, ROLL)
        assert isinstance(outcome, No)
        assert outcome.code is Code.UNAVAILABLE
        await until(lambda: not live.is_at_work)
    finally:
        await admin.execute_command("ACL", "SETUSER", "default", "+set")

    await done_at_last(live, Trouble.AWAY)


async def lost_on_its_way() -> None:
    raise StoreUnavailable("nobody knows what became of it")


async def test_a_room_is_read_while_an_append_is_neither_done_nor_given_up(store: Store, room_id: str):
    meddler, meddled_store = meddled(store)
    live = await node(meddled_store, room_id)
    meddler.before_append, meddler.appends_to_refuse = lost_on_its_way, 1_000_000
    future, replies = submit(live, ROLL, session="s")
    await until(lambda: replies == [None])

    await asyncio.wait_for(live.refresh(), LATE_S)

    assert not future.done()
    meddler.appends_to_refuse = 0
    assert done_at(await asyncio.wait_for(future, LATE_S)) == live.room.positions[PUBLIC].seq
    await live.refresh()
    await same_everywhere(store, live)


async def test_a_room_is_read_while_the_store_has_an_unconfirmed_append(store: Store, admin: Redis, room_id: str):
    """The reply was lost. To confirm the append takes a write, and the store takes none."""
    meddler, meddled_store = meddled(store)
    live = await node(meddled_store, room_id)
    witness, before, stored = Witness(live), live.room, live.log.position.number
    maxmemory = str((await admin.config_get("maxmemory"))["maxmemory"])
    meddler.replies_to_lose = 1_000_000
    future, replies = submit(live, ROLL, session="s")
    await until(lambda: replies == [None])
    await admin.config_set("maxmemory", 1)
    try:
        meddler.replies_to_lose = 0
        asked = meddler.appends
        await until(lambda: meddler.appends > asked + 1)

        await asyncio.wait_for(live.refresh(), LATE_S)

        assert (await store.meta(room_id)).position.number == stored + 1
        assert (live.room, witness.texts, future.done()) == (before, [], False)
        assert await asyncio.wait_for(live.undoable(GM), LATE_S) == []
        assert await asyncio.wait_for(ask(live, ROLL), LATE_S) == unavailable(Trouble.MEMORY_FULL)
    finally:
        await admin.config_set("maxmemory", maxmemory)
    assert done_at(await asyncio.wait_for(future, LATE_S)) == live.room.positions[PUBLIC].seq
    assert await rolls(store, room_id) == 1
    await same_everywhere(store, live)


async def test_a_room_is_read_though_others_went_past_an_unconfirmed_entry(store: Store, other: Store, room_id: str):
    meddler, meddled_store = meddled(store)
    live = await node(meddled_store, room_id)
    before, meddler.replies_to_lose = live.room, 1_000_000
    future, replies = submit(live, ROLL, session="s")
    await until(lambda: replies == [None])
    there = await node(other, room_id)
    await ask(there, ROLL)

    live.catch_up()
    await asyncio.wait_for(live.refresh(), LATE_S)
    assert live.room == before
    with pytest.raises(StoreUnavailable):  # who comes from there knows no other log, but one that goes on
        await asyncio.wait_for(live.missed(there.room.positions), LATE_S)

    meddler.replies_to_lose = 0
    await asyncio.wait_for(future, LATE_S)
    assert all(not part.texts for part in (await live.missed(there.room.positions)).values())
    await live.refresh()
    assert await rolls(store, room_id) == 2
    await same_everywhere(store, live)


async def test_a_node_ends_although_an_append_is_neither_done_nor_given_up_and_it_may_be_sent_again(
    store: Store, room_id: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("dreadclock_server.rooms.live.LAST_TRIES_S", 0.05)
    meddler, meddled_store = meddled(store)
    live = await node(meddled_store, room_id)
    before = await rolls(store, room_id)
    meddler.before_append, meddler.appends_to_refuse = lost_on_its_way, 1_000_000
    future, replies = submit(live, ROLL, session="s")
    await until(lambda: replies == [None])

    await asyncio.wait_for(live.aclose(), LATE_S)

    assert not future.done()
    assert isinstance(await ask(await node(store, room_id), ROLL, session="s"), Done)
    assert await rolls(store, room_id) == before + 1


async def test_a_room_is_back_by_itself_when_the_store_is(store: Store, room_id: str):
    meddler, meddled_store = meddled(store)
    live = await node(meddled_store, room_id)
    meddler.is_down = True

    assert await ask(live, ROLL) == unavailable(Trouble.AWAY)
    with pytest.raises(StoreUnavailable):
        await live.refresh()
    meddler.is_down = False

    await done_at_last(live, Trouble.AWAY)


async def test_a_refresh_that_fails_leaves_nothing_for_the_garbage_collector(store: Store, room_id: str):
    meddler, meddled_store = meddled(store)
    live = await node(meddled_store, room_id)
    meddler.is_down = True
    gc.collect()
    gc.disable()
    try:
        failed = None
        try:
            await live.refresh()
        except StoreUnavailable as error:
            failed = weakref.ref(error)
        meddler.is_down = False
        await done_at_last(live, Trouble.AWAY)
        assert failed is not None
        assert failed() is None
    finally:
        gc.enable()


# Forks: the store tells another story than before


async def test_a_store_that_lost_entries_is_noticed_and_everyone_is_told(store: Store, admin: Redis, room_id: str):
    live = await node(store, room_id)
    witness = Witness(live)
    await ask(live, ROLL)
    kept, saved = live.log.position, await backup(admin, room_id)
    await ask(live, ROLL)
    await restore(admin, saved)

    live.catch_up()

    await until(lambda: len(witness.replaced_by) == 1)
    assert live.log.position == kept
    assert witness.replaced_by == [live.room]
    assert isinstance(await ask(live, ROLL), Done)
    await same_everywhere(store, live)


async def test_an_entry_that_the_store_lost_is_given_up(store: Store, other: Store, admin: Redis, room_id: str):
    live, elsewhere = await node(store, room_id), await node(other, room_id)
    await ask(elsewhere, ROLL)
    rows: Any = await admin.xrevrange(key(room_id, LOG), count=1)
    await admin.xdel(key(room_id, LOG), rows[0][0])

    live.catch_up()

    await until(lambda: not live.is_at_work)
    with pytest.raises(BrokenLog):
        await live.refresh()
    with pytest.raises(BrokenLog, match=rf"^room {room_id} is damaged in the store: .*: dreadclock restore BACKUP"):
        await node(store, room_id)


async def test_a_room_in_which_a_newer_version_has_written_is_not_called_damaged(store: Store, room_id: str):
    live = await node(store, room_id)
    last = (await whole_log(store, room_id))[-1]
    newer = Batch("from-the-future", last.replace(b'"v":1', b'"v":2'))
    await store.append(room_id, live.log.position, newer)

    assert await ask(live, ROLL) == unavailable(Trouble.NEWER)
    with pytest.raises(NewerLog):
        await live.refresh()
    with pytest.raises(NewerLog):
        await node(store, room_id)


async def test_a_forked_store_is_noticed_at_the_next_command(store: Store, other: Store, admin: Redis, room_id: str):
    live = await node(store, room_id)
    witness = Witness(live)
    saved = await backup(admin, room_id)
    await ask(live, ROLL, session="s", n=1)
    await restore(admin, saved)
    await ask(await node(other, room_id), START_GHOST, by=ANN)

    outcome = await ask(live, GHOST, session="s", n=2)

    assert isinstance(outcome, Done)
    assert len(witness.replaced_by) == 1
    await same_everywhere(store, live)


async def test_an_unstored_refusal_goes_with_its_log(store: Store, other: Store, admin: Redis, room_id: str):
    live = await node(store, room_id)
    saved = await backup(admin, room_id)
    await ask(live, ROLL)
    assert await ask(live, GHOST, session="s") == UNKNOWN
    await restore(admin, saved)
    await ask(await node(other, room_id), START_GHOST, by=ANN)

    outcome = await ask(live, GHOST, session="s")

    assert isinstance(outcome, Done)
    await same_everywhere(store, live)


async def test_a_store_that_forked_and_went_further_is_noticed(store: Store, other: Store, admin: Redis, room_id: str):
    live = await node(store, room_id)
    witness = Witness(live)
    saved = await backup(admin, room_id)
    await ask(live, ROLL)
    await restore(admin, saved)
    elsewhere = await node(other, room_id)
    for _ in range(3):
        await ask(elsewhere, ROLL, by=ANN)

    live.catch_up()

    await until(lambda: live.log.position == elsewhere.log.position)
    assert len(witness.replaced_by) == 1
    assert live.room == elsewhere.room


# The end of a room


async def test_a_deleted_room_is_gone_for_all_who_wait(store: Store, room_id: str):
    live = await node(store, room_id)
    witness = Witness(live)
    await store.delete_room(room_id)

    assert await ask(live, ROLL) == unavailable(Trouble.AWAY)
    assert witness.is_gone
    assert live.is_gone
    assert await ask(live, ROLL) == unavailable(Trouble.AWAY)
    with pytest.raises(RoomUnknown):
        await live.refresh()


async def test_who_waits_for_a_refresh_of_a_deleted_room_is_told(store: Store, room_id: str):
    live = await node(store, room_id)
    await store.delete_room(room_id)

    with pytest.raises(RoomUnknown):
        await live.refresh()


async def test_who_began_to_wait_while_a_room_was_deleted_is_told_too(store: Store, room_id: str):
    meddler, meddled_store = meddled(store)
    live = await node(meddled_store, room_id)
    waiting: list[asyncio.Task[None]] = []

    async def delete() -> None:
        waiting.append(asyncio.create_task(live.refresh()))
        await store.delete_room(room_id)

    meddler.before_append = delete

    assert await ask(live, ROLL) == unavailable(Trouble.AWAY)
    with pytest.raises(RoomUnknown):
        await asyncio.wait_for(waiting[0], LATE_S)


async def test_closing_waits_for_what_is_under_way(store: Store, room_id: str):
    live = await node(store, room_id)
    future, _ = submit(live, ROLL)

    await live.aclose()

    assert future.done()
    assert live.log.position != EMPTY


# All of it at once


@pytest.mark.parametrize("seed", range(2))
async def test_whatever_is_lost_every_command_is_done_once_and_everyone_agrees(
    store: Store, other: Store, room_id: str, seed: int, monkeypatch: pytest.MonkeyPatch
):
    for module in ("live", "replica"):
        monkeypatch.setattr(f"dreadclock_server.rooms.{module}.PAUSE_S", 0.01)
    chance = Random(seed)
    meddler, meddled_store = meddled(store)
    nodes = [await node(meddled_store, room_id), await node(other, room_id)]

    async def player(session: str) -> list[int]:
        """Send 15 commands, each to any node, and again until one says what became of it."""
        seqs = []
        for n in range(1, 16):
            meddler.replies_to_lose += chance.random() < 0.2
            meddler.appends_to_refuse += chance.random() < 0.2
            outcome = await ask(chance.choice(nodes), ROLL, session=session, n=n)
            while outcome == unavailable(Trouble.AWAY):
                outcome = await ask(chance.choice(nodes), ROLL, session=session, n=n)
            seqs.append(done_at(outcome))
            assert await ask(chance.choice(nodes), ROLL, session=session, n=n) in (outcome, unavailable(Trouble.AWAY))
        return seqs

    seqs = sorted(seq for each in await asyncio.gather(*(player(name) for name in "abcd")) for seq in each)

    assert len(set(seqs)) == 60
    assert await rolls(store, room_id) == 60
    await asyncio.gather(*(each.refresh() for each in nodes))
    await same_everywhere(store, *nodes)
