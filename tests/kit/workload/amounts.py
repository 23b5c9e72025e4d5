"""How much goes wrong: a taste by hand, more on every push, and for the record as much as a machine bears.

`DREADCLOCK_FAULTS` is `taste` (unless it is set), `quick` or `soak`. `DREADCLOCK_FAULTS_SEED` sets the first seed, and
`DREADCLOCK_FAULTS_ROUNDS` how often a part is repeated, each time in new rooms and with the next seed.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from random import SystemRandom


@dataclass(frozen=True, slots=True)
class Amount:
    """One part of the suite: so many rounds, of so many `times` each, with `commands` acknowledged in between."""

    rounds: int
    times: int
    commands: int


@dataclass(frozen=True, slots=True)
class Amounts:
    """All parts."""

    servers: int
    rooms: int
    pause_s: float  # at most so long each writer pauses after a command
    valkey_kills: Amount
    server_kills: Amount
    faults: Amount
    kill_points: Amount
    announcements: Amount


def _each(*rows: tuple[int, int, int]) -> list[Amount]:
    return [Amount(*row) for row in rows]


_AMOUNTS = {  # in the order of the parts: of kills and faults rounds, times and commands
    "taste": Amounts(2, 2, 0.15, *_each((1, 4, 60), (1, 2, 60), (1, 32, 50), (1, 2, 20), (1, 2, 100))),
    "quick": Amounts(3, 3, 0.1, *_each((2, 20, 150), (2, 15, 100), (2, 250, 100), (1, 20, 20), (1, 5, 300))),
    "soak": Amounts(3, 3, 0.0, *_each((50, 10, 550), (20, 15, 150), (20, 500, 100), (3, 20, 20), (5, 5, 400))),
}


def amounts(environment: Mapping[str, str] = os.environ) -> Amounts:
    """Say how much is asked for."""
    return _AMOUNTS[environment.get("DREADCLOCK_FAULTS", "taste")]


def seeds(amount: Amount, environment: Mapping[str, str] = os.environ) -> range:
    """Give the seeds of a part's rounds."""
    first = int(environment.get("DREADCLOCK_FAULTS_SEED") or _drawn())
    return range(first, first + int(environment.get("DREADCLOCK_FAULTS_ROUNDS") or amount.rounds))


@cache
def _drawn() -> int:
    return SystemRandom().randrange(1_000_000)
