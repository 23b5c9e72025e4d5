"""What holds for all tests."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
LEAKING = """
import socket

def test_that_leaves_a_socket_open():
    circle = type("Circle", (), {})()
    circle.itself, circle.socket = circle, socket.socket()
"""
INNOCENT = """
import gc

def test_in_which_garbage_is_found():
    gc.collect()
"""


def test_what_is_left_open_fails_the_module_that_left_it(tmp_path: Path) -> None:
    for name, text in (("test_a.py", LEAKING), ("test_b.py", INNOCENT)):
        (tmp_path / name).write_text(text)

    options = ["-q", "-p", "conftest", "-p", "no:cacheprovider", "-c", str(ROOT / "pyproject.toml")]
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", *options, str(tmp_path)],
        env=os.environ | {"PYTHONPATH": str(ROOT / "tests")},
        capture_output=True,
        text=True,
        check=False,
    )

    assert "test_a.py::test_that_leaves_a_socket_open" in ran.stdout
    assert "test_b.py::" not in ran.stdout
    assert "unclosed <socket" in ran.stdout
