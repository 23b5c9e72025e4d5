"""What this device keeps for its user: in the user's state directory, for nobody else's eyes."""

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
    """Return where programs keep state for this user, `dreadclock` in it; None if there is no such place.

    That is `XDG_STATE_HOME` where it is set, else what is usual on this system.
    """
    chosen = os.environ.get("XDG_STATE_HOME", "")
    if os.path.isabs(chosen):
        return Path(chosen, "dreadclock")
    with suppress(RuntimeError):  # somebody without a home
        return _usual(Path.home()) / "dreadclock"
    return None


def _usual(home: Path) -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    if sys.platform == "darwin":
        return home / "Library" / "Application Support"
    return home / ".local" / "state"


def private_folder(folder: Path) -> Path:
    """Make a folder, and those above it, that only this user may look into. Raises OSError."""
    folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    if folder.stat().st_mode & 0o077:
        folder.chmod(FOLDER_MODE)
    return folder


def read_regular(path: Path) -> bytes:
    """Read a file, and nothing else: a pipe could be waited for without end. Raises OSError."""
    with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)), "rb") as file:
        if not S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(EINVAL, "it is no regular file")
        return file.read()


def draft_of(path: Path) -> tuple[int, Path]:
    """Open a new file beside a path, to be filled and renamed to it; only this user may read it. Raises OSError."""
    draft = path.with_name(f".{token_hex(8)}.draft")
    return os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, FILE_MODE), draft


def write_private(path: Path, text: str) -> None:
    """Replace a file in a folder of this user's; as `replace_private`."""
    private_folder(path.parent)
    replace_private(path, text)


def replace_private(path: Path, text: str, *, sync: bool = False, only_new: bool = False) -> None:
    """Replace a file, whole or not at all; only this user may read it. Raises OSError, and leaves the old file then.

    `sync`: the text is on the disk before the new file takes the old one's name. `only_new`: raise FileExistsError
    instead if there is a file, or a link.
    """
    number, draft = draft_of(path)
    try:
        with open(number, "w", encoding="utf-8") as file:
            file.write(text)
            if sync:
                file.flush()
                os.fsync(file.fileno())
        if only_new:
            os.link(draft, path)
            draft.unlink()
        else:
            os.replace(draft, path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
