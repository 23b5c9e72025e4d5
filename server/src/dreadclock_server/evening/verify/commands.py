"""Rebuild the commands of a log. A command is rebuilt from one of its first records and the room's state before it.

A rebuilt command may differ from the command that was sent, if both lead to the same records. `decide` checks the
result. Of several commands that fit a record, the command with the most events is tried first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import cast

from dreadclock.wire import commands as c
from dreadclock.wire import events as e
from dreadclock.wire.views import View
from dreadclock_server.core.decide import InternalCommand
from dreadclock_server.evening.verify import of_rolls, of_rooms, of_scenes
from dreadclock_server.evening.verify.log_index import LogIndex
from dreadclock_server.evening.verify.rebuilding import BROKEN, MOST_BEFORE, Case, Command, Maker

_REBUILD: Mapping[type[e.EventBase], Maker] = {**of_rooms.REBUILD, **of_scenes.REBUILD, **of_rolls.REBUILD}
_BEFORE = (  # events that may precede the event from which a command is rebuilt
    *(e.EditionChanged, e.LaneOpened, e.SealedStarted, e.SealedChanged, e.MadePublic, e.Revealed, e.EffectChosen),
    *(e.MomentumGained, e.InterferenceGained, e.MomentumSpent, e.InterferenceSpent, e.VenturePaid),
    *(e.CheckOddsChanged, e.ClockTicked, e.ClockResized, e.SituationFailed, e.RaceEnded),
)


def commands_of(log: LogIndex, start: int, view: View) -> Iterator[Command]:
    """Yield the commands that may have caused the records from `start` on."""
    act_for = log.records[start].acted_for
    end = min(log.run_ends[start], start + MOST_BEFORE)
    for place in range(start, end):
        event = log.records[place].event
        case = Case(log, start, place, view)
        made = iter(_REBUILD.get(type(event), _none)(case, event))
        while (command := _next(made)) is not None:
            is_own = act_for is None or isinstance(command, InternalCommand)
            yield command if is_own else cast(c.Command, command).model_copy(update={"act_for": act_for})
        if not isinstance(event, _BEFORE):
            return


def _next(made: Iterator[Command]) -> Command | None:
    """Return the next command; None if there is none, or if a forged record makes rebuilding fail."""
    try:
        return next(made, None)
    except BROKEN:
        return None


def _none(case: Case, event: e.EventBase) -> Iterable[Command]:
    return ()
