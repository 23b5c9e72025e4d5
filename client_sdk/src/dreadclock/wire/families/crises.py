"""Crises: permanent injuries and derangements of characters. Source: rules.md D5-D8."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from dreadclock.rules.total import BOXES, CrisisKind
from dreadclock.wire.base import Id, Model, Text
from dreadclock.wire.families.base import CommandBase, EventBase, NoUndo
from dreadclock.wire.families.folds import Changes, Fold, ViewPart, sets, updated


class Crisis(Model):
    """A permanent injury or derangement; it is never removed. Source: rules.md D8."""

    total_id: Id | None = None  # the total that caused the crisis; None if the character entered play with it (D9)
    kind: CrisisKind
    box: Annotated[int, Field(ge=1, le=BOXES)]  # which of the character's three boxes for this kind the crisis fills
    description: Text | None = None


# Commands


class DescribeCrisis(CommandBase):
    """Describe a crisis that has no description yet."""

    type: Literal["describe_crisis"] = "describe_crisis"
    total_id: Id
    kind: CrisisKind | None = None
    description: Text


# Events. This is the storage format: a field may be added with a default, never renamed or given another meaning.


class CrisisDue(EventBase):
    """A push brought a crisis whose kind the gm must name.

    Until the gm names the kind, nothing is rolled for the character.
    """

    type: Literal["crisis_due"] = "crisis_due"
    no_undo: ClassVar[NoUndo | None] = NoUndo.CRISIS
    character_id: Id
    total_id: Id


class CrisisSuffered(EventBase):
    """A character suffered a crisis.

    `box` of `crisis`: which of the character's three boxes for this kind of crisis is now full.
    """

    type: Literal["crisis_suffered"] = "crisis_suffered"
    no_undo: ClassVar[NoUndo | None] = NoUndo.CRISIS
    character_id: Id
    crisis: Crisis


class CrisisDescribed(EventBase):
    """The gm described a crisis. `crisis`: the crisis with its description."""

    type: Literal["crisis_described"] = "crisis_described"
    no_undo: ClassVar[NoUndo | None] = NoUndo.CRISIS
    character_id: Id
    crisis: Crisis


# How these events change a view


def _crisis_described(part: ViewPart, event: CrisisDescribed) -> Changes:
    crises = (
        event.crisis if crisis.total_id == event.crisis.total_id else crisis
        for crisis in part.characters[event.character_id].crises
    )
    return [updated(part, "characters", event.character_id, crises=tuple(crises))]


FOLDS: dict[type[EventBase], Fold] = {
    CrisisDue: sets("characters", "crisis_due:total_id"),
    CrisisSuffered: sets("characters", "crises+crisis", crisis_due=None),
    CrisisDescribed: _crisis_described,
}
