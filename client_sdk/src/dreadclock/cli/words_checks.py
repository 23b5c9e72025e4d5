"""Checks, and what they bring to characters, in plain words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from dreadclock.cli.words_base import EventWords, dice, more_dice, shown
from dreadclock.rules.check import Outcome
from dreadclock.rules.contest import DecidedBy, Side
from dreadclock.wire.base import Id
from dreadclock.wire.events import CheckAdjusted, CheckProposed
from dreadclock.wire.things import Benefit, Bonus, Check, CheckStatus, CostStage, Part, PartRoll, SideResult, Venture

SENTENCES: Final[Mapping[str, str]] = {
    "check_proposed": "{w.by} proposes {w.check}{w.aim}: {w.parts}{w.check_waits}",
    "check_adjusted": "{w.by} set {w.check} to {w.parts}{w.offers}{w.check_waits}",
    "help_joined": "{w.helper} helps with {w.check}: {w.part}{w.join_waits}",
    "opposition_joined": "{w.helper} opposes {w.check}: {w.part}{w.join_waits}",
    "check_rolled": "{w.by} rolled {w.roller}{w.check_physically}: {w.check_faces}{w.spent}",
    "check_resolved": "{w.check_outcome}",
    "check_withdrawn": "{w.by} took {w.check} back",
    "effects_offered": "{w.character} may choose instead of {e.choice.instead_of}: {w.offered}",
    "effect_chosen": "{w.character} gets {e.effect}",
    "momentum_gained": "{w.character} {w.momentum}",
    "momentum_spent": "{w.character} rolls with momentum",
    "interference_gained": "{w.character} {w.interference}",
    "interference_spent": "{w.character} rolls under interference",
    "venture_earned": "The venture comes off: {w.character} has {w.bonus} for {w.benefit}: {e.bonus.what}",
    "venture_paid": "{w.character} has {w.paid} from ventures",
    "venture_lapsed": "{w.character} loses {w.lapsed} from ventures",
    "cost_proposed": "{w.by} proposes a cost for {w.check}: {e.cost.cost}",
    "cost_answered": "{w.by} {w.answer}",
    "failure_settled": "{w.by} {w.settled}",
}
_DECIDED: Final = {
    DecidedBy.HIGHEST: "by the highest die",
    DecidedBy.COUNT: "by more of the highest dice",
    DecidedBy.REFLEX: "by reflex",
    DecidedBy.DEAL: "by a dealt die",
}


class CheckWords(EventWords):
    """What the sentences say of checks."""

    @property
    def check(self) -> str:
        check_id, one = self._found_check()
        if one is None:
            return f"the check {check_id}"
        purpose = f' ("{one.purpose}")' if one.purpose else ""
        return f"the check of {self._character(one.leader.character_id)}{purpose}"

    def _found_check(self) -> tuple[Id, Check | None]:
        event = self._event
        if isinstance(event, CheckProposed | CheckAdjusted):
            return event.check.id, event.check
        return event.check_id, self._find("check", event.check_id)

    @property
    def aim(self) -> str:
        challenge_id = self._event.check.effort
        return f' against "{self._name("challenge", challenge_id)}"' if challenge_id else ""

    @property
    def parts(self) -> str:
        parts: tuple[Part, ...] = self._event.check.parts
        return "; ".join(
            self._dice_of(part) if part is parts[0] else f"{self._character(part.character_id)} {self._dice_of(part)}"
            for part in parts
        )

    def _dice_of(self, part: Part) -> str:
        made = f"{part.attribute} {part.score}" if part.attribute else dice(part.score)
        made += f" +{part.bonus}" * bool(part.bonus) + f" -{part.penalty}" * bool(part.penalty)
        return f"{made}, {self._venture_of(part, part.venture)}" if part.venture else made

    def _venture_of(self, part: Part, venture: Venture) -> str:
        whose = self._character(venture.beneficiary or part.character_id)
        roll = "check" if venture.benefits is Benefit.CHECK else "damage roll"
        return f"venture -{venture.level} for {venture.what} ({whose}'s next {roll})"

    @property
    def offers(self) -> str:
        return "".join(f"; {told}" for told in offers(self._event.check))

    @property
    def check_waits(self) -> str:
        check: Check = self._event.check
        alone = "; it waits for its other side" if check.contest and not check.side(Side.OPPOSING) else ""
        return _waits(check.status) + alone

    @property
    def join_waits(self) -> str:
        return _waits(self._event.status)

    @property
    def helper(self) -> str:
        return self._character(self._event.part.character_id)

    @property
    def part(self) -> str:
        return self._dice_of(self._event.part)

    @property
    def roller(self) -> str:
        part: Part = self._event.part
        _, one = self._found_check()
        own = one is None or part.character_id == one.leader.character_id
        return self.check if own else f"{self._character(part.character_id)}'s part of {self.check}"

    def _roll(self) -> PartRoll:
        roll: PartRoll = self._event.part.roll
        return roll

    @property
    def check_physically(self) -> str:
        return " with dice of their own" if self._roll().physical else ""

    @property
    def check_faces(self) -> str:
        roll = self._roll()
        faces = shown(roll.faces) or "no dice"
        return faces if roll.remaining == roll.faces else f"{faces}, of which {shown(roll.remaining) or 'none'} remain"

    @property
    def spent(self) -> str:
        roll = self._roll()
        return f"; {roll.outcome}" + ("; no more dice may be added" if roll.capped else "")

    @property
    def check_outcome(self) -> str:
        result = self._event.result
        told = f"{self.check} is {_result(result.acting)}"
        if result.winner is not None:
            against = "" if result.opposing is None else f" against {_result(result.opposing)}"
            deals = f" ({shown(result.deals)})" if result.deals else ""
            told += f"{against}: the {result.winner} side wins {_DECIDED[result.decided_by]}{deals}"
        return told

    @property
    def offered(self) -> str:
        return ", ".join(self._event.choice.offered)

    @property
    def momentum(self) -> str:
        return "gains momentum" if self._event.momentum else "is rid of interference, and gains no momentum"

    @property
    def interference(self) -> str:
        return "gains interference" if self._event.interference else "loses momentum, and gains no interference"

    @property
    def bonus(self) -> str:
        return more_dice(self._event.bonus.dice)

    @property
    def benefit(self) -> str:
        return "a check" if self._event.bonus.benefits is Benefit.CHECK else "damage"

    @property
    def paid(self) -> str:
        return _sum(self._event.paid)

    @property
    def lapsed(self) -> str:
        return _sum(self._event.lapsed)

    @property
    def answer(self) -> str:
        cost = self._event.cost
        if cost.stage is CostStage.COUNTERED:
            return f"names other terms for {self.check}: {cost.terms}"
        return f"{'accepts' if cost.stage is CostStage.ACCEPTED else 'refuses'} the cost for {self.check}: {cost.cost}"

    @property
    def settled(self) -> str:
        cost = self._event.cost
        if cost.stage is CostStage.APPLIED:
            return f"pays the cost, and {self.check} did what it was meant to: {cost.terms or cost.cost}"
        return f"takes the failure of {self.check}"


def revealed_check(check: Check) -> str:
    """Tell what is inside a check that was hidden: its dice, and what they came to."""
    rolled = " / ".join(shown(part.roll.faces) for part in check.parts if part.roll)
    purpose = f" ({check.purpose})" if check.purpose else ""
    outcome = f", {_result(check.result.acting)}" if check.result else ""
    return f"{purpose}: {rolled or 'not rolled yet'}{outcome}"


def offers(check: Check) -> tuple[str, ...]:
    """Say what may be chosen after a triumph or a fumble."""
    sorts = (("stunts", check.stunts), ("fumble effects", check.fumble_effects))
    return tuple(f"{sort}: {', '.join(texts)}" for sort, texts in sorts if texts)


def _waits(status: CheckStatus) -> str:
    return "; it waits for the gm" if status is CheckStatus.PROPOSED else ""


def _result(result: SideResult) -> str:
    told = f"a {result.outcome}" if result.highest is None else f"a {result.outcome} with {result.highest}"
    return f"{told} (margin {result.margin})" if result.margin and result.outcome is not Outcome.FUMBLE else told


def _sum(bonuses: Iterable[Bonus]) -> str:
    return dice(sum(bonus.dice for bonus in bonuses))
