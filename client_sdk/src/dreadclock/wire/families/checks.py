"""Checks: their parts, what they are made of, and how they came out. Source: rules.md C."""

from typing import Literal

from dreadclock.rules.check import Outcome
from dreadclock.rules.contest import DecidedBy, Side
from dreadclock.rules.limits import CHECKS_KEPT
from dreadclock.wire.base import ChosenId, Count, Face, Faces, Id, Kind, Model, Name, RollProof, Score, Text, Visibility
from dreadclock.wire.families.bargains import Cost
from dreadclock.wire.families.base import (
    CommandBase,
    EventBase,
    Fold,
    adds,
    drops,
    ends,
    joins,
    latest,
    puts,
)
from dreadclock.wire.families.challenges import EffortOn
from dreadclock.wire.families.check_effects import EffectTexts, FumbleDoes, NewFumbleDeeds
from dreadclock.wire.families.check_parts import CheckOdds, CheckStatus, Claims, JoiningCheck, Part
from dreadclock.wire.families.dice import closes


class SideResult(Model):
    """What one side's pooled dice come to."""

    outcome: Outcome
    highest: Face | None = None  # None if no die remains
    margin: Count


class CheckResult(Model):
    """How a check came out; the last three fields are of a contest."""

    acting: SideResult
    opposing: SideResult | None = None
    winner: Side | None = None
    decided_by: DecidedBy | None = None
    deals: Faces = ()  # in pairs, the acting side's first
    proof: RollProof | None = None  # of the deals

    def won_by(self, side: Side) -> bool:
        """Tell whether a side succeeded, and won where there was a contest."""
        result = self.acting if side is Side.ACTING else self.opposing
        succeeded = result is not None and result.outcome in (Outcome.SUCCESS, Outcome.TRIUMPH)
        return succeeded and self.winner in (None, side)


class Check(Model):
    """A roll for an outcome: one character's, or several, or two sides'."""

    id: Id
    seat_id: Id  # that proposed it
    purpose: Text | None = None
    parts: tuple[Part, ...]  # in the order they joined
    contest: bool = False
    stunts: tuple[Text, ...] = ()
    fumble_effects: tuple[Text, ...] = ()
    or_interference: tuple[Text, ...] = ()  # those of `fumble_effects` that leave interference to choose, too
    fumble_does: tuple[FumbleDoes, ...] = ()  # what those of `fumble_effects` do that do something
    within_id: Id | None = None  # the scene or situation whose effects are offered, too
    standing: bool = True  # whether effects that stand on something are offered
    effort: Id | None = None  # the challenge that it is an effort against
    visibility: Visibility = Visibility.PUBLIC
    status: CheckStatus = CheckStatus.READY
    odds: CheckOdds | None = None  # None where they would take long to work out
    result: CheckResult | None = None
    cost: Cost | None = None
    made_by: Id | None = None  # the player's or integration's seat that made it; None too in earlier versions' records

    def side(self, side: Side) -> tuple[Part, ...]:
        """Return the parts of a side, its leader's first."""
        return tuple(part for part in self.parts if part.side is side)

    def part_of(self, character_id: Id) -> Part | None:
        """Return a character's part."""
        return next((part for part in self.parts if part.character_id == character_id), None)

    @property
    def leader(self) -> Part:
        """The part of the character whose check it is."""
        return self.side(Side.ACTING)[0]

    def cost_of(self, part: Part) -> Cost | None:
        """Return the bargain over a part's failure; the leader's is the check's own."""
        return self.cost if part.character_id == self.leader.character_id else part.cost


# Commands


class ProposeCheck(JoiningCheck):
    """Propose a check for a character; a `contest` waits for its opposition before it is rolled.

    `claims`: the ventures whose dice are for this roll. If it is left out: none, or with `claim` true all that lie
    ready for a check of this character. `within_id`: the scene or situation whose stunts and fumble effects are
    offered; if left out, where its effort is made, or where everyone is.
    """

    type: Literal["propose_check"] = "propose_check"
    character_id: Id
    id: ChosenId | None = None
    purpose: Text | None = None
    contest: bool = False
    effort: EffortOn | None = None
    within_id: Id | None = None
    visibility: Visibility = Visibility.PUBLIC


class AdjustCheck(CommandBase):
    """Change a check before it is rolled, and approve it.

    Score or `attribute`, modifiers and `claims` are the leader's unless `character_id` names another part; `remove`
    takes a character's part out. `or_interference`: those of the fumble effects that leave interference to choose,
    too. `fumble_does`: what some of them do by themselves. `standing`: whether effects that stand on characters,
    scenes and situations are offered.
    """

    type: Literal["adjust_check"] = "adjust_check"
    check_id: Id
    character_id: Id | None = None
    score: Score | None = None
    attribute: Name | None = None
    bonus: Score | None = None
    penalty: Score | None = None
    claims: Claims | None = None
    remove: Id | None = None
    contest: bool | None = None
    stunts: EffectTexts | None = None
    fumble_effects: EffectTexts | None = None
    or_interference: EffectTexts | None = None
    fumble_does: NewFumbleDeeds | None = None
    standing: bool | None = None
    within_id: Id | None = None
    approve: bool | None = None


class WithdrawCheck(CommandBase):
    """Take a check back, before any die of it is rolled."""

    type: Literal["withdraw_check"] = "withdraw_check"
    check_id: Id


# Events. This is the storage format: a field may be added with a default, never renamed or given another meaning.


class CheckProposed(EventBase):
    """A check was proposed, with its odds."""

    type: Literal["check_proposed"] = "check_proposed"
    check: Check


class CheckAdjusted(EventBase):
    """The gm changed or approved a check; `check` is as it stands now."""

    type: Literal["check_adjusted"] = "check_adjusted"
    check: Check


class CheckResolved(EventBase):
    """All parts of a check are in: this is what it came to."""

    type: Literal["check_resolved"] = "check_resolved"
    check_id: Id
    result: CheckResult


class CheckWithdrawn(EventBase):
    """A check was taken back."""

    type: Literal["check_withdrawn"] = "check_withdrawn"
    check_id: Id


# How these events change a view


def resolved(check: Check) -> bool:
    """Tell whether a check is over."""
    return check.status is CheckStatus.RESOLVED


def latest_checks(checks: dict[Id, Check]) -> dict[Id, Check]:
    """Keep the checks that go on, and the latest of those that are resolved."""
    return latest(checks, resolved, CHECKS_KEPT)


FOLDS: dict[type[EventBase], Fold] = {
    CheckProposed: adds("checks", kept=latest_checks),
    CheckAdjusted: puts("checks"),
    CheckResolved: joins(ends("checks", "result", status=CheckStatus.RESOLVED), closes(Kind.CHECK)),
    CheckWithdrawn: joins(drops("checks"), closes(Kind.CHECK)),
}
