"""How a course of several steps is shown to a person, and faces in a sentence."""

from collections.abc import Sequence

from rich.table import Table


def steps(*columns: str) -> Table:
    """Return an empty table with one row for each step."""
    return Table(*columns, box=None, pad_edge=False)


def listed(numbers: Sequence[int]) -> str:
    """Write faces with commas, or that there are none."""
    return ", ".join(map(str, numbers)) if numbers else "nothing"
