"""How characters leave play, and come back. Source: rules.md D7 and E6."""

from enum import StrEnum
from operator import attrgetter
from typing import Literal

from dreadclock.rules.limits import CHARACTERS_KEPT
from dreadclock.rules.total import Fate
from dreadclock.wire.base import Id, Text
from dreadclock.wire.families.base import CommandBase, EventBase
from dreadclock.wire.families.folds import AnyView, Fold, ends, forgets, sets


class CharacterStatus(StrEnum):
    """Whether a character is still in play. Only characters in play roll. Source: rules.md D7 and E6."""

    IN_PLAY = "in_play"
    DEAD = "dead"
    RETIRED = "retired"
    LEFT = "left"  # may come back


# Commands


class TakeOutOfPlay(CommandBase):
    """Let a character die, retire or leave.

    A character who leaves may come back. Until then, it keeps its momentum, interference and venture dice. A
    crisis whose kind the gm has not named yet still waits for the gm.
    """

    type: Literal["take_out_of_play"] = "take_out_of_play"
    character_id: Id
    fate: Fate
    reason: Text | None = None


class ReturnToPlay(CommandBase):
    """Bring back a character who left."""

    type: Literal["return_to_play"] = "return_to_play"
    character_id: Id
    reason: Text | None = None


# Events. This is the storage format: a field may be added with a default, never renamed or given another meaning.


class CharacterDied(EventBase):
    """A character died, by the third physical crisis or otherwise."""

    type: Literal["character_died"] = "character_died"
    character_id: Id
    reason: Text | None = None


class CharacterRetired(EventBase):
    """A character retired for good, by the third mental crisis or otherwise."""

    type: Literal["character_retired"] = "character_retired"
    character_id: Id
    reason: Text | None = None


class CharacterLeft(EventBase):
    """A character left play and may come back.

    The character keeps momentum, interference, venture dice, and a crisis whose kind the gm must still name.
    """

    type: Literal["character_left"] = "character_left"
    character_id: Id
    reason: Text | None = None


class CharacterReturned(EventBase):
    """A character that had left play came back."""

    type: Literal["character_returned"] = "character_returned"
    character_id: Id
    reason: Text | None = None


# How these events change a view


forgotten_characters = forgets(attrgetter("is_over"), CHARACTERS_KEPT)

FOLDS: dict[type[EventBase], Fold] = {
    CharacterDied: ends("characters", forgotten=forgotten_characters, status=CharacterStatus.DEAD),
    CharacterRetired: ends("characters", forgotten=forgotten_characters, status=CharacterStatus.RETIRED),
    CharacterLeft: sets("characters", status=CharacterStatus.LEFT),
    CharacterReturned: sets("characters", status=CharacterStatus.IN_PLAY),
}


# Questions about a view


def in_play(view: AnyView, character_id: Id | None) -> bool:
    """Tell whether a character is in play. False for a character that the view does not have (any more)."""
    character = view.characters.get(character_id or "")
    return character is not None and character.status is CharacterStatus.IN_PLAY
