"""Build the module for Foundry VTT into dist/dreadclock-foundry.zip, or into the folder that is named: `make foundry`.

With FOUNDRY_URL, the address of the folder that its files will lie in, the module knows where newer versions of it
are: then module.json, which has to lie there beside the zip, is written beside it here, too. The same files make the
same bytes.
"""

import json
import os
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
MODULE, CLIENT = ROOT / "client_sdk/foundry", ROOT / "client_sdk/js"
WORDS = ROOT / "client_sdk/src/dreadclock/narration"
ARCHIVE = "dreadclock-foundry.zip"
SHIPPED = ("js", "templates", "styles", "lang")
WHEN = (1980, 1, 1, 0, 0, 0)  # of every file: no build differs from the last by its time


def manifest(url: str | None) -> bytes:
    """Return module.json, with the addresses of the newest version if it is known where that lies."""
    module = json.loads((MODULE / "module.json").read_text(encoding="utf-8"))
    if url:
        module |= {"manifest": f"{url.rstrip('/')}/module.json", "download": f"{url.rstrip('/')}/{ARCHIVE}"}
    return (json.dumps(module, ensure_ascii=False, indent=2) + "\n").encode()


def files(url: str | None) -> Mapping[str, bytes]:
    """Return all files of the module by their paths in it; the client lies beside the module's own scripts."""
    sources = {path.relative_to(MODULE).as_posix(): path for folder in SHIPPED for path in (MODULE / folder).iterdir()}
    sources |= {f"client/{path.name}": path for path in CLIENT.glob("*.js")}
    sources |= {f"narration/{path.name}": path for path in WORDS.glob("narration.*.json")}
    sources["LICENSE"] = ROOT / "LICENSE"
    return {"module.json": manifest(url)} | {name: path.read_bytes() for name, path in sources.items()}


def write(archive: Path, contents: Mapping[str, bytes]) -> None:
    """Write an archive of these files, in the order of their names."""
    with zipfile.ZipFile(archive, "w") as packed:
        for name, content in sorted(contents.items()):
            entry = zipfile.ZipInfo(name, WHEN)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            packed.writestr(entry, content)


if __name__ == "__main__":
    where = os.environ.get("FOUNDRY_URL")
    dist = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist"
    dist.mkdir(exist_ok=True)
    write(dist / ARCHIVE, files(where))
    if where:
        (dist / "module.json").write_bytes(manifest(where))
    sys.stdout.write(f"{ARCHIVE}  {(dist / ARCHIVE).stat().st_size // 1024} KiB\n")
