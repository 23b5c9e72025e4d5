"""Checks and totals as rows of a picture."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from rich.text import Text

from dreadclock.cli.canvas import LOST, MARKS, OVER, Glyphs, Pen, Rank, Row, dice, remarks, with_few_ended, within
from dreadclock.rules.contest import Side
from dreadclock.wire.base import Face, Id, Visibility
from dreadclock.wire.things import (
    Benefit,
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

_WAITS: Final = {
    CheckStatus.PROPOSED: "waits for the gm",
    CheckStatus.READY: "ready to roll",
    CheckStatus.ROLLING: "being rolled",
}
_STANDS: Final = {
    TotalStatus.PROPOSED: "waits for the gm",
    TotalStatus.READY: "ready to roll",
    TotalStatus.ROLLED: "rolled",
    TotalStatus.OFFERED: "a push is on offer",
    TotalStatus.SUCCEEDED: "success",
    TotalStatus.FAILED: "failed",
}
_BARGAINED: Final = (CostStage.PROPOSED, CostStage.COUNTERED, CostStage.ACCEPTED)  # somebody has to answer


def drawn_checks(view: View, pen: Pen) -> list[Row]:
    """Draw the checks that are open and the latest few of the others, a row for each part."""
    return [
        _part(view, pen, check, part) for check in with_few_ended(view.checks, _is_resolved) for part in check.parts
    ]


def _is_resolved(check: Check) -> bool:
    return check.status is CheckStatus.RESOLVED


def _part(view: View, pen: Pen, check: Check, part: Part) -> Row:
    bargained = check.cost is not None and check.cost.stage in _BARGAINED
    rank = Rank.ENDED if _is_resolved(check) and not bargained else Rank.WAITS
    said = _check_said(check) if part is check.parts[0] else Text()
    return Row((_part_name(view, pen, check, part), _part_dice(view, pen.glyphs, check, part), said), rank)


def _part_name(view: View, pen: Pen, check: Check, part: Part) -> Text:
    name = _name(view, part.character_id)
    if part is check.leader:
        return pen.labelled(2, f"{name}: {check.purpose}" if check.purpose else name, check.id)
    opposing = part.side is Side.OPPOSING
    leads = opposing and part is check.side(Side.OPPOSING)[0]
    role = "against" if leads else "helps against" if opposing else "helped by"
    return pen.labelled(4, f"{role} {within(name)}", None, OVER)


def _name(view: View, character_id: Id) -> str:
    character = view.characters.get(character_id)
    return character.name if character else character_id


def _part_dice(view: View, glyphs: Glyphs, check: Check, part: Part) -> Text:
    """Show a part's dice in the order rolled; those that were taken away or rolled again are in brackets."""
    if part.roll is None:
        return remarks(_made_of(part) + _waiting(view.characters.get(part.character_id), check, part))
    return _faces(part.roll.faces, _stands(part.roll), glyphs)


def _made_of(part: Part) -> str:
    modifiers = f" +{part.bonus}" * bool(part.bonus) + f" -{part.penalty}" * bool(part.penalty)
    return dice(part.score) + modifiers


def _waiting(one: Character | None, check: Check, part: Part) -> str:
    """Say what comes to a part's dice at its roll: dice of ventures, its own venture, and a token. Source: C18."""
    told = ""
    if one is not None and check.visibility is Visibility.PUBLIC:
        paid = [bonus for bonus in one.bonuses if bonus.benefits is Benefit.CHECK and part.claim]
        told += "".join(f" +{bonus.dice} for {bonus.what}" for bonus in paid)
    told += f", venture -{part.venture.level}" if part.venture else ""
    if one is not None and check.visibility is Visibility.PUBLIC:
        told += "".join(f", {token}" for token in _tokens_at_roll(one))
    return told


def _tokens_at_roll(one: Character) -> list[EffectKind]:
    """Return what a character holds once the choices that wait are settled. Source: ruling C18."""
    momentum, interference = one.momentum, one.interference
    for choice in one.choices:
        if choice.instead_of is EffectKind.MOMENTUM:
            momentum, interference = not interference, False
        else:
            momentum, interference = False, not momentum
    held = {EffectKind.MOMENTUM: momentum, EffectKind.INTERFERENCE: interference}
    return [token for token in EffectKind if held[token]]


