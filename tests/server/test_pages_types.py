"""The pages' types, checked by the TypeScript compiler."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from dreadclock_server.gateway.pages.files import without_remarks

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "server/src/dreadclock_server/pages"
KINDS = ROOT / "tests/js"
SCRIPTS = (PAGES / "js", ROOT / "client_sdk/js", ROOT / "client_sdk/owlbear")
TSC = os.environ.get("DREADCLOCK_TSC") or shutil.which("tsc")
PLAINLY = """
const ts = require(process.argv[1]), code = {};
const printer = ts.createPrinter({ removeComments: true });
for (const [name, text] of Object.entries(JSON.parse(require("fs").readFileSync(0, "utf8"))))
  code[name] = printer.printFile(ts.createSourceFile(name, text, ts.ScriptTarget.ES2022));
console.log(JSON.stringify(code));
"""


def as_served(folder: Path) -> Path:
    """Lay out the pages and the client as a browser finds them below /assets/, with the types of lit-html."""
    shutil.copytree(PAGES, folder, dirs_exist_ok=True)
    shutil.copytree(ROOT / "client_sdk/js", folder / "client")
    shutil.copytree(ROOT / "client_sdk/owlbear", folder / "owlbear")
    for name in ("lit-html", "owlbear-sdk"):
        shutil.copytree(KINDS / name, folder / "vendor" / name, dirs_exist_ok=True)
    shutil.copy(KINDS / "pages.jsconfig.json", folder / "jsconfig.json")
    return folder


def run(*command: str, given: str | None = None) -> str:
    """Run a command that must succeed, and return what it said."""
    done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def code_of(scripts: dict[str, str]) -> dict[str, str]:
    """Return the code of scripts in one layout and without any remarks, as the compiler reads and writes it."""
    assert TSC is not None
    typescript = Path(TSC).resolve().parents[1] / "lib/typescript.js"
    code: dict[str, str] = json.loads(run("node", "-e", PLAINLY, str(typescript), given=json.dumps(scripts)))
    return code


needs_compiler = pytest.mark.skipif(
    TSC is None, reason="the TypeScript compiler is not installed: put tsc on the PATH, or into DREADCLOCK_TSC"
)


@needs_compiler
def test_the_types_of_the_pages_are_right(tmp_path: Path) -> None:
    assert TSC is not None
    run(TSC, "-p", str(as_served(tmp_path) / "jsconfig.json"))


@needs_compiler
def test_what_is_served_without_remarks_is_the_same_code() -> None:
    whole = {str(file): file.read_text() for folder in SCRIPTS for file in folder.rglob("*.js")}
    served = {name: without_remarks(text.encode()).decode() for name, text in whole.items()}

    code = code_of(served)

    assert len(code) > 20
    assert code == code_of(whole)
