"""How long exact odds take, in one process.

    python bench/odds.py [RUNS]

Prints the median and the slowest of RUNS (21 unless said) of each question, in milliseconds.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable

from dreadclock.rules import Plan, Speed
from dreadclock.rules.check import plan
from dreadclock.rules.odds import check_report, contest_report, countdown_report, push_report, total_report
from dreadclock.rules.odds.check import any_fumble, highest, margins, outcomes
from dreadclock.rules.odds.contest import contest_odds

KINDS: dict[str, dict[str, bool]] = {
    "plain": {},
    "momentum": {"momentum": True},
    "interference": {"interference": True},
}
ALIKE = [plan(20)] * 5
VENTURED = [plan(20, venture=level, momentum=level != 2) for level in (3, 2, 1, 0, 3)]
DUE = (1, 1)

Question = tuple[str, Callable[[], object]]


def single_checks() -> list[Question]:
    questions: list[Question] = []
    for (kind, tokens), venture in [(kind, venture) for kind in KINDS.items() for venture in (0, 3)]:
        for ask in (outcomes, highest, margins):
            check = plan(60, venture=venture, **tokens)
            questions.append((f"{ask.__name__}: 60 dice, {kind}, venture {venture}", lambda a=ask, c=check: a(c)))
    questions.append(("margins: 1 die of 1, penalty 60, venture 3", lambda: margins(plan(1, penalty=60, venture=3))))
    return questions


def contests() -> list[Question]:
    def against(name: str, acting: list[Plan], opposing: list[Plan]) -> Question:
        return f"contest: {name}", lambda: contest_odds(acting, opposing, DUE)

    mixed = [plan(20, venture=3, momentum=True)]
    return [
        against("20 against 20", [plan(20)], [plan(20)]),
        against("20 against 20, momentum and venture 3 against plain", mixed, [plan(20)]),
        against("20 against 20, both momentum and venture 3", mixed, mixed),
        against("20 against 20, interference against venture 1", [plan(20, interference=True)], [plan(20, venture=1)]),
        against("60 against 60", [plan(60)], [plan(60)]),
        against("60 against 60, momentum against plain", [plan(60, momentum=True)], [plan(60)]),
        against("5 x 20 against 20", ALIKE, [plan(20)]),
        against("5 x 20, ventures and momentum, against 20", VENTURED, [plan(20)]),
        against("5 x 20 against 5 x 20", ALIKE, ALIKE),
        against("5 x 20 against 5 x 20, ventures and momentum", VENTURED, VENTURED),
    ]


def cooperation() -> list[Question]:
    questions: list[Question] = []
    for name, plans in [("5 x 20", ALIKE), ("5 x 20, ventures and momentum", VENTURED)]:
        for ask in (outcomes, highest, margins, any_fumble):
            questions.append((f"{ask.__name__}: {name}", lambda a=ask, p=plans: a(*p)))
    return questions


def reports() -> list[Question]:
    largest = [plan(60), plan(60, momentum=True)]
    return [
        ("report: 5 dice", lambda: check_report(5)),
        ("report: 60 dice and 4 x 57 with venture 3", lambda: check_report(60, helpers=[plan(57, venture=3)] * 4)),
        ("report: the largest contest", lambda: contest_report(largest, largest, DUE)),
    ]


def countdowns_and_totals() -> list[Question]:
    def lasting(name: str, speed: Speed, stages: int = 0, rolls: int | None = None) -> Question:
        return (
            f"countdown: 60 dice, {speed}{name}",
            lambda: countdown_report(60, speed, stages=range(stages), rolls=rolls),
        )

    return [
        *(lasting("", speed) for speed in Speed),
        *(lasting(", 24 stages", speed, stages=24) for speed in Speed),
        *(lasting(", 33 rolls ahead", speed, rolls=33) for speed in Speed),
        ("total: 60 dice", lambda: total_report(60, required=13)),
        ("push: kept 2, 4, 5", lambda: push_report((2, 4, 5), 13)),
    ]


def measure(ask: Callable[[], object], runs: int) -> list[float]:
    taken = []
    for _ in range(runs):
        start = time.perf_counter()
        ask()
        taken.append((time.perf_counter() - start) * 1000)
    return taken


def main(runs: int) -> None:
    """Print the table."""
    sys.stdout.write(f"{'question':<68} {'median':>9} {'slowest':>9}\n")
    for name, ask in [*single_checks(), *cooperation(), *contests(), *reports(), *countdowns_and_totals()]:
        taken = measure(ask, runs)
        sys.stdout.write(f"{name:<68} {statistics.median(taken):>6.2f} ms {max(taken):>6.2f} ms\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 21)
