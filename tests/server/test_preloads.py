"""A page names every module that it will need, so that a browser asks for all of them at once."""

import re
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path
from posixpath import dirname, join, normpath

ROOT = Path(__file__).parents[2]
SCRIPTS = {"js": ROOT / "server/src/dreadclock_server/pages/js", "client": ROOT / "client_sdk/js"}
IMPORTED = re.compile(r"""(?:^(?:import|export)\b[^;"']*?|\bimport\()["'](\.[^"']+)["']""", re.MULTILINE)


def imports() -> dict[str, set[str]]:
    """Tell which modules each module imports, at once or later."""
    files = {join(name, file.relative_to(root)): file for name, root in SCRIPTS.items() for file in root.rglob("*.js")}
    return {
        name: {normpath(join(dirname(name), each)) for each in IMPORTED.findall(file.read_text("utf-8"))}
        for name, file in files.items()
    }


def test_every_page_preloads_the_modules_that_it_needs_and_no_others():
    done = subprocess.run(
        [sys.executable, "scripts/generate_preloads.py", "--check"], cwd=ROOT, capture_output=True, text=True
    )

    assert done.returncode == 0, f"{done.stderr}run scripts/generate_preloads.py"


def test_the_pages_of_the_rules_say_what_the_documents_do():
    script = [sys.executable, "scripts/generate_rules_pages.py", "--check"]
    done = subprocess.run(script, cwd=ROOT, capture_output=True, text=True)

    assert done.returncode == 0, f"{done.stderr}run scripts/generate_rules_pages.py"


def test_no_module_needs_itself_over_others():
    found = imports()

    assert "js/gm/total_forms.js" in found["js/gm/totals.js"]  # which is imported later
    TopologicalSorter(found).prepare()  # raises CycleError, with the modules in it
