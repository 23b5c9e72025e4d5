"""Characters: their scores, and what waits for them or happened to them. Source: rules.md C and D."""

from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, Field

from dreadclock.rules.total import BOXES, STARRED, CrisisKind
from dreadclock.wire.base import Id, Level, Model, Name, Score, Text


def _by_name(scores: dict[str, int]) -> dict[str, int]:
    return dict(sorted(scores.items()))


# In the order of their names, as in a log's canonical text: a room that is loaded again is the room that was left.
Attributes = Annotated[dict[Name, Score], AfterValidator(_by_name)]


class CharacterStatus(StrEnum):
    """Whether a character is still in play; for a dead or retired one nothing is rolled. Source: rules.md D7."""

    IN_PLAY = "in_play"
    DEAD = "dead"
    RETIRED = "retired"


class Benefit(StrEnum):
    """Which roll a venture is meant to better."""

    CHECK = "check"
    DAMAGE = "damage"


class EffectKind(StrEnum):
    """What a choice of effects is about: a triumph's momentum, or a fumble's interference."""

    MOMENTUM = "momentum"
    INTERFERENCE = "interference"


class Special(Model):
    """A special attribute; a starred one counts twice."""

    name: Name
    starred: bool = False

    @property
    def dice(self) -> int:
        """How many dice it adds to a total."""
        return STARRED if self.starred else 1


class Bonus(Model):
    """Dice from a venture that came off, until the beneficiary's next check. Source: rules.md C8."""

    check_id: Id  # that the venture was declared on
    dice: Annotated[int, Field(ge=1, le=3)]
    benefits: Benefit
    what: Text


class Choice(Model):
    """Effects to choose from; unless one is chosen before the next roll, it is `instead_of`. Source: rules.md C18."""

    check_id: Id
    instead_of: EffectKind
    offered: tuple[Text, ...]


class Crisis(Model):
    """A permanent injury or derangement; it is never removed. Source: rules.md D8."""

    total_id: Id
    kind: CrisisKind
    box: Annotated[int, Field(ge=1, le=BOXES)]  # of its kind
    description: Text | None = None


class Character(Model):
    """Somebody in the story, with the scores that rolls are made of."""

    id: Id
    name: Name
    owner: Id | None = None  # a seat
    level: Level = 1
    attributes: Attributes = Field(default_factory=dict)
    specials: tuple[Special, ...] = ()
    reflex: Score | None = None
    status: CharacterStatus = CharacterStatus.IN_PLAY
    momentum: bool = False
    interference: bool = False
    bonuses: tuple[Bonus, ...] = ()
    choices: tuple[Choice, ...] = ()
    crises: tuple[Crisis, ...] = ()
    crisis_due: Id | None = None  # the total whose crisis waits for its kind; until then nothing is rolled (D6)

    def boxes(self, kind: CrisisKind) -> int:
        """Count the crises of a kind."""
        return sum(crisis.kind is kind for crisis in self.crises)
