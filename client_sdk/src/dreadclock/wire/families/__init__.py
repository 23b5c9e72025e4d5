"""What a room holds and what happens in it, a file for each family of things.

Each file has the family's things, its commands, its events, and how those events change a view, in this order.
Which files there are is said here, and in `dreadclock.wire.fold`, which gathers the latter.
"""

from dreadclock.wire.families.bargains import *
from dreadclock.wire.families.base import *
from dreadclock.wire.families.challenges import *
from dreadclock.wire.families.characters import *
from dreadclock.wire.families.check_effects import *
from dreadclock.wire.families.check_parts import *
from dreadclock.wire.families.checks import *
from dreadclock.wire.families.clocks import *
from dreadclock.wire.families.conditions import *
from dreadclock.wire.families.consequences import *
from dreadclock.wire.families.continuing import *
from dreadclock.wire.families.corrections import *
from dreadclock.wire.families.countdown_changes import *
from dreadclock.wire.families.countdowns import *
from dreadclock.wire.families.crises import *
from dreadclock.wire.families.dice import *
from dreadclock.wire.families.fates import *
from dreadclock.wire.families.narrating import *
from dreadclock.wire.families.pushes import *
from dreadclock.wire.families.room import *
from dreadclock.wire.families.scenes import *
from dreadclock.wire.families.secrets import *
from dreadclock.wire.families.situations import *
from dreadclock.wire.families.staging import *
from dreadclock.wire.families.totals import *
