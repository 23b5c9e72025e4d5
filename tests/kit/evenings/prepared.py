"""Rooms in which a bit of everything is under way: in public, sealed, and known to the gm alone.

`prepared_evening.jsonl` holds the gm's commands that make them, with `$names` in the place of numbers. Ids and texts
of what only the gm knows hold `zz`; texts of what is sealed hold `yy` and the sealed thing's id.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from dreadclock_server.core.room import Room
from kit.strategies.picks import Fields
from kit.strategies.scripts import LEDGER
from kit.tables import Table

GM_ONLY = "zz"
SEALED = ("yy-gas", "yy-tide", "yy-heist", "yy-parley", "yy-vault", "yy-crypt")  # yy and the id of the sealed thing
_COMMANDS = Path(__file__).parent / "prepared_evening.jsonl"


@dataclass(frozen=True)
class Numbers:
    """What is behind the seals, and behind the gm's screen."""

    pool: int = 4
    speed: str = "slow"
    size: int = 4
    difficulty: str = "hard"
    faces: int = 2
    score: int = 4  # of sealed and hidden checks
    required: int = 22  # of totals whose number is secret


@cache
def open_evening() -> Room:
    """Everyone knows of everything, but for what is sealed."""
    return _prepared(order for order in evening_orders() if GM_ONLY not in str(order))


@cache
def secret_evening(numbers: Numbers = Numbers()) -> Room:
    """The same, with things beside it that only the gm knows."""
    return _prepared(evening_orders(numbers))


def evening_orders(numbers: Numbers = Numbers()) -> list[Fields]:
    """Return the gm's commands that make the secret evening."""
    text = _COMMANDS.read_text(encoding="utf-8")
    for name, value in {**asdict(numbers), "required_and_20": numbers.required + 20}.items():
        text = text.replace(f'"${name}"', json.dumps(value))
    return [json.loads(line) for line in text.splitlines() if not line.startswith("#")]


def _prepared(orders: Iterable[Fields]) -> Room:
    """Do these commands of the gm at a fresh table."""
    table = Table(physical_dice="everyone")
    for order in orders:
        table.do(order, dice=LEDGER)
    return table.room
