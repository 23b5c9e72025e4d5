"""The SDK installs alone, into an environment that knows nothing of the server."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
REPORT = """
import json
from importlib.metadata import distributions

import dreadclock

names = [name for name in dreadclock.__all__ if getattr(dreadclock, name) is not None]
installed = sorted({each.name.lower().replace('_', '-') for each in distributions()})
print(json.dumps({"names": names, "installed": installed}))
"""


def run(*command: str | Path, cwd: Path) -> str:
    process = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert process.returncode == 0, process.stdout
    return process.stdout


def locked_versions(target: Path) -> Path:
    """Write the versions of the lock file, so that what was downloaded once is used again."""
    pins = re.findall(r"^[\w.-]+==[\w.]+", (ROOT / "requirements.lock").read_text(encoding="utf-8"), re.MULTILINE)
    target.write_text("\n".join(pins), encoding="utf-8")
    return target


@pytest.mark.install
def test_the_sdk_installs_alone(tmp_path: Path) -> None:
    python = tmp_path / "env" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    constraints = locked_versions(tmp_path / "constraints.txt")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path, cwd=ROOT / "client_sdk")
    run(sys.executable, "-m", "venv", "--without-pip", tmp_path / "env", cwd=tmp_path)
    (wheel,) = tmp_path.glob("dreadclock-*.whl")
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check"]
    run(*pip, "install", "-q", "--no-input", "--no-compile", "-c", constraints, wheel, cwd=tmp_path)

    report = json.loads(run(python, "-I", "-c", REPORT, cwd=tmp_path))

    assert {"connect", "open_room", "sync", "rules", "wire"} <= set(report["names"])
    installed = set(report["installed"])
    assert {"dreadclock", "pydantic", "websockets", "httpx"} <= installed
    assert {"dreadclock-server", "prometheus-client", "redis", "starlette", "structlog", "uvicorn"} & installed == set()
    assert {"typer", "rich"} & installed == set()
