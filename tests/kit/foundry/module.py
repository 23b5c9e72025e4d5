"""The module as Foundry unpacks it, and Handlebars, which Foundry brings along."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[3]
ARCHIVE = ROOT / "dist/dreadclock-foundry.zip"
VERSION = "4.7.8"
MISSING = f"Handlebars is not there: npm install handlebars@{VERSION}, and its dist/handlebars.min.js in DREADCLOCK_HANDLEBARS"


def find_handlebars() -> Path | None:
    """Return the script that was asked for, or that `.ci/run` has installed; None if there is none."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    installed = cache / f"dreadclock/handlebars-{VERSION}/node_modules/handlebars/dist/handlebars.min.js"
    path = Path(os.environ.get("DREADCLOCK_HANDLEBARS") or installed)
    return path if path.is_file() else None


def built(url: str = "") -> Path:
    """Build the module's archive as `make foundry` does."""
    environment = {**os.environ, "FOUNDRY_URL": url}
    subprocess.run([sys.executable, ROOT / "scripts/pack_foundry.py"], check=True, capture_output=True, env=environment)
    return ARCHIVE


def unpacked(folder: Path) -> Path:
    """Build the module and unpack it into a folder."""
    with zipfile.ZipFile(built()) as archive:
        archive.extractall(folder)
    return folder
