"""The things that wait for a seat, with the commands that answer them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from dreadclock.rules.contest import Side
from dreadclock.wire.base import Id, Role, Scope, Visibility
from dreadclock.wire.families.characters import waits
from dreadclock.wire.families.checks import failed
from dreadclock.wire.families.countdowns import is_waited_for, was_rolled
from dreadclock.wire.plain import plain
from dreadclock.wire.things import (
    Character,
    CharacterStatus,
    Check,
    CheckStatus,
    CostStage,
    CountdownStatus,
    Part,
    Seat,
    Total,
    TotalStatus,
)
from dreadclock.wire.views import View

_BEGUN: Final = (CheckStatus.READY, CheckStatus.ROLLING)
_ANSWERED: Final = (CostStage.ACCEPTED, CostStage.COUNTERED)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A thing that waits, and the possible commands to answer it."""

    commands: tuple[str, ...]
    about: str

    def __str__(self) -> str:
        return f"{' or '.join(self.commands)}: {plain(self.about)}"


def waiting(view: View, seat: Seat) -> list[Waiting]:
    """Return the things that wait for a seat; empty for a spectator."""
    if view.public.closed or seat.role is Role.SPECTATOR:
        return []
    hand = _Hand(view, seat)
    gms = _for_the_gm(view) if seat.role is Role.GM else iter(())
    return [*gms, *hand.choices(), *hand.checks(), *hand.totals(), *hand.countdowns()]


class _Hand:
    """Finds the things that a seat may answer: its own, and those of a seat that was lent to it.

    The gm also answers for things without an owner. An integration answers for all owners if a scope allows this.
    """

    def __init__(self, view: View, seat: Seat) -> None:
        self._view, self._seat = view, seat

    def choices(self) -> Iterator[Waiting]:
        for character in self._view.characters.values():
            for choice in character.choices if self._is_its(character.owner) else ():
                about = f"{_named(character)} after the check [{choice.check_id}], one of: {', '.join(choice.open)}"
                yield Waiting(("choose_effect",), about)

    def checks(self) -> Iterator[Waiting]:
        for check in self._view.checks.values():
            for part in check.parts:
                if not self._rolls_part(check, part):
                    continue
                cost = check.cost_of(part)
                if cost is not None and cost.stage in _ANSWERED and failed(check, part):
                    yield Waiting(("settle_failure",), f"{_part(self._view, check, part)}, cost {cost.stage}")
                elif _can_roll(self._view, check, part):
                    yield Waiting(("roll_check",), _part(self._view, check, part))

    def totals(self) -> Iterator[Waiting]:
        answers = {TotalStatus.READY: ("roll_total",), TotalStatus.OFFERED: ("push_luck", "stop_pushing")}
        for total in self._view.totals.values():
            character = self._view.characters.get(total.character_id)
            is_its = character is not None and _is_able(character) and self._is_its(character.owner)
            if is_its and total.status in answers:
                yield Waiting(answers[total.status], _total(self._view, total))

    def countdowns(self) -> Iterator[Waiting]:
        """Yield the countdowns to roll.

        Leaves out countdowns without an owner, which are rolled at the end of the turn or round.
        """
        for countdown in self._view.countdowns.values():
            due = countdown.status is CountdownStatus.RUNNING and is_waited_for(self._view, countdown)
            owner = countdown.owner
            if due and not was_rolled(self._view, countdown) and owner and self._is_its(owner, Scope.COUNTDOWNS):
                yield Waiting(("roll_countdown",), f"{countdown.name} [{countdown.id}], {countdown.pool} dice")

    def _rolls_part(self, check: Check, part: Part) -> bool:
        character = self._view.characters.get(part.character_id)
        hidden = check.visibility is not Visibility.PUBLIC and self._seat.role is Role.GM
        return hidden or self._is_its(character.owner if character else None)

    def _is_its(self, owner: Id | None, scope: Scope = Scope.ROLLS) -> bool:
        """Return whether the seat may act for this owner. None: the thing has no owner."""
        if self._seat.role is Role.INTEGRATION:
            lender = self._view.seats.get(owner or "")
            return scope in self._seat.scopes or (lender is not None and lender.lent_to == self._seat.id)
        return owner == self._seat.id or (owner is None and self._seat.role is Role.GM)


def _for_the_gm(view: View) -> Iterator[Waiting]:
    for character in view.characters.values():
        if character.crisis_due:
            yield Waiting(("describe_crisis",), f"{_named(character)}, of the total [{character.crisis_due}]")
        if character.status is CharacterStatus.IN_PLAY and waits(character):
            yield Waiting(("approve_sheet",), _named(character))
    for effort in view.efforts.values():
        challenge = view.challenges.get(effort.challenge_id)
        who = effort.character_id or effort.seat_id
        yield Waiting(("rule_effort",), f"[{effort.id}] of [{who}] against {challenge.name if challenge else '?'}")
    for check in view.checks.values():
        yield from _check_for_the_gm(view, check)
    for total in view.totals.values():
        if total.status is TotalStatus.PROPOSED:
            yield Waiting(("adjust_total",), f"{_total(view, total)}, to approve")
        elif total.status is TotalStatus.ROLLED and total.enough is None:
            yield Waiting(("set_required", "judge_total"), _total(view, total))
        elif total.status is TotalStatus.ROLLED and not total.enough:
            yield Waiting(("offer_push",), f"{_total(view, total)}, which was not enough")


def _check_for_the_gm(view: View, check: Check) -> Iterator[Waiting]:
    about = _part(view, check, check.leader)
    if check.status is CheckStatus.PROPOSED:
        yield Waiting(("adjust_check",), f"{about}, to approve")
    elif check.status in _BEGUN and check.contest and not check.side(Side.OPPOSING):
        yield Waiting(("oppose_check",), about)
    for part in check.parts:
        cost = check.cost_of(part)
        if cost is not None and cost.stage is CostStage.PROPOSED:
            yield Waiting(("answer_cost",), f"{_part(view, check, part)}, cost: {cost.cost}")
        if check.status is not CheckStatus.RESOLVED and _is_stuck(view, part):
            yield Waiting(("adjust_check",), f"{_part(view, check, part)}, to remove: out of play")


def _can_roll(view: View, check: Check, part: Part) -> bool:
    opposed = not check.contest or bool(check.side(Side.OPPOSING))
    character = view.characters.get(part.character_id)
    able = part.name is not None or (character is not None and _is_able(character))
    return check.status in _BEGUN and opposed and part.roll is None and able


def _is_stuck(view: View, part: Part) -> bool:
    character = view.characters.get(part.character_id)
    in_play = character is not None and character.status is CharacterStatus.IN_PLAY
    return part.roll is None and part.name is None and not in_play


def _is_able(character: Character) -> bool:
    return character.status is CharacterStatus.IN_PLAY and not character.crisis_due


def _named(character: Character) -> str:
    return f"{character.name} [{character.id}]"


def _part(view: View, check: Check, part: Part) -> str:
    character = view.characters.get(part.character_id)
    who = _named(character) if character else part.name or part.character_id
    return f"{who} in the check [{check.id}]" + (f", {check.purpose}" if check.purpose else "")


def _total(view: View, total: Total) -> str:
    character = view.characters.get(total.character_id)
    who = _named(character) if character else total.character_id
    return f"{who} in the total [{total.id}]" + (f", {total.purpose}" if total.purpose else "")
