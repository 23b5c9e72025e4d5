"""What a process of its own keeps to that works for the server; gateway/rest/workers.py starts it.

What it is given comes in by stdin, its answer leaves by stdout. The limits of time and memory are the kernel's; where
it knows none (macOS has none for memory), the server's patience is the limit.
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

CPU_S = 60  # an export of 16 MiB of ordinary play takes about a quarter of it
MEMORY_BYTES = 1 << 30  # of addresses: about twice the memory that such an export takes
NO_MEMORY = 3  # exit code
_PR_SET_PDEATHSIG = 1


def limit() -> None:
    """Take no more than a worker may, give way to the server, and end with it."""
    os.nice(10)
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        with suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:
            score.write("1000")  # should the machine run out of memory, this goes first


def run(answer: Callable[[bytes], bytes]) -> None:
    """Answer what comes in, within the limits."""
    if sys.platform != "win32":
        limit()
    try:
        sys.stdout.buffer.write(answer(sys.stdin.buffer.read()))
    except MemoryError:
        sys.exit(NO_MEMORY)
    except Exception as error:  # a mistake of ours; what it says may hold the gm's secrets, where it is does not
        place = traceback.extract_tb(error.__traceback__)[-1]
        sys.exit(f"{type(error).__name__} in {place.filename}, line {place.lineno}")
