"""What a bystander waits for while others ask for a large view, against the same with a small view.

    .venv/bin/python bench/large_views.py [--rounds 5] [--seconds 10]

One server with its default limits, but those of commands. In one room the gm made a view of 2.4 MB, in another there is
next to nothing. From one address twelve keep-alive connections ask for the view over HTTP, 48 times a second in all;
then twelve websockets reconnect without positions, each once a second, whether or not they were welcomed. Meanwhile the
gm of a third room rolls 40 times a second from another address; a roll's wait counts from when it was due. The store
keeps all in memory: the disk would hide the rest. Runs with the small and the large view take turns, so that what else
the machine does meets both alike, and wait in between until the read limit has recovered. Ends with 1 if the
bystander's p99 with the large view is above MOST_TIMES of that with the small one, in the median of all rounds.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from attackers import ADDRESS, said
from attacks import Bystander, place, quantile
from ours import compile_sources

from kit.links.intruder import intruder
from kit.rooms import Table, open_table
from kit.server import running_server

MOST_TIMES = 1.5
AT_ONCE, ASK_EVERY_S, RECONNECT_EVERY_S, ROLL_EVERY_S = 12, 0.25, 1.0, 0.025
RECOVER_S = 9.0
SIZES = ("small", "large")
ENVIRONMENT = {"LIMITS": "yes", "DURABILITY": "memory", "LIMIT_GM": "none", "LIMIT_COMMANDS": "none"}
Attack = Callable[[int, Table, float, Counter[str]], Awaitable[None]]


async def grow(table: Table) -> int:
    """Start 64 countdowns of 24 stages with 280 emoji each, and return how many bytes the gm's view has then."""
    stages = [{"at": at, "effect": "\N{SKULL}" * 280} for at in range(1, 25)]
    async with table.http("gm") as http:
        for number in range(64):
            start = {"type": "start_countdown", "name": f"Doom {number}", "pool": 24, "stages": stages}
            answer = await http.post(table.path("/commands"), json=start)
            assert answer.status_code == 200, answer.text
            await asyncio.sleep(0.03)
        return len((await http.get(table.path())).content)


async def ask(port: int, path: str, token: str, until: float, seen: Counter[str]) -> None:
    """Ask for a view on one connection, each time when it is due, and count the answers by their status."""
    loop = asyncio.get_running_loop()
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(ADDRESS, 0))
    request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
    due = loop.time()
    while loop.time() < until:
        writer.write(request)
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        size = next(int(line.split(":")[1]) for line in head.split("\r\n") if line.startswith("content-length"))
        await reader.readexactly(size)
        seen[head.split()[1]] += 1
        due += ASK_EVERY_S
        await asyncio.sleep(max(0.0, due - loop.time()))
    writer.close()


async def reconnect(port: int, room: str, token: str, until: float, seen: Counter[str]) -> None:
    """Connect and say hello each time when it is due, on a new websocket; count the welcomes."""
    loop = asyncio.get_running_loop()
    due = loop.time()
    while due < until:
        due += RECONNECT_EVERY_S
        try:
            async with asyncio.timeout_at(due), intruder(port, as_host=ADDRESS) as peer:
                answer = await peer.ask("/ws/" + room)
                peer.send(said({"type": "hello", "v": 1, "token": token}))
                await peer.next()
                seen["welcome" if b"101" in answer else answer.decode()] += 1
        except TimeoutError:
            seen["still waiting"] += 1
        except (ConnectionError, asyncio.IncompleteReadError):
            seen["cut"] += 1
        await asyncio.sleep(max(0.0, due - loop.time()))


async def play(way: str, seconds: float, port: int, room: str, token: str) -> None:
    """Be the twelve, and print what they saw."""
    seen = Counter[str]()
    until = asyncio.get_running_loop().time() + seconds
    act, where = (ask, f"/api/rooms/{room}") if way == "ask" else (reconnect, room)

    async def one(number: int) -> None:
        await asyncio.sleep(number * (ASK_EVERY_S if way == "ask" else RECONNECT_EVERY_S) / AT_ONCE)
        await act(port, where, token, until, seen)

    await asyncio.gather(*map(one, range(AT_ONCE)))
    print(", ".join(f"{count} {what}" for what, count in seen.most_common()))


async def p99_during(way: str, table: Table, bystander: Bystander, seconds: float) -> tuple[float, str]:
    """Run the twelve in a process of their own; return the bystander's p99 meanwhile, and what the twelve saw."""
    bystander.taken()
    command = [__file__, "--play", way, str(seconds), str(table.server.port), table.id, table.token("gm")]
    process = await asyncio.create_subprocess_exec(sys.executable, *command, stdout=-1, preexec_fn=lambda: os.nice(10))
    output, _ = await process.communicate()
    assert process.returncode == 0
    assert bystander.lost is None, bystander.lost
    return quantile(bystander.taken(), 0.99), output.decode().strip()


async def measure(rounds: int, seconds: float) -> dict[str, list[dict[str, float]]]:
    """Return the p99 of each way and round, in ms, by size of the view."""
    found: dict[str, list[dict[str, float]]] = {"ask": [], "reconnect": []}
    environment = {f"DREADCLOCK_{name}": value for name, value in ENVIRONMENT.items()}
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        async with running_server(Path(folder) / "data", environment=environment) as server:
            place(server)
            tables = {size: await open_table(server, size) for size in SIZES}
            print(f"the large view has {await grow(tables['large']):,} bytes", flush=True)
            quiet = await open_table(server, "quiet")
            async with quiet.connected("gm") as client:
                bystander = Bystander(client, every_s=ROLL_EVERY_S)
                rolling = asyncio.create_task(bystander.roll_on())
                for number in range(rounds):
                    for way, results in found.items():
                        results.append({})
                        for size in SIZES if number % 2 else SIZES[::-1]:
                            await asyncio.sleep(RECOVER_S)
                            p99, seen = await p99_during(way, tables[size], bystander, seconds)
                            results[-1][size] = p99
                            print(f"round {number + 1}  {way:<9}  {size}  p99 {p99:7.1f} ms  {seen}", flush=True)
                rolling.cancel()
                with suppress(asyncio.CancelledError):
                    await rolling
    return found


def main() -> int:
    """Measure, and tell whether a large view costs others no more than it may."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--play", nargs=5, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.play is not None:
        way, seconds, port, room, token = asked.play
        asyncio.run(play(way, float(seconds), int(port), room, token))
        return 0
    compile_sources()
    is_held = True
    for way, rounds in asyncio.run(measure(asked.rounds, asked.seconds)).items():
        small, large = (statistics.median(each[size] for each in rounds) for size in SIZES)
        is_held = is_held and large <= MOST_TIMES * small
        print(f"{way}: median p99 {small:.1f} ms small, {large:.1f} ms large: {large / small:.2f} times")
    return 0 if is_held else 1


if __name__ == "__main__":
    sys.exit(main())
