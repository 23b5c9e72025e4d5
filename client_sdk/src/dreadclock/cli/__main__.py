"""`python -m dreadclock.cli` does the same as `dreadclock`."""

import sys

from dreadclock.cli import main

sys.exit(main())
