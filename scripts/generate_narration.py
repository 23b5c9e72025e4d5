"""Write every sentence of the examples in every language, for people to read and for a test to compare."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from kit.narration.examples import told_page


def files() -> dict[str, str]:
    """Return all sentences."""
    return {"tests/golden/narration.txt": told_page()}
