"""Totals, pushes and crises. Rulings D1 to D8."""

from typing import Any

from kit.model.checks import Checks
from kit.model.things import need


class Totals(Checks):
    """The part of the model in which totals are rolled and luck is pushed."""

    def _pool(self, who: Any, total: Any, c: Any) -> int:
        """Take over what is given, and return the dice that it makes. D2."""
        if c.attribute is not None:
            total.score = c.attribute if isinstance(c.attribute, int) else who.attributes.get(c.attribute)
        total.tool = c.tool.quality if c.tool is not None else total.tool
        if c.special is not None:
            total.special = next((1 + each.starred for each in who.specials if each.name == c.special), None)
            total.first = c.special
        need(total.score is not None and total.special is not None)
        if c.more_specials:
            need(self.policy.specials == "several" and total.special)
            need(len({total.first, *c.more_specials}) == 1 + len(c.more_specials))
            dice = {each.name: 1 + each.starred for each in who.specials}
            need(set(c.more_specials) <= dice.keys())
            total.more = {name: dice[name] for name in c.more_specials}
        elif c.more_specials is not None:
            total.more = {}
        total.more = {name: dice for name, dice in total.more.items() if total.special and name != total.first}
        pool = total.score + total.tool + total.special + sum(total.more.values())
        need(1 <= pool <= 8)
        return int(pool)

    def propose_total(self, c: Any) -> None:
        who = self.able(c.character_id)
        effort = self.challenge_for(c.effort, "public")
        fields: dict[str, Any] = {"score": None, "tool": 0, "special": 0, "kept": [], "enough": None, "required": None}
        fields |= {"first": None, "more": {}}
        status = "proposed" if self.waits() else "ready"
        fields |= {"secret": False, "crisis": None, "said": False}
        total = self.start("total", who=who.id, effort=effort, status=status, **fields)
        total.pool = self._pool(who, total, c)

    def _not_rolled(self, total_id: str) -> Any:
        total = self.find("total", total_id)
        need(total.status in ("proposed", "ready"))
        return total

    def adjust_total(self, c: Any) -> None:
        total = self._not_rolled(c.total_id)
        need(
            c.without or any(each is not None for each in (c.attribute, c.tool, c.special, c.more_specials, c.approve))
        )
        for aid in c.without:
            setattr(total, aid, 0)
        total.pool = self._pool(self.things[total.who], total, c)
        if c.approve is not None:
            total.status = "ready" if c.approve else "proposed"

    def withdraw_total(self, c: Any) -> None:
        self.remove(self._not_rolled(c.total_id))

    def set_required(self, c: Any) -> None:
        total = self.find("total", c.total_id)
        need(total.status not in ("succeeded", "failed") and total.enough is None)
        total.required, total.secret = c.required, c.secret
        total.crisis = c.crisis or total.crisis
        if total.status == "rolled":
            self.rolls_on(total.effort)
            self._judge(total)
        else:
            total.status = "ready"

    def _judge(self, total: Any) -> None:
        """Say whether a total is enough, which ends it. D4."""
        if total.required is not None:
            total.enough = sum(total.kept) >= total.required
            if total.enough:
                total.status = "succeeded"
                self.comes(total, "succeeded")
                self.act(total.who)
                self.succeed(total.effort)

    def judge_total(self, c: Any) -> None:
        """Let the gm say whether a total is enough, where she names no number. D10."""
        total = self.find("total", c.total_id)
        need(total.status == "rolled" and total.enough is None)
        total.enough = c.enough
        if c.enough:
            total.status = "succeeded"
            self.succeed(total.effort)

    def roll_total(self, c: Any) -> None:
        total = self.find("total", c.total_id)
        need(total.status == "ready")
        self.rolls_on(total.effort)
        self.settle(self.able(total.who))
        self.attempt(total.effort)
        total.kept = sorted(set(self.roll(lambda faces: total.pool, c.faces)))
        total.status = "rolled"
        self._judge(total)

    def offer_push(self, c: Any) -> None:
        total = self.find("total", c.total_id)
        need(total.status == "rolled" and total.enough is False)
        self.able(total.who)
        total.said = c.description is not None or (total.said and c.crisis in (None, total.crisis))
        total.crisis = c.crisis or total.crisis
        need(c.until == 1 or total.required is not None)
        total.status, total.pushes_left = "offered", c.until

    def push_luck(self, c: Any) -> None:
        """Roll one more die: a new number adds to the total, one that is there is a crisis. D3, D5."""
        total = self.find("total", c.total_id)
        need(total.status == "offered")
        self.rolls_on(total.effort)
        who = self.able(total.who)
        self.settle(who)
        face = self.roll(lambda faces: 1, c.faces)[0]
        if face not in total.kept:
            total.kept, total.status = sorted([*total.kept, face]), "rolled"
            total.enough = None
            self._judge(total)
            total.pushes_left -= 1
            if total.enough is False and total.pushes_left:
                total.status = "offered"
            return
        total.status = "failed"
        self.comes(total, "crisis")
        self.comes(total, "failed")
        self.act(total.who)
        if total.crisis is None:
            who.due = total.id
        else:
            self._suffer(who, total.id, str(total.crisis), total.said)

    def stop_pushing(self, c: Any) -> None:
        total = self.find("total", c.total_id)
        need(total.status in ("rolled", "offered") and (total.enough is False or self.is_gm))
        total.status = "failed"
        self.comes(total, "failed")
        self.act(total.who)

    def _suffer(self, who: Any, total_id: str, kind: str, said: bool) -> None:
        """Mark a box, the third of which takes a character out of play. D7, D8."""
        who.due = None
        who.crises[total_id] = [kind, said]
        self.comes(who, "crisis")
        if [each for each, _ in who.crises.values()].count(kind) == 3:
            who.status = {"physical": "dead", "mental": "retired"}[kind]

    def describe_crisis(self, c: Any) -> None:
        concerned = [who for who in self.all("character") if c.total_id in (who.due, *who.crises)]
        need(concerned)
        [who] = concerned
        if who.due == c.total_id:
            need(c.kind is not None)
            self._suffer(who, c.total_id, str(c.kind), True)
        else:
            kind, said = who.crises[c.total_id]
            need(not said and c.kind in (None, kind))
            who.crises[c.total_id] = [kind, True]
