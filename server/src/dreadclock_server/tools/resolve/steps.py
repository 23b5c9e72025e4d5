"""Shared parts of the resolve commands: the type of their results, and tables that print the results."""

from collections.abc import Sequence
from typing import Any

from rich.table import Table

Reading = dict[str, Any]
"""What dice mean, as `--json` writes it."""


def steps(*columns: str) -> Table:
    """Return an empty table with one row for each step."""
    return Table(*columns, box=None, pad_edge=False)


def listed(numbers: Sequence[int]) -> str:
    """Write faces with commas, or that there are none."""
    return ", ".join(map(str, numbers)) if numbers else "nothing"
