"""The pages' types, checked by the TypeScript compiler."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from dreadclock_server.gateway.pages.files import without_remarks

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "server/src/dreadclock_server/pages"
KINDS = ROOT / "tests/js"
TSC = os.environ.get("DREADCLOCK_TSC") or shutil.which("tsc")


def as_served(folder: Path) -> Path:
    """Lay out the pages and the client as a browser finds them below /assets/, with the types of lit-html."""
    shutil.copytree(PAGES, folder, dirs_exist_ok=True)
    shutil.copytree(ROOT / "client_sdk/js", folder / "client")
    shutil.copytree(ROOT / "client_sdk/owlbear", folder / "owlbear")
    for name in ("lit-html", "owlbear-sdk"):
        shutil.copytree(KINDS / name, folder / "vendor" / name, dirs_exist_ok=True)
    shutil.copy(KINDS / "pages.jsconfig.json", folder / "jsconfig.json")
    return folder


def compiled(*arguments: str) -> None:
    """Run the TypeScript compiler, which must have nothing to say."""
    assert TSC is not None
    done = subprocess.run([TSC, *arguments], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


def code_of(folder: Path, into: Path) -> dict[str, str]:
    """Return the code of a folder's scripts in one layout and without any remarks, by the paths of their files."""
    scripts = [str(file) for file in sorted(folder.rglob("*.js")) if "vendor" not in file.parts]
    plainly = ("--allowJs", "--removeComments", "--noCheck", "--noResolve", "--target", "es2022", "--module", "es2022")
    compiled(*plainly, "--rootDir", str(folder), "--outDir", str(into), *scripts)
    return {file.relative_to(into).as_posix(): file.read_text() for file in sorted(into.rglob("*.js"))}


needs_compiler = pytest.mark.skipif(
    TSC is None, reason="the TypeScript compiler is not installed: put tsc on the PATH, or into DREADCLOCK_TSC"
)


@needs_compiler
def test_the_types_of_the_pages_are_right(tmp_path: Path) -> None:
    compiled("-p", str(as_served(tmp_path) / "jsconfig.json"))


@needs_compiler
def test_what_is_served_without_remarks_is_the_same_code(tmp_path: Path) -> None:
    whole, served = as_served(tmp_path / "whole"), as_served(tmp_path / "served")
    for file in served.rglob("*.js"):
        file.write_bytes(without_remarks(file.read_bytes()))

    code = code_of(served, tmp_path / "served-code")

    assert len(code) > 20
    assert code == code_of(whole, tmp_path / "whole-code")
