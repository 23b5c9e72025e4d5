"""A live room: commands in, outcomes and records out, each command once."""

import asyncio

import pytest

from dreadclock.wire.base import Channel
from dreadclock.wire.errors import Code
from dreadclock_server.core.sessions import Done, No
from dreadclock_server.rooms import live as live_module
from dreadclock_server.rooms import size
from dreadclock_server.rooms.answers import unavailable
from dreadclock_server.rooms.log import announcement
from dreadclock_server.store.base import Store, Trouble
from dreadclock_server.store.codec import decode
from kit.nodes import ROLL, Witness, ask, done_at, done_at_last, meddled, node, rolls, same_everywhere, submit
from kit.stores import end_of, whole_log
from kit.tables import GM
from kit.waiting import until

PUBLIC = Channel.PUBLIC
GHOST = {"type": "roll_countdown", "countdown_id": "ghost"}
START_GHOST = {"type": "start_countdown", "id": "ghost", "name": "Ghost", "pool": 9}
UNKNOWN = No(Code.UNKNOWN, {"kind": "countdown", "id": "ghost"})


async def entries(store: Store, room_id: str) -> int:
    return len(await whole_log(store, room_id))


# Commands in, outcomes and records out


async def test_a_command_is_answered_once_it_is_stored_and_then_told(store: Store, room_id: str):
    live = await node(store, room_id)
    witness = Witness(live)

    outcome = await ask(live, ROLL, session="s")

    assert isinstance(outcome, Done)
    last = decode((await whole_log(store, room_id))[-1])
    assert witness.texts == last.texts
    assert outcome.events == {PUBLIC: (live.room.seq(PUBLIC),) * 2}
    await same_everywhere(store, live)


async def test_nobody_hears_of_a_command_before_the_store_has_it(store: Store, room_id: str):
    meddler, meddled_store = meddled(store)
    live = await node(meddled_store, room_id)
    witness, heard = Witness(live), list[object]()

    async def look() -> None:
        heard.extend([*replies, *witness.texts])

    meddler.before_append = look
    future, replies = submit(live, ROLL)
    outcome = await future

    assert heard == []
    assert (replies, len(witness.texts)) == ([outcome], 1)


async def test_what_waits_becomes_one_batch_in_the_order_it_came(store: Store, room_id: str):
    live = await node(store, room_id)
    before = await entries(store, room_id)

    futures = [submit(live, ROLL, session="s", n=n)[0] for n in range(1, 101)]
    outcomes = await asyncio.gather(*futures)

    assert [done_at(outcome) for outcome in outcomes] == sorted(done_at(outcome) for outcome in outcomes)
    assert await entries(store, room_id) == before + 1
    assert await rolls(store, room_id) == 100


