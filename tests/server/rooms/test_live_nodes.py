"""A live room among other nodes that play it as well."""

import asyncio

import pytest

from dreadclock.wire.base import Channel
from dreadclock.wire.errors import Code
from dreadclock_server.core.sessions import No
from dreadclock_server.rooms.answers import unavailable
from dreadclock_server.rooms.log import announcement
from dreadclock_server.store.base import Store, Trouble
from kit.nodes import ROLL, Witness, ask, done_at, done_at_last, meddled, node, same_everywhere, submit
from kit.stores import end_of, whole_log
from kit.waiting import until

PUBLIC = Channel.PUBLIC
START_GHOST = {"type": "start_countdown", "id": "ghost", "name": "Ghost", "pool": 9}
UNKNOWN = No(Code.UNKNOWN, {"kind": "countdown", "id": "ghost"})


# Other nodes


async def test_a_node_that_was_second_decides_again_on_what_the_first_did(store: Store, other: Store, room_id: str):
    meddler, meddled_store = meddled(store)
    here, there = await node(meddled_store, room_id), await node(other, room_id)
    meddler.before_append = lambda: ask(there, START_GHOST)

    outcome = await ask(here, START_GHOST)

    assert outcome == No(Code.ID_TAKEN, {"id": "ghost"})
    await same_everywhere(store, here, there)


async def test_two_nodes_at_once_lose_nothing_and_do_nothing_twice(store: Store, other: Store, room_id: str):
    here, there = await node(store, room_id), await node(other, room_id)

    mine = [submit(here, ROLL, session="s", n=n)[0] for n in range(1, 41)]
    theirs = [submit(there, ROLL, session="t", n=n)[0] for n in range(1, 41)]
    outcomes = await asyncio.gather(*mine, *theirs)

    seqs = sorted(done_at(outcome) for outcome in outcomes)
    assert seqs == list(range(seqs[0], seqs[0] + 80))
    await asyncio.gather(here.refresh(), there.refresh())
    await same_everywhere(store, here, there)


async def test_a_node_that_never_gets_its_turn_says_so(store: Store, other: Store, room_id: str):
    meddler, meddled_store = meddled(store)
    here, there = await node(meddled_store, room_id), await node(other, room_id)

    async def always_first() -> None:
        await ask(there, ROLL)
        meddler.before_append = always_first

    meddler.before_append = always_first

    assert await ask(here, ROLL, session="s") == unavailable(Trouble.TOO_MUCH)
    meddler.before_append = None
    await done_at_last(here, Trouble.TOO_MUCH, session="s")


async def test_an_announced_entry_is_taken_without_asking_the_store(store: Store, other: Store, room_id: str):
    meddler, meddled_store = meddled(store)
    here, there = await node(meddled_store, room_id), await node(other, room_id)
    witness = Witness(here)
    await ask(there, ROLL)
    asked = meddler.heads_asked

    here.hear_announced(announcement(there.log.position, (await whole_log(store, room_id))[-1]))

    assert here.room == there.room
    assert len(witness.texts) == 1
    assert meddler.heads_asked == asked


@pytest.mark.parametrize("payload", [b"", b"nonsense", b"x y\n", b"\xff\n", b"99 " + b"0" * 64 + b"\n"])
async def test_a_short_announcement_makes_a_node_look(store: Store, other: Store, room_id: str, payload: bytes):
    here, there = await node(store, room_id), await node(other, room_id)
    await ask(there, ROLL)

    here.hear_announced(payload)

    await until(lambda: here.log.position == there.log.position)


async def test_a_false_announcement_changes_nothing(store: Store, room_id: str):
    live = await node(store, room_id)
    before, witness = live.room, Witness(live)
    forged = b"a forged entry"

    live.hear_announced(announcement(live.log.position.after(forged), forged))
    await live.refresh()

    assert live.room == before
    assert (witness.texts, witness.replaced_by) == ([], [])


async def test_an_announced_entry_must_be_the_very_one_that_the_store_holds(store: Store, other: Store, room_id: str):
    here, there = await node(store, room_id), await node(other, room_id)
    witness = Witness(here)
    first = await ask(there, ROLL, session="s")
    stored = (await whole_log(store, room_id))[-1]
    forged = stored.replace(b'"s",1,', b'"t",1,')
    assert forged != stored

    here.hear_announced(announcement(there.log.position, forged))
    await here.refresh()

    assert witness.replaced_by == []
    assert here.log.sessions.outcome("t", 1) is None
    assert here.log.sessions.outcome("s", 1) == first


async def test_appends_while_a_node_reads_are_no_fork(
    store: Store, other: Store, room_id: str, monkeypatch: pytest.MonkeyPatch
):
    here, there = await node(store, room_id), await node(other, room_id)
    witness, read = Witness(here), store.read

    async def late(room: str, after: int, limit: int = 1000) -> list[tuple[int, bytes]]:
        monkeypatch.setattr(store, "read", read)
        await ask(there, ROLL)
        return await read(room, after, limit)

    monkeypatch.setattr(store, "read", late)
    await here.refresh()

    await until(lambda: here.log.position == there.log.position)
    assert (len(witness.texts), witness.replaced_by) == (1, [])


async def test_news_while_a_node_reads_is_taken_once(
    store: Store, other: Store, room_id: str, monkeypatch: pytest.MonkeyPatch
):
    here, there = await node(store, room_id), await node(other, room_id)
    witness, read = Witness(here), store.read
    await ask(there, ROLL)

    async def late(room: str, after: int, limit: int = 1000) -> list[tuple[int, bytes]]:
        rows = await read(room, after, limit)
        here.hear(there.log.position, (await whole_log(other, room_id))[-1])
        return rows

    monkeypatch.setattr(store, "read", late)
    await here.refresh()

    assert here.log.position == there.log.position
    assert (len(witness.texts), witness.replaced_by) == (1, [])


async def test_an_old_announcement_is_no_news(store: Store, room_id: str):
    live = await node(store, room_id)
    log = await whole_log(store, room_id)

    live.hear(end_of(log), log[-1])

    assert live.idle
    assert live.log.position == end_of(log)
