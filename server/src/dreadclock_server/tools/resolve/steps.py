"""Shared parts of the resolve commands: the type of their results, and tables that print the results."""

from collections.abc import Sequence
from typing import Any

from rich.table import Table

Reading = dict[str, Any]
"""A result, as `--json` prints it."""


def steps(*columns: str) -> Table:
    """Return an empty table with one row for each step."""
    return Table(*columns, box=None, pad_edge=False)


def listed(numbers: Sequence[int]) -> str:
    """Return faces with commas, or a word if there are none."""
    return ", ".join(map(str, numbers)) if numbers else "nothing"
