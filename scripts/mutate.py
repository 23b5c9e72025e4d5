"""Change the core and the rules at random places, and count which of these mutants the tests notice.

    scripts/mutate.py [--mutants 500] [--seed 35] [--workers 2]

The mutants are those of mutmut, of which the seed draws so many; the same seed draws the same mutants of the same code.
mutmut is installed into an environment of its own in the cache, and works on a copy of the sources there. Prints the
score and the difference of each mutant that survived, and keeps both in the folder that is printed first.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import time
import venv
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FOLDER = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "dreadclock" / "mutate"
MUTMUT = "mutmut==3.8.1"
SOURCES = ("client_sdk/src/dreadclock", "server/src/dreadclock_server")
# Tests of properties take minutes; the test that is deselected watches frames of functions, which mutmut wraps.
SETTINGS = """
[tool.mutmut]
source_paths = ["src"]
only_mutate = ["src/dreadclock/rules/*", "src/dreadclock_server/core/*"]
also_copy = ["docs"]
pytest_add_cli_args = [
    "--ignore-glob=*_properties.py",
    "--ignore=tests/server/core/test_stateful.py",
    "--deselect=tests/server/core/test_access.py::test_what_a_command_is_about_is_looked_up_once_for_rights_and_decision",
]
pytest_add_cli_args_test_selection = ["tests/client_sdk/rules", "tests/server/core"]
"""


def install() -> Path:
    """Make an environment for mutmut that sees the packages of .venv too, and return its Python."""
    home = FOLDER / MUTMUT
    python = home / "bin" / "python"
    if not (home / "bin" / "mutmut").exists():
        venv.create(home, clear=True, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", MUTMUT], check=True)
    [packages] = home.glob("lib/python*/site-packages")
    [ours] = (ROOT / ".venv").glob("lib/python*/site-packages")
    (packages / "dreadclock.pth").write_text(f"{ours}\n")
    return python


def copy() -> Path:
    """Copy what the tests need into an empty folder, laid out as mutmut wants it, and return that."""
    work = FOLDER / "work"
    shutil.rmtree(work, ignore_errors=True)
    ignored = shutil.ignore_patterns("__pycache__")
    for source in SOURCES:
        shutil.copytree(ROOT / source, work / "src" / Path(source).name, ignore=ignored)
    for folder in ("tests", "docs"):
        shutil.copytree(ROOT / folder, work / folder, ignore=ignored)
    (work / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text() + SETTINGS)
    return work


def test_mutants(options: argparse.Namespace) -> None:
    """Run mutmut on mutants that the seed draws. Called by the Python of mutmut's environment, in the copy."""
    from mutmut import __main__ as mutmut

    collect = mutmut.collect_source_file_mutation_data

    def draw(**arguments: Any) -> Any:
        mutants, files = collect(**arguments)
        names = sorted(name for _, name, _ in mutants)
        random.Random(options.seed).shuffle(names)
        drawn = set(names[: options.mutants])
        Path("drawn.json").write_text(json.dumps({"of": len(names), "names": sorted(drawn)}))
        return [mutant for mutant in mutants if mutant[1] in drawn], files

    mutmut.collect_source_file_mutation_data = draw
    mutmut._run((), options.workers)
    report(options)


def report(options: argparse.Namespace) -> None:
    """Print the score, and the mutants that survived."""
    from mutmut import __main__ as mutmut

    drawn = json.loads(Path("drawn.json").read_text())
    codes: dict[str, int | None] = {}
    for file in Path("mutants").rglob("*.meta"):
        codes |= json.loads(file.read_text())["exit_code_by_key"]
    states = {name: mutmut.status_by_exit_code[codes[name]] for name in drawn["names"]}
    counts = {state: list(states.values()).count(state) for state in sorted(set(states.values()))}
    lines = [f"seed {options.seed}, {len(states)} of {drawn['of']} mutants ({MUTMUT}): {json.dumps(counts)}"]
    for name, state in states.items():
        if state not in ("killed", "timeout"):
            lines += [f"\n# {name}: {state}", mutmut.get_diff_for_mutant(name)]
    (FOLDER / "result.txt").write_text("\n".join(lines) + "\n")
    sys.stdout.write((FOLDER / "result.txt").read_text())


def main() -> None:
    """Read the options; in mutmut's own environment test the mutants, elsewhere prepare that and start it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--mutants", type=int, default=500)
    parser.add_argument("--seed", type=int, default=35)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        test_mutants(options)
        return
    sys.stdout.write(f"Working in {FOLDER}\n")
    sys.stdout.flush()
    began = time.monotonic()
    python, work = install(), copy()
    subprocess.run([python, __file__, "--inside", *sys.argv[1:]], cwd=work, check=True)
    sys.stdout.write(f"{(time.monotonic() - began) / 60:.0f} min\n")


if __name__ == "__main__":
    main()
