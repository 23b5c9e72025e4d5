"""The odds that ride along with proposals. They are worked out from what everyone who sees them sees."""

from functools import lru_cache

from dreadclock.rules import check as rules
from dreadclock.rules.check import Outcome, Plan
from dreadclock.rules.contest import Side
from dreadclock.rules.limits import MAX_ODDS_DICE, MAX_ODDS_PARTS, MAX_POOL
from dreadclock.rules.odds import check as odds
from dreadclock.rules.odds.contest import contest_odds
from dreadclock.rules.odds.report import exact
from dreadclock.wire.base import Visibility
from dreadclock.wire.things import Benefit, Character, Check, CheckOdds, EffectKind, Part
from dreadclock_server.core import characters
from dreadclock_server.core.draft import Draft

Reflexes = tuple[int | None, int | None]


def check_odds(draft: Draft, check: Check) -> CheckOdds | None:
    """Return the acting side's odds as things stand, None where they would take long."""
    hidden = check.visibility is not Visibility.PUBLIC
    acting, opposing = (tuple(_as_it_stands(draft, part, hidden=hidden) for part in check.side(side)) for side in Side)
    if _takes_long(acting + opposing):
        return None
    return _odds(acting, opposing, reflexes(draft, check))


def _takes_long(plans: tuple[Plan, ...]) -> bool:
    dice = sum(plan.dice + plan.removed for plan in plans)
    return len(plans) > 1 and (dice > MAX_ODDS_DICE or len(plans) > MAX_ODDS_PARTS)


def _as_it_stands(draft: Draft, part: Part, *, hidden: bool) -> Plan:
    character = draft.view.characters[part.character_id]
    if hidden:
        return plan_of(part)
    paid = characters.waiting(character, Benefit.CHECK) if part.claim else 0
    momentum, interference = _tokens_at_roll(character)
    return plan_of(part, paid=paid, momentum=momentum, interference=interference)


def _tokens_at_roll(character: Character) -> tuple[bool, bool]:
    """Return momentum and interference as they will be when choices that wait are settled. Source: rules.md C18."""
    momentum, interference = character.momentum, character.interference
    for choice in character.choices:
        if choice.instead_of is EffectKind.MOMENTUM:
            momentum, interference = not interference, False
        else:
            momentum, interference = False, not momentum
    return momentum, interference


def plan_of(part: Part, *, paid: int = 0, momentum: bool = False, interference: bool = False) -> Plan:
    """Plan a part's roll; `paid`: dice of ventures, as far as the cap leaves room for them."""
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


def reflexes(draft: Draft, check: Check) -> Reflexes:
    """Return the reflex of each side's leader, None where it is missing."""
    acting, opposing = (check.side(side) for side in Side)
    mine = draft.view.characters[acting[0].character_id].reflex
    return mine, draft.view.characters[opposing[0].character_id].reflex if opposing else None


@lru_cache(maxsize=1024)
def _odds(acting: tuple[Plan, ...], opposing: tuple[Plan, ...], reflex: Reflexes) -> CheckOdds:
    outcomes = odds.outcomes(*acting)
    contest = contest_odds(acting, opposing, reflex) if opposing else None
    return CheckOdds(
        fumble=exact(outcomes[Outcome.FUMBLE])["fraction"],
        fail=exact(outcomes[Outcome.FAIL])["fraction"],
        success=exact(outcomes[Outcome.SUCCESS])["fraction"],
        triumph=exact(outcomes[Outcome.TRIUMPH])["fraction"],
        interference=exact(odds.any_fumble(*acting))["fraction"],
        wins=exact(contest.acting_wins)["fraction"] if contest else None,
        succeeds=exact(contest.acting_succeeds)["fraction"] if contest else None,
    )
