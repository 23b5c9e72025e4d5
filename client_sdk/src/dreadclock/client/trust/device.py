"""Private files in the user's state directory."""

import os
import sys
from contextlib import suppress
from errno import EINVAL
from pathlib import Path
from secrets import token_hex
from stat import S_ISREG

FOLDER_MODE = 0o700
FILE_MODE = 0o600


def state_directory() -> Path | None:
    """Return the folder `dreadclock` in the user's state directory; None if the user has no home directory.

    The state directory is `XDG_STATE_HOME` if that is an absolute path, otherwise the usual directory of this
    system.
    """
    chosen = os.environ.get("XDG_STATE_HOME", "")
    if os.path.isabs(chosen):
        return Path(chosen, "dreadclock")
    with suppress(RuntimeError):  # raised if the user has no home directory
        return _usual(Path.home()) / "dreadclock"
    return None


def _usual(home: Path) -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    if sys.platform == "darwin":
        return home / "Library" / "Application Support"
    return home / ".local" / "state"


def private_folder(folder: Path) -> Path:
    """Make a folder that only this user may read, and its parents if necessary. Raises OSError."""
    folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    if folder.stat().st_mode & 0o077:
        folder.chmod(FOLDER_MODE)
    return folder


def read_regular(path: Path) -> bytes:
    """Read a regular file. Raises OSError, also for a pipe: reading a pipe could block for ever."""
    with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)), "rb") as file:
        if not S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(EINVAL, "it is no regular file")
        return file.read()


def draft_of(path: Path) -> tuple[int, Path]:
    """Open a new private file in the folder of `path`, and return its descriptor and path. Raises OSError.

    The caller fills the file and renames it to `path`.
    """
    draft = path.with_name(f".{token_hex(8)}.draft")
    return os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, FILE_MODE), draft


def drafted(path: Path, text: str, *, sync: bool) -> Path:
    """Write a private file in the folder of `path`, and return its path. The caller renames it to `path`.

    `sync`: flush the file to the disk. Raises OSError, and then leaves no file behind.
    """
    number, draft = draft_of(path)
    try:
        with open(number, "w", encoding="utf-8") as file:
            file.write(text)
            if sync:
                file.flush()
                os.fsync(file.fileno())
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    return draft


def sync_folder(folder: Path) -> None:
    """Wait until earlier renames in this folder would survive a power cut. Raises OSError.

    On Windows, this is not possible: return at once.
    """
    if os.name == "posix":
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def write_private(path: Path, text: str) -> None:
    """Make the file's folder if necessary, and replace the file atomically.

    Only this user may read it. Raises OSError.
    """
    private_folder(path.parent)
    replace_private(path, text)


def replace_private(path: Path, text: str, *, sync: bool = False, only_new: bool = False) -> None:
    """Replace a file atomically. Only this user may read it. Raises OSError, and then leaves the old file as it was.

    `sync`: flush the text to the disk before the file is replaced. `only_new`: raise FileExistsError if the path
    exists, as a file or a link.
    """
    draft = drafted(path, text, sync=sync)
    try:
        if only_new:
            os.link(draft, path)
            draft.unlink()
        else:
            os.replace(draft, path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
