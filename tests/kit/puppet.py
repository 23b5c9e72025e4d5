"""The JavaScript client in a process of its own, told what to do line by line."""

import asyncio
import json
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tests/js"
WITHIN_S = 60.0
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="Node.js (20 or newer) is not installed")


def pages_for_node(folder: Path) -> Path:
    """Lay out the scripts of the pages and the client in a folder, as a browser finds them below /assets/."""
    shutil.copytree(ROOT / "server/src/dreadclock_server/pages/js", folder / "js")
    shutil.copytree(ROOT / "client_sdk/js", folder / "client")
    (folder / "package.json").write_text('{"type":"module"}')
    return folder


def told_by_node(script: str, *arguments: str, given: str = "") -> Any:
    """Run a module of JavaScript, and read what it prints as JSON."""
    command = ["node", "--input-type=module", "--eval", script, *arguments]
    done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=WITHIN_S)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class Puppet:
    """A client in JavaScript. Every order is answered, by `ok`, `refused`, `ended` or `failed`."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._ids = count(1)
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}

    def order(self, do: str, **fields: object) -> "asyncio.Future[dict[str, Any]]":
        """Give an order; its answer comes in time."""
        number, answer = next(self._ids), asyncio.get_running_loop().create_future()
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"id": number, "do": do, **fields}).encode() + b"\n")
        self._waiting[number] = answer
        return answer

    async def do(self, do: str, **fields: object) -> Any:
        """Give an order that must succeed, and return what it brings."""
        answer = await self.ask(do, **fields)
        assert "ok" in answer, answer
        return answer["ok"]

    async def ask(self, do: str, **fields: object) -> dict[str, Any]:
        """Give an order and return its answer."""
        async with asyncio.timeout(WITHIN_S):
            return await self.order(do, **fields)

    async def submit(self, type_: str, **fields: object) -> dict[str, Any]:
        """Submit a command that must be done."""
        done: dict[str, Any] = await self.do("submit", command={"type": type_, **fields})
        return done

    async def read(self) -> None:
        """Read answers until the client ends."""
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            answer = json.loads(line)
            self._waiting.pop(answer.pop("id")).set_result(answer)

    async def end(self) -> int:
        """Let the client end by itself, and return its exit status."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        async with asyncio.timeout(WITHIN_S):
            return await self._process.wait()


@asynccontextmanager
async def puppet() -> AsyncIterator[Puppet]:
    """Run a client for as long as the block lasts; nothing may keep it from ending then."""
    node = shutil.which("node")
    assert node is not None
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        node, "--experimental-websocket", FOLDER / "puppet.mjs", stdin=pipe, stdout=pipe, limit=1 << 24
    )
    one = Puppet(process)
    reading = asyncio.create_task(one.read())
    try:
        yield one
        assert await one.end() == 0
        await reading
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
