"""The JavaScript client: its own tests, its types, and that both are what the models say."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from kit.puppet import needs_node

ROOT = Path(__file__).parents[3]
TESTS = sorted((ROOT / "tests" / "js").glob("*.test.mjs"))
WITHIN_S = 300
TSC = os.environ.get("DREADCLOCK_TSC") or shutil.which("tsc")


def run(*command: str | Path) -> str:
    """Run a command that must succeed, and return what it said."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=WITHIN_S)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@needs_node
def test_the_tests_in_javascript_pass() -> None:
    modules = "".join(f"import {json.dumps(test.as_uri())};" for test in TESTS)  # in one process: each takes 0.1 s

    said = run("node", "--input-type=module", "--eval", modules)

    assert len(TESTS) == 12
    assert "# fail 0" in said or "ℹ fail 0" in said


@pytest.mark.skipif(
    TSC is None, reason="the TypeScript compiler is not installed: put tsc on the PATH, or into DREADCLOCK_TSC"
)
def test_the_types_are_right() -> None:
    assert TSC is not None

    run(TSC, "-p", "client_sdk/js/jsconfig.json")
