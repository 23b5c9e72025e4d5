"""A real server in a process of its own, that can be killed and started again on the same data and port.

With DREADCLOCK_INSTALLED, the Python of an environment in which the packages were installed, it is their server.
"""

import asyncio
import os
import random
import signal
import socket
import subprocess
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import ClassVar

from redis import Redis
from redis.exceptions import RedisError

from dreadclock_server.store.embedded.datadir import socket_path
from kit.links.relays import gone
from kit.servers import nursery
from kit.waiting import until

START_WITHIN_S = 120.0
STOP_WITHIN_S = 60.0
UNHURRIED = {"DREADCLOCK_LIMITS": "no"}  # tests are one address, and roll faster than people do
DIE_WITHIN_S = 300.0
INSTALLED = os.environ.get("DREADCLOCK_INSTALLED")
_LAST_LINES = 60
_SERVE = """
import ctypes, sys, typer
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, 9)  # should the tests be killed, the kernel kills the server, too
from dreadclock_server.cli import serve
typer.run(serve)
"""


class Server:
    """One `serve`; `url` and the data stay the same from one start to the next.

    `prelude`: what the process runs before anything else, and may take from these tests. `is_supervised`: one
    whose store is too slow for its start is started again.
    """

    running: ClassVar[list["Server"]] = []

    def __init__(
        self, data: Path, *, store: str | None = None, host: str = "127.0.0.1", environment: Mapping[str, str] = {}
    ) -> None:
        self.data, self.port = data, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = data.with_name(data.name + ".log")
        self._own_store = store is None
        self._store = store or f"unix://{socket_path(data)}"
        self._command = ["--host", host, "--port", str(self.port), "--data", str(data)]
        self._command += ["--store", store] if store else []
        outside = {k: v for k, v in os.environ.items() if not k.startswith(("DREADCLOCK_", "PYTHONUNBUFFERED"))}
        self._environment = outside | UNHURRIED | {**environment}
        self.prelude = ""
        self.is_supervised = False
        self._process: subprocess.Popen[bytes] | nursery.Child | None = None
        self._valkey_pid: int | None = None
        self.ended_before_with: int | None = None  # the exit status of its last end

    @property
    def store_url(self) -> str:
        """The address of its store, for another server or a plain client."""
        return self._store

    @property
    def websocket_url(self) -> str:
        """Where its websockets begin."""
        return f"ws://127.0.0.1:{self.port}/ws/"

    async def start(self) -> None:
        """Start, and return once it answers. Raises AssertionError if it does not."""
        self._spawn()
        Server.running.append(self)
        await until(self._answers_at_last, START_WITHIN_S)
        if self._own_store:
            self.find_valkey()

    def _spawn(self) -> None:
        with self.log.open("ab") as log:
            imported = () if self.prelude else ("kit.servers.warm",)  # a prelude may change what others import
            code = f"{self.prelude}\n{_SERVE}"
            if INSTALLED and not self.prelude:
                command = [INSTALLED, "-c", _SERVE, *self._command]
                nothing, folder = subprocess.DEVNULL, self.data.parent  # not the checkout
                self._process = subprocess.Popen(
                    command, stdin=nothing, stdout=log, stderr=log, env=self._environment, cwd=folder
                )
                return
            self._process = nursery.start(code, self._command, self._environment, log, *imported)

    async def _answers_at_last(self) -> bool:
        self._supervise()
        return await self._answers()

    def _supervise(self) -> None:
        """Start it again if it ended because its store did not answer in time, the machine being busy."""
        if self.is_supervised and self.ended_with == 1 and "cannot be reached" in self.log_text().splitlines()[-1]:
            self._spawn()

    async def _answers(self) -> bool:
        assert self._process is not None
        if self._process.poll() is not None:
            raise AssertionError(f"the server ended with {self._process.returncode}\n{self.last_words()}")
        question = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
        return b" 200 " in await first_line_from(self.port, question)

    def find_valkey(self) -> int | None:
        """Ask its Valkey for its process id; None if it does not answer now."""
        try:
            with Redis.from_url(self._store) as client:
                self._valkey_pid = int(client.info("server")["process_id"])
        except RedisError:
            return None
        return self._valkey_pid

    @property
    def pid(self) -> int:
        """Its process."""
        assert self._process is not None
        return self._process.pid

    @property
    def valkey_pid(self) -> int:
        """The process of its embedded Valkey, as last found."""
        assert self._valkey_pid is not None
        return self._valkey_pid

    async def stop(self) -> None:
        """Ask it to end, and return once it has."""
        assert self._process is not None
        self.send(signal.SIGINT)
        await self.gone()

    def send(self, number: signal.Signals) -> None:
        """Send it a signal."""
        assert self._process is not None
        self._process.send_signal(number)

    async def dies_by_itself(self) -> None:
        """Start, and return once it has died of what its prelude says."""
        self._spawn()
        Server.running.append(self)
        assert self._process is not None
        try:
            await until(self._died, DIE_WITHIN_S)
        finally:
            self._process.kill()
            await self.gone()
        assert self.ended_before_with == -signal.SIGKILL, f"it ended with {self.ended_before_with}"

    def _died(self) -> bool:
        self._supervise()
        return self.ended_with is not None

    async def kill(self, *, with_valkey: bool = False) -> None:
        """Kill it with -9, and its Valkey in the same breath if asked."""
        assert self._process is not None
        self._process.kill()
        if with_valkey:
            self.signal_valkey(signal.SIGKILL)
        await self.gone()

    def signal_valkey(self, number: signal.Signals) -> None:
        """Send its Valkey a signal."""
        os.kill(self.valkey_pid, number)

    async def gone(self) -> None:
        """Return once it has ended."""
        process = self._process
        assert process is not None
        await until(lambda: process.poll() is not None, STOP_WITHIN_S)
        self.ended_before_with = process.returncode
        Server.running.remove(self)

    async def close(self) -> None:
        """Stop it, if it runs."""
        if self._process is None or self._process.poll() is not None:
            if self in Server.running:
                Server.running.remove(self)
            return
        try:
            await self.stop()
        except AssertionError:
            await self.kill()
            raise AssertionError(f"it did not end within {STOP_WITHIN_S:g} s\n{self.last_words()}") from None

    @property
    def ended_with(self) -> int | None:
        """Its exit status; None while it runs."""
        return self._process.poll() if self._process is not None else None

    def log_text(self) -> str:
        """Give all that it has logged and printed."""
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def stumbles(self) -> list[str]:
        """Give what its log says of bugs."""
        return [
            line for line in self.log_text().splitlines() if "Traceback" in line or " bug" in line or '"bug"' in line
        ]

    def last_words(self) -> str:
        """Give the end of its log."""
        return "\n".join(self.log_text().splitlines()[-_LAST_LINES:])


@asynccontextmanager
async def running_server(
    data: Path,
    *,
    store: str | None = None,
    host: str = "127.0.0.1",
    environment: Mapping[str, str] = {},
    prelude: str = "",
    is_supervised: bool = False,
) -> AsyncIterator[Server]:
    """Run a server for as long as the block lasts, and see that it did not stumble.

    An error shows the end of the server's log.
    """
    server = Server(data, store=store, host=host, environment=environment)
    server.prelude, server.is_supervised = prelude, is_supervised
    try:
        await server.start()
        yield server
        await server.close()
        assert server.stumbles() == []
    except BaseException as error:
        error.add_note(f"the server's log ends with:\n{server.last_words()}")
        raise
    finally:
        await server.close()


async def first_line_from(port: int, question: bytes) -> bytes:
    """Return the first line of what is answered at a port of this machine; nothing if nobody is there."""
    with suppress(OSError):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            writer.write(question)
            return await reader.readline()
        finally:
            await gone(writer)
    return b""


def free_port() -> int:
    """Find a port below those that outgoing connections take, so that it stays free between two starts."""
    for _ in range(100):
        port = random.randrange(20_000, 32_000)
        with socket.socket() as candidate:
            try:
                candidate.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
    raise AssertionError("no port is free")
