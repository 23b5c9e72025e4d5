"""The exact odds that ride along with checks, totals and pushes.

They are worked out from what everyone who sees them sees: no secret number feeds odds that are public.
"""

from fractions import Fraction
from functools import lru_cache

from dreadclock.following.held import claimed, dice_of, tokens_at_roll
from dreadclock.rules import check as rules
from dreadclock.rules import total as total_rules
from dreadclock.rules.check import Outcome, Plan
from dreadclock.rules.contest import Side
from dreadclock.rules.countdown import FACES
from dreadclock.rules.limits import MAX_ODDS_DICE, MAX_ODDS_PARTS, MAX_POOL
from dreadclock.rules.odds import check as check_chances
from dreadclock.rules.odds import total as total_chances
from dreadclock.rules.odds.contest import contest_odds
from dreadclock.rules.odds.report import exact
from dreadclock.wire.base import Faces, Visibility
from dreadclock.wire.things import Check, CheckOdds, Part, PushOdds, TotalOdds
from dreadclock.wire.views import View

Reflexes = tuple[int | None, int | None]  # of the acting and of the opposing leader


def check_odds(view: View, check: Check) -> CheckOdds | None:
    """Return the acting side's odds as things stand, None if that would take too long."""
    hidden = check.visibility is not Visibility.PUBLIC
    acting, opposing = (tuple(_as_it_stands(view, part, hidden=hidden) for part in check.side(side)) for side in Side)
    if _takes_long(acting + opposing):
        return None
    return _check_odds(acting, opposing, reflexes(view, check))


def _takes_long(plans: tuple[Plan, ...]) -> bool:
    dice = sum(plan.dice + plan.removed for plan in plans)
    return len(plans) > 1 and (dice > MAX_ODDS_DICE or len(plans) > MAX_ODDS_PARTS)


def _as_it_stands(view: View, part: Part, *, hidden: bool) -> Plan:
    character = view.characters.get(part.character_id)
    if hidden or character is None:  # a hidden check does not use tokens that everyone sees, so they do not count
        return plan_of(part)
    momentum, interference = tokens_at_roll(character)
    return plan_of(part, paid=dice_of(claimed(character, part)), momentum=momentum, interference=interference)


def plan_of(part: Part, *, paid: int = 0, momentum: bool = False, interference: bool = False) -> Plan:
    """Plan a part's roll; `paid`: dice of ventures, of which as many are rolled as the cap allows."""
    return rules.plan(
        part.score,
        bonus=part.bonus + within_cap(part, paid),
        penalty=part.penalty,
        venture=part.venture.level if part.venture else 0,
        momentum=momentum,
        interference=interference,
    )


def within_cap(part: Part, paid: int) -> int:
    """Return how many dice of ventures the cap leaves room for. Source: rules.md E2."""
    return min(paid, MAX_POOL - (part.score + part.bonus - part.penalty))


def reflexes(view: View, check: Check) -> Reflexes:
    """Return the reflex of each side's leader, None where it is missing."""
    acting, opposing = (check.side(side) for side in Side)
    return _reflex(view, acting), _reflex(view, opposing)


def _reflex(view: View, parts: tuple[Part, ...]) -> int | None:
    leader = view.characters.get(parts[0].character_id) if parts else None
    return leader.reflex if leader is not None else None


@lru_cache(maxsize=1024)
def _check_odds(acting: tuple[Plan, ...], opposing: tuple[Plan, ...], reflex: Reflexes) -> CheckOdds:
    outcomes = check_chances.outcomes(*acting)
    contest = contest_odds(acting, opposing, reflex) if opposing else None
    return CheckOdds(
        fumble=_ratio(outcomes[Outcome.FUMBLE]),
        fail=_ratio(outcomes[Outcome.FAIL]),
        success=_ratio(outcomes[Outcome.SUCCESS]),
        triumph=_ratio(outcomes[Outcome.TRIUMPH]),
        interference=_ratio(check_chances.any_fumble(*acting)),
        wins=_ratio(contest.acting_wins) if contest else None,
        succeeds=_ratio(contest.acting_succeeds) if contest else None,
    )


@lru_cache(maxsize=1024)
def total_odds(pool: int, required: int | None = None) -> TotalOdds:
    """Return the odds of a total; without a number required, only its mean."""
    mean = _ratio(total_chances.mean(pool))
    if required is None:
        return TotalOdds(mean=mean)
    return TotalOdds(
        mean=mean,
        reaches=_ratio(total_chances.reaches(pool, required)),
        reaches_pushing=_ratio(total_chances.reaches_at_all(pool, required)),
    )


@lru_cache(maxsize=8192)
def push_odds(kept: Faces, required: int | None = None) -> PushOdds:
    """Return the odds of a push after a miss; without a number required, only the chance of a crisis."""
    crisis = _ratio(total_chances.push_crisis(kept))
    if required is None:
        return PushOdds(crisis=crisis)
    enough = sum(total_rules.enough(total_rules.push(kept, face).total, required) for face in FACES)
    return PushOdds(
        crisis=crisis,
        reaches=_ratio(Fraction(enough, len(FACES))),
        reaches_pushing=_ratio(total_chances.reaches_by_pushing(kept, required)),
    )


def _ratio(chance: Fraction) -> str:
    return exact(chance)["fraction"]
