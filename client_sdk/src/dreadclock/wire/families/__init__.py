"""What a room holds and what happens in it: a file for each family of things.

Each file has the family's things, its commands, its events, and how those events change a view, in this order.
"""

from typing import Final

# The one list of them: unions (`make generate`), folds (wire/fold.py) and the server's deciders (core/decide.py) are
# gathered from the modules of these names. Schemas and types are printed in this order: append.
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
