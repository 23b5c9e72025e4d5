"""`python -m dreadclock` does the same as the command `dreadclock`."""

import sys

from dreadclock.cli import main

if __name__ == "__main__":
    sys.exit(main())
