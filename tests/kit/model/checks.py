"""Checks, and what characters carry from one to the next. Rulings C1 to C23."""

from collections.abc import Sequence
from types import SimpleNamespace as Thing
from typing import Any

from kit.model.carried import EFFECTS, Carried
from kit.model.things import NO_EFFECTS, need

NUMBERS = ("score", "attribute", "bonus", "penalty", "claims")
ADJUSTABLE = (*NUMBERS, *EFFECTS, "remove", "contest", "standing", "within_id", "approve")
SIDES = ("acting", "opposing")


def grade(faces: Sequence[int]) -> str:
    """Name what these dice come to. C5, C6, C9."""
    if set(faces) <= {1}:
        return "fumble"
    if list(faces).count(6) > 1:
        return "triumph"
    return "success" if max(faces) > 3 else "fail"


def drawn(dice: int, rerolls: bool, explodes: bool, faces: Sequence[int]) -> tuple[int, list[int]]:
    """Return how many faces a roll takes, and those of them that stand. C1, C2, C3."""
    standing: list[int] = []
    for place, face in enumerate(faces):
        if place == dice:
            break
        dice += (face == 6 and explodes) + (face == 1 and rerolls)
        standing += [] if face == 1 and rerolls else [face]
    return dice, standing


class Checks(Carried):
    """The part of the model in which checks are made."""

    # Before the roll

    def _part(self, c: Any, side: str, visibility: str) -> Any:
        who = self.able(c.character_id)
        score = self._score(who, c)
        need(score + c.bonus - c.penalty <= 60)
        claims: list[str] = []
        if visibility != "public":
            need(not c.claims)
        elif c.claim or c.claims is not None:
            claims = self.claim(who, "check", c.claims)
        venture = None
        if c.venture is not None:
            need(visibility == "public")
            ally = self.find("character", c.venture.beneficiary or c.character_id)
            need(ally.status == "in_play")
            venture = Thing(level=c.venture.level, benefits=c.venture.benefits, ally=ally.id)
        fields = {"bonus": c.bonus, "penalty": c.penalty, "venture": venture, "claims": claims}
        return Thing(who=who.id, side=side, score=score, **fields, rest=None, cost=None)

    def _score(self, who: Any, c: Any) -> int:
        """Return a score, or that of an attribute on the sheet. C23."""
        need((c.score is None) != (c.attribute is None))
        score = c.score if c.attribute is None else who.attributes.get(c.attribute)
        need(score is not None)
        return int(score)

    def waits(self) -> bool:
        """Tell whether what is proposed waits for the gm."""
        return self.policy.check_approval == "gm" and not self.is_gm

    def propose_check(self, c: Any) -> None:
        need(c.visibility == "public" or self.is_gm)
        part = self._part(c, "acting", c.visibility)
        effort = self.challenge_for(c.effort, c.visibility)
        need(c.visibility == "public" or c.within_id is None)
        self.start(
            "check",
            c.visibility,
            parts=[part],
            contest=c.contest,
            effort=effort,
            within_id=self.place(c.within_id, effort) if c.visibility == "public" else None,
            standing=True,
            status="proposed" if self.waits() else "ready",
            **NO_EFFECTS,
            outcomes=None,
            margins=(0, 0),
            winner=None,
        )

    def _not_begun(self, check_id: str) -> Any:
        check = self.find("check", check_id)
        need(check.status in ("proposed", "ready"))
        return check

    def _part_of(self, check: Any, character_id: str) -> Any:
        parts = [part for part in check.parts if part.who == character_id]
        need(parts)
        return parts[0]

    def adjust_check(self, c: Any) -> None:
        if self._goes_on_without(c):
            return
        check = self._not_begun(c.check_id)
        need(any(getattr(c, name) is not None for name in ADJUSTABLE))
        part = self._part_of(check, c.character_id or check.parts[0].who)
        self._renumber(check, part, c)
        if c.remove is not None:
            leaving = self._part_of(check, c.remove)
            need(leaving is not check.parts[0])
            check.parts.remove(leaving)
        need(c.contest is not False or not self._side(check, "opposing"))
        for name in ("contest", "standing"):
            setattr(check, name, getattr(check, name) if getattr(c, name) is None else getattr(c, name))
        if c.within_id is not None:
            need(check.visibility == "public")
            check.within_id = self.place(c.within_id, None)
        self.put_effects(check, c)
        if c.approve is not None:
            check.status = "ready" if c.approve else "proposed"

    def _renumber(self, check: Any, part: Any, c: Any) -> None:
        who = self.things[part.who]
        if c.score is not None or c.attribute is not None:
            part.score = self._score(who, c)
        for name in ("bonus", "penalty"):
            setattr(part, name, getattr(part, name) if getattr(c, name) is None else getattr(c, name))
        need(part.score + part.bonus - part.penalty <= 60)
        if c.claims is not None:
            need(check.visibility == "public")
            part.claims = self.claim(who, "check", c.claims, part)

    def _is_stuck(self, part: Any) -> bool:
        return part.rest is None and self.things[part.who].status != "in_play"

    def _goes_on_without(self, c: Any) -> bool:
        """Take a part out that will never be rolled, of a check that is being rolled."""
        check = self.find("check", c.check_id)
        stuck = [part for part in check.parts if part.who == c.remove and self._is_stuck(part)]
        if check.status != "rolling" or not stuck:
            return False
        need([part for part in self._side(check, "acting") if part is not stuck[0]])
        check.parts.remove(stuck[0])
        if all(each.rest is not None for each in check.parts):
            self._resolve(check)
        return True

    def _side(self, check: Any, side: str) -> list[Any]:
        return [part for part in check.parts if part.side == side]

    def help_check(self, c: Any) -> None:
        check = self._not_begun(c.check_id)
        need(c.side == "acting" or self._side(check, "opposing"))
        self._join(check, c, c.side)

    def oppose_check(self, c: Any) -> None:
        check = self._not_begun(c.check_id)
        need(not self._side(check, "opposing"))
        self._join(check, c, "opposing")
        check.contest = True

    def _join(self, check: Any, c: Any, side: str) -> None:
        need(all(part.who != c.character_id for part in check.parts))
        check.parts.append(self._part(c, side, check.visibility))
        check.status = "proposed" if self.waits() else check.status

    def withdraw_check(self, c: Any) -> None:
        check = self.find("check", c.check_id)
        stuck = all(map(self._is_stuck, self._side(check, "acting")))
        need(stuck or check.status in ("proposed", "ready"))
        self.remove(check)

    # The roll

    def part_to_roll(self, c: Any) -> Any:
        """Return the part that is named, or the sender's next; the gm's are those that could be nobody else's."""
        check = self.find("check", c.check_id)
        if c.character_id is not None:
            return self._part_of(check, c.character_id)
        unrolled = [part for part in check.parts if part.rest is None]
        mine = [part for part in unrolled if self._is_own(check, part)]
        need(mine)
        return mine[0]

    def _is_own(self, check: Any, part: Any) -> bool:
        owner = self.things[part.who].owner
        alone = len(check.parts) == 1 or check.visibility != "public"
        return owner == self.by or (self.may("rolls") and (alone or owner is None))

    def roll_check(self, c: Any) -> None:
        check, part = self.find("check", c.check_id), self.part_to_roll(c)
        need(part.rest is None and check.status != "proposed")
        need(not check.contest or self._side(check, "opposing"))
        who = self.able(part.who)
        self.rolls_on(check.effort)
        is_public = check.visibility == "public"
        if is_public:
            self.settle(who)
        if check.status == "ready":
            self.attempt(check.effort)
        check.status = "rolling"
        part.rest, part.outcome = self._roll_part(part, who, c.faces, is_public)
        if all(each.rest is not None for each in check.parts):
            self._resolve(check)

    def _roll_part(self, part: Any, who: Any, typed: Any, is_public: bool) -> tuple[list[int], str]:
        """Roll a part and return what is left of it; what waits for a character, only public rolls spend."""
        momentum = interference = False
        paid = 0
        if is_public:
            momentum, interference = who.momentum, who.interference
            part.claims = [each.key for each in who.bonuses if each.key in part.claims]
            paid = self.spend(who, part.claims)
            who.momentum = who.interference = False
        net = part.bonus - part.penalty
        net += min(paid, 60 - part.score - net)
        dice = max(part.score + net, 1) if part.score or net > 0 else 0
        gone = max(1 - part.score - net, 0) + (part.venture.level if part.venture else 0)
        faces = self.roll(lambda faces: drawn(dice, momentum, not interference, tuple(faces))[0], typed)
        standing = sorted(drawn(dice, momentum, not interference, faces)[1])
        rest = standing[: max(len(standing) - gone, 0)]
        return rest, grade(rest)

    def _resolve(self, check: Any) -> None:
        pools = {side: [face for part in self._side(check, side) for face in part.rest] for side in SIDES}
        opposed = bool(self._side(check, "opposing"))
        check.status = "resolved"
        check.outcomes = tuple(grade(pools[side]) if side == "acting" or opposed else None for side in SIDES)
        check.margins = tuple(max(pools[side].count(max(pools[side], default=0)) - 1, 0) for side in SIDES)
        check.winner = self._winner(check, pools) if opposed else None
        self._note(check)
        if check.visibility == "public":
            self.act(self._side(check, "acting")[0].who)
            for side, outcome in zip(SIDES, check.outcomes, strict=True):
                self._bring_effects(check, self._side(check, side), outcome, check.winner in (None, side))
        if check.outcomes[0] in ("success", "triumph") and check.winner in (None, "acting"):
            self.succeed(check.effort)
        self.end_sealed(check)

    def _note(self, check: Any) -> None:
        """Note the moments of a check that is resolved: its outcome, and who has won. E5."""
        outcome = check.outcomes[0]
        for when in {"fumble": ("fumble", "fail"), "triumph": ("triumph", "success")}.get(outcome, (outcome,)):
            self.comes(check, when)
        self.comes(check, "won" if self._won(check, "acting") else "lost")

    def _winner(self, check: Any, pools: dict[str, list[int]]) -> str:
        """Return who wins: by the highest die, by how many there are, by reflex, by a deal. C16, C17."""
        ours, theirs = ((max(pools[side], default=0), pools[side].count(max(pools[side], default=0))) for side in SIDES)
        if ours != theirs:
            return "acting" if ours > theirs else "opposing"
        us, them = (self.things[self._side(check, side)[0].who].reflex for side in SIDES)
        if us is not None and them is not None and us != them:
            return "acting" if us > them else "opposing"
        deals = self.roll(lambda faces: len(tuple(faces)), None)
        *equal, last = zip(deals[::2], deals[1::2], strict=True)
        assert all(one == other for one, other in equal)
        assert last[0] != last[1]
        return "acting" if last[0] > last[1] else "opposing"

    def _bring_effects(self, check: Any, parts: list[Any], outcome: str | None, wins: bool) -> None:
        """Bring interference to a side with a fumble, momentum to its leader, dice of ventures. C8, C12, C13."""
        fumbled = [part for part in parts if part.outcome == "fumble"]
        for part in parts if fumbled else []:
            self.bring(check, part, "interference", part in fumbled)
        if outcome == "triumph":
            self.bring(check, parts[0], "momentum", True)
        for part in parts:
            if part.venture and wins and outcome in ("success", "triumph"):
                self.earn(check, part)

    # A cost for a failure

    def payer(self, c: Any) -> Any:
        """Return the part whose cost a command is about: the leader's unless it names another."""
        check = self.find("check", c.check_id)
        return self._part_of(check, c.character_id or self._side(check, "acting")[0].who)

    def _won(self, check: Any, side: str) -> bool:
        return check.outcomes[SIDES.index(side)] in ("success", "triumph") and check.winner in (None, side)

    def _failed(self, c: Any) -> Any:
        """Return a part that failed, fumbled or lost; its leader stands for a side, whose dice are pooled. C20."""
        check, part = self.find("check", c.check_id), self.payer(c)
        need(check.outcomes)
        helps = part is not self._side(check, part.side)[0]
        need((helps and part.outcome in ("fail", "fumble")) or not self._won(check, part.side))
        need(part.cost not in ("applied", "declined"))
        return part

    def propose_cost(self, c: Any) -> None:
        self._failed(c).cost = "proposed"

    def answer_cost(self, c: Any) -> None:
        part = self._failed(c)
        need(part.cost == "proposed" and (c.answer == "counter") == (c.terms is not None))
        part.cost = {"accept": "accepted", "refuse": "refused", "counter": "countered"}[c.answer]

    def settle_failure(self, c: Any) -> None:
        part, check = self._failed(c), self.things[c.check_id]
        need(not c.apply or part.cost in ("accepted", "countered"))
        if c.apply:
            self.rolls_on(check.effort)
        paid = [each for each in self._side(check, "acting") if each.cost == "applied"]
        part.cost = "applied" if c.apply else "declined"
        if c.apply and part.side == "acting" and not paid and not self._won(check, "acting"):
            self.comes(check, "success")
            self.succeed(check.effort)
