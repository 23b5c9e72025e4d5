"""Proof of the verifier that decides again: it is held against the referee, which reads the rules for itself.

    python verify_again.py record FOLDER 20        write evenings as exports, of the gm's viewer and of a player's
    python verify_again.py exports FOLDER...       verify recorded exports: nothing is said of an honest one
    python verify_again.py evenings 1 50           the same for random evenings, by seeds
    python verify_again.py forged 1 5 200          change fields: what the referee reports, the verifier does
    python verify_again.py time FILE               measure both on one export, by turns

The last line is a summary as JSON; the exit code is 1 if anything is not as it should be.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

from dreadclock.evening.audit import FaultKind, Report, audit
from dreadclock.evening.export import read_export, text_on
from dreadclock_server.core.forms import Older
from dreadclock_server.verify import verify
from dreadclock_server.verify.deciding import Attempt, Verifier
from kit.cheating.forging import forgeries
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


def commands_in(texts: list[str]) -> dict[tuple[str, int], int]:
    """Return for each record of an honest evening, by channel and number, which command it is of."""
    data, found = export_of(texts, *BOTH), dict[tuple[str, int], int]()

    class Noting(Verifier):
        def _accept(self, place: int, attempt: Attempt, older: Older | None) -> int:
            found.update({(each.record.channel, each.record.seq): place for each in attempt.written})
            return super()._accept(place, attempt, older)

    export = read_export(data)
    told = [text_on(line) for line in data.split(b"\n")[1:-1]]
    Noting(export.header, list(export.steps()), told, lambda step, what: say("honest?", step.line, what)).run()
    return found


def forged(first: int, last: int, count: int) -> bool:
    """Change fields of evenings, and compare in which commands both report that rules were broken."""
    found = Counter[str]()
    for seed in range(first, last + 1):
        texts = list(evening_of(EVENTS, seed, helped=seed % 2 == 0))
        commands = commands_in(texts)
        for _, forgery in zip(range(count), forgeries(texts, Random(seed)), strict=False):
            for kind, channels in KINDS.items():
                if kind == "public" and '"channel":"gm"' in texts[forgery.place]:
                    continue
                data = export_of(forgery.texts, *channels)
                try:
                    old = _commands(audit(data), commands)
                except (
                    Exception
                ) as error:  # a fault of the referee's own, which the verifier has to report on all the same
                    say("the referee fails:", kind, seed, forgery.event, forgery.path, repr(error))
                    old = {commands[kind_of(forgery.texts[forgery.place])]}
                new = _commands(verify(data), commands)
                verdict = _verdict(old, new)
                found[f"{kind} {verdict}"] += 1
                if verdict not in ("same", "sound"):
                    say(kind, verdict, seed, forgery.event, forgery.path, sorted(old)[:3], sorted(new)[:3])
    say(json.dumps(found))
    return not any("missed" in each for each in found)


def kind_of(text: str) -> tuple[str, int]:
    """Return the channel and the number of a record."""
    record = json.loads(text)
    return record["channel"], record["seq"]


def _commands(report: Report, commands: dict[tuple[str, int], int]) -> set[int]:
    broken = [fault for fault in report.faults if fault.kind is FaultKind.RULES]
    return {commands.get((str(fault.channel), fault.seq or 0), -fault.line) for fault in broken}


def _verdict(old: set[int], new: set[int]) -> str:
    if not old:
        return "stricter" if new else "sound"
    return "same" if old & new else "elsewhere" if new else "missed"


def measure(path: str) -> bool:
    """Measure the CPU time of both on one export, by turns."""
    data = Path(path).read_bytes()
    took: tuple[list[float], list[float]] = ([], [])
    for _ in range(5):
        for judge, each in zip((audit, verify), took, strict=True):
            start = time.process_time()
            judge(data)
            each.append(time.process_time() - start)
    old, new = map(median, took)
    say(json.dumps({"referee_s": round(old, 3), "verifier_s": round(new, 3), "ratio": round(new / old, 2)}))
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
        case "forged":
            return forged(*map(int, given))
        case "time":
            return measure(given[0])
    raise SystemExit(__doc__)


if __name__ == "__main__":
    sys.exit(not main(*sys.argv[1:]))
