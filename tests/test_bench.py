"""The benchmarks run, and the page about performance says what they found and how they are called."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
BENCH = ROOT / "bench/bench.py"
PAGE = ROOT / "docs/performance.md"
CALLS = re.findall(r'make bench ARGS="([^"{]*)"', PAGE.read_text() + BENCH.read_text())


def python(code: str, *arguments: str) -> str:
    """Run a line of Python among the benchmarks' modules, and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=BENCH.parent, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_page_shows_the_figures_that_are_kept() -> None:
    block = python("import figures; print(figures.block(*figures.kept()))").rstrip("\n")

    assert block in PAGE.read_text()


def test_a_page_takes_new_figures_and_keeps_the_rest() -> None:
    code = "import figures as f; print(f.with_block(f'before\\n{f.BEGIN}\\nold\\n{f.END}\\nafter', '[new]'))"

    assert python(code) == "before\n[new]\nafter\n"


WRITE = """
import figures, sys
from pathlib import Path
figures.KEPT, figures.PAGE = Path(sys.argv[1], "kept.json"), Path(sys.argv[1], "page.md")
figures.PAGE.write_text(f"{figures.BEGIN}{figures.END}")
machines = iter(sys.argv[2:])
for number, name in enumerate(["first", "second"], 1):
    figures.machine = lambda on=next(machines): on
    work = figures.Work(name, "", {"ours": {"us": number}}, [figures.Bar("us", number, 1)])
    figures.write([work], ["first", "second"])
machine, works = figures.kept()
print(machine, [(work.name, work.rows, work.bars[0].verdict) for work in works])
"""


def test_figures_are_kept_beside_those_of_the_same_machine(tmp_path: Path) -> None:
    first, second = ("first", {"ours": {"us": 1}}, "held"), ("second", {"ours": {"us": 2}}, "**missed**")

    assert python(WRITE, str(tmp_path), "here", "here") == f"here {[first, second]}\n"
    assert "| us | 2.00 | 1 | **missed** |" in (tmp_path / "page.md").read_text()


def test_figures_of_another_machine_go(tmp_path: Path) -> None:
    assert python(WRITE, str(tmp_path), "here", "there") == f"there {[('second', {'ours': {'us': 2}}, '**missed**')]}\n"


def test_every_call_that_is_named_is_understood() -> None:
    calls = sorted(set(CALLS))
    assert len(calls) > 5

    python(f"import bench\nfor call in {list(map(shlex.split, calls))}: bench.options_of(call)")


def test_everyone_comes_back_in_a_small_storm_and_its_table_is_printed() -> None:
    done = subprocess.run(
        [sys.executable, BENCH, "--work", "resume", "--runs", "1", "--size", "0.03"], capture_output=True, text=True
    )

    assert done.returncode == 0, done.stderr
    assert "resume: 50 connections dropped" in done.stdout
    assert re.search(r"^dreadclock( +[0-9.,]+){3}$", done.stdout, re.MULTILINE)