def _stands(roll: PartRoll) -> list[bool]:
    """Say of each die whether it remains: of equal ones the last, as the first are taken away first."""
    left, stands = list(roll.remaining), []
    for face in reversed(roll.faces):
        stands.append(face in left)
        if face in left:
            left.remove(face)
    return stands[::-1]


def _faces(faces: Iterable[Face], stands: Iterable[bool], glyphs: Glyphs) -> Text:
    drawn = [
        Text(glyphs.faces[face - 1], "bold") if stays else Text(f"({glyphs.faces[face - 1]})", LOST)
        for face, stays in zip(faces, stands, strict=True)
    ]
    return Text(" ").join(drawn)


def _check_said(check: Check) -> Text:
    physical = any(part.roll and part.roll.physical for part in check.parts)
    return remarks(
        _outcome(check) if check.result else _WAITS[check.status],
        _chances(check) if check.odds and check.status in (CheckStatus.PROPOSED, CheckStatus.READY) else "",
        *(() if check.result else _offers(check)),
        _cost(check.cost) if check.cost else "",
        "physical dice" if physical else "",
        MARKS[check.visibility],
    )


def _offers(check: Check) -> tuple[str, ...]:
    """Say what may be chosen after a triumph or a fumble."""
    sorts = (("stunts", check.stunts), ("fumble effects", check.fumble_effects))
    return tuple(f"{sort}: {', '.join(texts)}" for sort, texts in sorts if texts)


def _cost(cost: Cost) -> str:
    text = cost.terms or cost.cost
    return f"cost {cost.stage}" + (f": {text}" if text else "")


def _outcome(check: Check) -> str:
    assert check.result is not None
    won = "" if check.result.winner is None else f", {check.result.winner} side wins by {check.result.decided_by}"
    return check.result.acting.outcome + won


def _chances(check: Check) -> str:
    assert check.odds is not None
    if check.odds.succeeds is not None:
        return f"{_percent(check.odds.succeeds)} to succeed and win"
    chance = Fraction(check.odds.success) + Fraction(check.odds.triumph)
    return f"{float(chance):.0%} to succeed"


def _percent(ratio: str | None) -> str:
    return f"{float(Fraction(ratio or '0')):.0%}"


def drawn_totals(view: View, pen: Pen) -> list[Row]:
    """Draw the totals that are open and the latest few of the others."""
    return [_total(view, pen, total) for total in with_few_ended(view.totals, _is_over)]


def _is_over(total: Total) -> bool:
    return total.status in (TotalStatus.SUCCEEDED, TotalStatus.FAILED)


def _total(view: View, pen: Pen, total: Total) -> Row:
    name = _name(view, total.character_id) + (f": {total.purpose}" if total.purpose else "")
    cells = (pen.labelled(2, name, total.id), _total_dice(total, pen.glyphs), _stake(view, total))
    return Row(cells, Rank.ENDED if _is_over(total) else Rank.WAITS)


def _total_dice(total: Total, glyphs: Glyphs) -> Text:
    if not total.faces:
        return Text(dice(total.pool), OVER)
    pushed = [push.face for push in total.pushes if not push.crisis]
    crisis = [push.face for push in total.pushes if push.crisis]
    stands = [face not in total.faces[:i] for i, face in enumerate(total.faces)]
    faces = (*total.faces, *pushed, *crisis)
    return _faces(faces, [*stands, *(True for _ in pushed), *(False for _ in crisis)], glyphs)


def _stake(view: View, total: Total) -> Text:
    physical = total.physical or any(push.physical for push in total.pushes)
    stake = f"{total.crisis or 'a'} crisis at stake" if total.crisis or total.description else ""
    return remarks(
        _STANDS[total.status],
        f"total {total.total}" if total.faces else "",
        _needed(view, total),
        f"{stake}: {total.description}" if total.description else stake,
        f"{_percent(total.push_odds.crisis)} for a crisis" if total.push_odds else "",
        "physical dice" if physical else "",
    )


def _needed(view: View, total: Total) -> str:
    secret = view.secrets.get(total.id)
    if total.secret:
        return f"needs {secret.required} (secret)" if secret else "needs a secret number"
    return f"needs {total.required}" if total.required else ""