async def test_a_long_queue_is_taken_in_several_batches(store: Store, room_id: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(live_module, "MOST_IN_BATCH", 4)
    live = await node(store, room_id)
    before = await entries(store, room_id)

    await asyncio.gather(*(submit(live, ROLL)[0] for _ in range(10)))

    assert await entries(store, room_id) == before + 3


async def test_a_queue_that_is_full_turns_commands_away(store: Store, room_id: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(live_module, "MOST_WAITING", 3)
    live = await node(store, room_id)

    outcomes = await asyncio.gather(*(submit(live, ROLL)[0] for _ in range(5)))

    assert [isinstance(outcome, Done) for outcome in outcomes] == [True, True, True, False, False]
    assert outcomes[-1] == unavailable(Trouble.TOO_MUCH)
    assert await rolls(store, room_id) == 3


# A command twice is once


@pytest.mark.rule("E3")
async def test_a_command_sent_again_gets_its_first_outcome(store: Store, room_id: str):
    live = await node(store, room_id)

    first = await ask(live, ROLL, session="s", n=1)

    assert await ask(live, ROLL, session="s", n=1) == first
    assert await rolls(store, room_id) == 1


@pytest.mark.rule("E3")
async def test_also_to_a_node_that_learned_of_it_from_the_log(store: Store, other: Store, room_id: str):
    first = await ask(await node(store, room_id), ROLL, session="s")

    assert await ask(await node(other, room_id), ROLL, session="s") == first
    assert await rolls(store, room_id) == 1


@pytest.mark.rule("E3")
async def test_also_to_a_node_that_has_not_heard_of_it_yet(store: Store, other: Store, room_id: str):
    here, there = await node(store, room_id), await node(other, room_id)

    first = await ask(here, ROLL, session="s")

    assert await ask(there, ROLL, session="s") == first
    assert await rolls(store, room_id) == 1
    await same_everywhere(store, here, there)


# Refusals


async def test_a_refusal_stores_nothing_and_rides_along_with_the_next_append(store: Store, other: Store, room_id: str):
    live = await node(store, room_id)
    before = await entries(store, room_id)

    assert await ask(live, GHOST, session="s", n=1) == UNKNOWN
    assert await entries(store, room_id) == before
    await ask(live, START_GHOST, session="s", n=2)

    assert await entries(store, room_id) == before + 1
    assert await ask(await node(other, room_id), GHOST, session="s", n=1) == UNKNOWN
    await same_everywhere(store, live)


async def test_a_refusal_is_stored_before_it_is_repeated(store: Store, other: Store, room_id: str):
    live = await node(store, room_id)
    before = await entries(store, room_id)
    await ask(live, GHOST, session="s")

    assert await ask(live, GHOST, session="s") == UNKNOWN

    assert await entries(store, room_id) == before + 1
    await ask(await node(other, room_id), START_GHOST)
    assert await ask(await node(other, room_id), GHOST, session="s") == UNKNOWN


async def test_many_refusals_are_stored_in_time(store: Store, room_id: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(size, "MOST_UNSAVED", 3)
    live = await node(store, room_id)
    before = await entries(store, room_id)

    for n in range(1, 5):
        await ask(live, GHOST, session="s", n=n)

    assert await entries(store, room_id) == before + 1
    await same_everywhere(store, live)


async def test_a_refusal_never_rests_on_an_old_state(store: Store, other: Store, room_id: str):
    here, there = await node(store, room_id), await node(other, room_id)
    await ask(there, START_GHOST)

    outcome = await ask(here, GHOST)

    assert isinstance(outcome, Done)
    await same_everywhere(store, here)


async def test_nothing_to_do_never_rests_on_an_old_state_either(store: Store, other: Store, room_id: str):
    here, there = await node(store, room_id), await node(other, room_id)
    await ask(there, {"type": "set_policy", "physical_dice": "gm"})

    outcome = await ask(here, {"type": "set_policy", "physical_dice": "off"})

    assert isinstance(outcome, Done)
    assert outcome.events != {}


async def test_a_refusal_does_not_overwrite_what_another_node_did_meanwhile(store: Store, other: Store, room_id: str):
    """A refusal whose reply was lost; the same command, done by another node; then this node's next append."""
    here, there = await node(store, room_id), await node(other, room_id)
    await ask(here, GHOST, session="s", n=1)
    await ask(there, START_GHOST, by=GM, session="t", n=1)
    first = await ask(there, GHOST, session="s", n=1)

    await ask(here, ROLL)

    assert isinstance(first, Done)
    assert await ask(here, GHOST, session="s", n=1) == first
    assert await ask(await node(other, room_id), GHOST, session="s", n=1) == first
    await same_everywhere(store, here)


# Those who listen


async def test_a_listener_that_fails_spoils_no_others(store: Store, room_id: str, monkeypatch: pytest.MonkeyPatch):
    live = await node(store, room_id)
    clumsy, witness = Witness(live), Witness(live)
    monkeypatch.setattr(clumsy, "texts", None)

    outcome = await ask(live, ROLL)

    assert isinstance(outcome, Done)
    assert len(witness.texts) == 1


# A live room among other nodes that play it as well


# Other nodes


async def test_a_node_that_was_second_decides_again_on_what_the_first_did(store: Store, other: Store, room_id: str):
    meddler, meddled_store = meddled(store)
    here, there = await node(meddled_store, room_id), await node(other, room_id)
    meddler.before_append = lambda: ask(there, START_GHOST)

    assert await ask(here, START_GHOST) == No(Code.ID_TAKEN, {"id": "ghost"})
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


async def test_concurrent_appends_are_no_fork(
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


async def test_concurrent_news_is_taken_once(store: Store, other: Store, room_id: str, monkeypatch: pytest.MonkeyPatch):
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
