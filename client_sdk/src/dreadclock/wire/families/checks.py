"""Checks and contests: status, results and odds. Source: rules.md C.

A check is a roll for an outcome. Its parts are the dice of each character who takes part. A contest has two sides. A
venture means that a character gives up dice in a check, for more dice in a later roll.
"""

from functools import lru_cache
from typing import ClassVar, Literal

from dreadclock.rules.check import Outcome, Plan, plan
from dreadclock.rules.contest import DecidedBy, Side
from dreadclock.rules.limits import CHECKS_KEPT, MAX_ODDS_DICE, MAX_ODDS_PARTS, MAX_POOL
from dreadclock.wire.base import (
    ChosenId,
    Count,
    Face,
    Faces,
    Id,
    Kind,
    Later,
    Model,
    Name,
    RollProof,
    Score,
    Text,
    Visibility,
)
from dreadclock.wire.families.bargains import Cost, CostStage
from dreadclock.wire.families.base import CommandBase, EventBase, NoUndo
from dreadclock.wire.families.challenges import EffortOn
from dreadclock.wire.families.characters import Character
from dreadclock.wire.families.check_effects import Benefit, Bonus, EffectTexts, FumbleDoes, NewFumbleDeeds, dice_of
from dreadclock.wire.families.check_parts import CheckOdds, CheckStatus, Claims, JoiningCheck, Part
from dreadclock.wire.families.dice import closes
from dreadclock.wire.families.folds import AnyView, Fold, adds, drops, ends, forgets, joins, puts


class SideResult(Model):
    """The result of the pooled dice of a side."""

    outcome: Outcome
    highest: Face | None = None  # None if no die remains
    margin: Count


class CheckResult(Model):
    """The result of a check. All fields except `acting` belong to a contest."""

    acting: SideResult
    opposing: SideResult | None = None
    winner: Side | None = None
    decided_by: DecidedBy | None = None
    deals: Faces = ()  # pairs of faces that settle a tie, the acting side's face first
    proof: RollProof | None = None  # the proof of `deals`

    def won_by(self, side: Side) -> bool:
        """Tell whether a side succeeded; in a contest, whether it also won."""
        result = self.acting if side is Side.ACTING else self.opposing
        succeeded = result is not None and result.outcome in (Outcome.SUCCESS, Outcome.TRIUMPH)
        return succeeded and self.winner in (None, side)


class Check(Model):
    """A roll for an outcome, by a character, several characters, or two sides."""

    id: Id
    seat_id: Id  # the proposer's seat
    purpose: Text | None = None
    parts: tuple[Part, ...]  # in the order in which they joined
    contest: bool = False
    stunts: tuple[Text, ...] = ()
    fumble_effects: tuple[Text, ...] = ()
    # of the `fumble_effects`: a player may choose interference instead of these
    or_interference: Later[tuple[Text, ...]] = ()
    fumble_does: Later[tuple[FumbleDoes, ...]] = ()  # for the `fumble_effects` that are more than a text
    within_id: Id | None = None  # the scene or situation whose stunts and fumble effects are offered, too
    standing: Later[bool] = True  # whether effects of characters, scenes and situations are offered
    effort: Id | None = None  # the challenge, if the check is an effort to overcome one
    visibility: Visibility = Visibility.PUBLIC
    status: CheckStatus = CheckStatus.READY
    odds: CheckOdds | None = None  # None if the computation would take too long
    result: CheckResult | None = None
    cost: Cost | None = None
    made_by: Id | None = None  # the player's or integration's seat that made it; None: the gm's, or an older record

    def side(self, side: Side) -> tuple[Part, ...]:
        """Return the parts of a side, the leader's part first."""
        return tuple([part for part in self.parts if part.side is side])

    def part_of(self, character_id: Id) -> Part | None:
        """Return a character's part; None if it has no part."""
        return next((part for part in self.parts if part.character_id == character_id), None)

    @property
    def leader(self) -> Part:
        """The part of the acting side's leader, whose check this is."""
        return self.side(Side.ACTING)[0]

    def cost_of(self, part: Part) -> Cost | None:
        """Return the bargain over a part's failure; None if there is none."""
        return self.cost if part.character_id == self.leader.character_id else part.cost

    @property
    def is_over(self) -> bool:
        """Whether the check is resolved, and no bargain over a failure is possible any more. A side pays at most
        once.
        """
        if self.result is None:
            return False
        unwon = () if self.result.won_by(Side.ACTING) else self.side(Side.ACTING)
        stages = [cost.stage if (cost := self.cost_of(part)) else None for part in unwon if failed(self, part)]
        return CostStage.APPLIED in stages or all(stage is CostStage.DECLINED for stage in stages)


