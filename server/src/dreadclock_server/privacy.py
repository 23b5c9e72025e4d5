"""Private files of the server, and warnings at the start if others have access to these files."""

import os
import stat
import sys
from pathlib import Path

import structlog

from dreadclock.client.trust.device import replace_private, sync_folder

_OTHERS_WRITE = 0o022  # write access for the group, or for everybody
_OTHERS = 0o077
_INIT = 1  # the first process of a container has this id; the image decides which user runs it
_log = structlog.get_logger()


def warn_of_others(data_dir: Path) -> None:
    """Log a warning if others can write to the data folder or own it. Log another warning if this process is root.

    The server starts anyway, because it cannot choose the modes and owners of container volumes.
    """
    if sys.platform == "win32":
        return
    if os.geteuid() == 0 and os.getpid() != _INIT:
        _log.warning("running as root", do="run it as a user of its own")
    try:
        status = data_dir.stat()
    except OSError:
        return  # the folder does not exist: it is created private later, or the start fails
    do = f"chmod 700 {data_dir}, and see that it belongs to the user who runs this"
    if status.st_mode & _OTHERS_WRITE or status.st_uid not in (os.geteuid(), 0):
        mode = f"{stat.S_IMODE(status.st_mode):04o}"
        _log.warning("others can change the rooms in the data folder", data=str(data_dir), mode=mode, do=do)


def keep_private(path: Path) -> None:
    """Make a file with secrets private, and log a warning if others could read it until now."""
    if sys.platform == "win32" or path.is_symlink() or not path.exists():
        return
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & _OTHERS:
        try:
            path.chmod(0o600)
        except OSError as error:
            _log.warning("others can read the links", file=str(path), mode=f"{mode:04o}", error=str(error))
        else:
            do = "revoke the links if somebody else may have read them"
            _log.warning("others could read the links until now", file=str(path), mode=f"{mode:04o}", do=do)


def write_private(path: Path, text: str, *, only_new: bool = False) -> None:
    """Replace a private file atomically, and return when it is on the disk. Makes the folder if necessary.

    If the file cannot be written, leaves it as it was and raises OSError. With `only_new`, raises FileExistsError if
    the file exists.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    replace_private(path, text, sync=True, only_new=only_new)
    sync_folder(path.parent)
