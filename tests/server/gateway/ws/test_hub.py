"""What a hub tells of who is here, when others come at an awkward moment."""

import json
from collections.abc import Awaitable, Callable, Mapping
from itertools import accumulate
from typing import Any, cast

import pytest
from redis.asyncio import Redis

from dreadclock.wire.base import Channel
from dreadclock.wire.records import Head, advance
from dreadclock_server.gateway.ws import hubs
from dreadclock_server.gateway.ws.hub import Hub, events_frames
from dreadclock_server.rooms.counters import Counters
from dreadclock_server.rooms.live import now_ms
from dreadclock_server.rooms.registry import Rooms
from dreadclock_server.store.base import Store
from dreadclock_server.store.keys import USES, key
from dreadclock_server.store.preflight import connect
from kit.nodes import node, opened
from kit.server import Server
from kit.waiting import until
from server.gateway.ws.test_connection import Pipe, direct


class Interrupted:
    """A store at which something happens just after who is here was first read."""

    def __init__(self, store: Store, then: Callable[[], Awaitable[None]]) -> None:
        self._store = store
        self._then: Callable[[], Awaitable[None]] | None = then

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def set_here(self, room: str, node: str, seats: Mapping[str, int], now: int) -> dict[str, int]:
        """Say and read, and let it happen."""
        found = await self._store.set_here(room, node, seats, now)
        then, self._then = self._then, None
        if then is not None:
            await then()
        return found


async def test_who_comes_elsewhere_while_it_is_being_read_is_not_overlooked(server: Server):
    store = await connect(server.store_url)
    live = await node(store, await opened(store))

    async def ann_comes_elsewhere() -> None:
        await store.set_here(live.id, "elsewhere", {"ann": 1}, now_ms())
        hub.presence_changed()  # as its announcement would

    hub = Hub(live, cast(Store, Interrupted(store, ann_comes_elsewhere)), "here", Counters())
    hub.presence_changed()

    await until(lambda: json.loads(hub.presence_frame().text)["here"] == {"ann": 1})
    await live.aclose()
    await store.aclose()


async def test_one_frame_goes_to_all_and_who_is_gone_or_blocked_holds_nobody_up(server: Server):
    store = await connect(server.store_url)
    live = await node(store, await opened(store))
    hub = Hub(live, store, "here", Counters())
    pipes = [Pipe() for _ in range(5)]
    connections = [direct(pipe) for pipe in pipes]
    for connection in connections:
        hub.join(connection)
    reader, gone, blocked, closed, dismissed = pipes
    gone.is_gone = True
    blocked.write(b"x" * 100_000)
    connections[3].close(1000, "")
    connections[4].took(1)  # so it is owed an answer
    connections[4].dismiss(4502, "")

    await until(lambda: bool(reader.written) and len(blocked.written) == 2)
    assert json.loads(reader.written[0][2:])["here"] == {"player-1": 5}
    assert blocked.written[1] == reader.written[0]
    assert (gone.written, closed.written, dismissed.written) == ([], [], [])
    for connection in connections:
        hub.leave(connection)
    await hub.presence_changed()
    await live.aclose()
    await store.aclose()


def test_much_comes_in_several_frames_each_with_the_head_that_it_leads_to():
    texts = [f"{number:0200000}" for number in range(7)]
    heads = [*accumulate(texts, advance, initial=Head(seq=3, hash="0" * 64))]

    frames = [frame.text.split("\n") for frame in events_frames(Channel.PUBLIC, texts, heads[0], heads[-1])]

    assert [len(lines) - 1 for lines in frames] == [2, 2, 2, 1]
    assert [text for _, *lines in frames for text in lines] == texts
    assert [json.loads(header)["heads"] for header, *_ in frames] == [
        {"public": head.model_dump()} for head in (heads[2], heads[4], heads[6], heads[7])
    ]


async def test_uses_of_tokens_that_cannot_be_noted_block_no_others(server: Server, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(hubs, "PRESENCE_EVERY_S", 0.1)
    store = await connect(server.store_url)
    spoiled, sound = await opened(store), await opened(store)
    for room_id in (spoiled, sound):
        await store.put_token(room_id, "hash", "{}")
    async with Redis.from_url(server.store_url) as admin:
        await admin.rpush(key(spoiled, USES), "of the wrong type")
    keeper = hubs.Hubs(Rooms(store))

    keeper.used(spoiled, "hash", 1)
    keeper.used(sound, "hash", 2)
    keeper.start()

    async def is_noted() -> bool:
        return await store.token_uses(sound) == {"hash": 2}

    await until(is_noted)
    await keeper.aclose()
    await store.aclose()
