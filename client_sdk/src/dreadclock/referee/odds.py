"""The exact odds that ride along with checks, totals and pushes, worked out anew."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from dreadclock.rules import check as rules
from dreadclock.rules import total as total_rules
from dreadclock.rules.check import Outcome, Plan
from dreadclock.rules.contest import Side
from dreadclock.rules.countdown import FACES
from dreadclock.rules.limits import MAX_ODDS_DICE, MAX_ODDS_PARTS, MAX_POOL
from dreadclock.rules.odds import check as odds
from dreadclock.rules.odds import total as total_rules_odds
from dreadclock.rules.odds.contest import contest_odds
from dreadclock.wire.base import Faces, Visibility
from dreadclock.wire.things import Benefit, Character, Check, CheckOdds, EffectKind, Part, PushOdds, TotalOdds
from dreadclock.wire.views import View

Reflexes = tuple[int | None, int | None]


def check_odds(view: View, check: Check) -> CheckOdds | None:
    """Return the acting side's odds as things stand, None where a check carries none."""
    hidden = check.visibility is not Visibility.PUBLIC
    sides = [tuple(_plan(view, part, hidden=hidden) for part in check.side(side)) for side in Side]
    plans = sides[0] + sides[1]
    if len(plans) > 1 and (
        sum(plan.dice + plan.removed for plan in plans) > MAX_ODDS_DICE or len(plans) > MAX_ODDS_PARTS
    ):
        return None
    return _odds(sides[0], sides[1], reflexes(view, check))


def _plan(view: View, part: Part, *, hidden: bool) -> Plan:
    if hidden:
        return plan_of(part)
    character = view.characters[part.character_id]
    paid = waiting(character, Benefit.CHECK) if part.claim else 0
    momentum, interference = _tokens(character)
    return plan_of(part, paid=paid, momentum=momentum, interference=interference)


def _tokens(character: Character) -> tuple[bool, bool]:
    """Return momentum and interference after the choices that wait, which no choice makes into tokens. C18."""
    momentum, interference = character.momentum, character.interference
    for choice in character.choices:
        if choice.instead_of is EffectKind.MOMENTUM:
            momentum, interference = not interference, False
        else:
            momentum, interference = False, not momentum
    return momentum, interference


def plan_of(part: Part, *, paid: int = 0, momentum: bool = False, interference: bool = False) -> Plan:
    """Plan a part's roll; `paid`: dice of ventures, of which the cap may leave out some."""
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


def waiting(character: Character, benefits: Benefit) -> int:
    """Count the dice that wait for a character's next roll of a sort."""
    return sum(bonus.dice for bonus in character.bonuses if bonus.benefits is benefits)


def reflexes(view: View, check: Check) -> Reflexes:
    """Return the reflex of each side's leader, None where it is missing."""
    mine, theirs = (check.side(side) for side in Side)
    opposing = view.characters[theirs[0].character_id].reflex if theirs else None
    return view.characters[mine[0].character_id].reflex, opposing


@lru_cache(maxsize=1024)
def _odds(acting: tuple[Plan, ...], opposing: tuple[Plan, ...], reflex: Reflexes) -> CheckOdds:
    outcomes = odds.outcomes(*acting)
    contest = contest_odds(acting, opposing, reflex) if opposing else None
    return CheckOdds(
        fumble=_text(outcomes[Outcome.FUMBLE]),
        fail=_text(outcomes[Outcome.FAIL]),
        success=_text(outcomes[Outcome.SUCCESS]),
        triumph=_text(outcomes[Outcome.TRIUMPH]),
        interference=_text(odds.any_fumble(*acting)),
        wins=_text(contest.acting_wins) if contest else None,
        succeeds=_text(contest.acting_succeeds) if contest else None,
    )


@lru_cache(maxsize=1024)
def total_odds(pool: int, required: int | None = None) -> TotalOdds:
    """Return the odds of a total; without a number, its mean alone."""
    mean = _text(total_rules_odds.mean(pool))
    if required is None:
        return TotalOdds(mean=mean)
    return TotalOdds(
        mean=mean,
        reaches=_text(total_rules_odds.reaches(pool, required)),
        reaches_pushing=_text(total_rules_odds.reaches_at_all(pool, required)),
    )


@lru_cache(maxsize=8192)
def push_odds(kept: Faces, required: int | None = None) -> PushOdds:
    """Return the odds of a push; without a number, the chance of a crisis alone."""
    crisis = _text(total_rules_odds.push_crisis(kept))
    if required is None:
        return PushOdds(crisis=crisis)
    enough = sum(total_rules.enough(total_rules.push(kept, face).total, required) for face in FACES)
    return PushOdds(
        crisis=crisis,
        reaches=_text(Fraction(enough, len(FACES))),
        reaches_pushing=_text(total_rules_odds.reaches_by_pushing(kept, required)),
    )


def _text(chance: Fraction) -> str:
    return f"{chance.numerator}/{chance.denominator}"
