"""Crises: the injuries and derangements of an evening."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dreadclock.export import Step
from dreadclock.wire.base import Id
from dreadclock.wire.events import CrisisDescribed, CrisisSuffered
from dreadclock.wire.things import Crisis


@dataclass(frozen=True, slots=True)
class Suffered:
    """A crisis, when it came, and whose it is."""

    at: int
    character: str
    crisis: Crisis


def crises(steps: Sequence[Step]) -> tuple[Suffered, ...]:
    """List the crises of an evening in their order, each as it was described last."""
    crises: dict[tuple[Id, str, int], Suffered] = {}
    for step in steps:
        event = step.record.event
        if isinstance(event, CrisisSuffered | CrisisDescribed):
            key = (event.character_id, event.crisis.kind, event.crisis.box)
            name = step.after.characters[event.character_id].name
            if isinstance(event, CrisisSuffered):
                crises[key] = Suffered(step.record.at, name, event.crisis)
            elif key in crises:  # a description may be of a crisis of an earlier evening
                crises[key] = replace(crises[key], crisis=event.crisis)
    return tuple(crises.values())
