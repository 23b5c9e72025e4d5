"""What a room holds: seats, characters, countdowns, clocks, scenes, checks, totals and what is in them.

Each family's file holds its own. These models are part of events and of views alike.
"""

from dreadclock.wire.families import *
