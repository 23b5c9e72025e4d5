"""Characters: their scores, and what happens to them in rolls. Source: rules.md C and D.

States are texts such as "exhausted", and tracks are numbers such as hits. Momentum and interference are tokens for the
next check. A crisis is a permanent injury or derangement.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, Field

from dreadclock.rules import limits
from dreadclock.rules.total import BOXES, STARRED, CrisisKind
from dreadclock.wire.base import ChosenId, ChosenName, Id, Later, Level, Model, Name, Score, Text, Visibility
from dreadclock.wire.families.base import CommandBase, EventBase
from dreadclock.wire.families.check_effects import Benefit, Bonus, Choice, StandingEffects, tokens_after
from dreadclock.wire.families.conditions import Track
from dreadclock.wire.families.crises import Crisis
from dreadclock.wire.families.fates import CharacterStatus
from dreadclock.wire.families.folds import Fold, adds, puts, sets

_Value = TypeVar("_Value")


def _by_name(values: dict[str, _Value]) -> dict[str, _Value]:
    return dict(sorted(values.items()))


# Sorted by name, as in the canonical text of a log: a reloaded room then equals the room in memory.
Attributes = Annotated[dict[Name, Score], AfterValidator(_by_name)]
Tracks = Annotated[dict[Name, Track], AfterValidator(_by_name)]


class Special(Model):
    """A special attribute. A starred special attribute counts twice."""

    name: Name
    starred: bool = False

    @property
    def dice(self) -> int:
        """How many dice the special attribute adds to a total."""
        return STARRED if self.starred else 1


class Sheet(Model):
    """The part of a character that its player may write: level, attributes, special attributes and reflex."""

    level: Level
    attributes: Attributes = Field(default_factory=dict)
    specials: tuple[Special, ...] = ()
    reflex: Score | None = None


class SheetPart(StrEnum):
    """The part of a sheet that changed."""

    LEVEL = "level"
    ATTRIBUTE = "attribute"
    SPECIAL = "special"
    REFLEX = "reflex"


class SheetChange(Model):
    """A difference between two sheets.

    The values are levels or scores; for a special attribute, the dice that it adds.
    """

    what: SheetPart
    name: Name | None = None
    was: Score | None = None
    now: Score | None = None


class Character(Model):
    """A character of the story, with the scores for rolls."""

    id: Id
    name: Name
    owner: Id | None = None  # the id of a seat
    level: Level = 1
    attributes: Attributes = Field(default_factory=dict)
    specials: tuple[Special, ...] = ()
    reflex: Score | None = None
    status: CharacterStatus = CharacterStatus.IN_PLAY
    momentum: bool = False
    interference: bool = False
    bonuses: tuple[Bonus, ...] = ()
    choices: tuple[Choice, ...] = ()
    effects: StandingEffects | None = None  # the effects that are attached to this character
    crises: tuple[Crisis, ...] = ()
    crisis_due: Id | None = None  # the total whose crisis the gm must name; until then nothing is rolled (D6)
    newcomer: Literal[True] | None = None  # a player's character that the gm has not approved: not counted in races
    approved_level: Level | None = None  # the level that counts for races while a new `level` waits for approval
    proposed: Sheet | None = None  # the sheet that the player asks for, and the gm has not approved
    states: Later[tuple[Name, ...]] = ()  # in the order in which they began
    tracks: Later[Tracks] = Field(default_factory=dict)
    visibility: Later[Visibility] = Visibility.PUBLIC  # `gm`: hidden until the character acts in public
    made_by: Id | None = None  # the player's or integration's seat that made it; None: the gm's, or an older record

    @property
    def sheet(self) -> Sheet:
        """The current sheet."""
        return Sheet(level=self.level, attributes=self.attributes, specials=self.specials, reflex=self.reflex)

    def boxes(self, kind: CrisisKind) -> int:
        """Return the number of crises of a kind."""
        return sum(crisis.kind is kind for crisis in self.crises)

    @property
    def is_over(self) -> bool:
        """Whether the character is out of play for good."""
        return self.status in (CharacterStatus.DEAD, CharacterStatus.RETIRED)

    def ready(self, benefits: Benefit) -> tuple[Bonus, ...]:
        """Return the venture dice (dice from earlier checks) that wait for a roll of this kind."""
        return tuple(bonus for bonus in self.bonuses if bonus.benefits is benefits)

    @property
    def tokens_at_roll(self) -> tuple[bool, bool]:
        """Whether a roll now would use momentum and interference.

        The defaults of open choices apply before the roll. C18.
        """
        tokens = self.momentum, self.interference
        for choice in self.choices:
            if choice.unless_chosen == choice.instead_of:
                tokens = tokens_after(*tokens, choice.instead_of)
        return tokens


# Commands


class EarlierCrisis(Model):
    """A crisis that a character enters play with."""

    kind: CrisisKind
    description: Text | None = None


class AddCharacter(CommandBase):
    """Bring a character into play. A player's new character belongs to that player.

    Only the gm may give the character earlier crises, or hide it until it acts in public.
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
    """Change a character's sheet. Absent fields change nothing.

    With the policy `sheets: gm`, a player's changes other than the name wait for `approve_sheet`.
    """

    type: Literal["update_character"] = "update_character"
    character_id: Id
    name: ChosenName | None = None
    owner: Id | None = None
    level: Level | None = None
    attributes: Attributes | None = Field(default=None, max_length=limits.MAX_ON_SHEET)
    specials: tuple[Special, ...] | None = Field(default=None, max_length=limits.MAX_ON_SHEET)
    reflex: Score | None = None


