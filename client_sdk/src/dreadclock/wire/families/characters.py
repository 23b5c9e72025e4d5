"""Characters: their scores, and what waits for them or happened to them. Source: rules.md C and D."""

from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

from pydantic import AfterValidator, Field

from dreadclock.rules import limits
from dreadclock.rules.total import BOXES, STARRED, CrisisKind
from dreadclock.wire.base import ChosenId, ChosenName, Id, Kind, Level, Model, Name, Score, Text, Visibility
from dreadclock.wire.families.base import Changes, CommandBase, EventBase, Fold, counted, put
from dreadclock.wire.families.check_effects import Bonus, Choice, StandingEffects
from dreadclock.wire.families.conditions import Track
from dreadclock.wire.families.crises import Crisis
from dreadclock.wire.families.fates import CharacterStatus

if TYPE_CHECKING:
    from dreadclock.wire.views import ChannelView

_Value = TypeVar("_Value")


def _by_name(values: dict[str, _Value]) -> dict[str, _Value]:
    return dict(sorted(values.items()))


# In the order of their names, as in a log's canonical text: a room that is loaded again is the room that was left.
Attributes = Annotated[dict[Name, Score], AfterValidator(_by_name)]
Tracks = Annotated[dict[Name, Track], AfterValidator(_by_name)]


class Special(Model):
    """A special attribute; a starred one counts twice."""

    name: Name
    starred: bool = False

    @property
    def dice(self) -> int:
        """How many dice it adds to a total."""
        return STARRED if self.starred else 1


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
    effects: StandingEffects | None = None  # that stand on it
    crises: tuple[Crisis, ...] = ()
    crisis_due: Id | None = None  # the total whose crisis waits for its kind; until then nothing is rolled (D6)
    states: tuple[Name, ...] = ()  # in the order in which it came into them
    tracks: Tracks = Field(default_factory=dict)
    visibility: Visibility = Visibility.PUBLIC  # a hidden one is the gm's, until its first public act

    def boxes(self, kind: CrisisKind) -> int:
        """Count the crises of a kind."""
        return sum(crisis.kind is kind for crisis in self.crises)


# Commands


class EarlierCrisis(Model):
    """A crisis that a character enters play with."""

    kind: CrisisKind
    description: Text | None = None


class AddCharacter(CommandBase):
    """Bring a character into play; a player's own unless the gm names another owner.

    By the gm's word alone it has earlier crises, or is hidden until it acts in public.
    """

    type: Literal["add_character"] = "add_character"
    id: ChosenId | None = None
    name: ChosenName
    owner: Id | None = None
    level: Level = 1
    attributes: Attributes = Field(default_factory=dict, max_length=limits.MAX_ON_SHEET)
    specials: tuple[Special, ...] = Field(default=(), max_length=limits.MAX_ON_SHEET)
    reflex: Score | None = None
    crises: tuple[EarlierCrisis, ...] = Field(default=(), max_length=2 * BOXES)
    visibility: Literal[Visibility.PUBLIC, Visibility.GM] = Visibility.PUBLIC


class UpdateCharacter(CommandBase):
    """Change what is said of a character; what is left out stays as it is."""

    type: Literal["update_character"] = "update_character"
    character_id: Id
    name: ChosenName | None = None
    owner: Id | None = None
    level: Level | None = None
    attributes: Attributes | None = Field(default=None, max_length=limits.MAX_ON_SHEET)
    specials: tuple[Special, ...] | None = Field(default=None, max_length=limits.MAX_ON_SHEET)
    reflex: Score | None = None


CharacterCommand = AddCharacter | UpdateCharacter


# Events. This is the storage format: a field may be added with a default, never renamed or given another meaning.


class CharacterAdded(EventBase):
    """A character came into play."""

    type: Literal["character_added"] = "character_added"
    character: Character


class CharacterUpdated(EventBase):
    """A character changed; `character` is as it stands now."""

    type: Literal["character_updated"] = "character_updated"
    character: Character


CharacterEvent = CharacterAdded | CharacterUpdated


# How these events change a view


def _added(part: "ChannelView", event: CharacterAdded) -> Changes:
    return {**put(part, "characters", event.character), **counted(part, Kind.CHARACTER, event.character.id)}


FOLDS: dict[type[EventBase], Fold] = {
    CharacterAdded: _added,
    CharacterUpdated: lambda part, event: put(part, "characters", event.character),
}
