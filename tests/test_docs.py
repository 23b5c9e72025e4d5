"""The pages that are printed from the code say what the code says."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_the_page_of_commands_is_the_one_that_the_code_prints() -> None:
    printed = subprocess.run(
        [sys.executable, "scripts/generate_docs.py"], cwd=ROOT, check=True, capture_output=True, text=True
    )

    assert (ROOT / "docs/commands.md").read_text() == printed.stdout
