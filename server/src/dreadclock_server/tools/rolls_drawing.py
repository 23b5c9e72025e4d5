"""Draw checks and totals as rows of a picture.

A check has a part for each character that rolls in it: the leader, helpers and opponents. A total is the sum of one
character's roll. Each push adds a die to the total, or ends it with a crisis. In a venture, a character gives up dice
of a check for dice in a later roll. Momentum and interference are tokens: they help or hinder the next check.
"""

from fractions import Fraction
from typing import Final

from rich.text import Text

from dreadclock.rules.contest import Side
from dreadclock.wire.base import Visibility
from dreadclock.wire.families.checks import claimed
from dreadclock.wire.plain import isolated
from dreadclock.wire.things import (
    Character,
    Check,
    CheckStatus,
    Cost,
    CostStage,
    EffectKind,
    Part,
    PartRoll,
    Total,
    TotalStatus,
)
from dreadclock.wire.views import View
from dreadclock_server.tools.canvas import OVER, Pen, Rank, Row, remarks, with_few_ended
from dreadclock_server.tools.words import Words, character_name

# A player may pay a cost to turn a failed check into a success. At these stages, the gm or the player has to answer.
_BARGAINED: Final = (CostStage.PROPOSED, CostStage.COUNTERED, CostStage.ACCEPTED)


def drawn_checks(view: View, pen: Pen) -> list[Row]:
    """Draw the open checks and the latest ended checks, with a row for each part."""
    return [
        _part(view, pen, check, part) for check in with_few_ended(view.checks, _is_resolved) for part in check.parts
    ]


def _is_resolved(check: Check) -> bool:
    return check.status is CheckStatus.RESOLVED


def _part(view: View, pen: Pen, check: Check, part: Part) -> Row:
    bargained = check.cost is not None and check.cost.stage in _BARGAINED
    rank = Rank.ENDED if _is_resolved(check) and not bargained else Rank.WAITS
    said = _check_said(pen.words, check, pen.mark(check.visibility)) if part is check.parts[0] else Text()
    return Row((_part_name(view, pen, check, part), _part_dice(view, pen, check, part), said), rank)


def _part_name(view: View, pen: Pen, check: Check, part: Part) -> Text:
    name = part.name or character_name(view, part.character_id)
    if part is check.leader:
        return pen.labelled(2, f"{name}: {check.purpose}" if check.purpose else name, check.id)
    opposing = part.side is Side.OPPOSING
    leads = opposing and part is check.side(Side.OPPOSING)[0]
    role = "against" if leads else "helps_against" if opposing else "helped"
    return pen.labelled(4, pen.words(f"part.{role}", name=pen.narrator.within(name)), None, OVER)


def _part_dice(view: View, pen: Pen, check: Check, part: Part) -> Text:
    """Draw a part's dice in the order rolled. Dice that were removed or rolled again are in brackets."""
    if part.roll is None:
        made_of = pen.dice(part.score) + _modifiers(part)
        return remarks(made_of + _waiting(pen.words, view.characters.get(part.character_id), check, part))
    return pen.rolled(part.roll.faces, _stands(part.roll))


def _modifiers(part: Part) -> str:
    return f" +{part.bonus}" * bool(part.bonus) + f" -{part.penalty}" * bool(part.penalty)


def _waiting(words: Words, character: Character | None, check: Check, part: Part) -> str:
    """Return words for what will change a part's dice at the roll: bonuses, its venture, momentum and interference.

    Source: rules.md C18.
    """
    text = ""
    if character is not None and check.visibility is Visibility.PUBLIC:
        text += "".join(words("part.bonus", dice=bonus.dice, what=bonus.what) for bonus in claimed(character, part))
    text += words("part.venture", level=part.venture.level) if part.venture else ""
    if character is not None and check.visibility is Visibility.PUBLIC:
        text += "".join(f", {words(f'effect.{token}')}" for token in _tokens_at_roll(character))
    return text


def _tokens_at_roll(character: Character) -> list[EffectKind]:
    """Return the tokens that a character will have at its next roll, when open choices are made by default.

    Source: rules.md C18.
    """
    momentum, interference = character.tokens_at_roll
    held = {EffectKind.MOMENTUM: momentum, EffectKind.INTERFERENCE: interference}
    return [token for token in EffectKind if held[token]]


