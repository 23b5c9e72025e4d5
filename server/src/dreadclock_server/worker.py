"""The limits of worker processes. gateway/rest/workers.py starts these processes.

Reads the input from stdin, and writes the result to stdout. The kernel limits CPU time and memory. macOS cannot limit
the memory, and Windows neither of the two: there, only the server's timeout limits the process.
"""

import ctypes
import os
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress

if sys.platform != "win32":
    import resource

CPU_S = 60  # about four times as much as an export of 16 MiB of ordinary play needs
MEMORY_BYTES = 1 << 30  # of address space, about twice as much as this export needs
NO_MEMORY = 3  # exit code of a worker that ran out of memory
_PR_SET_PDEATHSIG = 1


def limit() -> None:
    """Set the limits of a worker, lower its priority, and make it end with the server."""
    os.nice(10)
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        with suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:
            score.write("1000")  # if the machine runs out of memory, the kernel kills the worker first


def run(answer: Callable[[bytes], bytes]) -> None:
    """Read the input, call `answer`, and write the result, within the limits."""
    if sys.platform != "win32":
        limit()
    try:
        sys.stdout.buffer.write(answer(sys.stdin.buffer.read()))
    except MemoryError:
        sys.exit(NO_MEMORY)
    except Exception as error:  # A bug. Log only where it happened: the error's text may have the gm's secrets.
        place = traceback.extract_tb(error.__traceback__)[-1]
        sys.exit(f"{type(error).__name__} in {place.filename}, line {place.lineno}")
