"""Proof of the verifier on many honest logs.

    python verify_again.py record FOLDER 20        write evenings as exports, of the gm's viewer and of a player's
    python verify_again.py exports FOLDER...       verify recorded exports: nothing is said of an honest one
    python verify_again.py evenings 1 50           the same for random evenings, by seeds
    python verify_again.py time FILE               measure it on one export, with and without the rules

The last line is a summary as JSON; the exit code is 1 if anything is not as it should be.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from dreadclock.dice.audit import audit
from dreadclock_server.evening.verify import verify
from kit.evenings.audited import BOTH, PUBLIC, evening_of, export_of

EVENTS = 300
KINDS = {"both": BOTH, "public": PUBLIC}


def say(*words: object) -> None:
    """Write a line at once."""
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def evenings(first: int, last: int) -> Iterator[tuple[str, bytes]]:
    """Give evenings in both kinds of export; in every second one an integration does much."""
    for seed in range(first, last + 1):
        texts = list(evening_of(EVENTS, seed, helped=seed % 2 == 0))
        yield from ((f"{kind}-{seed}", export_of(texts, *channels)) for kind, channels in KINDS.items())


def record(folder: str, count: int) -> bool:
    """Write evenings as exports."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, data in evenings(1, count):
        (Path(folder) / f"{name}.jsonl").write_bytes(data)
    return True


def honest(exports: Iterator[tuple[str, bytes]]) -> bool:
    """Verify honest exports, and count those of which something is said."""
    found = Counter[str]()
    for name, data in exports:
        report = verify(data)
        found["exports"] += 1
        found["records"] += report.records
        found["remarks"] += len(report.remarks)
        if not report.sound:
            found["faulty"] += 1
            say(name, *map(str, report.faults[:3]))
    say(json.dumps(found))
    return not found["faulty"]


def measure(path: str) -> bool:
    """Measure the CPU time of checking an export, with and without its rules."""
    data = Path(path).read_bytes()
    took: tuple[list[float], list[float]] = ([], [])
    for _ in range(5):
        for check, times in zip((audit, verify), took, strict=True):
            start = time.process_time()
            check(data)
            times.append(time.process_time() - start)
    without, with_rules = map(median, took)
    say(json.dumps({"without_rules_s": round(without, 3), "with_rules_s": round(with_rules, 3)}))
    return True


def main(task: str, *given: str) -> bool:
    """Do what the command line asks for."""
    match task:
        case "record":
            return record(given[0], int(given[1]))
        case "exports":
            paths = (path for folder in given for path in sorted(Path(folder).glob("*.jsonl")))
            return honest((str(path), path.read_bytes()) for path in paths)
        case "evenings":
            return honest(evenings(int(given[0]), int(given[1])))
        case "time":
            return measure(given[0])
    raise SystemExit(__doc__)


if __name__ == "__main__":
    sys.exit(not main(*sys.argv[1:]))
