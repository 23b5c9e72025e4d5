"""What a server keeps on this machine: for its user alone, and a warning at its start where it is not."""

import os
import stat
import sys
from pathlib import Path

import structlog

from dreadclock.client.trust.device import replace_private

_OTHERS_WRITE = 0o022  # the group, or everybody
_OTHERS = 0o077
_INIT = 1  # the process that a container begins with: whom it runs as is its image's business
_log = structlog.get_logger()


def warn_of_others(data_dir: Path) -> None:
    """Log a warning if somebody else can write to the data folder, and one if this process is root.

    Neither keeps a server from starting: volumes of containers come with modes and owners that it cannot choose.
    """
    if sys.platform == "win32":
        return
    if os.geteuid() == 0 and os.getpid() != _INIT:
        _log.warning("running as root", do="run it as a user of its own")
    try:
        status = data_dir.stat()
    except OSError:
        return  # it will be made, for its owner alone, or be complained of
    do = f"chmod 700 {data_dir}, and see that it belongs to the user who runs this"
    if status.st_mode & _OTHERS_WRITE or status.st_uid not in (os.geteuid(), 0):
        mode = f"{stat.S_IMODE(status.st_mode):04o}"
        _log.warning(
            "others can change the rooms: the data folder is not ours alone", data=str(data_dir), mode=mode, do=do
        )


def keep_private(path: Path) -> None:
    """Take a file with secrets in it from everyone but its owner, and log a warning if others could read it so far."""
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
    """Replace a file that only its owner may read, whole or not at all, and return once it is on the disk.

    Makes the folder if there is none. Raises OSError, and leaves the file as it was then; FileExistsError if there is a
    file and `only_new`.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    replace_private(path, text, sync=True, only_new=only_new)
    if sys.platform != "win32":
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
