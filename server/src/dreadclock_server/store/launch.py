"""How the embedded Valkey is started: its settings, and the file that keeps what it says."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

_LONGEST_LOG = 1024 * 1024  # bytes; then a new one is begun


def options(data_dir: Path, socket: Path, *, keeps: bool) -> list[str]:
    """Give the settings with which an answered write is on the disk; `keeps`: whether there is a disk at all.

    A torn end of its file is cut by us (torn.py), not by Valkey: it would cut what was damaged as well.
    """
    return flags(
        {
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
            "maxmemory-policy": "noeviction",
            "io-threads": "1",
            "daemonize": "no",
            "logfile": "",
        }
    )


def flags(settings: Mapping[str, str]) -> list[str]:
    """Write settings as a server's command takes them."""
    return [word for name, value in settings.items() for word in (f"--{name}", value)]


def open_log(data_dir: Path) -> BinaryIO:
    """Open the file for what Valkey says."""
    path = data_dir / "valkey.log"
    if path.exists() and path.stat().st_size > _LONGEST_LOG:
        path.replace(path.with_suffix(".log.1"))
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "ab")


def last_words(data_dir: Path, log_start: int) -> str:
    """Quote what Valkey said last since a place in its file."""
    words = (data_dir / "valkey.log").read_bytes()[log_start:].decode(errors="replace").split("\n")
    said = [line.strip() for line in words if line.strip()]
    return f"its last words were {said[-1]!r}" if said else "it said nothing"
