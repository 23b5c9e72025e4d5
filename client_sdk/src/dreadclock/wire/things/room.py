"""The room's house rules, and the seats around it."""

from enum import StrEnum

from dreadclock.wire.base import Id, Model, Name, Role, Scope


class PhysicalDice(StrEnum):
    """Who may type in the faces of real dice. Source: rules.md E1."""

    OFF = "off"
    GM = "gm"
    EVERYONE = "everyone"


class CheckApproval(StrEnum):
    """Whether a proposed check waits for the gm."""

    OPEN = "open"
    GM = "gm"


class Policy(Model):
    """A room's house rules."""

    physical_dice: PhysicalDice = PhysicalDice.OFF
    check_approval: CheckApproval = CheckApproval.GM
    player_countdowns: bool = True


class Seat(Model):
    """A place at the table."""

    id: Id
    role: Role
    name: Name
    scopes: tuple[Scope, ...] = ()
