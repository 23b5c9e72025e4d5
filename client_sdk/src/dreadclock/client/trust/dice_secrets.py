"""The secrets of a client's dice tokens. Each is stored in a file, and locked by the one connection that uses it.

A lane is a series of 1,024 rolls whose dice a seat and the server fixed in advance. The seat's client has a token for
each roll. The tokens are a hash chain, so all follow from the last one. A secret is the last token of a lane, t_1024.
The file's name is the anchor t_0, which is public. Whoever knows t_1024 and the server's keys can predict the lane's
dice, so the secret is never shown, logged or sent.
"""

import logging
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from secrets import token_bytes
from stat import S_ISREG

from dreadclock.client.trust.device import draft_of, private_folder, state_directory
from dreadclock.rules.ledger import LANE_LENGTH, text32, token_chain, value32
from dreadclock.wire.base import Id, RoomId, Value32
from dreadclock.wire.records import room_bytes
from dreadclock.wire.things import Lane

if sys.platform != "win32":
    import fcntl

_UNFIT = ".unfit"
_TOKEN_LENGTH = 43  # characters of a token in a file
_LONGEST = 256  # bytes of a file: the secret, and the label and k_0 of its lane
_log = logging.getLogger("dreadclock.dice")


@dataclass(frozen=True, slots=True)
class Holder:
    """The owner of secrets: a seat in a log of a room."""

    room_id: RoomId
    log_id: str
    seat_id: Id


class Secret:
    """The tokens of a lane. No other connection of this device uses them until `release`."""

    def __init__(self, holder: Holder, last: bytes) -> None:
        self._tokens = token_chain(room_bytes(holder.room_id), last)
        self._path: Path | None = None
        self._lock: int | None = None
        self._lane: tuple[str, Value32] | None = None  # the label and k_0 of its lane
        self.anchor: Value32 = text32(self._tokens.value(0))

    def __repr__(self) -> str:
        return f"Secret(anchor={self.anchor!r})"

    def kept_in(self, path: Path, lock: int, lane: tuple[str, Value32] | None = None) -> None:
        """Set the file of the secret, and the lane that the file names. `lock`: the descriptor of the locked file."""
        self._path, self._lock, self._lane = path, lock, lane

    def token(self, n: int) -> Value32:
        """Return the token for the lane's roll `n`."""
        return text32(self._tokens.value(n))

    def fits(self, lane: Lane) -> bool:
        """Tell whether a lane belongs to this secret: its last shown token is one of this secret's tokens.

        If `note` has stored a lane, the label and the key must also be the same.
        """
        token = self.token(lane.used) if 0 < lane.used <= LANE_LENGTH else None
        return lane.token == token and self._lane in (None, (lane.label, lane.key))

    def contradicts(self, lane: Lane) -> bool:
        """Tell whether a lane has the label that `note` has stored, but another key.

        The server may have chosen such a key after it knew the tokens.
        """
        return self._lane is not None and self._lane[0] == lane.label and self._lane[1] != lane.key

    def note(self, lane: Lane) -> None:
        """Store the label and key of the lane, before a token is shown in it.

        The same token must not be used in another lane, because the server would know it in advance.
        """
        if self._lane is None:
            self._lane = (lane.label, lane.key)
            if self._lock is not None:
                with suppress(OSError):
                    os.pwrite(self._lock, f" {lane.label} {lane.key}".encode(), _TOKEN_LENGTH)
                    os.fsync(self._lock)

    def release(self) -> None:
        """Unlock the secret for other connections. A second call does nothing."""
        lock, self._lock = self._lock, None
        if lock is not None:
            os.close(lock)

    def forget(self) -> None:
        """Delete the secret, because its lane is closed or used up."""
        if self._path is not None:
            with suppress(OSError):
                self._path.unlink(missing_ok=True)
        self.release()

    def put_aside(self) -> None:
        """Rename the file of a secret that fits no lane, so that somebody can find out why. Unlocks it."""
        if self._path is not None:
            _put_aside(self._path)
        self.release()


