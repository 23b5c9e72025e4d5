"""The functions that decide commands. Each family of things has a file, with its rights, deciders and effects.

`RIGHTS` of a file says who may send a command. The function with the command's name is its decider: it checks
the command, emits events into the draft, and raises Refused if the rules do not allow the command. If the owner
of a thing may send the command, the decider gets that thing as its third argument. `EFFECTS` has a row for
every kind of effect that a consequence can have on things of the family.
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
    """Return the rows of all families' tables with this name."""
    return {key: row for module in _modules() for key, row in getattr(module, table, {}).items()}


def deciders() -> dict[type, Callable[..., None]]:
    """Return the deciders by command: the function with the command's name, in the file with its rights."""
    rows = [(module, command) for module in _modules() for command in getattr(module, "RIGHTS", {})]
    return {command: getattr(module, command.model_fields["type"].default) for module, command in rows}


def _modules() -> list[ModuleType]:
    return [import_module(f"{__name__}.{family}") for family in FAMILIES]
