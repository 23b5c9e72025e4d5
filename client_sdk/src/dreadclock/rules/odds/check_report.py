"""Odds of checks and contests as JSON. Each chance is written as a fraction "p/q" and as the nearest decimal.

The functions raise ValueError, with a sentence that names the limit, if the answer would take too long or be too large.
Removed dice count towards the limit, too.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final, TypedDict

from dreadclock.rules.check import Outcome, Plan, plan
from dreadclock.rules.contest import DecidedBy
from dreadclock.rules.odds import check, contest
from dreadclock.rules.odds.report import Exact, exact

MAX_CHECK_DICE: Final = 300
MAX_CONTEST_DICE: Final = 120
MAX_REMOVALS: Final = 180


class PlanShape(TypedDict):
    """How many dice a check has at first, and how many of the highest are removed.

    `rerolls`: each 1 is rolled again. `explodes`: each 6 adds a die.
    """

    dice: int
    removed: int
    rerolls: bool
    explodes: bool


class OutcomeOdds(TypedDict):
    """The chance of each outcome."""

    fumble: Exact
    fail: Exact
    success: Exact
    triumph: Exact


class FaceOdds(TypedDict):
    """The odds of a highest face.

    `face`: None if no die remains. `at_least`: the chance of this face or a higher one.
    """

    face: int | None
    chance: Exact
    at_least: Exact


class MarginOdds(TypedDict):
    """A margin: the `chance` of this margin, and the chance of this margin or a higher one (`at_least`).

    `succeeds`: the chance of a success with this margin or a higher one.
    """

    margin: int
    chance: Exact
    at_least: Exact
    succeeds: Exact


class CheckReport(TypedDict):
    """The odds of a check whose pool includes the helpers' dice.

    `any_fumble`: the chance that at least one character's own dice are a fumble.
    """

    plan: PlanShape
    helpers: list[PlanShape]
    outcomes: OutcomeOdds
    succeeds: Exact
    any_fumble: Exact
    highest: list[FaceOdds]
    margins: list[MarginOdds]


class DecidedOdds(TypedDict):
    """By criterion: the chance that it decides the contest."""

    highest: Exact
    count: Exact
    reflex: Exact
    deal: Exact


class ContestReport(TypedDict):
    """The odds of a contest. `acting_succeeds`: the chance that the acting side wins with a success or triumph."""

    acting: list[PlanShape]
    opposing: list[PlanShape]
    reflex: list[int | None]
    acting_wins: Exact
    opposing_wins: Exact
    acting_succeeds: Exact
    decided: DecidedOdds
    acting_outcomes: OutcomeOdds
    opposing_outcomes: OutcomeOdds


def check_report(
    score: int,
    *,
    bonus: int = 0,
    penalty: int = 0,
    venture: int = 0,
    momentum: bool = False,
    interference: bool = False,
    helpers: Sequence[Plan] = (),
) -> CheckReport:
    """Return the odds of a check. All arguments but `helpers` describe the leader's roll, in dice and tokens.

    `helpers`: the roll plans of the helpers. Raises ValueError if a number is out of range or beyond its limit.
    """
    own = plan(score, bonus=bonus, penalty=penalty, venture=venture, momentum=momentum, interference=interference)
    pooled = (own, *helpers)
    _check_dice("a check", pooled, MAX_CHECK_DICE)
    return CheckReport(
        plan=_shape(own),
        helpers=[_shape(helper) for helper in helpers],
        outcomes=_outcomes(pooled),
        succeeds=exact(check.succeeds(*pooled)),
        any_fumble=exact(check.any_fumble(*pooled)),
        highest=_face_rows(pooled),
        margins=_margin_rows(pooled),
    )


def contest_report(
    acting: Sequence[Plan], opposing: Sequence[Plan], reflex: tuple[int | None, int | None]
) -> ContestReport:
    """Return the odds of a contest.

    `acting`, `opposing`: the roll plans of a side. `reflex`: the reflex of the acting and of the opposing
    character, None if it is missing. Raises ValueError if a number is beyond its limit.
    """
    _check_dice("one side of a contest", acting, MAX_CONTEST_DICE)
    _check_dice("one side of a contest", opposing, MAX_CONTEST_DICE)
    odds = contest.contest_odds(acting, opposing, reflex)
    return ContestReport(
        acting=[_shape(plan) for plan in acting],
        opposing=[_shape(plan) for plan in opposing],
        reflex=list(reflex),
        acting_wins=exact(odds.acting_wins),
        opposing_wins=exact(odds.opposing_wins),
        acting_succeeds=exact(odds.acting_succeeds),
        decided=_decided(odds),
        acting_outcomes=_outcomes(acting),
        opposing_outcomes=_outcomes(opposing),
    )


def _shape(plan: Plan) -> PlanShape:
    return PlanShape(dice=plan.dice, removed=plan.removed, rerolls=plan.rerolls, explodes=plan.explodes)


def _outcomes(plans: Sequence[Plan]) -> OutcomeOdds:
    chances = check.outcomes(*plans)
    return OutcomeOdds(
        fumble=exact(chances[Outcome.FUMBLE]),
        fail=exact(chances[Outcome.FAIL]),
        success=exact(chances[Outcome.SUCCESS]),
        triumph=exact(chances[Outcome.TRIUMPH]),
    )


def _decided(odds: contest.ContestOdds) -> DecidedOdds:
    return DecidedOdds(
        highest=exact(odds.decided[DecidedBy.HIGHEST]),
        count=exact(odds.decided[DecidedBy.COUNT]),
        reflex=exact(odds.decided[DecidedBy.REFLEX]),
        deal=exact(odds.decided[DecidedBy.DEAL]),
    )


def _face_rows(plans: Sequence[Plan]) -> list[FaceOdds]:
    rows, at_least = [], Fraction(1)
    for face, chance in check.highest(*plans).items():
        rows.append(FaceOdds(face=face, chance=exact(chance), at_least=exact(at_least)))
        at_least -= chance
    return rows


def _margin_rows(plans: Sequence[Plan]) -> list[MarginOdds]:
    """Return a row for each margin from 0 to MARGINS. Higher margins have no row, but each `at_least` includes them."""
    chances, winning = check.margins(*plans), check.margins(*plans, at_least=check.LEAST_SUCCESS)
    return [
        MarginOdds(
            margin=margin,
            chance=exact(chances[margin]),
            at_least=exact(sum(chances[margin:], Fraction(0))),
            succeeds=exact(sum(winning[margin:], Fraction(0))),
        )
        for margin in range(check.MARGINS + 1)
    ]


def _check_dice(where: str, plans: Sequence[Plan], limit: int) -> None:
    dice = sum(plan.dice + plan.removed for plan in plans)
    if dice > limit:
        raise ValueError(f"Odds cover at most {limit} dice in {where}, removed ones counted too, not {dice}.")
    for pool in plans:
        if pool.dice * pool.removed > MAX_REMOVALS:
            raise ValueError(
                f"Odds cover at most {MAX_REMOVALS} dice times removed dice, not {pool.dice} x {pool.removed}."
            )
