"""How many examples a property is held to: some in every run, `DREADCLOCK_EXAMPLES=1000` with more time."""

import os

from hypothesis import settings


def examples(usual: int) -> settings:
    """Return the settings of a property that is usually held to so many examples."""
    return settings(max_examples=int(os.environ.get("DREADCLOCK_EXAMPLES") or usual))
