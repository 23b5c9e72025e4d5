"""Programs that start at once: forked from a process that has imported what they need.

To start Python and import the server takes 0.7 s of a core, and the tests start hundreds of servers. Linux alone can
tell the end of a fork's fork; elsewhere programs are started as usual.
"""

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

COMMAND = "import sys; from dreadclock.cli import main; sys.exit(main(sys.argv[1:]))"  # the program `dreadclock`
_TESTS = Path(__file__).parents[2]
_MOST_BYTES = 1 << 20  # of a message
_END_WITHIN_S = 60
_MAIN = """
import importlib, sys
from kit.servers.nursery import born, leave
for name in sys.argv[2:]:
    importlib.import_module(name)
try:
    exec(compile(born(int(sys.argv[1])), "<string>", "exec"), {"__name__": "__main__"})
except SystemExit as ended:
    leave(ended.code)
leave(0)
"""


def start(
    code: str, arguments: Sequence[str], environment: Mapping[str, str], log: IO[bytes], *imported: str
) -> "subprocess.Popen[bytes] | Child":
    """Start a program as `python -c` does, with its output in `log`; fork it from one that has `imported` modules.

    It may import these tests, too. It is started as usual if it needs nothing imported, or has a path of its own.
    """
    if imported and sys.platform == "linux" and environment.get("PYTHONPATH") == os.environ.get("PYTHONPATH"):
        return _nursery(*imported).child(code, arguments, environment, log)
    nothing = subprocess.DEVNULL
    command = [sys.executable, "-c", f"import sys; sys.path.append({str(_TESTS)!r})\n{code}", *arguments]
    return subprocess.Popen(command, stdin=nothing, stdout=log, stderr=log, env=environment)


def run(code: str, *arguments: object, environment: Mapping[str, str] = os.environ) -> tuple[int, str]:
    """Run a program that needs the server's modules to its end; return its exit status and all that it said.

    A program that does not end is killed.
    """
    limited = f"import signal; signal.alarm({_END_WITHIN_S})\n{code}"
    with TemporaryFile() as said:
        status = start(limited, list(map(str, arguments)), environment, said, "kit.servers.warm").wait()
        said.seek(0)
        return status, said.read().decode()


class Child:
    """A program that was forked, to be used like a `Popen`."""

    def __init__(self, nursery: "_Nursery", pid: int) -> None:
        self._nursery, self.pid = nursery, pid

    @property
    def returncode(self) -> Any:
        """How it ended; None while it is not known to have."""
        return self._nursery.ended.get(self.pid)

    def poll(self) -> int | None:
        """Return how it ended; None while it runs."""
        self._nursery.hear(socket.MSG_DONTWAIT)
        return self._nursery.ended.get(self.pid)

    def wait(self) -> int:
        """Return how it ended, once it has."""
        while self.pid not in self._nursery.ended:
            self._nursery.hear()
        return self._nursery.ended[self.pid]

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal, if it runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill it, if it runs."""
        self.send_signal(signal.SIGKILL)


@cache
def _nursery(*imported: str) -> "_Nursery":
    return _Nursery(imported)


class _Nursery:
    """The process that forks; `ended` are exit codes by process."""

    def __init__(self, imported: Sequence[str]) -> None:
        self.ended: dict[int, int] = {}
        self._control, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        nothing = subprocess.DEVNULL
        path = os.pathsep.join(filter(None, (str(_TESTS), os.environ.get("PYTHONPATH"))))
        with its:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _MAIN, str(its.fileno()), *imported],
                stdin=nothing,
                stdout=nothing,
                pass_fds=[its.fileno()],
                env=os.environ | {"PYTHONPATH": path},
            )
        atexit.register(self._close)

    def child(self, code: str, arguments: Sequence[str], environment: Mapping[str, str], log: IO[bytes]) -> Child:
        """Fork a program."""
        asked = {"code": code, "arguments": arguments, "environment": dict(environment), "folder": os.getcwd()}
        socket.send_fds(self._control, [json.dumps(asked).encode()], [log.fileno()])
        while (pid := self.hear()) is None:
            pass
        return Child(self, pid)

    def hear(self, how: int = 0) -> int | None:
        """Take in what was told: return who was forked, None if it was about ends or nothing."""
        while True:
            try:
                text = self._control.recv(_MOST_BYTES, how)
            except BlockingIOError:
                return None
            assert text, "the nursery has ended"
            pid, code = json.loads(text)
            if code is None:
                self.ended.pop(pid, None)  # of an earlier process with this number
                return int(pid)
            self.ended[pid] = code
            if not how:
                return None

    def _close(self) -> None:
        self._control.close()
        self._process.wait()


# In the process that forks


def born(control_fd: int) -> str:
    """Fork for each request until nobody is left to ask; return in each child alone, with its code."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with socket.socket(fileno=control_fd) as control:
        asked = _wait_for_birth(control)
    if asked is None:
        sys.exit(0)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.clear()
    os.environ.update(asked["environment"])
    os.chdir(asked["folder"])
    sys.argv[:] = ["-c", *asked["arguments"]]
    return str(asked["code"])


def leave(code: Any) -> None:
    """End the program as Python does, but without freeing each object: that copies the memory that forks share."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    if isinstance(code, str):
        print(code, file=sys.stderr)  # noqa: T201 - as sys.exit does
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


def _wait_for_birth(control: socket.socket) -> dict[str, Any] | None:
    """Return in a child what is to be run; in the process that forks, None in the end."""
    running: dict[int, int] = {}  # processes by the descriptors that tell of their ends
    waits = select.poll()
    waits.register(control, select.POLLIN)
    while True:
        for ready, _ in waits.poll():
            if ready in running:
                waits.unregister(ready)
                os.close(ready)
                pid, status = os.waitpid(running.pop(ready), 0)
                _tell(control, pid, os.waitstatus_to_exitcode(status))
                continue
            text, files, _, _ = socket.recv_fds(control, _MOST_BYTES, 1)
            if not text:
                return None
            pid = os.fork()
            if pid == 0:
                for each in running:
                    os.close(each)
                for output in (1, 2):
                    os.dup2(files[0], output)
                os.close(files[0])
                return dict(json.loads(text))
            os.close(files[0])
            watched = os.pidfd_open(pid)
            running[watched] = pid
            waits.register(watched, select.POLLIN)
            _tell(control, pid, None)


def _tell(control: socket.socket, pid: int, code: int | None) -> None:
    control.send(json.dumps([pid, code]).encode())
