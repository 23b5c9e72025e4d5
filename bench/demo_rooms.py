"""What strangers can do to a server with an operator's key by opening demo rooms from 200 addresses.

    .venv/bin/python bench/demo_rooms.py restart|processes [--seconds 600] [--addresses 200]

The store may take 96 MiB. Strangers at 127.0.1.1 and the following addresses open tables in play, take them over, fill
them as fast as they may with commands, links, knocks and recaps, and stay connected. Half of them delete their rooms
when these are full, so that others open more. A paying room rolls 10 times a second meanwhile.

`restart`: one server with its embedded store, stopped and started again in the middle. `processes`: two servers on one
redis-server. Prints what was seen every 30 seconds and at the end. Ends with 1 if a command of the paying room was
refused, or if demo rooms took an eighth of the limit.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import ssl
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import httpx
from attacks import quantile
from redis.asyncio import Redis
from redis.exceptions import RedisError
from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus

from dreadclock.wire.errors import UNCOUNTED
from dreadclock_server.store.keys import DEMO_ROOMS, room_of
from kit.raw import raw_client
from kit.rooms import Table, open_table
from kit.server import Server, running_server
from kit.servers.own_valkey import own_valkey

MIB = 1 << 20
LIMIT = 96 * MIB
KEY = "the operator's own key"
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # otherwise each client reads all certificates
MOST_REFUSED = 4  # commands, before half of the strangers delete a room
EVERY_S, SAMPLED_EVERY_S, TOLD_EVERY_S, AGAIN_S = 0.1, 2.0, 30.0, 10.0
LOST = (ConnectionClosed, InvalidMessage, InvalidStatus, OSError, TimeoutError, httpx.HTTPError, AssertionError)
ENVIRONMENT = {"DREADCLOCK_OPERATOR_KEY": KEY, "DREADCLOCK_LIMITS": "yes", "DREADCLOCK_STORE_MEMORY_MIB": "96"}


@dataclass
class Seen:
    """What was seen so far."""

    attacks: Counter[str] = field(default_factory=Counter)
    paying: Counter[str] = field(default_factory=Counter)
    waits: list[float] = field(default_factory=list)  # ms
    rooms: int = 0
    demo: int = 0  # bytes, of demo rooms together at their most
    reserved: int = 0
    used: int = 0

    def tell(self) -> None:
        """Print it."""
        waits, mib = sorted(self.waits), [f"{each / MIB:.2f}" for each in (self.demo, self.reserved, self.used)]
        print(
            f"paying room: {dict(self.paying)}, p50 {quantile(waits, 0.5):.0f} ms, p99 {quantile(waits, 0.99):.0f} ms"
        )
        print(
            f"demo rooms: {self.rooms} at most, {mib[0]} MiB, {mib[1]} reserved of {LIMIT / 8 / MIB:g}; store {mib[2]}"
        )
        print(f"strangers: {dict(self.attacks.most_common(14))}", flush=True)


class Stranger:
    """One address, which takes all that it is given."""

    def __init__(self, number: int, servers: Sequence[Server], seen: Seen) -> None:
        self.address, self._servers, self._seen = f"127.0.1.{number}", servers, seen
        self._number = self._turn = number

    async def play(self) -> None:
        """Open rooms for ever, and fill each in a task of its own."""
        async with asyncio.TaskGroup() as tasks:
            while True:
                self._turn += 1
                server = self._servers[self._turn % len(self._servers)]
                async with self._http(server) as http:
                    try:
                        answer = await http.post("/api/rooms/in-play", json={})
                    except LOST as error:
                        self._seen.attacks[type(error).__name__] += 1
                    else:
                        self._seen.attacks[f"open {answer.status_code}"] += 1
                        if answer.status_code == 201:
                            tasks.create_task(self._fill(server, answer.json()))
                await asyncio.sleep(AGAIN_S)

    def _http(self, server: Server, token: str = "") -> httpx.AsyncClient:
        transport = httpx.AsyncHTTPTransport(verify=NO_TLS, local_address=self.address)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return httpx.AsyncClient(base_url=server.url, transport=transport, headers=headers, timeout=30.0)

    async def _fill(self, server: Server, room: dict[str, Any]) -> None:
        path, token = f"/api/rooms/{room['room_id']}", room["gm"]["token"]
        async with self._http(server, token) as http:
            with suppress(*LOST):
                await http.post(f"{path}/in-play", json={"act": "take_over"})
                for number in range(12):
                    for what, body in (
                        ("invites", {"role": "player"}),
                        ("recaps", {}),
                        ("knocks", {"name": f"{'N' * 50} {number}", "wants": "player", "client": "C" * 60}),
                    ):
                        answer = await http.post(f"{path}/{what}", json=body)
                        self._seen.attacks[f"{what} {answer.status_code}"] += 1
        numbers = itertools.count(1)
        while True:
            try:
                await self._send_all(server, room, numbers)
                return await self._delete(server, room)
            except LOST as error:
                self._seen.attacks[f"connection: {type(error).__name__}"] += 1
            await asyncio.sleep(AGAIN_S / 4)

    async def _delete(self, server: Server, room: dict[str, Any]) -> None:
        path = f"/api/rooms/{room['room_id']}"
        async with self._http(server, room["gm"]["token"]) as http:
            title = (await http.get(path)).json()["channels"]["public"]["title"]
            answer = await http.delete(path, params={"confirm": title})
            self._seen.attacks[f"delete {answer.status_code}"] += 1

    async def _send_all(self, server: Server, room: dict[str, Any], numbers: Iterator[int]) -> None:
        address = server.websocket_url + room["room_id"]
        async with raw_client(address, local_addr=(self.address, 0)) as client:
            await client.hello(room["gm"]["token"])
            refused = 0
            for n, number in enumerate(numbers, 1):
                while True:
                    client.frames.clear()
                    reply = await client.do(_large(number), n)
                    self._seen.attacks[f"command {reply.get('code', 'ack')}"] += 1
                    if reply["type"] == "ack" or reply["code"] not in UNCOUNTED:
                        break
                    await asyncio.sleep(reply["details"].get("retry_ms", 1000) / 1000)
                if reply.get("code") == "too_many":
                    refused += 1
                    await asyncio.sleep(AGAIN_S / 4)
                if refused > MOST_REFUSED and self._number % 2:
                    return


def _large(n: int) -> dict[str, object]:
    """Write a command with as much text as one takes, or the one that makes room for the next."""
    if n % 2 == 0:
        return {"type": "cancel_countdown", "countdown_id": f"c-{n - 1}"}
    stages = [{"at": at + 1, "effect": "\N{GRINNING FACE}" * 280} for at in range(24)]
    return {"type": "start_countdown", "id": f"c-{n}", "name": "x", "pool": 60, "stages": stages}


class Payer:
    """The gm of a room that was opened with the operator's key."""

    def __init__(self, table: Table, servers: Sequence[Server], seen: Seen) -> None:
        self._table, self._servers, self._seen = table, servers, seen

    async def play(self) -> None:
        """Roll on, through one server after the other where a connection is lost."""
        turn = 0
        while True:
            turn += 1
            try:
                async with self._table.connected("gm", self._servers[turn % len(self._servers)]) as client:
                    for _ in range(300):
                        client.frames.clear()
                        began = asyncio.get_running_loop().time()
                        reply = await client.do({"type": "roll_dice", "pool": 2})
                        self._seen.paying[reply.get("code", "ack")] += 1
                        self._seen.waits.append((asyncio.get_running_loop().time() - began) * 1000)
                        await asyncio.sleep(EVERY_S)
            except LOST as error:
                self._seen.paying["connections lost"] += 1
                print(f"the paying room's connection: {error!r}", flush=True)
                await asyncio.sleep(EVERY_S)


