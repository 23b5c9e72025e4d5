"""The parts of a check: the dice of the leader, of helpers, and of the other side. Source: rules.md C.

The leader is the character whose check it is. A venture means that a character gives up dice in a check, for more dice
in a later roll.
"""

from enum import StrEnum
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from dreadclock.rules.check import Outcome
from dreadclock.rules.contest import Side
from dreadclock.rules.limits import MAX_WAITING_ON_SHEET
from dreadclock.wire.base import ChosenName, Count, Face, Faces, Id, Model, Name, Ratio, RollProof, Score, Text
from dreadclock.wire.families.bargains import Cost
from dreadclock.wire.families.base import CommandBase, EventBase, NoUndo, RollingCommand
from dreadclock.wire.families.check_effects import Benefit
from dreadclock.wire.families.folds import Changes, Fold, ViewPart, sets, updated

VentureLevel = Annotated[int, Field(ge=1, le=3)]


class Venture(Model):
    """Dice that a character gives up in this check, for more dice in a later roll. Source: rules.md C."""

    level: VentureLevel
    benefits: Benefit = Benefit.CHECK
    beneficiary: Id | None = None  # the character who gets the dice; None: the declarer
    what: Text


class PartRoll(Model):
    """The dice of one part of a check."""

    pool: Count  # how many dice were rolled at first
    removed: Count  # how many of the highest dice were then taken away
    momentum: bool = False  # whether the part was rolled with momentum
    interference: bool = False
    paid: Count = 0  # how many dice of the pool came from earlier ventures
    faces: Faces
    remaining: Faces
    outcome: Outcome
    highest: Face | None = None  # None if no die remains
    margin: Count
    capped: bool = False  # whether MAX_ROLL_DICE stopped the roll
    physical: bool = False
    proof: RollProof | None = None


class Part(Model):
    """One character's dice in a check. The first part of a side belongs to its leader.

    An opponent without a sheet, who exists only in this check, has a `name`. Its `character_id` is
    NAMED_OPPONENT.
    """

    character_id: Id
    name: Name | None = None
    side: Side = Side.ACTING
    score: Score
    attribute: Name | None = None
    bonus: Score = 0
    penalty: Score = 0
    venture: Venture | None = None
    # only if `claims` is None, in rooms of the first edition: whether the roll uses earlier ventures
    claim: bool = True
    claims: tuple[Id, ...] | None = None  # the ventures whose dice are for this roll; None: see `claim`
    roll: PartRoll | None = None
    cost: Cost | None = None  # the bargain over this part's failure; for the leader's part, see `Check.cost`


class CheckStatus(StrEnum):
    """The status of a check."""

    PROPOSED = "proposed"  # waits for the gm
    READY = "ready"
    ROLLING = "rolling"  # some parts are rolled, and others are not
    RESOLVED = "resolved"


class CheckOdds(Model):
    """The exact chances of the acting side, with the dice of all its parts together."""

    fumble: Ratio
    fail: Ratio
    success: Ratio
    triumph: Ratio
    interference: Ratio  # at least one part fumbles
    wins: Ratio | None = None  # the acting side wins the contest
    succeeds: Ratio | None = None  # the acting side wins the contest with a success


# Commands

Claims = Annotated[tuple[Id, ...], Field(max_length=MAX_WAITING_ON_SHEET)]


class NewVenture(Venture):
    """Dice to give up in this check, for more dice in a later roll of the character `beneficiary` or the declarer."""


class JoiningCheck(CommandBase):
    """The fields of a part of a check. Give a `score`, or the name of an `attribute`.

    `claims`: the ventures whose dice are for this roll. Without `claims`, the roll uses no ventures, or with `claim`
    all ventures that wait for a check of this character.
    """

    character_id: Id | None = None
    score: Score | None = None
    attribute: Name | None = None
    bonus: Score = 0
    penalty: Score = 0
    venture: NewVenture | None = None
    claim: bool = False
    claims: Claims | None = None


class HelpCheck(JoiningCheck):
    """Add a character's dice to a side of a check."""

    type: Literal["help_check"] = "help_check"
    character_id: Id
    check_id: Id
    side: Side = Side.ACTING


class OpposeCheck(JoiningCheck):
    """Make a check a contest. The character becomes the leader of the other side.

    The gm may give a `name` and a score instead of a character: an opponent without a sheet, who exists only in
    this check.
    """

    type: Literal["oppose_check"] = "oppose_check"
    check_id: Id
    name: ChosenName | None = None


class RollCheck(RollingCommand):
    """Roll a part of a check: the part of `character_id`, or by default the sender's first part that is not rolled."""

    type: Literal["roll_check"] = "roll_check"
    check_id: Id
    character_id: Id | None = None


# Events. This is the storage format: a field may be added with a default, never renamed or given another meaning.


class HelpJoined(EventBase):
    """A helper joined a side of a check.

    `part`: the helper's part of the check. `status`, `odds`: the new values of the check.
    """

    type: Literal["help_joined"] = "help_joined"
    check_id: Id
    part: Part
    status: CheckStatus
    odds: CheckOdds | None = None


class OppositionJoined(EventBase):
    """An opponent joined a check and leads its other side: the check is a contest now.

    `part`: the opponent's part of the check. `status`, `odds`: the new values of the check.
    """

    type: Literal["opposition_joined"] = "opposition_joined"
    check_id: Id
    part: Part
    status: CheckStatus
    odds: CheckOdds | None = None


class CheckRolled(EventBase):
    """A part of a check was rolled. `part`: the part with its roll."""

    type: Literal["check_rolled"] = "check_rolled"
    no_undo: ClassVar[NoUndo | None] = NoUndo.DICE
    check_id: Id
    part: Part


class CheckOddsChanged(EventBase):
    """For a waiting check, the odds changed, or the venture dice that its rolls will use changed.

    The cause: the sheet, momentum, interference or venture dice of a character in the check changed. `parts`, `odds`:
    the new values of the check.
    """

    type: Literal["check_odds_changed"] = "check_odds_changed"
    check_id: Id
    parts: tuple[Part, ...]
    odds: CheckOdds | None = None


# How these events change a view


def _rolled(part: ViewPart, event: CheckRolled) -> Changes:
    def replaced(part: Part) -> Part:
        return event.part if part.character_id == event.part.character_id else part

    parts = tuple(map(replaced, part.checks[event.check_id].parts))
    return [updated(part, "checks", event.check_id, parts=parts, status=CheckStatus.ROLLING)]


FOLDS: dict[type[EventBase], Fold] = {
    HelpJoined: sets("checks", "parts+part status odds"),
    OppositionJoined: sets("checks", "parts+part status odds", contest=True),
    CheckRolled: _rolled,
    CheckOddsChanged: sets("checks", "parts odds"),
}
