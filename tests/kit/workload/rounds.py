"""Rounds of the suite: played, judged and noted, in a file of JSON lines if `DREADCLOCK_FAULTS_RECORD` names one."""

import json
import os
import subprocess
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

from kit.workload.amounts import Amounts
from kit.workload.house import House
from kit.workload.play import Play, playing

_COLUMNS = ("rounds", "acknowledged", "outcome unknown", "kills", "faults", "lost", "doubled", "gaps")


class Rounds:
    """Plays rounds in a house, and sums up what came of them.

    `lost`, `doubled` and `gaps` are 0 in every round that holds, and one that does not is an error.
    """

    def __init__(self) -> None:
        self.house: House | None = None
        self._sums: dict[str, Counter[str]] = {}

    @asynccontextmanager
    async def play(self, part: str, seed: int, asked: Amounts) -> AsyncIterator[Play]:
        """Play one round of a part, and judge it once the block ends. Raises AssertionError if it does not hold."""
        assert self.house is not None
        began = time.monotonic()
        try:
            async with playing(self.house, seed, asked) as play:
                yield play
                await play.end()
        except BaseException as error:
            _keep({"part": part, "seed": seed, "held": False, "why": f"{error!r}"[:1000]})
            raise
        play.counts["seconds"] = round(time.monotonic() - began)
        _keep({"part": part, "seed": seed, "held": True, **play.counts})
        sums = self._sums.setdefault(part, Counter())
        sums.update({"rounds": 1, **play.counts})

    def table(self) -> Iterator[str]:
        """Write the sums of all parts."""
        if self._sums:
            yield f"{'part':<22}" + "".join(f"{name:>17}" for name in _COLUMNS)
        for part, sums in self._sums.items():
            yield f"{part:<22}" + "".join(f"{sums[name]:>17,}" for name in _COLUMNS)
            others = sorted(sums.keys() - set(_COLUMNS))
            yield "    " + ", ".join(f"{name} {sums[name]:,}" for name in others)
        if self._sums:
            yield "Nothing acknowledged was lost, nothing done twice, nothing left out, in all rounds that are listed."


def _keep(line: dict[str, object]) -> None:
    """Append a line to the record, if there is to be one."""
    path = os.environ.get("DREADCLOCK_FAULTS_RECORD")
    if path:
        with Path(path).open("a") as record:
            record.write(json.dumps({"commit": _commit(), **line}) + "\n")


def _commit() -> str:
    here = Path(__file__).parent
    told = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=here, capture_output=True, check=False)
    return told.stdout.decode().strip()
