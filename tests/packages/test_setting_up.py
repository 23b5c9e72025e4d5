"""What scripts/setup_env.py makes with the real pip, as `make` does. tests/test_setup_env.py has the rest."""

import os
import subprocess
from pathlib import Path

import pytest

from test_setup_env import Checkout

pytestmark = pytest.mark.skipif("DREADCLOCK_PACKAGES" not in os.environ, reason="only with DREADCLOCK_PACKAGES=1")

# The least that pip installs as an editable package, with nothing to fetch.
MEMBER = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]
"""
BACKEND = """
import zipfile

def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    info = "{name}-1.dist-info/"
    with zipfile.ZipFile(wheel_directory + "/{name}-1-py3-none-any.whl", "w") as wheel:
        wheel.writestr("{name}.py", "")
        wheel.writestr(info + "METADATA", "Metadata-Version: 2.1\\nName: {name}\\nVersion: 1\\n")
        wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(info + "RECORD", "")
    return "{name}-1-py3-none-any.whl"
"""


def test_an_environment_is_made_and_a_failure_is_blamed_on_the_network_or_the_lock_file(tmp_path: Path) -> None:
    checkout = Checkout(tmp_path / "checkout")
    checkout.stub = None
    for name in ("client_sdk", "server"):
        checkout.write(f"{name}/pyproject.toml", MEMBER)
        checkout.write(f"{name}/backend.py", BACKEND.format(name=name))

    process = checkout.start()
    said = process.communicate()
    assert process.returncode == 0, said
    subprocess.run([checkout.venv / "bin/python", "-c", "import client_sdk, server"], check=True)

    checkout.lock.write_text(f"absent==1.0 --hash=sha256:{'0' * 64}\n")
    assert "check the network" in checkout.refusal()
    checkout.lock.write_text("???\n")
    assert checkout.refusal().startswith("pip could not install what is asked for: ERROR: Invalid requirement")
