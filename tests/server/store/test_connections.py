"""Connections to the store that break while nobody looks."""

import asyncio
from pathlib import Path

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError

from dreadclock_server.store.connections import make_client
from kit.servers.processes import store_on


def test_a_connection_that_is_closed_under_uvloop_is_a_lost_connection_and_no_bug(data_dir: Path):
    uvloop = pytest.importorskip("uvloop")

    async def send_on_a_closed_one() -> None:
        async with store_on(data_dir):
            client = make_client(f"unix://{data_dir}/valkey.sock")
            connection = await client.connection_pool.get_connection()
            connection._writer.close()
            await connection._writer.wait_closed()
            with pytest.raises(RedisConnectionError, match="the other side is gone"):
                await connection.send_packed_command(b"PING\r\n")
            await client.connection_pool.release(connection)
            assert await client.execute_command("PING")
            await client.aclose()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(send_on_a_closed_one())