async def sample(store: Redis, seen: Seen, paying: str) -> None:
    """Note again and again what demo rooms take, as the store itself says, and what all of it takes."""
    while True:
        with suppress(RedisError, OSError):
            names = [name async for name in store.scan_iter("dreadclock:*", count=1000)]
            theirs = [name for name in names if room_of(name.decode()) != paying]
            async with store.pipeline(transaction=False) as pipeline:
                for name in theirs:
                    pipeline.memory_usage(name, samples=0)
                sizes = await pipeline.execute()
            rows = [json.loads(row) for row in (await store.hgetall(DEMO_ROOMS)).values()]
            seen.demo = max(seen.demo, sum(each or 0 for each in sizes))
            seen.rooms = max(seen.rooms, len(rows))
            seen.reserved = max(seen.reserved, sum(row["bytes"] for row in rows))
            seen.used = max(seen.used, (await store.info("memory"))["used_memory"])
        await asyncio.sleep(SAMPLED_EVERY_S)


@asynccontextmanager
async def servers_for(mode: str, folder: Path) -> AsyncIterator[list[Server]]:
    """Run the servers of a mode."""
    async with AsyncExitStack() as stack:
        if mode == "restart":
            environment = {**ENVIRONMENT, "DREADCLOCK_FIRST_ROOM": "no"}
            yield [await stack.enter_async_context(running_server(folder / "data", environment=environment))]
            return
        os.environ["VALKEY_SERVER"] = "redis-server"
        own = await stack.enter_async_context(own_valkey(folder / "redis"))
        async with Redis.from_url(own.url) as store:
            await store.config_set("maxmemory", LIMIT)
        environment = {**ENVIRONMENT, "DREADCLOCK_FIRST_ROOM": "no"}
        yield [
            await stack.enter_async_context(running_server(folder / name, store=own.url, environment=environment))
            for name in ("one", "two")
        ]


