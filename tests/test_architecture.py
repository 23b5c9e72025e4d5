"""Imports go one way, and the contracts that say so notice when they do not."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = (ROOT / "client_sdk/src/dreadclock", ROOT / "server/src/dreadclock_server")
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]

# The folder in which a violation is planted, the import that it consists of, and all contracts that it breaks.
VIOLATIONS = [
    ("dreadclock_server/gateway", "import dreadclock_server.app", {"layers"}),
    ("dreadclock_server/core", "from dreadclock_server.rooms import planted", {"layers"}),
    ("dreadclock_server/gateway/ws", "from dreadclock_server.gateway.uvicorn import slim", {"gateway"}),
    ("dreadclock_server/gateway/rest", "from uvicorn import Config", {"uvicorn"}),
    ("dreadclock_server/store", "import dreadclock_server.core", {"core-and-store", "store"}),
    ("dreadclock_server/core", "from random import randint", {"pure-core"}),
    ("dreadclock_server/core", "import redis.asyncio", {"pure-core"}),
    ("dreadclock_server/core", "import dreadclock_server.evening.verify", {"evening"}),
    ("dreadclock_server/evening/verify", "import dreadclock_server.store", {"evening-and-tools"}),
    ("dreadclock_server/tools", "from dreadclock_server.rooms import planted", {"evening-and-tools"}),
    ("dreadclock_server/evening", "import dreadclock_server.tools", {"evening"}),
    ("dreadclock_server/store", "from dreadclock import planted", {"store"}),
    ("dreadclock", "import dreadclock_server", {"sdk"}),
    ("dreadclock/client", "from dreadclock import export", {"client"}),
    ("dreadclock/dice", "import dreadclock.narration", {"dice"}),
    ("dreadclock/wire", "import dreadclock.planted", {"wire"}),
    ("dreadclock/narration", "import dreadclock.planted", {"narration"}),
    ("dreadclock/rules", "from dreadclock.wire import ids", {"rules"}),
    ("dreadclock/rules", "from pydantic import BaseModel", {"rules"}),
]


# Checks the contracts in the folder it runs in: as they are, and with each violation planted alone.
CHECKS = """
import json, sys
from pathlib import Path
from importlinter.cli import lint_imports

for where, violation in [("dreadclock", ""), *json.loads(sys.argv[1])]:
    module = Path(where, "planted.py")
    before = module.read_text() if module.exists() else ""
    module.write_text(before + violation)
    lint_imports(cache_dir="cache", no_logo=True)
    module.write_text(before)
    print("checked", flush=True)
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> list[set[str]]:
    """Return the ids of the contracts that are broken in a copy of both packages, and then by each violation."""
    folder = tmp_path_factory.mktemp("copy")
    for package in PACKAGES:
        shutil.copytree(package, folder / package.name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    for innocent in ("dreadclock/planted.py", "dreadclock_server/rooms/planted.py"):
        (folder / innocent).touch()
    planted = json.dumps([[where, f"{violation}\n"] for where, violation, _ in VIOLATIONS])
    command = [sys.executable, "-c", CHECKS, planted]
    said = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert said.returncode == 0, said.stderr
    return [broken_contracts(report) for report in said.stdout.split("checked\n")[:-1]]


def broken_contracts(report: str) -> set[str]:
    """Return the ids of the contracts that a report calls broken; each has to be reported on."""
    verdicts = dict(re.findall(r"^(.+) (KEPT|BROKEN)", report, re.MULTILINE))
    assert verdicts.keys() == {contract["name"] for contract in CONTRACTS}, report
    return {contract["id"] for contract in CONTRACTS if verdicts[contract["name"]] == "BROKEN"}


def test_every_contract_is_kept(found: list[set[str]]) -> None:
    assert found[0] == set()


def test_every_contract_has_a_violation_below() -> None:
    assert set().union(*(broken for _, _, broken in VIOLATIONS)) == {contract["id"] for contract in CONTRACTS}


def test_a_forbidden_import_breaks_its_contract_and_no_other(found: list[set[str]]) -> None:
    expected = {(where, violation): broken for where, violation, broken in VIOLATIONS}

    assert dict(zip(expected, found[1:], strict=True)) == expected


def test_no_circle_of_imports_has_more_than_three_files() -> None:
    """Imports for types alone count, too: whoever reads one file of a circle has to know the others."""
    graph = grimp.build_graph("dreadclock", "dreadclock_server", cache_dir=None)
    above, below = graph.find_upstream_modules, graph.find_downstream_modules
    circles = {frozenset({module, *(above(module) & below(module))}) for module in graph.modules}

    assert [sorted(circle) for circle in circles if len(circle) > 3] == []


def test_the_core_has_at_most_seven_levels_of_imports() -> None:
    """A file is one level above the highest that it imports; files that import each other are one level."""
    graph = grimp.build_graph("dreadclock_server", cache_dir=None)
    core = {module for module in graph.modules if module.startswith("dreadclock_server.core.")}
    below = {module: graph.find_upstream_modules(module) & core for module in core}
    levels: dict[str, int] = {}
    for module in sorted(core, key=lambda each: len(below[each])):
        circle = {module, *(each for each in below[module] if module in below[each])}
        level = 1 + max((levels[each] for each in below[module] - circle), default=0)
        levels |= dict.fromkeys(circle, level)

    assert max(levels.values()) <= 7, levels


def test_no_file_name_stands_more_than_four_times() -> None:
    names = Counter(path.name for package in PACKAGES for path in package.rglob("*.py"))
    del names["__init__.py"]

    assert {name: count for name, count in names.items() if count > 4} == {}


def test_second_opinions_share_no_code_with_what_they_judge() -> None:
    """They may know the shapes of messages and the names in the rules, and nothing that decides or follows."""
    kit = ROOT / "tests" / "kit"
    seen = {
        (path.name, module)
        for path in (*(kit / "model").glob("*.py"), kit / "second_ledger.py")
        for module in re.findall(r"^(?:from|import) (dreadclock[\w.]*)", path.read_text(), re.MULTILINE)
    }

    assert seen == {
        ("pictures.py", "dreadclock.rules.total"),  # a word: which kind of crisis
        ("pictures.py", "dreadclock.wire.base"),
        ("pictures.py", "dreadclock.wire.views"),
        ("reading.py", "dreadclock.wire"),
    }


def test_the_gateway_reaches_into_no_part_of_a_live_room() -> None:
    reached = re.compile(r"live\.(?!room\.|id\b)\w+\.\w+|live\._\w+")
    gateway = PACKAGES[1] / "gateway"

    assert [found for path in gateway.rglob("*.py") for found in reached.findall(path.read_text())] == []
