"""What every store must do beside the log: tokens, presence, announcements."""

import pytest

from dreadclock_server.store.base import NODE_SILENT_MS, RoomUnknown, Store
from dreadclock_server.store.in_play import SILENT_MS
from kit.stores import open_room
from kit.waiting import until

# Tokens


async def test_tokens_come_and_go_and_every_change_raises_the_version(store: Store, room: str):
    await open_room(store, room)

    await store.put_token(room, "token-c", '{"role":"player"}')
    assert await store.token(room, "token-c") == '{"role":"player"}'
    assert (await store.meta(room)).tokens_version == 2

    assert await store.delete_token(room, "token-c")
    assert await store.token(room, "token-c") is None
    assert (await store.meta(room)).tokens_version == 3

    assert not await store.delete_token(room, "token-c")
    assert (await store.meta(room)).tokens_version == 3
    assert await store.tokens(room) == {"token-a": '{"role":"gm"}', "token-b": "{}"}


async def test_the_last_use_of_a_token_only_moves_forward_and_goes_with_the_token(store: Store, room: str):
    await open_room(store, room)

    await store.touch_tokens(room, {"token-a": 2000, "token-b": 1000, "never issued": 1000})
    await store.touch_tokens(room, {"token-a": 1000, "token-b": 3000})
    await store.touch_tokens(room, {})
    assert await store.token_uses(room) == {"token-a": 2000, "token-b": 3000}

    await store.delete_token(room, "token-b")
    assert await store.token_uses(room) == {"token-a": 2000}
    assert (await store.meta(room)).tokens_version == 2


# Who is here


async def test_connections_of_a_seat_are_counted_over_all_nodes(store: Store, other: Store, room: str):
    await store.set_here(room, "node-1", {"p1": 1, "gm": 2}, 1000)
    await other.set_here(room, "node-2", {"p1": 2}, 1000)
    assert await store.set_here(room, "asker", {}, 1000) == {"p1": 3, "gm": 2}

    await store.set_here(room, "node-1", {"gm": 1}, 2000)
    assert await store.set_here(room, "asker", {}, 2000) == {"p1": 2, "gm": 1}

    await store.set_here(room, "node-2", {}, 3000)
    assert await store.set_here(room, "asker", {}, 3000) == {"gm": 1}


async def test_a_silent_node_is_gone_and_back_once_it_speaks(store: Store, room: str):
    await store.set_here(room, "silent", {"p1": 1}, 0)
    await store.set_here(room, "alive", {"p2": 1}, 1)

    assert await store.set_here(room, "asker", {}, NODE_SILENT_MS) == {"p1": 1, "p2": 1}
    assert await store.set_here(room, "asker", {}, NODE_SILENT_MS + 1) == {"p2": 1}
    assert await store.set_here(room, "asker", {}, NODE_SILENT_MS) == {"p2": 1}

    await store.set_here(room, "silent", {"p1": 1}, NODE_SILENT_MS)
    assert await store.set_here(room, "asker", {}, NODE_SILENT_MS) == {"p1": 1, "p2": 1}


# Knocks

ROW = '9000 {"name":"Ines"}'


async def test_a_knock_is_kept_by_rooms_that_there_are_and_no_others(store: Store, room: str):
    assert not await store.put_knock(room, "knock", ROW, 0, 16)
    assert (await store.knock(room, "knock"), await store.knocks(room)) == (None, {})

    await open_room(store, room)
    assert await store.put_knock(room, "knock", ROW, 0, 16)
    assert (await store.knock(room, "knock"), await store.knocks(room)) == (ROW, {"knock": ROW})
    assert (await store.meta(room)).tokens_version == 1

    await store.delete_room(room)
    assert await store.knocks(room) == {}


async def test_knocks_that_are_over_go_and_of_too_many_the_one_that_is_over_first(store: Store, room: str):
    await open_room(store, room)
    for over in (500, 20, 1000, 3000, 2000):
        await store.put_knock(room, f"k{over}", f"{over} {{}}", 0, 16)

    await store.put_knock(room, "new", "4000 {}", 500, 4)
    assert set(await store.knocks(room)) == {"k1000", "k3000", "k2000", "new"}
    await store.put_knock(room, "new", "4000 {}", 500, 4)
    assert set(await store.knocks(room)) == {"k1000", "k3000", "k2000", "new"}, "the same again changes nothing"

    await store.put_knock(room, "newer", "5000 {}", 500, 4)
    assert set(await store.knocks(room)) == {"k3000", "k2000", "new", "newer"}


async def test_a_knock_is_changed_by_who_knows_how_it_stands(store: Store, other: Store, room: str):
    await open_room(store, room)
    await store.put_knock(room, "knock", "9 a", 0, 16)

    assert await store.change_knock(room, "knock", "9 a", "9 b")
    assert await store.change_knock(room, "knock", "9 a", "9 b"), "a try whose reply was lost"
    assert not await other.change_knock(room, "knock", "9 a", "9 c")
    assert not await other.change_knock(room, "none", "9 a", "9 c")
    assert await store.knock(room, "knock") == "9 b"

    assert not await other.change_knock(room, "knock", "9 a", None)
    assert await other.change_knock(room, "knock", "9 b", None)
    assert await store.knock(room, "knock") is None


