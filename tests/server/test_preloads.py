"""A page names every module that it will need, so that a browser asks for all of them at once."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_page_preloads_the_modules_that_it_needs_and_no_others():
    done = subprocess.run(
        [sys.executable, "scripts/generate_preloads.py", "--check"], cwd=ROOT, capture_output=True, text=True
    )

    assert done.returncode == 0, f"{done.stderr}run scripts/generate_preloads.py"
