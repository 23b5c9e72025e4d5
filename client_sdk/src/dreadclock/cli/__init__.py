"""The command line: `main` runs `dreadclock`."""

import sys
from collections.abc import Sequence

from dreadclock.cli.installed import install_command


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `dreadclock` with these arguments, or those of the process, and return its exit code."""
    try:
        from dreadclock.cli.program import run
    except ModuleNotFoundError as missing:
        if missing.name not in ("rich", "typer"):
            raise
        sys.stderr.write(f"The command line is not installed: {install_command('dreadclock', '[cli]')} adds it.\n")
        return 1
    return run(sys.argv[1:] if arguments is None else arguments)