# Commands


class ProposeCheck(JoiningCheck):
    """Propose a check for a character. A `contest` cannot be rolled before somebody opposes it.

    `claims`: the ventures whose dice are for this roll. Without `claims`, the roll uses no ventures, or with
    `claim` all ventures that wait for a check of this character. `within_id`: the scene or situation whose stunts
    and fumble effects are offered. By default: the situation of the effort, or the only open scene or its only
    open situation.
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
    """Change a check before its first roll, or approve it.

    Score or `attribute`, modifiers and `claims` apply to the leader's part, unless `character_id` names another
    part. `remove`: the character whose part is removed. `or_interference`: the fumble effects in place of which
    the player may choose interference. `fumble_does`: what fumble effects do when they happen. `standing`: whether
    effects that are attached to characters, scenes and situations are offered.
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
    """Withdraw a check before its first roll."""

    type: Literal["withdraw_check"] = "withdraw_check"
    check_id: Id


# Events. This is the storage format: a field may be added with a default, never renamed or given another meaning.


class CheckProposed(EventBase):
    """A check was proposed, with its odds."""

    type: Literal["check_proposed"] = "check_proposed"
    check: Check


class CheckAdjusted(EventBase):
    """The gm changed or approved a check. `check`: the check after the change."""

    type: Literal["check_adjusted"] = "check_adjusted"
    check: Check

    @property
    def no_undo(self) -> NoUndo | None:  # type: ignore[override]
        """Why this event cannot be undone, if a part of the check is rolled; otherwise None."""
        return NoUndo.DICE if any(part.roll for part in self.check.parts) else None


class CheckResolved(EventBase):
    """All parts of a check are rolled. `result`: the result of the check."""

    type: Literal["check_resolved"] = "check_resolved"
    no_undo: ClassVar[NoUndo | None] = NoUndo.DICE
    check_id: Id
    result: CheckResult


class CheckWithdrawn(EventBase):
    """A check was withdrawn."""

    type: Literal["check_withdrawn"] = "check_withdrawn"
    check_id: Id


# How these events change a view


def resolved(check: Check) -> bool:
    """Tell whether a check has its result. A bargain over a failure may still follow."""
    return check.status is CheckStatus.RESOLVED


forgotten_checks = forgets(resolved, CHECKS_KEPT)

FOLDS: dict[type[EventBase], Fold] = {
    CheckProposed: adds("checks", forgotten=forgotten_checks),
    CheckAdjusted: puts("checks"),
    CheckResolved: joins(ends("checks", "result", status=CheckStatus.RESOLVED), closes(Kind.CHECK)),
    CheckWithdrawn: joins(drops("checks"), closes(Kind.CHECK)),
}


# Questions about a view


def failed(check: Check, part: Part) -> bool:
    """Tell whether a part failed, fumbled or lost. For a leader, the pooled dice of the side count. C20."""
    if check.result is None or part.roll is None:
        return False
    helps = part.character_id != check.side(part.side)[0].character_id
    alone = helps and part.roll.outcome in (Outcome.FUMBLE, Outcome.FAIL)
    return alone or not check.result.won_by(part.side)


def claimed(character: Character, part: Part) -> tuple[Bonus, ...]:
    """Return the character's ventures whose dice are added to the roll of a part."""
    fitting = character.ready(Benefit.CHECK)
    if part.claims is None:
        return fitting if part.claim else ()
    return tuple(bonus for bonus in fitting if bonus.key in part.claims)


