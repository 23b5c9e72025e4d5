"""How long the road of a command is: the calls of our functions that it makes, and the files that they are in.

    .venv/bin/python bench/calls.py [--files]

Serves a room in this process, and counts by sys.setprofile what happens between a frame that comes in and the frames
that go out. Store, uvicorn and other packages are not counted. Each step is done ROUNDS times, and the shortest road
counts: timers of the room add to the others. `--files` names the files, with the calls in each.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from types import FrameType
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import dreadclock
from dreadclock_server.settings.table import Settings
from kit.raw import RawClient
from kit.rooms import Table, open_table
from kit.server import running_server
from kit.servers.in_process import in_process

TESTS = Path(__file__).parents[1] / "tests"
SOURCES = tuple(str(TESTS.parent / each) for each in ("client_sdk/src/dreadclock", "server/src/dreadclock_server"))
NOT_COUNTED = str(TESTS.parent / "server/src/dreadclock_server/store")
ROUNDS = 5
QUIET_S = 0.3

Step = Callable[[], Awaitable[object]]


async def traced(step: Step) -> Counter[str]:
    """Do a step, and return how many calls of ours were made meanwhile, by file."""
    calls = Counter[str]()

    def note(frame: FrameType, event: str, _: object) -> None:
        file = frame.f_code.co_filename
        if event == "call" and file.startswith(SOURCES) and not file.startswith(NOT_COUNTED):
            calls[file] += 1

    await asyncio.sleep(QUIET_S)  # what came before has been sent to everybody
    sys.setprofile(note)
    try:
        await step()
    finally:
        sys.setprofile(None)
    return calls


async def shortest(make: Callable[[int], Awaitable[Step]]) -> Counter[str]:
    """Return the calls of the round in which they were fewest; `make` prepares one, and returns its step."""
    return min([await traced(await make(number)) for number in range(ROUNDS)], key=Counter.total)


async def roads(table: Table, gm: RawClient, eve: RawClient) -> dict[str, Counter[str]]:
    """Return the calls of each road."""

    async def done(order: dict[str, Any]) -> dict[str, Any]:
        reply = await gm.do(order)
        assert reply["type"] == "ack", reply
        return reply

    def heard(order: dict[str, Any], event: str) -> Step:
        """Return a step that sends a command, and waits until it is answered and the spectator hears of it."""

        async def step() -> None:
            await done(order)
            while f'"type":"{event}"' not in (await eve.next(), eve.frames[-1])[1]:
                pass

        return step

    async def roll_countdown(number: int) -> Step:
        thing = f"fever-{number}"
        await done({"type": "start_countdown", "id": thing, "name": "Fever", "pool": 12, "bound_to": "nothing"})
        return heard({"type": "roll_countdown", "countdown_id": thing}, "countdown_rolled")

    async def roll_check(number: int) -> Step:
        who, check = f"ada-{number}", f"climb-{number}"
        await done({"type": "add_character", "id": who, "name": "Ada"})
        await done({"type": "propose_check", "id": check, "character_id": who, "score": 3})
        return heard({"type": "roll_check", "check_id": check}, "check_rolled")

    async def join(number: int) -> Step:
        async def step() -> None:
            async with table.connected("ben"):
                pass

        return step

    found = {"roll_countdown": await shortest(roll_countdown), "roll_check": await shortest(roll_check)}
    found["join"] = await shortest(join)
    return found


async def spectator(table: Table, gm: RawClient) -> Counter[str]:
    """Return the calls that a spectator's SDK makes to take in one event of another process."""
    async with dreadclock.connect(f"{table.server.url}/r/{table.id}#{table.token('eve')}") as room:
        events = room.events()

        async def tell(number: int) -> Step:
            async def step() -> None:
                await gm.do({"type": "roll_dice", "pool": 2})
                async for event in events:
                    if event.type == "dice_rolled":
                        break

            return step

        return await shortest(tell)


async def measured() -> dict[str, Counter[str]]:
    """Measure all roads."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = await stack.enter_async_context(running_server(folder / "data"))
        apart = await open_table(server)
        gm = await stack.enter_async_context(apart.connected("gm"))
        heard = await spectator(apart, gm)
        _, here = await stack.enter_async_context(in_process(server, Settings(limits=False)))
        table = await open_table(here)
        gm = await stack.enter_async_context(table.connected("gm"))
        eve = await stack.enter_async_context(table.connected("eve"))
        return {**await roads(table, gm, eve), "a spectator's SDK takes an event": heard}


def main(names_files: bool) -> None:
    """Measure and print."""
    for name, calls in asyncio.run(measured()).items():
        sys.stdout.write(f"{name}: {calls.total()} calls in {len(calls)} files\n")
        for file, number in calls.most_common() if names_files else ():
            sys.stdout.write(f"  {number:5} {Path(file).relative_to(TESTS.parent)}\n")


if __name__ == "__main__":
    main("--files" in sys.argv[1:])
