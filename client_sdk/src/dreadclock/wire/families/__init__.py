"""The things, commands and events of a room: a file for each family of things.

Each file has the family's things, its commands, its events, and how those events change a view, in this order.
"""

from typing import Final

# The names of the family modules. `make generate` (unions), wire/fold.py (folds) and core/decide.py (decisions) read
# this list. Schemas and types are printed in this order, so append new names at the end.
FAMILIES: Final = (
    "room",
    "characters",
    "conditions",
    "fates",
    "corrections",
    "narrating",
    "continuing",
    "dice",
    "secrets",
    "countdowns",
    "countdown_changes",
    "scenes",
    "situations",
    "staging",
    "challenges",
    "clocks",
    "checks",
    "check_parts",
    "check_effects",
    "bargains",
    "totals",
    "pushes",
    "crises",
    "consequences",
)