class DiceSecrets:
    """Keeps secrets in files below `directory`, or in memory if that is None.

    If files cannot be written or locked, secrets are kept in memory, and a warning is logged once. If a secret is
    lost, the client opens another lane, which everyone sees.
    """

    def __init__(self, directory: Path | None) -> None:
        self.directory = directory
        self._in_memory: set[tuple[Holder, Value32]] = set()
        self._warned = False

    @classmethod
    def usual(cls) -> "DiceSecrets":
        """Return DiceSecrets in the user's state directory."""
        return cls(state_directory())

    def stored(self, holder: Holder) -> set[Value32]:
        """Return the anchors of all secrets of this holder on this device, locked or not."""
        in_memory = {anchor for other, anchor in self._in_memory if other == holder}
        return in_memory | {path.name for path in self._paths(holder)}

    def take(self, holder: Holder, rank: Callable[[Value32], int]) -> Secret:
        """Lock the unlocked secret with the lowest `rank(anchor)`. If there is none, make a new secret and lock it."""
        for path in sorted(self._paths(holder), key=lambda path: (rank(path.name), path.name)):
            secret = self._held(holder, path)
            if secret is not None:
                return secret
        return self.make(holder)

    def make(self, holder: Holder) -> Secret:
        """Make a new secret and lock it."""
        last = token_bytes(32)
        folder = self._folder(holder)
        if folder is not None:
            try:
                return _written(holder, last, private_folder(folder))
            except OSError as error:
                self._warn(error)
        secret = Secret(holder, last)
        self._in_memory.add((holder, secret.anchor))
        return secret

    def _folder(self, holder: Holder) -> Path | None:
        """Return a holder's folder. The name is hashed, because the log id comes from the server."""
        if self.directory is None:
            return None
        name = sha256(f"{holder.log_id} {holder.seat_id}".encode()).hexdigest()[:32]
        return self.directory / "dice" / holder.room_id / name

    def _paths(self, holder: Holder) -> Iterator[Path]:
        folder = self._folder(holder)
        if folder is None:
            return
        with suppress(OSError):
            yield from (path for path in folder.iterdir() if not path.name.startswith(".") and not path.suffix)

    def _held(self, holder: Holder, path: Path) -> Secret | None:
        """Lock a stored secret. None if it is locked, malformed or not readable."""
        try:
            number = os.open(path, os.O_RDWR | getattr(os, "O_NONBLOCK", 0))
        except OSError as error:
            if not isinstance(error, FileNotFoundError):
                self._warn(error)
            return None
        secret = None
        try:
            regular = S_ISREG(os.fstat(number).st_mode)  # reading a pipe could block for ever
            secret = _read(holder, path, number) if regular and _lock(number) else None
        except OSError as error:
            self._warn(error)
        finally:
            if secret is None:
                os.close(number)
        return secret

    def _warn(self, error: OSError) -> None:
        if not self._warned:
            self._warned = True
            _log.warning("dice secrets cannot be kept in files, so each connection opens a lane of its own: %s", error)


def _written(holder: Holder, last: bytes, folder: Path) -> Secret:
    """Write a secret's file, and lock it before it gets its name. Raises OSError."""
    secret = Secret(holder, last)
    path = folder / secret.anchor
    number, draft = draft_of(path)
    try:
        _lock(number)
        os.write(number, text32(last).encode())
        os.fsync(number)
        os.replace(draft, path)
    except BaseException:
        os.close(number)
        draft.unlink(missing_ok=True)
        raise
    secret.kept_in(path, number)
    return secret


def _read(holder: Holder, path: Path, number: int) -> Secret | None:
    """Read a secret from its locked file. Rename a malformed file, and return None."""
    lane: list[str] = []
    try:
        last, *lane = os.read(number, _LONGEST).decode("ascii").split(" ")
        secret = Secret(holder, value32(last)) if len(lane) in (0, 2) else None
    except ValueError:
        secret = None
    if secret is None or secret.anchor != path.name:
        _log.warning("%s holds no dice secret, and is renamed", path)
        _put_aside(path)
        return None
    secret.kept_in(path, number, (lane[0], lane[1]) if lane else None)
    return secret


def _lock(number: int) -> bool:
    """Lock an open file until it is closed; False if another process has locked or deleted the file. Raises OSError."""
    if sys.platform == "win32":
        raise OSError("files are not locked on this system")
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return os.fstat(number).st_nlink > 0


def _put_aside(path: Path) -> None:
    with suppress(OSError):
        os.replace(path, path.with_name(path.name + _UNFIT))
