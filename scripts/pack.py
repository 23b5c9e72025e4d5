"""Build the packages of the SDK, the server and the JavaScript client into dist/: `make packages`.

The server's packages carry bundles of the pages, made by esbuild (or what DREADCLOCK_ESBUILD says). The JavaScript
client needs npm, and TypeScript's compiler (`tsc`, or what DREADCLOCK_TSC says) for its types. Without these two the
Python packages are built all the same, and what is missing is said.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from bundle import Missing, bundle

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
CLIENT, WORDS = ROOT / "client_sdk/js", ROOT / "client_sdk/src/dreadclock/narration"
EMITTED = {"noEmit": False, "declaration": True, "emitDeclarationOnly": True, "outDir": "."}


def python_packages() -> None:
    """Build a source archive and a wheel of each Python project. Raises Missing if there is no esbuild."""
    with tempfile.TemporaryDirectory() as bundles:
        bundle(Path(bundles))
        env = os.environ | {"DREADCLOCK_BUNDLES": bundles}
        for project in ("client_sdk", "server"):
            command = [sys.executable, "-m", "hatchling", "build", "-d", str(DIST)]
            subprocess.run(command, cwd=ROOT / project, env=env, check=True)


def npm_package() -> None:
    """Build the archive of the JavaScript client, with types made from its comments."""
    compiler = os.environ.get("DREADCLOCK_TSC") or shutil.which("tsc")
    if compiler is None or shutil.which("npm") is None:
        sys.stderr.write("No npm package: npm and TypeScript's compiler (DREADCLOCK_TSC, `make tools`) are needed.\n")
        return
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "package"
        shutil.copytree(CLIENT, package)
        config = {"extends": "./jsconfig.json", "compilerOptions": EMITTED, "exclude": []}
        (package / "declarations.json").write_text(json.dumps(config), encoding="utf-8")
        subprocess.run([compiler, "-p", package / "declarations.json"], check=True)
        for left_over in ("declarations.json", "jsconfig.json"):
            (package / left_over).unlink()
        for words in WORDS.glob("narration.*.json"):
            shutil.copy(words, package)
        shutil.copy(ROOT / "LICENSE", package)
        subprocess.run(["npm", "pack", "--silent", "--pack-destination", DIST], cwd=package, check=True)


if __name__ == "__main__":
    DIST.mkdir(exist_ok=True)
    try:
        python_packages()
    except Missing as missing:
        sys.exit(str(missing))
    npm_package()
    for path in sorted(DIST.iterdir()):
        sys.stdout.write(f"{path.relative_to(ROOT)}  {path.stat().st_size // 1024} KiB\n")
