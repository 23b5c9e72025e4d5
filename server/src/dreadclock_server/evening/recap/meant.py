"""The steps of an evening without undone commands. A step is a record, with the views before and after it.

A room's log has a public channel and the gm's channel. Each channel numbers its records (`seq`).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from dreadclock.export import BrokenExport, Step, folded
from dreadclock.narration import QUIET
from dreadclock.wire.base import Channel
from dreadclock.wire.events import CommandVoided


def meant(steps: Sequence[Step]) -> Sequence[Step]:
    """Return the steps without undone commands and without undos. Undone events stay if they have no sentence.

    The views are computed again from the steps that stay. If that fails, returns all steps.
    """
    undone = set(_undone(steps))
    if not undone:
        return steps
    kept = [step for step in steps if _place(step) not in undone or step.record.event.type in QUIET]
    try:
        return tuple(_anew(kept, steps[0]))
    except BrokenExport:
        return steps


def _place(step: Step) -> tuple[Channel, int]:
    return step.record.channel, step.record.seq


def _undone(steps: Sequence[Step]) -> Iterator[tuple[Channel, int]]:
    """Yield the channels and seqs of the records of undone commands and of undos.

    Takes linear time, even for an export with many overlapping undos.
    """
    begins: Counter[tuple[Channel, int]] = Counter()
    for step in steps:
        channel, seq = _place(step)
        if isinstance(event := step.record.event, CommandVoided) and event.first <= (last := min(event.last, seq)):
            begins[channel, event.first] += 1
            begins[channel, last + 1] -= 1
    within: Counter[Channel] = Counter()
    for step in steps:
        place = _place(step)
        within[step.record.channel] += begins[place]
        if within[step.record.channel] or isinstance(step.record.event, CommandVoided):
            yield place


def _anew(kept: Iterable[Step], first: Step) -> Iterator[Step]:
    view = first.before
    for step in kept:
        before, view = view, folded(view, step.record, step.line)
        yield Step(step.line, step.record, before, view)
