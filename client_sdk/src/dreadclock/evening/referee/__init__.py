"""The referee: the rules derived anew from a log, without the server that decided them.

A log is read as the course of commands. Each begins with an event that somebody was allowed to bring about, and what
must follow from it does, event by event: what a roll's faces come to, where a clock stands after a tick, what ends
with a scene. `reader` reads; there is a module for each family of events, with a table from an event's type to what
begins with it. Whoever sees the public channel alone is told less: of what is hidden nothing is asked.
"""

from dreadclock.evening.referee.judging import is_judged, judge

__all__ = ["is_judged", "judge"]
