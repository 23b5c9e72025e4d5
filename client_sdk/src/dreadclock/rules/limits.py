"""The caps of every room. Source: rules.md E2. scripts/generate_js_limits.py writes them for JavaScript."""

from collections.abc import Mapping
from typing import Final

EDITION: Final = 2
"""The current edition of the rules. Records of earlier editions stay as they are."""

MAX_POOL: Final = 60
"""Dice in a starting pool or score, in a check, and in a countdown after a replenish (A7)."""

MAX_ROLL_DICE: Final = 200
"""Dice in one roll, with the dice that explosions and re-rolls add."""

MAX_CLOCK: Final = 99
"""Points on a clock."""

MAX_COUNTDOWNS: Final = 64
"""Running countdowns in a room."""

MAX_SITUATIONS: Final = 32
"""Situations in a room."""

MAX_CHARACTERS: Final = 64
MAX_LEFT: Final = 128
"""Characters in play, and characters who left and may come back."""

MAX_STAGES: Final = 24
"""Stages of one countdown."""

MIN_LEVEL: Final = 1
MAX_LEVEL: Final = 9
"""Levels of situations and characters, both ends included (B5)."""

MAX_NAME: Final = 64
MAX_TEXT: Final = 280
"""Characters of a name, and of any other text."""

MAX_ON_SHEET: Final = 32
"""Attributes of a character. The same number of special attributes, of states and of tracks."""

MAX_ODDS_DICE: Final = 40
MAX_ODDS_PARTS: Final = 8
"""The dice of all parts of a check, including removed dice, and the number of parts. A larger check with several parts
has no odds, because computing them would take too long."""

MAX_LANES: Final = 256
"""Dice lanes that one seat opens, in all."""

# Caps of things in a room. Hidden things count separately, with the same caps, so that a cap does not reveal them.

MAX_SEATS: Final = 256
MAX_SCENES: Final = 16
"""Seats, and scenes that are open."""

MAX_CHALLENGES: Final = 32
"""Challenges in one situation."""

MAX_EFFORTS: Final = 64
MAX_FREE_CLOCKS: Final = 64
MAX_CHECKS: Final = 64
MAX_TOTALS: Final = 64
"""Efforts that wait for a ruling; free-standing clocks, checks and totals that are not over."""

MAX_EFFECTS: Final = 8
"""Stunts of a check. The same number of fumble effects, and of effects of a consequence."""

MAX_FUMBLE_DEPTH: Final = 4  # fumble effects that set fumble effects, nested
MAX_CONSEQUENCES: Final = 256
MAX_CONSEQUENCE_BYTES: Final = 200_000  # of all consequences in a channel: everyone who joins has to read them
"""Consequences that are attached."""

MAX_CONSEQUENCE_DEPTH: Final = 8
MAX_CONSEQUENCE_EVENTS: Final = 64
"""How deep consequences trigger consequences, and after how many events of a channel they stop (E5)."""

MAX_MADE_TEXT_BYTES: Final = 256 * 1024
"""Names and texts, in UTF-8, of the open things that one player or integration made: everyone who joins reads them.

Together with ended things that are still in the view, twice as many bytes are allowed."""

REOPEN_MS: Final = 30 * 24 * 60 * 60 * 1000
"""How long after it was closed a room can be opened again (F1)."""

MAX_CHOSEN_IDS: Final = 4096
"""Ids that commands chose, in a channel; beyond it the server makes the ids."""

# Maximums that no room can reach by any commands. A log or an import with more is rejected.

MOST_HELD: Final[Mapping[str, int]] = {
    "seats": MAX_SEATS,
    "characters": 512,
    **dict.fromkeys(("countdowns", "scenes", "situations", "checks", "totals", "efforts", "secrets"), 1_024),
    **dict.fromkeys(("rolls", "sealed"), 1_024),
    **dict.fromkeys(("challenges", "clocks"), 2_048),
    "lanes": 4_096,
    "consequences": MAX_CONSEQUENCES,
}
"""Things of each family, ended things included."""

MAX_PARTS_OF_CHECK: Final = 64
"""Characters in one check."""

MAX_WAITING_ON_SHEET: Final = 64
"""Bonuses that wait for a character. The same number of choices."""

# How many ended things a view keeps. All folds must agree on these numbers, including those of old versions.

RECENT: Final = 20
"""The latest records."""

COUNTDOWNS_KEPT: Final = 32
ROLLS_KEPT: Final = 32
CHECKS_KEPT: Final = 32
TOTALS_KEPT: Final = 32
CLOCKS_KEPT: Final = 32
"""Ended things. Sealed rolls and other rolls count separately. Only free-standing clocks count."""

CHARACTERS_KEPT: Final = 64
"""Characters that are dead or retired."""

SCENES_KEPT: Final = 8
SITUATIONS_KEPT: Final = 32
"""Ended scenes, and ended situations in scenes that are kept."""

LANES_KEPT: Final = 8
"""A seat's open lanes with tokens. Another lane closes the oldest."""
