"""An appended entry is announced where another node listens, and costs nothing more where none does."""

from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from dreadclock_server.store.base import Position
from dreadclock_server.store.embedded.server import Embedded
from dreadclock_server.store.preflight import connect
from dreadclock_server.store.valkey import ValkeyStore
from kit.stores import batch, open_room
from kit.waiting import until


class Node:
    """A node: a store, and all that it hears of one room."""

    def __init__(self, store: ValkeyStore) -> None:
        self.store, self.heard = store, list[bytes]()
        self.listener = store.listen(lambda room, payload: self.heard.append(payload), lambda: None)

    async def append(self, room: str, expected: Position, text: str) -> Position:
        """Append an entry and announce it, as a live room does."""
        position = await self.store.append(room, expected, batch(text))
        self.store.announce(room, text.encode(), position)
        return position


@pytest.fixture
async def node(store: ValkeyStore, room: str) -> AsyncIterator[Node]:
    node = Node(store)
    await node.listener.start()
    await node.listener.watch(room)
    yield node
    await node.listener.aclose()


async def test_an_entry_that_no_other_node_would_hear_of_is_not_published(node: Node, room: str):
    position = await open_room(node.store, room)

    position = await node.store.append(room, position, batch("unheard"))
    node.store.announce(room, b"no entry")
    node.store.announce(room, b"unheard", position)
    node.store.announce(room, b"end")
    await until(lambda: b"end" in node.heard)

    assert node.heard == [b"no entry", b"end"]


async def test_an_entry_is_published_as_soon_as_another_node_listens(node: Node, other: ValkeyStore, room: str):
    position = await open_room(node.store, room)
    position = await node.append(room, position, "unheard")
    second = Node(other)
    await second.listener.start()
    await second.listener.watch(room)

    position = await node.append(room, position, "heard")
    await until(lambda: bool(second.heard))
    await second.listener.unwatch(room)
    await node.append(room, position, "unheard again")
    node.store.announce(room, b"end")
    await until(lambda: b"end" in node.heard)
    await second.listener.aclose()

    assert second.heard == [b"heard"]
    assert node.heard == [b"heard", b"end"]


async def test_an_entry_is_published_while_the_nodes_subscription_is_away(node: Node, other: ValkeyStore, room: str):
    position = await open_room(node.store, room)
    second = Node(other)
    await second.listener.start()
    await second.listener.watch(room)
    await node.listener.unwatch(room)

    await node.append(room, position, "heard")
    await until(lambda: bool(second.heard))
    await second.listener.aclose()

    assert second.heard == [b"heard"]


async def test_every_entry_is_published_without_counting(server: Embedded, admin: Redis, other: ValkeyStore, room: str):
    rules = ("~*", "&*", "+@all", "-pubsub")
    await admin.execute_command("ACL", "SETUSER", "guest", "reset", "on", ">word", *rules)
    try:
        node = Node(await connect(server.url.replace("unix://", "unix://guest:word@"), trust_store_durability=True))
        second = Node(other)
        await second.listener.start()
        await second.listener.watch(room)
        position = await open_room(node.store, room)

        await node.append(room, position, "heard")
        await until(lambda: bool(second.heard))
        await second.listener.aclose()
        await node.store.aclose()
    finally:
        await admin.execute_command("ACL", "DELUSER", "guest")

    assert second.heard == [b"heard"]
