"""`python -m dreadclock.cli` is `dreadclock`."""

import sys

from dreadclock.cli import main

sys.exit(main())