async def test_a_knockers_token_is_put_once(store: Store, room: str):
    await open_room(store, room)
    await store.put_knock(room, "knock", "9 a", 0, 16)

    assert not await store.put_knockers_token(room, "knock", "9 x", "9 y", "token-k", "{}")
    assert not await store.put_knockers_token(room, "none", "9 a", "9 y", "token-k", "{}")
    assert await store.token(room, "token-k") is None

    assert await store.put_knockers_token(room, "knock", "9 a", "9 taken", "token-k", "{}")
    assert (await store.token(room, "token-k"), await store.knock(room, "knock")) == ("{}", "9 taken")
    assert (await store.meta(room)).tokens_version == 2

    await store.delete_token(room, "token-k")
    assert await store.put_knockers_token(room, "knock", "9 a", "9 taken", "token-k", "{}")
    assert await store.token(room, "token-k") is None
    await store.delete_room(room)
    assert not await store.put_knockers_token(room, "knock", "9 a", "9 taken", "token-k", "{}")
    assert await store.tokens(room) == {}


# Demo rooms (tables in play)


async def reserved(
    store: Store, room: str, who: str = "somebody", *, most: int = 1000, for_ms: int = 10, now_ms: int = 100
) -> bool:
    """Reserve memory for a demo room that somebody opens."""
    return await store.in_play.reserve(room, {who: 1}, most, plays_ms=60, for_ms=for_ms, now_ms=now_ms)


async def test_a_table_in_play_goes_once_it_is_due_and_nobody_is_there(store: Store, other: Store, room: str):
    assert await reserved(store, room, for_ms=10)
    await open_room(store, room)
    assert room not in await other.in_play.due(0, now_ms=109)
    assert not await store.in_play.end(room, now_ms=109)
    await store.set_here(room, "node", {"seat-1": 1}, SILENT_MS)
    assert room in await other.in_play.due(0, now_ms=2 * SILENT_MS - 1)
    assert not await other.in_play.end(room, now_ms=2 * SILENT_MS - 1)
    assert room not in await other.in_play.due(0, now_ms=2 * SILENT_MS)

    assert await other.in_play.end(room, now_ms=2 * SILENT_MS + 10), "a node that says nothing more has ended"
    with pytest.raises(RoomUnknown):
        await store.meta(room)
    assert room not in await store.in_play.due(0, now_ms=3 * SILENT_MS)


async def test_a_table_in_play_that_is_marked_again_or_kept_stays(store: Store, other: Store, room: str):
    assert await reserved(store, room, for_ms=10)
    await open_room(store, room)
    await other.in_play.mark_again(room, 50, now_ms=100)
    await other.in_play.mark_again(room, 0, now_ms=100)
    assert not await store.in_play.end(room, now_ms=149), "what was promised is not made shorter"
    await other.in_play.keep(room)
    await other.in_play.mark_again(room, 0, now_ms=100)
    assert not await store.in_play.end(room, now_ms=1000, at_once=True)
    assert (await store.meta(room)).position.number == 1


async def test_one_process_looks_for_all(store: Store, other: Store, room: str):
    assert await reserved(store, room, for_ms=0)
    assert room in await store.in_play.due(0, now_ms=100)
    assert await other.in_play.due(20, now_ms=119) == []
    assert room in await other.in_play.due(20, now_ms=120)
    assert not await other.in_play.end(room, now_ms=99)
    assert await other.in_play.end(room, now_ms=99, at_once=True)


# Shared recaps


async def test_so_many_recaps_are_shared_and_they_go_with_the_room(store: Store, other: Store, room: str):
    with pytest.raises(RoomUnknown):
        await store.put_recap(room, "a", "{}", 2)
    await open_room(store, room)

    assert await store.put_recap(room, "a", "1", 2)
    assert await other.put_recap(room, "b", "2", 2)
    assert await other.put_recap(room, "b", "2", 2), "a try whose reply was lost"
    assert not await store.put_recap(room, "c", "3", 2)
    assert await store.recaps(room) == {"a": "1", "b": "2"}
    assert (await store.meta(room)).tokens_version == 1

    await store.delete_recap(room, "a")
    await store.delete_recap(room, "a")
    assert await other.put_recap(room, "c", "3", 2)
    assert await store.recaps(room) == {"b": "2", "c": "3"}
    await store.delete_room(room)
    assert await store.recaps(room) == {}


# Announcements


async def test_what_is_announced_is_heard_by_who_watches_the_room(store: Store, other: Store, room: str):
    heard: list[tuple[str, bytes]] = []
    gaps: list[None] = []
    listener = store.listen(lambda where, payload: heard.append((where, payload)), lambda: gaps.append(None))
    await listener.start()
    await listener.watch(room)

    other.announce(room + "-other", b"not for us")
    other.announce(room, b"\x00one\xff")
    other.announce(room, b"two")
    await until(lambda: len(heard) == 2)

    await listener.unwatch(room)
    await listener.watch(room + "-next")
    other.announce(room, b"too late")
    other.announce(room + "-next", b"three")
    await until(lambda: len(heard) == 3)
    await listener.aclose()

    assert heard == [(room, b"\x00one\xff"), (room, b"two"), (room + "-next", b"three")]
    assert gaps == []


async def test_a_store_that_answers_can_be_pinged(store: Store):
    await store.ping()

    assert store.durability == "fsync"
