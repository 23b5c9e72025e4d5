"""The module as Foundry unpacks it, and Handlebars, which Foundry brings along."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[3]
VERSION = "4.7.8"
MISSING = f"no Handlebars was found: install handlebars@{VERSION} by npm, and name its script in DREADCLOCK_HANDLEBARS"


def find_handlebars() -> Path | None:
    """Return the script that was asked for, or that `.ci/run` has installed; None if there is none."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    installed = cache / f"dreadclock/handlebars-{VERSION}/node_modules/handlebars/dist/handlebars.min.js"
    path = Path(os.environ.get("DREADCLOCK_HANDLEBARS") or installed)
    return path if path.is_file() else None


def built(folder: Path, url: str = "") -> Path:
    """Build the module's archive as `make foundry` does, but into a folder of the test's own."""
    environment = {**os.environ, "FOUNDRY_URL": url}
    command = [sys.executable, str(ROOT / "scripts/pack_foundry.py"), str(folder)]
    subprocess.run(command, check=True, capture_output=True, env=environment)
    return folder / "dreadclock-foundry.zip"


def unpacked(folder: Path) -> Path:
    """Build the module and unpack it into a new folder."""
    folder.mkdir()
    archive = built(folder)
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(folder)
    archive.unlink()
    return folder
