"""The rules as pure functions of dice faces and numbers. They need only the standard library.

`countdown`, `clocks`, `check`, `contest` and `total` have the rules. `limits` has the caps of every room. `odds`
computes exact chances, and `notation` reads the short notation for dice in questions about odds. `ledger` computes
faces that anyone can verify. `due` tells which countdowns are rolled in a turn. `spelling` compares names. No function
here draws random dice, reads the time or keeps a room's state.
"""

from dreadclock.rules.check import Outcome as Outcome
from dreadclock.rules.check import Plan as Plan
from dreadclock.rules.check import Reading as Reading
from dreadclock.rules.clocks import Difficulty as Difficulty
from dreadclock.rules.clocks import Direction as Direction
from dreadclock.rules.clocks import RaceOutcome as RaceOutcome
from dreadclock.rules.clocks import average_level as average_level
from dreadclock.rules.clocks import difficulty_of as difficulty_of
from dreadclock.rules.clocks import is_done as is_done
from dreadclock.rules.clocks import is_typical_scene as is_typical_scene
from dreadclock.rules.clocks import race_outcome as race_outcome
from dreadclock.rules.clocks import threat_budget as threat_budget
from dreadclock.rules.clocks import tick as tick
from dreadclock.rules.contest import DecidedBy as DecidedBy
from dreadclock.rules.contest import Side as Side
from dreadclock.rules.contest import Verdict as Verdict
from dreadclock.rules.countdown import Rolled as Rolled
from dreadclock.rules.countdown import Speed as Speed
from dreadclock.rules.countdown import crossed as crossed
from dreadclock.rules.countdown import left as left
from dreadclock.rules.countdown import roll as roll
from dreadclock.rules.total import CrisisKind as CrisisKind
from dreadclock.rules.total import Fate as Fate
from dreadclock.rules.total import Pushed as Pushed
from dreadclock.rules.total import enough as enough
from dreadclock.rules.total import fate as fate
from dreadclock.rules.total import keep as keep
from dreadclock.rules.total import pool as pool
from dreadclock.rules.total import push as push
