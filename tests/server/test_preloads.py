"""No module of the pages needs itself."""

import re
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


def test_no_module_needs_itself_over_others():
    found = imports()

    assert "js/forms/total.js" in found["js/actions/gm.js"]  # which is imported later
    TopologicalSorter(found).prepare()  # raises CycleError, with the modules in it
