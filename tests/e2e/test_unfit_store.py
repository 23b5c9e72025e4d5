"""A store that stops keeping its promise while it is served from."""

from pathlib import Path

from redis.asyncio import Redis

from dreadclock_server.store.embedded.server import Embedded
from kit.server import running_server
from kit.waiting import until

OFTEN = "from dreadclock_server import serving; serving.CHECK_STORE_EVERY_S = 0.5"


async def test_a_server_ends_when_its_store_begins_to_promise_less(tmp_path: Path):
    async with (
        Embedded(tmp_path / "store") as valkey,
        running_server(tmp_path / "data", store=valkey.url, prelude=OFTEN) as server,
    ):
        async with Redis.from_url(valkey.url) as admin:
            await admin.config_set("appendfsync", "everysec")
        await until(lambda: server.ended_with is not None, within_s=20)

        assert server.ended_with == 2
        assert "`appendfsync everysec`" in server.log_text()
