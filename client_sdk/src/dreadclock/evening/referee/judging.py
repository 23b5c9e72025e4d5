"""Judging a log: the table of what begins with which event."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from dreadclock.evening.export import Step
from dreadclock.evening.referee import (
    characters,
    check_rolls,
    checks,
    consequences,
    countdowns,
    effects,
    hands,
    people,
    revealed,
    rolls,
    scenes,
    secrets,
    total_rolls,
    totals,
    voids,
)
from dreadclock.evening.referee.reader import ROLLS, Beginnings, Fault, Reader
from dreadclock.following import clocks
from dreadclock.rules.limits import EDITION
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Kind
from dreadclock.wire.events import Cause
from dreadclock.wire.things import ClockKind, SituationStatus
from dreadclock.wire.views import View

_BEGINNINGS: Beginnings = {
    **people.BEGINNINGS,
    **characters.BEGINNINGS,
    **secrets.BEGINNINGS,
    **revealed.BEGINNINGS,
    **rolls.BEGINNINGS,
    **countdowns.BEGINNINGS,
    **scenes.BEGINNINGS,
    **hands.BEGINNINGS,
    **checks.BEGINNINGS,
    **check_rolls.BEGINNINGS,
    **effects.BEGINNINGS,
    **totals.BEGINNINGS,
    **total_rolls.BEGINNINGS,
    **consequences.BEGINNINGS,
    **voids.BEGINNINGS,
}
_ROLLED: Mapping[type[e.EventBase], Callable[[Reader, Step, Step], None]] = {
    e.CheckRolled: check_rolls.roll_check,
    e.TotalRolled: total_rolls.roll_total,
    e.DiceRolled: rolls.roll_dice,
}
_BEFORE_ROLLS = (e.MomentumSpent, e.InterferenceSpent, e.VenturePaid)
_IN_CLOSED_ROOMS = (e.RoomReopened, e.EditionChanged)  # which goes before it in a room of an earlier edition


def judge(steps: Sequence[Step], channels: Collection[Channel], after: View, fault: Fault) -> None:
    """Derive a log anew: `fault` is told of each record that does not follow, or that others should have followed.

    `after`: the view after the last step. What is hidden from the channels' viewer is not asked for, and nothing is
    said of records that came about by another edition of the rules.
    """

    def of_this_edition(step: Step, sentence: str) -> None:
        if is_judged(step):
            fault(step, sentence)

    reader = Reader(steps, channels, after, of_this_edition)
    reader.on_reveal, reader.on_unseen = revealed.revealed, _judge
    while (step := reader.begin()) is not None:
        _judge(reader, step)
        reader.stay_beyond(step)
        if reader.moments and (reader.is_at_end or consequences.begin_unseen(reader)):
            _safely(reader, step, lambda: consequences.run(reader))


def is_judged(step: Step) -> bool:
    """Tell whether a record came about by the edition of the rules that the referee knows."""
    return EDITION in (step.before.public.edition, step.after.public.edition)


def _judge(r: Reader, step: Step) -> None:
    event = step.record.event
    if step.before.public.closed and not isinstance(event, _IN_CLOSED_ROOMS):
        r.fault(step, "the room is closed")
    target = _roll_ahead(r, step, event)
    if target is not None:
        r.undo()
        return _safely(r, step, lambda: _ROLLED[type(target.record.event)](r, step, target))
    beginning = _BEGINNINGS.get(type(event))
    if isinstance(event, e.ClockTicked) and _is_after_reveal(r, step, event):
        return None
    if beginning is None:
        return r.fault(step, "nothing before it leads to it")
    return _safely(r, step, lambda: beginning(r, step, event))


def _safely(r: Reader, step: Step, derive: Callable[[], None]) -> None:
    """Derive what follows; a record that speaks of what is not there is a fault."""
    try:
        derive()
    except (LookupError, ValueError, TypeError, AttributeError, AssertionError, ArithmeticError) as error:
        r.fault(step, f"what follows from it cannot be derived: {error}")


def _roll_ahead(r: Reader, step: Step, event: e.Event) -> Step | None:
    """Find the roll that a record goes before: what is spent on it, or the threat's tick for the effort."""
    if isinstance(event, _BEFORE_ROLLS):
        return r.ahead(*ROLLS)
    if not isinstance(event, e.ClockTicked) or event.kind is not ClockKind.THREAT:
        return None
    if event.cause is Cause.EFFORT or (event.cause is Cause.HIDDEN and r.holds_gm):
        return r.ahead(e.CheckRolled, e.TotalRolled)
    return None


def _is_after_reveal(r: Reader, step: Step, event: e.ClockTicked) -> bool:
    """Take a scene's point that a sealed situation was won with; who holds the gm's channel saw it won."""
    recent = step.before.public.recent
    shown = recent[-1].event if recent else None
    if r.holds_gm or event.cause is not Cause.SITUATION or not isinstance(shown, e.Revealed):
        return False
    situation = step.before.situations.get(shown.id) if shown.kind is Kind.SITUATION else None
    if situation is None or situation.status not in (SituationStatus.WON, SituationStatus.RESOLVED):
        return False
    r.undo()
    _safely(r, step, lambda: clocks.scene_won(r, situation, hidden=False))
    return True
