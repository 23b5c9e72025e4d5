"""Run scripts/environment.py with a Python that is new enough, or say which one is needed.

Run by `make`, with whatever `python3` is. A Python too old for Dreadclock must still be able to read this file, to say
so: it holds nothing that Python 2.7 does not understand.
"""

from __future__ import print_function

import os
import runpy
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
OWN = os.path.join(os.path.dirname(HERE), ".venv", "bin", "python")
CANDIDATES = (OWN, "python3.14", "python3.13", "python3.12", "python3.11")
OLDEST = (3, 11)


def is_new_enough(python):
    # type: (str) -> bool
    """Return whether `python` runs and is not older than Dreadclock allows."""
    try:
        code = "import sys; sys.exit(sys.version_info < {!r})".format(OLDEST)
        return subprocess.call([python, "-c", code]) == 0
    except EnvironmentError:
        return False


if __name__ == "__main__":
    if sys.version_info >= OLDEST:
        runpy.run_path(os.path.join(HERE, "environment.py"), run_name="__main__")
    for name in CANDIDATES:
        if is_new_enough(name):
            os.execvp(name, [name, os.path.join(HERE, "environment.py")] + sys.argv[1:])  # noqa: RUF005
    print(
        "Dreadclock needs Python 3.11 or newer, but this is Python {}.{} and no newer one is on the PATH. "
        "Install one, or name the one to use: make PYTHON=/path/to/python3.".format(*sys.version_info[:2]),
        file=sys.stderr,
    )
    sys.exit(1)
