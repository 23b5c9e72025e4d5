"""The moments of an evening: the rolls with the most unlikely results, with their dice.

The highest dice decide a check, which has a part for each character that rolls in it. A total adds up one die of each
number that is rolled. If the total is below the required number, a push adds a die, or causes a crisis. A step is a
record with the views before and after it.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from dreadclock.export import Step
from dreadclock.rules.check import Outcome
from dreadclock.rules.contest import DecidedBy, Side
from dreadclock.wire import events as e
from dreadclock.wire import things as t
from dreadclock.wire.base import Channel, Face, Id
from dreadclock.wire.views import ChannelView

MOST: Final = 3
_CERTAIN: Final = 1
_RISKED: Final = Fraction(1, 2)
"""In the ranking, the chance of a push counts half, because a push risks a crisis."""

Marked = tuple[Face, str]
"""A die: its face and its mark. The mark is `gold` if the die decided, `blood` if it caused a crisis, `lost` if it did
not count, and otherwise empty.
"""


class Moment(NamedTuple):
    """A roll. `verdict`: a key for the word for its result. `chance`: how likely this result was before the roll.

    `weight`: the sort key. The moments with the lowest weights are chosen.
    """

    at: int
    character: str
    purpose: str | None
    dice: tuple[Marked, ...]
    verdict: str
    chance: Fraction
    weight: Fraction


def moments(steps: Sequence[Step]) -> tuple[Moment, ...]:
    """Return up to three public rolls, in the order rolled, at most one for each check or total."""
    rarest: dict[Id, Moment] = {}
    for step in steps:
        for key, moment in _moment(step) if step.record.channel is Channel.PUBLIC else ():
            if moment.chance < _CERTAIN and (key not in rarest or moment.weight < rarest[key].weight):
                rarest[key] = moment
    chosen = sorted(rarest.values(), key=lambda moment: (moment.weight, moment.at))[:MOST]
    return tuple(sorted(chosen, key=lambda moment: moment.at))


def _moment(step: Step) -> Iterator[tuple[Id, Moment]]:
    """Yield the moment of the roll that this step ends, with the id of its check or total; nothing for other steps."""
    event, before, after = step.record.event, step.before.channels[Channel.PUBLIC], step.after.channels[Channel.PUBLIC]
    match event:
        case e.CheckResolved() if event.check_id in before.checks:
            yield event.check_id, _of_check(step.record.at, event, before.checks[event.check_id], after)
        case e.TotalRolled() if event.total_id in before.totals:
            yield from _of_total(step.record.at, event, before.totals[event.total_id], after)
        case e.LuckPushed() if event.total_id in before.totals:
            yield from _of_push(step.record.at, event, before.totals[event.total_id], after)


def _of_check(at: int, event: e.CheckResolved, check: t.Check, view: ChannelView) -> Moment:
    verdict, chance = _outcome(event.result, check.odds) if check.odds else ("", Fraction(_CERTAIN))
    leader = check.parts[0]
    name = leader.name or _name(view, leader.character_id)
    return Moment(at, name, check.purpose, tuple(_dice_of(check, event.result)), verdict, chance, chance)


def _outcome(result: t.CheckResult, odds: t.CheckOdds) -> tuple[str, Fraction]:
    """Return the key of the word for a result, and the chance of this result. In a contest, only winning and losing
    are told apart.
    """
    if result.winner is None or odds.wins is None:
        return str(result.acting.outcome), Fraction(getattr(odds, result.acting.outcome))
    wins = Fraction(odds.wins)
    return ("won", wins) if result.winner is Side.ACTING else ("lost", 1 - wins)


def _dice_of(check: t.Check, result: t.CheckResult) -> Iterator[Marked]:
    """Yield the dice of all parts. The winner's highest dice are marked as deciding, except in a fumble, or if
    reflex or a deal decided.
    """
    side = result.winner or Side.ACTING
    rolled = [(part.side is side, part.roll) for part in check.parts if part.roll is not None]
    top = max((face for decides, roll in rolled if decides for face in roll.remaining), default=0)
    is_by_dice = result.decided_by in (None, DecidedBy.HIGHEST, DecidedBy.COUNT)
    if not is_by_dice or (result.winner is None and result.acting.outcome is Outcome.FUMBLE):
        top = 0
    for decides, roll in rolled:
        yield from _beside(roll.faces, roll.remaining, top if decides else 0)


def _of_total(at: int, event: e.TotalRolled, total: t.Total, view: ChannelView) -> Iterator[tuple[Id, Moment]]:
    """Yield the moment of a total's roll, if the required number was public before the roll."""
    if event.enough is not None and total.odds is not None and total.odds.reaches is not None:
        reaches = Fraction(total.odds.reaches)
        chance = reaches if event.enough else 1 - reaches
        dice, verdict = tuple(_beside(event.faces, event.kept, 0)), "enough" if event.enough else "missed"
        name = _name(view, total.character_id)
        yield total.id, Moment(at, name, total.purpose, dice, verdict, chance, chance)


def _of_push(at: int, event: e.LuckPushed, total: t.Total, view: ChannelView) -> Iterator[tuple[Id, Moment]]:
    """Yield the moment of a push, if it caused a crisis or was enough, and its odds are known."""
    push, odds = event.push, total.push_odds
    chance = None if odds is None else odds.crisis if push.crisis else odds.reaches if push.enough else None
    if chance is not None:
        dice = [*_beside(total.faces, total.kept, 0), *((pushed.face, "") for pushed in total.pushes)]
        dice.append((push.face, "blood" if push.crisis else "gold"))
        verdict, name = "crisis" if push.crisis else "enough", _name(view, total.character_id)
        weight = Fraction(chance) * _RISKED
        yield total.id, Moment(at, name, total.purpose, tuple(dice), verdict, Fraction(chance), weight)


def _beside(faces: Iterable[Face], remaining: Iterable[Face], gold: int) -> Iterator[Marked]:
    """Mark dice: a die that does not remain is `lost`. Remaining dice with the face `gold` get the mark `gold`."""
    left = list(remaining)
    for face in faces:
        if face in left:
            left.remove(face)
            yield face, "gold" if face == gold else ""
        else:
            yield face, "lost"


def _name(view: ChannelView, character_id: Id) -> str:
    character = view.characters.get(character_id)
    return character.name if character else character_id
