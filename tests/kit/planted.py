"""Planted bugs: small changes of our own sources, made in a copy, each of which some test has to notice."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).parents[2]
SOURCES = ("client_sdk/src", "server/src")
TOO_LONG_S = 300.0
_LEFT_OUT = (".git", ".venv", ".*_cache", "__pycache__", ".hypothesis", "node_modules", "dreadclock-data")
_NOTICED = re.compile(r"assert |AssertionError|Failed: |TimeoutError")
_ACCIDENT = re.compile(r"\b(?:Name|Attribute|UnboundLocal|Import|ModuleNotFound|Syntax|Type)Error: ")
_FAILED = 1  # pytest's exit status when tests ran and some failed


@dataclass(frozen=True, slots=True)
class Bug:
    """One planted bug: in `file`, `old` becomes `new`; `caught_by` names the tests of which one must fail."""

    name: str
    kind: str
    bug: str  # in a sentence
    file: str
    old: str
    new: str
    caught_by: tuple[str, ...]
    shows: str = ""  # what the failure must say, where it is no plain assertion

    def in_text(self, text: str) -> str:
        """Return the file's text with the bug. Raises AssertionError unless the old text stands there just once."""
        times = text.count(self.old)
        assert times == 1, f"{self.name}: its old text stands {times} times in {self.file}, write the bug anew"
        return text.replace(self.old, self.new)

    def is_noticed(self, message: str) -> bool:
        """Tell whether a failure is of the expected sort, and no accident of the change."""
        return self.shows in message if self.shows else _NOTICED.match(message) is not None


def bugs_in(folder: Path) -> list[Bug]:
    """Read the bugs of all files of a folder."""
    found = [
        Bug(name, **{**row, "caught_by": tuple(row["caught_by"])})
        for path in sorted(folder.glob("*.toml"))
        for name, row in tomllib.loads(path.read_text(encoding="utf-8")).items()
    ]
    assert len({bug.name for bug in found}) == len(found), "two bugs have the same name"
    return found


def chosen(bugs: Sequence[Bug], wish: str, today: date) -> list[Bug]:
    """Choose bugs: `all`, or so many that a day takes on from where the last one stopped; none if there is no wish."""
    if wish == "all":
        return list(bugs)
    count = min(int(wish or 0), len(bugs))
    start = today.toordinal() * count
    return [bugs[(start + place) % len(bugs)] for place in range(count)]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run of tests came to: a message for each test that failed, by its id."""

    status: int
    ran: frozenset[str]  # neither skipped nor stopped before they began
    failed: Mapping[str, str]
    output: str
    took_s: float


class Copy:
    """A copy of the sources and the tests, in which one bug at a time is planted and tests are run."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "copy"
        shutil.copytree(ROOT, self.root, ignore=shutil.ignore_patterns(*_LEFT_OUT))
        self._report = folder / "report.xml"
        self._changes = int(time.time())

    @contextmanager
    def planted(self, bug: Bug) -> Iterator[None]:
        """Change the copy, and change it back."""
        path = self.root / bug.file
        text = path.read_text(encoding="utf-8")
        self._write(path, bug.in_text(text))
        try:
            yield
        finally:
            self._write(path, text)

    def _write(self, path: Path, text: str) -> None:
        """Write a file with a time of its own, by which Python tells that what it has compiled is old."""
        path.write_text(text, encoding="utf-8")
        self._changes += 2
        os.utime(path, (self._changes, self._changes))

    def origin(self) -> list[str]:
        """Ask the copy's Python where it imports our packages from."""
        program = "import dreadclock, dreadclock_server as d; print(dreadclock.__file__, d.__file__, sep='\\n')"
        run = [sys.executable, "-c", program]
        return subprocess.run(run, env=self._environment(), capture_output=True, text=True, check=True).stdout.split()

    def run(self, tests: Iterable[str]) -> Outcome:
        """Run tests of the copy on the copy, up to the first failure."""
        self._report.unlink(missing_ok=True)
        began = time.monotonic()
        options = ["-x", "-q", "-p", "no:cacheprovider", "-o", "junit_family=xunit1", f"--junitxml={self._report}"]
        status, output = self._finished([sys.executable, "-m", "pytest", *options, *tests])
        ran, failed = _read(self._report) if self._report.exists() else (frozenset[str](), dict[str, str]())
        return Outcome(status, ran, failed, output, time.monotonic() - began)

    def _finished(self, command: Sequence[str]) -> tuple[int, str]:
        """Run a command to its end; if it takes too long, or we end, end it with all that it has started."""
        process = subprocess.Popen(
            command,
            cwd=self.root,
            env=self._environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            output, _ = process.communicate(timeout=TOO_LONG_S)
        except BaseException:  # Ctrl-C, too
            os.killpg(process.pid, signal.SIGKILL)
            raise
        return process.returncode, output

    def _environment(self) -> dict[str, str]:
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(("DREADCLOCK_PLANTED", "PYTEST_"))}
        return inherited | {"PYTHONPATH": os.pathsep.join(str(self.root / source) for source in SOURCES)}


def _read(report: Path) -> tuple[frozenset[str], dict[str, str]]:
    ran: set[str] = set()
    failed: dict[str, str] = {}
    for case in ElementTree.parse(report).iter("testcase"):
        test = f"{case.get('file')}::{case.get('name')}"
        if case.find("skipped") is None and case.find("error") is None:
            ran.add(test)
        failure = case.find("failure")
        if failure is not None:
            failed[test] = failure.get("message", "")
    return frozenset(ran), failed


def noticed_by(bug: Bug, outcome: Outcome) -> list[str]:
    """List the tests that failed over a bug as they should. A change that does not even run counts for nothing."""
    if outcome.status != _FAILED or _ACCIDENT.search(outcome.output):
        return []
    return [test for test, message in outcome.failed.items() if bug.is_noticed(message)]


def covers(name: str, tests: Iterable[str]) -> bool:
    """Tell whether a test, or one of its parameters, is among those that ran."""
    return any(test == name or test.startswith(f"{name}[") for test in tests)
