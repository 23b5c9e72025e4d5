"""The command line: `main` runs `dreadclock`."""

import sys
from collections.abc import Sequence

_NOT_INSTALLED = 'The command line is not installed: in the project folder, pip install "./client_sdk[cli]" adds it.\n'


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `dreadclock` with these arguments, or those of the process, and return its exit code."""
    try:
        from dreadclock.cli.program import run
    except ModuleNotFoundError as missing:
        if missing.name not in ("rich", "typer"):
            raise
        sys.stderr.write(_NOT_INSTALLED)
        return 1
    return run(sys.argv[1:] if arguments is None else arguments)
