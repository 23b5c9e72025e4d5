"""The dice of an evening by seat, and how far they differ from fair dice."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import erfc, exp, pi, sqrt
from typing import Final, NamedTuple

from dreadclock.dice.rolled import come_to_light, rolled
from dreadclock.export import Step
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Face, Faces, Id
from dreadclock.wire.things import Check, Roll
from dreadclock_server.evening.recap.things import changed, seats

FACES: Final = range(1, 7)
ENOUGH: Final = 30
"""The fewest dice for the chi-square test, which needs an expected count of five for each of the six faces."""


class Thrown(NamedTuple):
    """The faces of a roll: who rolled them, and whether somebody typed them in."""

    seat_id: Id
    faces: Faces
    physical: bool


class Tally(NamedTuple):
    """How often each face was rolled. `seat_id`: None for the whole table."""

    seat_id: Id | None
    physical: bool
    counts: tuple[int, ...]  # of the faces 1, 2, ... 6

    @property
    def dice(self) -> int:
        """How many dice were rolled."""
        return sum(self.counts)

    @property
    def chance(self) -> float | None:
        """Return the chance that fair dice differ from equal counts at least as much as these dice.

        Return None if there are too few dice.
        """
        return None if self.dice < ENOUGH else stray_chance(chi_square(self.counts))


def chi_square(counts: Sequence[int]) -> float:
    """Return how much the counts of the six faces differ from equal counts: the sum of (count - expected)^2 /
    expected.
    """
    expected = sum(counts) / len(FACES)
    return sum((count - expected) ** 2 for count in counts) / expected


def stray_chance(x: float) -> float:
    """Return the chance that chi-square with five degrees of freedom is `x` or more."""
    return erfc(sqrt(x / 2)) + sqrt(2 * x / pi) * exp(-x / 2) * (1 + x / 3)


def tallies(steps: Sequence[Step]) -> tuple[Tally, ...]:
    """Count all dice by seat: first the server's dice, then physical dice that somebody typed in.

    If one of these two groups has several seats, it begins with the dice of the whole table.
    """
    counts = {(seat_id, physical): Counter[Face]() for physical in (False, True) for seat_id in seats(steps)}
    for thrown in throws(steps):
        counts.setdefault((thrown.seat_id, thrown.physical), Counter()).update(thrown.faces)
    return tuple(tally for physical in (False, True) for tally in _of_kind(counts, physical=physical))


def _of_kind(counts: Mapping[tuple[Id, bool], Counter[Face]], *, physical: bool) -> Iterator[Tally]:
    by_seat = {seat_id: faces for (seat_id, typed), faces in counts.items() if typed is physical and faces}
    if len(by_seat) > 1:
        yield _tally(None, sum(by_seat.values(), Counter()), physical=physical)
    yield from (_tally(seat_id, faces, physical=physical) for seat_id, faces in by_seat.items())


def _tally(seat_id: Id | None, counts: Counter[Face], *, physical: bool) -> Tally:
    return Tally(seat_id, physical, tuple(counts[face] for face in FACES))


# The rolls of an evening


def throws(steps: Sequence[Step]) -> Iterator[Thrown]:
    """Yield the faces of each roll of an evening once. Includes rolls that were secret and revealed later."""
    seen: set[Id] = set()  # things whose rolls were already yielded from the gm's channel
    for step in steps:
        record = step.record
        if record.channel is Channel.GM:
            seen.update(_shown_to_gm(step))
        roll = rolled(record.event)
        if roll is not None and roll.faces:
            yield Thrown(record.by, roll.faces, roll.physical)
        if isinstance(record.event, e.Revealed):
            yield from _come_to_light(record.event, record.by, seen)


def _shown_to_gm(step: Step) -> Iterator[Id]:
    before, after = (view.channels[Channel.GM] for view in (step.before, step.after))
    for kind in ("countdowns", "rolls", "checks"):
        yield from (thing.id for thing in changed(getattr(before, kind), getattr(after, kind)))


def _come_to_light(event: e.Revealed, by: Id, seen: set[Id]) -> Iterator[Thrown]:
    """Yield the rolls of revealed things that were not yielded before (`seen`).

    A roll by an unknown seat counts for the seat that revealed the thing.
    """
    things: tuple[Roll | Check, ...] = (*event.things.rolls, *event.things.checks)
    rollers = {thing.id: thing.seat_id for thing in things}
    for roll in come_to_light(event.things):
        thing_id = roll.thing.rpartition("/")[2]
        if roll.faces and thing_id not in seen:
            yield Thrown(rollers.get(thing_id, by), roll.faces, roll.physical)
