"""Run a server that must not outlive the parent of this program. server.py starts this file as a separate program.

Arguments: the descriptor of a pipe that closes when the parent ends, the descriptor of a locked file that the server
keeps open, and the server's command.

A parent that dies, even by kill -9, closes the pipe. Then this program terminates the server. If this program is
killed instead, the kernel ends the server (on Linux). On other systems, the next process with the same data directory
ends the server.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable

_ORDERLY_S = 10.0
_PR_SET_PDEATHSIG = 1


def main(life: int, lock: int, command: list[str]) -> int:
    """Run the server's command until it ends, and return its exit code: 128 + the signal if a signal ended it."""
    os.umask(0o077)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    server = subprocess.Popen(
        command, pass_fds=(lock,), stdin=subprocess.DEVNULL, preexec_fn=_die_with_us(), process_group=0
    )
    signal.signal(signal.SIGTERM, lambda *_: server.terminate())
    threading.Thread(target=_end_with_parent, args=(life, server), daemon=True).start()
    code = _end_of(server)
    return code if code >= 0 else 128 - code


def _end_of(server: subprocess.Popen[bytes]) -> int:
    """Wait until the server ends, and return its exit code. Then kill its children, which would keep the lock."""
    if hasattr(os, "waitid"):
        with contextlib.suppress(ChildProcessError):
            # wait without reaping: the process id stays reserved until killpg
            os.waitid(os.P_PID, server.pid, os.WEXITED | os.WNOWAIT)
    else:
        server.wait()
    with contextlib.suppress(OSError):
        os.killpg(server.pid, signal.SIGKILL)
    return server.wait()


def _die_with_us() -> Callable[[], None] | None:
    """Return a function to call in the server's process. It makes the kernel end the server when this process dies."""
    if sys.platform != "linux":
        return None
    try:
        import ctypes
    except ImportError:
        return None
    prctl, guardian = ctypes.CDLL(None).prctl, os.getpid()

    def before_the_server() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != guardian:
            os._exit(1)

    return before_the_server


def _end_with_parent(life: int, server: subprocess.Popen[bytes]) -> None:
    os.read(life, 1)
    server.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        server.wait(_ORDERLY_S)
    server.kill()


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))
