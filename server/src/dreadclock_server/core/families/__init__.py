"""What commands bring about: a file for each family of things, in the order rights, decisions, consequences.

A file has up to three tables. By command, `RIGHTS` says whom it is open to, and `DECIDE` what decides it. `EFFECTS`
has a row for each sort of effect that a consequence can have on such things.
"""

from importlib import import_module
from typing import Any, Final

FAMILIES: Final = (
    "room",
    "characters",
    "corrections",
    "continuing",
    "dice",
    "secrets",
    "countdown_starts",
    "countdowns",
    "scenes",
    "situations",
    "challenges",
    "clocks",
    "checks",
    "check_parts",
    "check_effects",
    "ventures",
    "bargains",
    "totals",
    "consequences",
)


def joined(table: str) -> dict[Any, Any]:
    """Return the rows of all families' tables of a name."""
    modules = [import_module(f"{__name__}.{family}") for family in FAMILIES]
    return {key: row for module in modules for key, row in getattr(module, table, {}).items()}
