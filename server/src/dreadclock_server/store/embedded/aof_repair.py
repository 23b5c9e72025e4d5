"""Repair of an append-only file (AOF) whose end was torn off by a crash. Other damage is not repaired.

Valkey answers a command after the complete command is in its file. So an incomplete command or
transaction at the end was never answered, and is cut off. If complete commands follow unreadable
bytes, then answered commands were damaged. Nothing is cut then: the operator must decide.
"""

import contextlib
import logging
import mmap
import os
import re
from dataclasses import dataclass
from pathlib import Path

from dreadclock_server.store.base import RESTORE
from dreadclock_server.store.embedded.datadir import EmbeddedFailed

_LINE = re.compile(rb"([*$])(\d{1,12})\r\n")
_START = re.compile(rb"\*\d{1,12}\r\n\$\d{1,12}\r\n")
_ROOM = re.compile(rb"\{([a-z2-7]{26})\}")  # the hash tag in the names of keys
_NEAR = 4096  # bytes around a place in which `_rooms_near` searches

Bytes = bytes | mmap.mmap
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class AofState:
    """What an append-only file contains.

    `whole`: how many bytes there are up to the end of the last complete command or transaction. `unreadable_at`: where
    the first incomplete command begins. `is_damaged`: whether complete commands follow after that.
    """

    whole: int
    unreadable_at: int
    is_damaged: bool


def look(data: Bytes) -> AofState:
    """Read the commands of an append-only file from its start, as far as they are complete."""
    place = whole = 0
    inside = False  # inside a transaction
    while (command := command_at(data, place)) is not None:
        name, place = command
        inside = name == b"MULTI" or (inside and name != b"EXEC")
        if not inside:
            whole = place
    return AofState(whole, place, any(command_at(data, start.start()) for start in _START.finditer(data, place + 1)))


def command_at(data: Bytes, place: int) -> tuple[bytes, int] | None:
    """Return the name of the command at byte `place`, and where it ends; None if there is no complete command."""
    line = _LINE.match(data, place)
    if line is None or line[1] != b"*" or int(line[2]) == 0:
        return None
    place, first = line.end(), b""
    for number in range(int(line[2])):
        line = _LINE.match(data, place)
        if line is None or line[1] != b"$":
            return None
        start, place = line.end(), line.end() + int(line[2])
        if data[place : place + 2] != b"\r\n":
            return None
        if number == 0:
            first = bytes(data[start:place])
        place += 2
    return first.upper(), place


def newest_file(data_dir: Path) -> Path | None:
    """Return the append-only file that was written last. Only its end can be torn."""
    files = (data_dir / "appendonlydir").glob("*.incr.aof")
    return max(files, key=lambda path: int(path.name.split(".")[-3]), default=None)


def look_at(path: Path) -> AofState:
    """Read an append-only file on the disk."""
    if path.stat().st_size == 0:
        return AofState(0, 0, is_damaged=False)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return look(data)


def cut(path: Path, whole: int, kept: Path) -> int:
    """Cut a file off after `whole` bytes. If possible, append the rest to the file `kept`. Return the rest's size."""
    with path.open("r+b") as file:
        file.seek(whole)
        end = file.read()
        with (
            contextlib.suppress(OSError),
            open(os.open(kept, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab") as aside,
        ):
            aside.write(end)
        file.truncate(whole)
        file.flush()
        os.fsync(file.fileno())
    return len(end)


def settle(data_dir: Path) -> None:
    """Flush the append-only files to the disk after Valkey has ended, before anybody reads them."""
    for path in (data_dir / "appendonlydir").glob("*.aof"):
        with path.open("rb") as file:
            os.fsync(file.fileno())


def _rooms_near(path: Path, place: int) -> str:
    """Return a sentence that names the rooms whose keys are near a place in the file; empty if there are none."""
    with path.open("rb") as file:
        file.seek(max(0, place - _NEAR))
        rooms = dict.fromkeys(room.decode() for room in _ROOM.findall(file.read(2 * _NEAR)))
    return f"The data around that place belong to {', '.join(map('room {}'.format, rooms))}. " if rooms else ""


def mend(data_dir: Path) -> bool:
    """Cut a torn end off the newest file of the store. Return whether there was a torn end.

    Raises EmbeddedFailed, and changes nothing, if complete commands follow unreadable bytes.
    """
    path = newest_file(data_dir)
    if path is None:
        return False
    state = look_at(path)
    if state.is_damaged:
        raise EmbeddedFailed(
            f"The store in {data_dir} is damaged: {path.name} cannot be read at byte {state.unreadable_at}, "
            f"and more follows. {_rooms_near(path, state.unreadable_at)}Nothing was changed. {RESTORE}"
        )
    if state.whole == path.stat().st_size:
        return False
    kept = data_dir / "torn.aof"
    length = cut(path, state.whole, kept)
    where = f"kept in {kept}" if kept.exists() else "lost, because there was no space to keep them"
    _log.warning("the last %d bytes of the store were torn off in a crash, and are %s", length, where)
    return True
