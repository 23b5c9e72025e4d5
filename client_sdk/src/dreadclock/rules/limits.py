"""The caps of every room. Source: rules.md E2. scripts/generate_js_limits.py copies them into a JavaScript file."""

from collections.abc import Mapping
from typing import Final

EDITION: Final = 2
"""The current edition of the rules. Records of earlier editions stay as they are."""

MAX_POOL: Final = 60
"""The most dice in a score, in a pool before its roll, and in a countdown after dice were added (A7)."""

MAX_ROLL_DICE: Final = 200
"""Dice in one roll, including the dice that explosions and re-rolls add."""

MAX_CLOCK: Final = 99
"""Points on a clock."""

MAX_COUNTDOWNS: Final = 64
"""Running countdowns in a room."""

MAX_SITUATIONS: Final = 32
"""Situations in a room."""

MAX_CHARACTERS: Final = 64
MAX_LEFT: Final = 128
"""MAX_CHARACTERS: characters in play. MAX_LEFT: characters who left and may come back."""

MAX_STAGES: Final = 24
"""Stages of one countdown."""

MIN_LEVEL: Final = 1
MAX_LEVEL: Final = 9
"""The lowest and the highest level of situations and characters (B5)."""

MAX_NAME: Final = 64
MAX_TEXT: Final = 280
"""MAX_NAME: characters in a name. MAX_TEXT: characters in any other text."""

MAX_ON_SHEET: Final = 32
"""Attributes of a character. The same limit holds for special attributes, for states and for tracks."""

MAX_ODDS_DICE: Final = 40
MAX_ODDS_PARTS: Final = 8
"""MAX_ODDS_DICE: the dice of all characters in a check together, including removed dice. MAX_ODDS_PARTS: the
characters. A check of several characters has no odds beyond these limits, because computing them would take too long.
"""

MAX_LANES: Final = 256
"""Dice lanes (series of rolls fixed in advance) that one seat may open in total."""

# Caps of things in a room. Hidden things count separately, with the same caps, so that a cap does not reveal them.

MAX_SEATS: Final = 256
MAX_SCENES: Final = 16
"""MAX_SEATS: seats. MAX_SCENES: open scenes."""

MAX_CHALLENGES: Final = 32
"""Challenges in one situation."""

MAX_EFFORTS: Final = 64
MAX_FREE_CLOCKS: Final = 64
MAX_CHECKS: Final = 64
MAX_TOTALS: Final = 64
"""Efforts that wait for the gm's ruling, and free-standing clocks, checks and totals that are not over."""

MAX_EFFECTS: Final = 8
"""Stunts of a check. The same limit holds for fumble effects, and for effects of a consequence."""

MAX_FUMBLE_DEPTH: Final = 4  # how deep fumble effects may be nested, if one sets another
MAX_CONSEQUENCES: Final = 256
MAX_CONSEQUENCE_BYTES: Final = 200_000  # all consequences of a channel together, because everyone who joins reads them
"""MAX_CONSEQUENCES: attached consequences in a channel. MAX_CONSEQUENCE_BYTES: the size of all these as JSON."""

MAX_CONSEQUENCE_DEPTH: Final = 8
MAX_CONSEQUENCE_EVENTS: Final = 64
"""How long a chain of consequences may be, and after how many events in a channel consequences stop (E5)."""

MAX_MADE_TEXT_BYTES: Final = 256 * 1024
"""UTF-8 bytes of the names and texts in the open things that one player or integration made. There is a limit, because
everyone who joins receives them.

For open things and the ended things in the view together, the limit is twice as high.
"""

REOPEN_MS: Final = 30 * 24 * 60 * 60 * 1000
"""How long a closed room can be reopened, in ms (F1)."""

MAX_CHOSEN_IDS: Final = 4096
"""Ids that commands chose, in a channel. After that, the server makes the ids."""

# More things than these can never result from commands. A log or an import with more is rejected.

MOST_HELD: Final[Mapping[str, int]] = {
    "seats": MAX_SEATS,
    "characters": 512,
    **dict.fromkeys(("countdowns", "scenes", "situations", "checks", "totals", "efforts", "secrets"), 1_024),
    **dict.fromkeys(("rolls", "sealed"), 1_024),
    **dict.fromkeys(("challenges", "clocks"), 2_048),
    "lanes": 4_096,
    "consequences": MAX_CONSEQUENCES,
}
"""The highest number of things of each family, including ended things."""

MAX_PARTS_OF_CHECK: Final = 64
"""Characters in one check."""

MAX_WAITING_ON_SHEET: Final = 64
"""Successful ventures whose dice wait for a later roll of one character. The same limit holds for the choices of
effects that wait for the character's player.
"""

# How many ended things a view keeps. Every implementation that builds views from records must use the same numbers, and
# they must never change: old versions of clients use them, too.

RECENT: Final = 20
"""The latest records of a channel."""

COUNTDOWNS_KEPT: Final = 32
ROLLS_KEPT: Final = 32
CHECKS_KEPT: Final = 32
TOTALS_KEPT: Final = 32
CLOCKS_KEPT: Final = 32
"""Ended things of each family. Sealed rolls and other rolls are counted separately. Only free-standing clocks count.
"""

CHARACTERS_KEPT: Final = 64
"""Characters that are dead or retired."""

SCENES_KEPT: Final = 8
SITUATIONS_KEPT: Final = 32
"""Ended scenes, and ended situations in the scenes that the view has."""

LANES_KEPT: Final = 8
"""A seat's open lanes with tokens. Opening another lane closes the oldest."""