def free(view: AnyView, character: Character, benefits: Benefit, *, but: Part | None = None) -> tuple[Bonus, ...]:
    """Return the ventures that wait for a kind of roll and are not claimed by an unrolled part of a check.

    The claims of the part `but` do not count.
    """
    parts = [part for check in waiting(view) for part in check.parts if part.roll is None and part is not but]
    taken = {key for part in parts for key in part.claims or ()}
    return tuple(bonus for bonus in character.ready(benefits) if bonus.key not in taken)


def waiting(view: AnyView) -> tuple[Check, ...]:
    """Return the public checks that have no result yet. Hidden checks are left out: they claim no ventures."""
    checks = view.public.checks.values()
    return tuple([check for check in checks if check.visibility is Visibility.PUBLIC and not resolved(check)])


# Odds. Everyone who sees a check sees its odds, so they must not depend on anything that is hidden from these viewers.


def check_odds(view: AnyView, check: Check) -> CheckOdds | None:
    """Return the acting side's odds now; None if the computation would take too long."""
    hidden = check.visibility is not Visibility.PUBLIC
    acting, opposing = (tuple([_as_it_stands(view, part, hidden=hidden) for part in check.side(side)]) for side in Side)
    if _takes_long(acting + opposing):
        return None
    return _check_odds(acting, opposing, reflexes(view, check))


def _takes_long(plans: tuple[Plan, ...]) -> bool:
    dice = sum(plan.dice + plan.removed for plan in plans)
    return len(plans) > 1 and (dice > MAX_ODDS_DICE or len(plans) > MAX_ODDS_PARTS)


def _as_it_stands(view: AnyView, part: Part, *, hidden: bool) -> Plan:
    character = view.characters.get(part.character_id)
    if hidden or character is None:  # a hidden check does not use momentum, interference and ventures, which are public
        return plan_of(part)
    momentum, interference = character.tokens_at_roll
    return plan_of(part, paid=dice_of(claimed(character, part)), momentum=momentum, interference=interference)


def plan_of(part: Part, *, paid: int = 0, momentum: bool = False, interference: bool = False) -> Plan:
    """Return the number of dice and the modifiers of a part's roll.

    `paid`: dice of earlier ventures. Those beyond the cap of a pool are not rolled.
    """
    return plan(
        part.score,
        bonus=part.bonus + within_cap(part, paid),
        penalty=part.penalty,
        venture=part.venture.level if part.venture else 0,
        momentum=momentum,
        interference=interference,
    )


def within_cap(part: Part, paid: int) -> int:
    """Return how many of the `paid` dice fit into a part's pool. Source: rules.md E2."""
    return min(paid, MAX_POOL - (part.score + part.bonus - part.penalty))


def reflexes(view: AnyView, check: Check) -> tuple[int | None, int | None]:
    """Return the reflex of the acting and of the opposing leader, None for a leader without a reflex."""
    acting, opposing = (check.side(side) for side in Side)
    return _reflex(view, acting), _reflex(view, opposing)


def _reflex(view: AnyView, parts: tuple[Part, ...]) -> int | None:
    leader: Character | None = view.characters.get(parts[0].character_id) if parts else None
    return leader.reflex if leader is not None else None


@lru_cache(maxsize=1024)
def _check_odds(
    acting: tuple[Plan, ...], opposing: tuple[Plan, ...], reflex: tuple[int | None, int | None]
) -> CheckOdds:
    from dreadclock.rules.odds import check as chances  # imported here, because most clients never compute odds
    from dreadclock.rules.odds.contest import contest_odds
    from dreadclock.rules.odds.report import fraction

    outcomes = chances.outcomes(*acting)
    contest = contest_odds(acting, opposing, reflex) if opposing else None
    return CheckOdds(
        fumble=fraction(outcomes[Outcome.FUMBLE]),
        fail=fraction(outcomes[Outcome.FAIL]),
        success=fraction(outcomes[Outcome.SUCCESS]),
        triumph=fraction(outcomes[Outcome.TRIUMPH]),
        interference=fraction(chances.any_fumble(*acting)),
        wins=fraction(contest.acting_wins) if contest else None,
        succeeds=fraction(contest.acting_succeeds) if contest else None,
    )
