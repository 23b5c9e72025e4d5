"""A server whose store holds an append that it cannot confirm, since it takes no writes: all calls that read answer."""

import asyncio
from pathlib import Path

import httpx
from redis.asyncio import Redis

from kit.rooms import open_table
from kit.server import running_server
from kit.waiting import until

WITHIN_S = 20.0
ROLL = {"type": "roll_dice", "pool": 1}
LOSING = """
import os
from dreadclock_server.store.base import StoreUnavailable
from dreadclock_server.store.valkey import ValkeyStore

append = ValkeyStore.append

async def losing(self, room, expected, batch):
    position = await append(self, room, expected, batch)
    if os.path.exists({flag!r}):
        raise StoreUnavailable("the reply was lost")
    return position

ValkeyStore.append = losing
"""


async def test_calls_that_read_answer_with_what_is_confirmed(tmp_path: Path):
    flag = tmp_path / "replies are lost"
    async with running_server(tmp_path / "data", prelude=LOSING.format(flag=str(flag))) as server:
        table = await open_table(server)
        async with (
            table.connected("ann") as ann,
            table.http("gm") as http,
            Redis.from_url(server.store_url) as admin,
        ):

            async def read(path: str) -> httpx.Response:
                return await asyncio.wait_for(http.get(table.path(path)), WITHIN_S)

            await ann.do(ROLL)
            paths = ("", "/log", "/undoable", "/recap", "/tokens")
            before = {path: await read(path) for path in paths}
            maxmemory = str((await admin.config_get("maxmemory"))["maxmemory"])
            flag.touch()
            sent = asyncio.create_task(ann.do(ROLL))
            await until(lambda: "outcome unknown" in server.log_text())
            await admin.config_set("maxmemory", 1)
            flag.unlink()

            answers = {path: await read(path) for path in paths}
            invite = {"role": "player", "seat_id": "player-77"}
            invited = await asyncio.wait_for(http.post(table.path("/invites"), json=invite), WITHIN_S)

            assert {path: answer.status_code for path, answer in before.items()} == dict.fromkeys(paths, 200)
            assert {path: answer.text for path, answer in answers.items() if path != "/tokens"} == {
                path: answer.text for path, answer in before.items() if path != "/tokens"
            }
            assert (invited.status_code, invited.json()["code"]) == (404, "unknown")
            assert not sent.done()
            await admin.config_set("maxmemory", maxmemory)
            assert (await sent)["type"] == "ack"
            assert (await read("/log")).text.count('"dice_rolled"') == 2