def _stands(roll: PartRoll) -> list[bool]:
    """Return for each die whether it remains. If only some of several equal dice remain, the last ones do."""
    left, stands = list(roll.remaining), []
    for face in reversed(roll.faces):
        stands.append(face in left)
        if face in left:
            left.remove(face)
    return stands[::-1]


def _check_said(words: Words, check: Check, mark: str) -> Text:
    physical = any(part.roll and part.roll.physical for part in check.parts)
    return remarks(
        _outcome(words, check) if check.result else words(f"check.{check.status}"),
        _chances(words, check) if check.odds and check.status in (CheckStatus.PROPOSED, CheckStatus.READY) else "",
        *(() if check.result else _offers(words, check)),
        *(_cost(words, cost) for part in check.parts if (cost := check.cost_of(part))),
        words("physical") if physical else "",
        mark,
    )


def _offers(words: Words, check: Check) -> tuple[str, ...]:
    """Return words for what a player may choose after a triumph (stunts) or a fumble (fumble effects)."""
    sorts = (("stunts", check.stunts), ("fumble_effects", check.fumble_effects))
    return tuple(words(f"check.{sort}", texts=", ".join(map(isolated, texts))) for sort, texts in sorts if texts)


def _cost(words: Words, cost: Cost) -> str:
    text = cost.terms or cost.cost
    return words(f"cost.{cost.stage}") + (f": {text}" if text else "")


def _outcome(words: Words, check: Check) -> str:
    assert check.result is not None
    outcome, winner = check.result.acting.outcome, check.result.winner
    if winner is None:
        return words(f"outcome.{outcome}")
    return words("check.won", outcome=outcome, winner=winner, by=check.result.decided_by)


def _chances(words: Words, check: Check) -> str:
    assert check.odds is not None
    if check.odds.succeeds is not None:
        return words("check.wins", chance=_percent(check.odds.succeeds))
    chance = Fraction(check.odds.success) + Fraction(check.odds.triumph)
    return words("check.succeeds", chance=f"{float(chance):.0%}")


def _percent(ratio: str | None) -> str:
    return f"{float(Fraction(ratio or '0')):.0%}"


def drawn_totals(view: View, pen: Pen) -> list[Row]:
    """Draw the open totals and the latest ended totals."""
    return [_total(view, pen, total) for total in with_few_ended(view.totals, _is_over)]


def _is_over(total: Total) -> bool:
    return total.status in (TotalStatus.SUCCEEDED, TotalStatus.FAILED)


def _total(view: View, pen: Pen, total: Total) -> Row:
    name = character_name(view, total.character_id) + (f": {total.purpose}" if total.purpose else "")
    cells = (pen.labelled(2, name, total.id), _total_dice(total, pen), _stake(view, pen.words, total))
    return Row(cells, Rank.ENDED if _is_over(total) else Rank.WAITS)


def _total_dice(total: Total, pen: Pen) -> Text:
    if not total.faces:
        return Text(pen.dice(total.pool), OVER)
    pushed = [push.face for push in total.pushes if not push.crisis]
    crisis = [push.face for push in total.pushes if push.crisis]
    stands = [face not in total.faces[:i] for i, face in enumerate(total.faces)]
    faces = (*total.faces, *pushed, *crisis)
    return pen.rolled(faces, [*stands, *(True for _ in pushed), *(False for _ in crisis)])


def _stake(view: View, words: Words, total: Total) -> Text:
    physical = total.physical or any(push.physical for push in total.pushes)
    stake = words("total.stake", crisis=total.crisis) if total.crisis or total.description else ""
    return remarks(
        words(f"total.{total.status}"),
        words("total.sum", total=total.total) if total.faces else "",
        _needed(view, words, total),
        f"{stake}: {total.description}" if total.description else stake,
        words("total.crisis", chance=_percent(total.push_odds.crisis)) if total.push_odds else "",
        words("physical") if physical else "",
    )


def _needed(view: View, words: Words, total: Total) -> str:
    secret = view.secrets.get(total.id)
    if total.secret:
        return words("total.needs_secretly", required=secret.required) if secret else words("total.secret")
    return words("total.required", required=total.required) if total.required else ""
