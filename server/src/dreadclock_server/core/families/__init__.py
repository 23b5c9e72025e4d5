"""What commands bring about: a file for each family of things, in the order rights, decisions, consequences.

`RIGHTS` of a file says whom each command is open to; the function of the command's name decides it. If the owner of a
thing may send the command, the function gets that thing as its third argument. `EFFECTS` has a row for each sort of
effect that a consequence can have on such things.
"""

from collections.abc import Callable
from importlib import import_module
from types import ModuleType
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
    "crises",
    "consequences",
)


def joined(table: str) -> dict[Any, Any]:
    """Return the rows of all families' tables of a name."""
    return {key: row for module in _modules() for key, row in getattr(module, table, {}).items()}


def deciders() -> dict[type, Callable[..., None]]:
    """Return what decides each command: the function of its name, in the file that has its rights."""
    rows = [(module, command) for module in _modules() for command in getattr(module, "RIGHTS", {})]
    return {command: getattr(module, command.model_fields["type"].default) for module, command in rows}


def _modules() -> list[ModuleType]:
    return [import_module(f"{__name__}.{family}") for family in FAMILIES]