async def restarted_in_the_middle(server: Server, seconds: float) -> None:
    """Stop a server and start it again."""
    await asyncio.sleep(seconds / 2)
    await server.stop()
    await server.start()
    print("restarted", flush=True)


async def run(mode: str, seconds: float, addresses: int) -> Seen:
    """Let all of them play for so long, and return what was seen."""
    seen = Seen()
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/tmp")) as folder:
        async with servers_for(mode, Path(folder)) as servers, Redis.from_url(servers[0].store_url) as store:
            table = await open_table(servers[0], operator_key=KEY)
            works = [Payer(table, servers, seen).play(), sample(store, seen, table.id)]
            works += [Stranger(number, servers, seen).play() for number in range(1, addresses + 1)]
            works += [restarted_in_the_middle(servers[0], seconds)] if mode == "restart" else []
            tasks = [asyncio.create_task(work) for work in works]
            for _ in range(int(seconds / TOLD_EVERY_S)):
                await asyncio.sleep(TOLD_EVERY_S)
                seen.tell()
            await asyncio.sleep(seconds % TOLD_EVERY_S)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for task in tasks:
                if not task.cancelled() and task.exception() is not None:
                    print(repr(task.exception()))
    return seen


def main() -> int:
    """Run what was asked for, and tell whether it is bearable."""
    parser = argparse.ArgumentParser()
    parser.add_argument("mode", choices=("restart", "processes"))
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--addresses", type=int, default=200)
    asked = parser.parse_args()
    seen = asyncio.run(run(asked.mode, asked.seconds, asked.addresses))
    print("at the end")
    seen.tell()
    refused = sum(seen.paying.values()) - seen.paying["ack"] - seen.paying["connections lost"]
    has_run = seen.reserved > 0.9 * LIMIT / 8 and seen.paying["ack"] > asked.seconds
    is_bearable = has_run and not refused and seen.demo < LIMIT / 8
    print("held" if is_bearable else "NOT HELD", flush=True)
    return 0 if is_bearable else 1


if __name__ == "__main__":
    sys.exit(main())
