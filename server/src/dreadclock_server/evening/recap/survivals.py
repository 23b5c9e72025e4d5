"""Countdowns roll by roll."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from dreadclock.export import Step
from dreadclock.wire.base import Id
from dreadclock.wire.events import CountdownRolled, Revealed
from dreadclock.wire.things import Countdown
from dreadclock_server.evening.recap.clocks import TAKEN_BACK, changed


@dataclass(frozen=True, slots=True)
class Stretch:
    """A countdown from its start, or from where dice were added: its pool at first, and after each roll."""

    pools: tuple[int, ...]

    @property
    def rolls(self) -> int:
        """How often it was rolled."""
        return len(self.pools) - 1


@dataclass(slots=True)
class Survival:
    """A countdown, as it was seen last, and each of its rolls: the dice rolled, and the dice that remained."""

    countdown: Countdown
    rolls: list[tuple[int, int]] = field(default_factory=list)

    @property
    def stretches(self) -> tuple[Stretch, ...]:
        """Return its stretches, at least one roll each, in their order."""
        pools: list[list[int]] = []
        for dice, remaining in self.rolls:
            if not pools or pools[-1][-1] != dice:
                pools.append([dice])
            pools[-1].append(remaining)
        return tuple(Stretch(tuple(pool)) for pool in pools)


def survivals(steps: Sequence[Step]) -> tuple[Survival, ...]:
    """Follow all countdowns that were rolled, but for those that were taken back."""
    survivals_by_id: dict[Id, Survival] = {}
    for step in steps:
        _follow(survivals_by_id, step)
    return tuple(survival for survival in survivals_by_id.values() if survival.rolls)


def _follow(survivals: dict[Id, Survival], step: Step) -> None:
    before, after = (view.channels[step.record.channel].countdowns for view in (step.before, step.after))
    event = step.record.event
    if event.type in TAKEN_BACK:
        for gone in before.keys() - after.keys():
            survivals.pop(gone, None)
    come_to_light = (
        {countdown.id: countdown for countdown in _come_to_light(survivals, event)}
        if isinstance(event, Revealed)
        else {}
    )
    for countdown in changed(before, after):
        survival = survivals.setdefault(countdown.id, Survival(countdown))
        survival.countdown = countdown
    for key, countdown in come_to_light.items():
        rolls = [roll for roll in countdown.hidden_rolls if roll.pool is None]
        survivals[key].rolls += [(len(roll.faces), len(roll.faces) - roll.removed) for roll in rolls]
    if isinstance(event, CountdownRolled):
        survivals[event.countdown_id].rolls.append((len(event.faces), event.remaining))


def _come_to_light(survivals: dict[Id, Survival], event: Revealed) -> Iterator[Countdown]:
    """Name the countdowns whose rolls nobody saw before; a gm did."""
    return (countdown for countdown in event.things.countdowns if countdown.id not in survivals)
