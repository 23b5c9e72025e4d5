"""What checks bring to characters: tokens, choices and the dice of ventures. Source: rules.md C."""

from dreadclock.rules.check import Outcome
from dreadclock.rules.contest import Side
from dreadclock.wire.things import Bonus, Check, CheckResult, Choice, EffectKind, Part
from dreadclock_server.core import characters
from dreadclock_server.core.draft import Draft


def bring_effects(draft: Draft, check: Check, result: CheckResult, side: Side) -> None:
    """Bring interference, momentum and venture dice to a side. Source: rules.md C8, C12 and C13."""
    parts = check.side(side)
    if any(_fumbled(part) for part in parts):
        for part in parts:
            offered = check.fumble_effects if _fumbled(part) else ()
            _bring(draft, check, part, EffectKind.INTERFERENCE, offered)
    outcome = result.acting if side is Side.ACTING else result.opposing
    if outcome is not None and outcome.outcome is Outcome.TRIUMPH:
        _bring(draft, check, parts[0], EffectKind.MOMENTUM, check.stunts)
    for part in parts:
        if part.venture is not None and result.won_by(side):
            venture = part.venture
            bonus = Bonus(check_id=check.id, dice=venture.level, benefits=venture.benefits, what=venture.what)
            characters.earn(draft, venture.beneficiary or part.character_id, bonus)


def _fumbled(part: Part) -> bool:
    return part.roll is not None and part.roll.outcome is Outcome.FUMBLE


def _bring(draft: Draft, check: Check, part: Part, token: EffectKind, offered: tuple[str, ...]) -> None:
    if offered:
        characters.offer(draft, part.character_id, Choice(check_id=check.id, instead_of=token, offered=offered))
    else:
        characters.gain(draft, part.character_id, token, check.id)
