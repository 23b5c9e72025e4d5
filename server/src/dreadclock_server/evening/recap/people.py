"""Who was there: the seats of an evening, and the characters they played."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from dreadclock.export import Step
from dreadclock.wire.base import Id, Role
from dreadclock.wire.things import CharacterStatus, Seat
from dreadclock_server.evening.recap.clocks import changed

NAMELESS: Final = frozenset({"The other side", "Die Gegenseite"})
"""What the gm's page calls an opponent to whom she gives no name."""


@dataclass(frozen=True, slots=True)
class Played:
    """A character, as the evening left it."""

    name: str
    status: CharacterStatus


@dataclass(frozen=True, slots=True)
class Person:
    """A seat; `left`: whether it was gone at the end."""

    name: str
    role: Role
    left: bool
    characters: tuple[Played, ...]


def people(steps: Sequence[Step]) -> tuple[Person, ...]:
    """List all that ever had a seat, in the order in which they came, by the names they had last."""
    characters = steps[-1].after.characters.values() if steps else ()
    remain = steps[-1].after.seats if steps else {}
    return tuple(
        Person(
            seat.name,
            seat.role,
            seat.id not in remain,
            tuple(Played(character.name, character.status) for character in characters if character.owner == seat.id),
        )
        for seat in seats(steps).values()
    )


def nobodys(steps: Sequence[Step]) -> tuple[Played, ...]:
    """List the characters that belong to no seat."""
    characters = steps[-1].after.characters.values() if steps else ()
    return tuple(Played(character.name, character.status) for character in characters if character.owner is None)


def foes(steps: Sequence[Step]) -> tuple[Played, ...]:
    """List the opponents without a sheet, by the names that they had in their checks, but for those without one."""
    checks = (check for step in steps for check in changed(step.before.checks, step.after.checks))
    named = dict.fromkeys(part.name for check in checks for part in check.parts if part.name is not None)
    return tuple(Played(name, CharacterStatus.IN_PLAY) for name in named if name not in NAMELESS)


def seats(steps: Sequence[Step]) -> dict[Id, Seat]:
    """Return all seats there ever were by id, with their last names."""
    by_id: dict[Id, Seat] = {}
    for step in steps:
        if step.after.seats is not step.before.seats:
            by_id.update(step.after.seats)
    return by_id
