"""The state of a target on disk: its position in the room's log, and pending webhooks.

Every target has a file. Writes replace the file atomically, and reach the disk before the relay goes on.
"""

import asyncio
import logging
import os
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from dreadclock.client.trust.device import drafted, private_folder, read_regular, sync_folder
from dreadclock.wire.base import Channel, Count, Id, MillisecondsUtc, Model, RoomId
from dreadclock.wire.records import Head
from dreadclock_server.tools.relay.settings import BadSettings

try:
    import fcntl
except ImportError:  # Windows has no fcntl
    fcntl = None  # type: ignore[assignment]

FIRST_REST_S, LONGEST_REST_S = 1.0, 30.0  # pauses between tries if the file cannot be written
_log = logging.getLogger("dreadclock.relay")


class Standing(Model):
    """A position in a log."""

    log_id: str
    heads: dict[Channel, Head]


class Pending(Model):
    """A webhook to deliver."""

    id: str
    body: str
    tries: Count = 0
    due_ms: MillisecondsUtc = 0


class Kept(Model):
    """The stored state of a target."""

    v: Literal[1] = 1
    room: RoomId
    whom: str = ""  # a hash of the receiver's address, to notice when the settings name another receiver
    standing: Standing | None = None
    past: int = Field(default=1, ge=1)  # how often the past of the log has changed, plus 1
    stopped: str | None = None  # why the target was stopped
    pending: tuple[Pending, ...] = ()
    message: Id | None = None  # only for Discord: the message with the tracker
    thread: Id | None = None  # only for Discord: the post in a forum


class Keeper:
    """Reads and writes the file of a target. `kept`: the current state; its last change may not be on the disk yet."""

    def __init__(self, name: str, path: Path, room: RoomId) -> None:
        self.kept = Kept(room=room)
        self._name, self._path, self._room = name, path, room
        self._turn = asyncio.Lock()

    def load(self) -> None:
        """Read the file, if it exists. Raises BadSettings if it cannot be read, or belongs to another room."""
        how = "this file notes what was sent: repair it, or move it away to start afresh"
        try:
            self.kept = Kept.model_validate_json(read_regular(self._path).decode())
        except FileNotFoundError:
            return
        except (OSError, ValueError):
            raise BadSettings(f"{self._path} cannot be read; {how}") from None
        if self.kept.room != self._room:
            raise BadSettings(f"{self._path} is of another room; {how}")

    async def change(self, **changes: Any) -> None:
        """Change the state, and wait until it is on the disk. Retries until the file can be written."""
        async with self._turn:
            self.kept = self.kept.model_copy(update=changes)
            await self._save(self.kept.model_dump_json(exclude_none=True))

    async def _save(self, text: str) -> None:
        rest_s = FIRST_REST_S
        while True:
            try:
                await _to_the_end(asyncio.to_thread(write_durably, self._path, text))
            except OSError as error:
                if rest_s == FIRST_REST_S:
                    why = "nothing more is sent there until it can be"
                    _log.error("%s: what was sent cannot be noted on disk (%s); %s", self._name, error.strerror, why)
                await asyncio.sleep(rest_s)
                rest_s = min(2 * rest_s, LONGEST_REST_S)
            else:
                break
        if rest_s != FIRST_REST_S:
            _log.warning("%s: the file can be written again, and sending continues", self._name)


async def _to_the_end(writing: Coroutine[Any, Any, None]) -> None:
    """Wait for a write in a thread, even if the caller is cancelled.

    A write that goes on after its caller has ended could replace the state of a later write.
    """
    task = asyncio.create_task(writing)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        raise


def write_durably(path: Path, text: str) -> None:
    """Replace a file atomically. Returns when the change would survive a power cut.

    Raises OSError if the file cannot be written.
    """
    private_folder(path.parent)
    put(drafted(path, text, sync=True), path)


def put(draft: Path, path: Path) -> None:
    """Rename a temporary file to `path`, and wait until the rename is on the disk.

    Raises OSError if this fails.
    """
    os.replace(draft, path)
    sync_folder(path.parent)


def occupy(folder: Path) -> int:
    """Lock a folder until this process ends, and delete old temporary files. Return the descriptor of the lock.

    Raises BadSettings if another relay has locked the folder, or if nothing can be written there.
    """
    try:
        private_folder(folder)
        number = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        if fcntl is not None:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise BadSettings(f"another relay uses the folder {folder}") from None
    except OSError as error:
        raise BadSettings(f"nothing can be kept in {folder}: {error.strerror}") from None
    for draft in folder.glob(".*.draft"):
        with suppress(OSError):
            draft.unlink()
    return number