class ExpectedSheet(Sheet):
    """The sheet that the gm saw and approves."""

    attributes: Attributes = Field(default_factory=dict, max_length=limits.MAX_ON_SHEET)
    specials: tuple[Special, ...] = Field(default=(), max_length=limits.MAX_ON_SHEET)


class ApproveSheet(CommandBase):
    """Approve a new character or the proposed changes of a sheet, or refuse the changes.

    `expect`: the resulting sheet that the gm saw. The command is refused if another sheet would result now.
    """

    type: Literal["approve_sheet"] = "approve_sheet"
    character_id: Id
    approve: bool = True
    expect: ExpectedSheet | None = None


# Events. This is the storage format: a field may be added with a default, never renamed or given another meaning.


class CharacterAdded(EventBase):
    """A character came into play."""

    type: Literal["character_added"] = "character_added"
    character: Character


class CharacterUpdated(EventBase):
    """The sheet, name or owner of a character changed. `character`: the character after the change.

    `changed`: the changes of the sheet.
    """

    type: Literal["character_updated"] = "character_updated"
    character: Character
    changed: tuple[SheetChange, ...] | None = None  # the changes of its sheet


class SheetProposed(EventBase):
    """Somebody asked the gm to approve changes of a sheet.

    `proposed`: the whole sheet with all changes that wait; absent if the proposal was withdrawn. `changed`: the
    differences from the present sheet.
    """

    type: Literal["sheet_proposed"] = "sheet_proposed"
    character_id: Id
    proposed: Sheet | None = None
    changed: tuple[SheetChange, ...] | None = None


class SheetApproved(EventBase):
    """The gm approved a new character, or changes of a sheet. `character`: the approved character.

    `changed`: the changes of the sheet.
    """

    type: Literal["sheet_approved"] = "sheet_approved"
    character: Character
    changed: tuple[SheetChange, ...] | None = None


class SheetRefused(EventBase):
    """The gm refused the waiting changes of a sheet. `character`: the character without these changes."""

    type: Literal["sheet_refused"] = "sheet_refused"
    character: Character


# How these events change a view


FOLDS: dict[type[EventBase], Fold] = {
    CharacterAdded: adds("characters"),
    CharacterUpdated: puts("characters"),
    SheetProposed: sets("characters", "proposed"),
    SheetApproved: puts("characters"),
    SheetRefused: puts("characters"),
}


# Questions about a sheet. Source: rules.md B18

_Pair = tuple[SheetPart, str | None, int | None, int | None]


def waits(character: Character, *, refusable: bool = False) -> bool:
    """Tell whether a new character or proposed changes wait for the gm. `refusable`: count only
    changes, because a new character cannot be refused."""
    asked = character.proposed is not None or character.approved_level is not None
    return asked or (bool(character.newcomer) and not refusable)


def changes_of(before: Sheet, after: Sheet) -> tuple[SheetChange, ...] | None:
    """Return the differences between two sheets, in the order of `SheetPart`; None if there are none."""
    specials = ({special.name: special.dice for special in sheet.specials} for sheet in (before, after))
    pairs: list[_Pair] = [(SheetPart.LEVEL, None, before.level, after.level)]
    pairs += _differing(SheetPart.ATTRIBUTE, before.attributes, after.attributes)
    pairs += _differing(SheetPart.SPECIAL, *specials)
    rows = [*pairs, (SheetPart.REFLEX, None, before.reflex, after.reflex)]
    changes = tuple(SheetChange(what=what, name=name, was=was, now=now) for what, name, was, now in rows if was != now)
    return changes or None


def _differing(what: SheetPart, before: Mapping[str, int], after: Mapping[str, int]) -> list[_Pair]:
    return [(what, name, before.get(name), after.get(name)) for name in sorted({*before, *after})]
