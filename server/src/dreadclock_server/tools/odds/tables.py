"""How odds are shown to a person: tables, percentages and bars."""

from rich.progress_bar import ProgressBar
from rich.table import Table

BAR_WIDTH = 30
FINEST = 0.0001


def plain_table(*columns: str) -> Table:
    """Return an empty table of numbers."""
    shown = Table(box=None, pad_edge=False)
    for column in columns:
        shown.add_column(column, justify="right")
    return shown


def table(*columns: str) -> Table:
    """Return an empty table of numbers, with room for a bar at the end of each row."""
    shown = plain_table(*columns)
    shown.add_column(width=BAR_WIDTH)
    return shown


def bar(chance: float) -> ProgressBar:
    """Draw a chance."""
    return ProgressBar(total=1, completed=chance, width=BAR_WIDTH)


def percent(chance: float) -> str:
    """Write a chance so that only the impossible reads 0 % and only the certain 100 %."""
    if 0 < chance < FINEST:
        return f"<{FINEST:.2%}"
    if 1 - FINEST < chance < 1:
        return f">{1 - FINEST:.2%}"
    return f"{chance:.2%}"
