"""Write client_sdk/js/limits.js: the numbers, the names and the plain folds that JavaScript shares with Python.

Here belongs what both sides must agree in. How long a client is patient, and what a page shows at first, is its own.
"""

import json
from functools import partial
from typing import Any, Literal, get_args, get_origin

from dreadclock.rules import clocks, limits, total
from dreadclock.rules.check import MAX_VENTURE, Outcome
from dreadclock.rules.countdown import Speed
from dreadclock.rules.ledger import LANE_LENGTH
from dreadclock.rules.odds.report import MAX_ROLLS
from dreadclock.wire import errors, frames, returning, things
from dreadclock.wire.base import Kind, Scope
from dreadclock.wire.families.contents import FIELDS
from dreadclock.wire.families.corrections import RestoredField
from dreadclock.wire.fold import FOLDS
from dreadclock.wire.ids import GM_SEAT, NAMED_OPPONENT, UNNAMED_GM

SERVERS_OWN = {  # that a client meets in a refusal alone
    *("MAX_SEATS", "MAX_SCENES", "MAX_CHALLENGES", "MAX_EFFORTS", "MAX_FREE_CLOCKS", "MAX_CHECKS", "MAX_TOTALS"),
    *("MAX_CHOSEN_IDS", "MAX_PARTS_OF_CHECK", "MAX_WAITING_ON_SHEET", "MAX_MADE_TEXT_BYTES"),
}
LEVELS = range(limits.MIN_LEVEL, limits.MAX_LEVEL + 1)
TYPICAL = list(filter(clocks.is_typical_scene, range(limits.MAX_CLOCK)))

NUMBERS = {
    "PROTOCOL_VERSION": frames.PROTOCOL_VERSION,
    "MAX_FRAME_BYTES": frames.MAX_FRAME_BYTES,
    "MAX_UNANSWERED": frames.MAX_UNANSWERED,
    "MOST_WITHIN_MS": returning.MOST_MS,
    "CLOSE": {code.name: code.value for code in errors.CloseCode},
    "LANE_LENGTH": LANE_LENGTH,
    **{name: value for name, value in vars(limits).items() if isinstance(value, int) and name not in SERVERS_OWN},
    "MAX_VENTURE": MAX_VENTURE,
    "MAX_TOTAL_DICE": total.MAX_DICE,
    "MAX_REQUIRED": total.MAX_REQUIRED,
    "BOXES": total.BOXES,
    "NAMED_OPPONENT": NAMED_OPPONENT,
    "GM_SEAT": GM_SEAT,
    "UNNAMED_GM": UNNAMED_GM,
    "MAX_ROLLS_AHEAD": MAX_ROLLS,
    "EXPIRES_FROM": {speed: min(speed.expiring) for speed in Speed},
    "TYPICAL": {"least": TYPICAL[0], "most": TYPICAL[-1]},
    "DIFFICULTY": {
        by: clocks.difficulty_of(by) for by in range(-limits.MAX_LEVEL, limits.MAX_LEVEL) if clocks.difficulty_of(by)
    },
    "THREAT": {grade: [clocks.threat_budget(level, grade) for level in LEVELS] for grade in clocks.Difficulty},
}
NAMES: dict[str, Any] = {
    "KINDS": Kind,
    "FIELDS": FIELDS,
    "FAMILIES": RestoredField,
    "UNCOUNTED": sorted(errors.UNCOUNTED),
    "SPEEDS": Speed,
    "DIFFICULTIES": clocks.Difficulty,
    "DIRECTIONS": clocks.Direction,
    "CHALLENGES": things.ChallengeKind,
    "SITUATIONS": things.SituationKind,
    "OUTCOMES": Outcome,
    "CRISES": total.CrisisKind,
    "BENEFITS": things.Benefit,
    "PHYSICAL_DICE": things.PhysicalDice,
    "SCOPES": Scope,
}


def files() -> dict[str, str]:
    """Return the file."""
    lines = ["// Written by scripts/generate_js_limits.py: change the Python that it reads, not this file.", ""]
    lines += [f"export const {name} = {json.dumps(value)};" for name, value in NUMBERS.items()]
    for name, names in NAMES.items():
        listed = get_args(names) if get_origin(names) is Literal else list(names)
        lines.append(f"export const {name} = /** @type {{const}} */ ({json.dumps(listed)});")
    lines += ["", "/** @type {{ [event: string]: any[] }} What most events do: a word of fold.js, with what */"]
    lines.append("export const FOLDED = {")
    for event, fold in FOLDS.items():
        if isinstance(fold, partial):
            lines.append(f"  {event.model_fields['type'].default}: {json.dumps(in_words(fold))},")
    return {"client_sdk/js/limits.js": "\n".join([*lines, "};", ""])}


def in_words(value: Any) -> object:
    """Return a fold as its word with what it takes; the fields that it sets are one text, such as `pool:remaining`.

    What JavaScript knows without being told is left out: the names made of that of the things, and empty values.
    """
    if isinstance(value, partial):
        row = [in_words(arg) for at, arg in enumerate(value.args) if at == 0 or arg not in _made_of(value.args[0])]
        while row and row[-1] in ("", {}, None):
            row.pop()
        return [f"{value.func.__name__[1:]}s", *row]
    if isinstance(value, tuple):
        return list(map(in_words, value))
    if isinstance(value, list):
        return " ".join(field + (sign + source if sign else "") for field, sign, source in value)
    return True if callable(value) else value  # which are remembered is in fold.js


def _made_of(things: object) -> tuple[str, str]:
    thing = str(things).removesuffix("s")
    return thing, f"{thing}_id"
