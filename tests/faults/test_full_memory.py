"""A store that runs out of memory while it is played: it refuses, is read, and is back by itself; nothing is lost.

`DREADCLOCK_FULL_MEMORIES` says how often under load; once unless it is set.
"""

import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as RedisConnectionError

from kit.links.listeners import all_agree, listener
from kit.rooms import http_client, open_table
from kit.server import Server, running_server
from kit.servers import memories
from kit.servers.shortage import SOON_S, can_be_read, is_not_ready, is_ready, played_on, refuses_writes, roll
from kit.waiting import until

WITHIN_S = 20.0
TIMES = int(os.environ.get("DREADCLOCK_FULL_MEMORIES", "1"))
CONTAINER = f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({512 * memories.MIB}, {512 * memories.MIB}))"


async def fill(server: Server) -> int:
    """Fill the memory of its Valkey, and give how many MiB that took."""
    async with Redis.from_url(server.store_url) as admin:
        return await memories.fill(admin)


async def clear(server: Server) -> None:
    """Give its Valkey back what was used up."""
    async with Redis.from_url(server.store_url) as admin:
        await memories.clear(admin)


@pytest.fixture
async def small(tmp_path: Path) -> AsyncIterator[Server]:
    """A server whose store may take little."""
    async with running_server(tmp_path / "data", environment={"DREADCLOCK_STORE_MEMORY_MIB": "16"}) as server:
        yield server


async def test_a_full_memory_refuses_writes_is_read_from_and_recovers_even_from_a_start(small: Server):
    table = await open_table(small)
    async with listener(table, "gm") as gm, listener(table, "ann") as ann:
        await gm.room.submit(roll("before"))
        valkey = small.valkey_pid

        await fill(small)
        await until(lambda: is_not_ready(small), WITHIN_S)
        await refuses_writes(
            table,
            "The memory of the server's store is full, and whoever runs it must make",
            "Der Arbeitsspeicher des Servers ist voll, und wer ihn betreibt,",
            "the memory of the store is full",
        )
        await can_be_read(table)
        await until(lambda: small.log_text().count("the memory of the store is nearly full") == 1, WITHIN_S)
        assert small.find_valkey() == valkey

        await clear(small)
        await until(lambda: is_ready(small), WITHIN_S)
        await gm.room.submit(roll("after"))

        log = await all_agree(table, [gm, ann], [small])
    assert [each.event.note for each in log if each.event.note] == ["before", "after"]
    assert "the embedded Valkey ended" not in small.log_text()

    await fill(small)
    await small.stop()
    await small.start()  # as a machine does that comes up again
    await until(lambda: is_not_ready(small), WITHIN_S)
    await can_be_read(table)
    await clear(small)
    await until(lambda: is_ready(small), WITHIN_S)


async def test_in_a_full_memory_rooms_are_deleted_and_links_are_revoked(small: Server):
    table, other = await open_table(small), await open_table(small)
    await fill(small)
    await until(lambda: is_not_ready(small), WITHIN_S)

    async with http_client(small, table.token("gm")) as http:
        rows = (await http.get(f"/api/rooms/{table.id}/tokens")).json()
        (eve,) = [row["token_id"] for row in rows if row["seat_id"] == table.seat("eve")]
        assert (await http.delete(f"/api/rooms/{table.id}/tokens/{eve}")).status_code == 204
    async with http_client(small, other.token("gm")) as http:
        deleted = await http.delete(f"/api/rooms/{other.id}", params={"confirm": other.title})

    assert deleted.status_code == 204
    async with other.unwelcomed() as gm:
        await gm.send({"type": "hello", "v": 1, "token": other.token("gm")})
        assert (await gm.ended())[0] == 4501


async def test_a_store_in_a_container_refuses_before_its_memory_ends(tmp_path: Path):
    server = Server(tmp_path / "data")
    server.prelude = CONTAINER
    try:
        await server.start()
        table, valkey = await open_table(server), server.valkey_pid

        assert 100 < await fill(server) < 128, "half of what 512 MiB leave beside the server's 256"
        await until(lambda: is_not_ready(server), WITHIN_S)
        await can_be_read(table)
        await clear(server)
        await until(lambda: is_ready(server), WITHIN_S)

        assert server.find_valkey() == valkey
        assert server.stumbles() == []
    finally:
        await server.close()


@pytest.mark.skipif(sys.platform != "linux", reason="memory is taken from a process as on Linux")
async def test_a_store_that_dies_of_full_memory_keeps_what_was_acknowledged(tmp_path: Path, figures: list[str]):
    async with running_server(tmp_path / "data") as server:
        async with played_on(server) as (_, rolls_on, acked):
            for time in range(1, TIMES + 1):
                await rolls_on()
                memories.take_from(server.valkey_pid)
                with pytest.raises(RedisConnectionError):
                    await fill(server)
                await until(lambda time=time: server.log_text().count("Valkey is back") == time, WITHIN_S)  # type: ignore[misc]
                assert server.find_valkey() is not None
                await clear(server)
                await until(lambda: is_ready(server), SOON_S)
        deaths = server.log_text().count("the embedded Valkey ended")
    assert deaths == TIMES
    figures.append(f"{TIMES} stores ended for want of memory: {len(acked)} acknowledged, 0 lost")
