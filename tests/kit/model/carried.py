"""What characters carry from one roll to the next, and what stands around them. Rulings C7, C8, C11, C18 to C22."""

from types import SimpleNamespace as Thing
from typing import Any

from kit.model.clocks import Clocks
from kit.model.things import NO_EFFECTS, need

EFFECTS = tuple(NO_EFFECTS)


def aimed(effect: Any, who: str) -> Any:
    """Return an effect that is on whoever fumbled if it names nobody."""
    on_nothing = effect.thing_id is not None or effect.does in ("start", "tell")
    return effect if on_nothing else effect.model_copy(update={"thing_id": who})


class Carried(Clocks):
    """The part of the model that knows of tokens, ventures and effects."""

    def gain(self, who: Any, token: str) -> None:
        """Give a token, which cancels with the other, to whom may roll again. C7, C11, E6."""
        if who.status in ("dead", "retired"):
            return
        other = "momentum" if token == "interference" else "interference"
        if getattr(who, other):
            setattr(who, other, False)
        else:
            setattr(who, token, True)

    def settle(self, who: Any) -> None:
        """Turn choices that were not made into momentum, or the first effect of a fumble. C18, C22."""
        for choice in who.choices:
            if choice.token == "momentum":
                self.gain(who, choice.token)
            else:
                self.befalls(who, choice, next(each for each in choice.offered if each != choice.token))
        who.choices = []

    def claim(self, who: Any, benefits: str, keys: Any, but: Any = None) -> list[str]:
        """Return the ventures that a roll claims, all that nobody else has if `keys` is None. C19."""
        ready = [each.key for each in who.bonuses if each.benefits == benefits]
        others = [part for check in self.all("check") for part in check.parts if part.rest is None and part is not but]
        taken = [key for part in others for key in part.claims]
        if keys is None:
            return [key for key in ready if key not in taken]
        need(set(keys) <= set(ready) - set(taken))
        return [key for key in ready if key in keys]

    def spend(self, who: Any, keys: Any) -> int:
        """Take the dice of the ventures that a roll claims, as far as they still lie ready."""
        paid: int = sum(each.dice for each in who.bonuses if each.key in keys)
        who.bonuses = [each for each in who.bonuses if each.key not in keys]
        return paid

    def act(self, who: str) -> None:
        """Let an action be over: what its character declared before it lapses, whoever holds it. C19."""
        for holder in self.all("character"):
            holder.bonuses = [each for each in holder.bonuses if each.by != who]

    def put_effects(self, one: Any, c: Any) -> None:
        """Say what is offered, of which all is distinct; marks are on fumble effects. C21, C22."""
        for name in EFFECTS:
            setattr(one, name, getattr(one, name) if getattr(c, name) is None else tuple(getattr(c, name)))
        one.fumble_does = self._kept_deeds(one, c)
        effects = [*one.stunts, *one.fumble_effects]
        need(len({*effects, "momentum", "interference"}) == len(effects) + 2)
        need(c.or_interference is None or set(one.or_interference) <= set(one.fumble_effects))
        one.or_interference = tuple(each for each in one.or_interference if each in one.fumble_effects)

    def _kept_deeds(self, one: Any, c: Any) -> tuple[Any, ...]:
        """Return what fumble effects do; what is said of it anew is possible, and names nothing hidden. C26."""
        kept = tuple(
            Thing(effect=each.effect, do=each.do) for each in one.fumble_does if each.effect in one.fumble_effects
        )
        if c.fumble_does is not None:
            need(len(kept) == len(one.fumble_does) and len({each.effect for each in kept}) == len(kept))
            for each in kept:
                self.may_befall(each.do)  # type: ignore[attr-defined]
        return kept

    def befalls(self, who: Any, choice: Any, effect: str) -> None:
        """Let what a fumble effect does follow, aimed at who fumbled where it names nobody."""
        if effect in choice.does:
            self.moments.append(("fumbled", who.id, choice.does[effect]))

    def set_effects(self, c: Any) -> None:
        one: Any = self.things.get(c.thing_id)
        need(one is not None and one.kind in ("character", "scene", "situation"))
        need(any(getattr(c, name) is not None for name in (*EFFECTS, "sixes_add")))
        need(c.sixes_add is None or one.kind == "scene")  # C27
        self.put_effects(one, c)
        if c.sixes_add is not None:
            one.sixes_add = c.sixes_add

    def earn(self, check: Any, part: Any) -> None:
        """Keep the dice of a venture, in place of those that the same character had earned for the same roll. C19."""
        ally, benefits = self.things[part.venture.ally], str(part.venture.benefits)
        ally.bonuses = [each for each in ally.bonuses if (each.by, each.benefits) != (part.who, benefits)]
        if ally.status == "in_play" and sum(each.dice for each in ally.bonuses if each.benefits == benefits) < 60:
            key = f"{check.id}-v{check.parts.index(part) + 1}"
            ally.bonuses.append(Thing(key=key, by=part.who, dice=part.venture.level, benefits=benefits))

    def bring(self, check: Any, part: Any, token: str, given: bool) -> None:
        """Give a token, or what stands in its place: the one effect that fits a fumble, or a choice. C21, C22."""
        who = self.things[part.who]
        bearers = [check, who, *self._around(check)] if check.standing else [check]
        name = "stunts" if token == "momentum" else "fumble_effects"
        offered = list(dict.fromkeys(each for one in bearers for each in getattr(one, name))) if given else []
        deeds: dict[str, Any] = {}
        for each in [each for one in bearers for each in one.fumble_does] if name == "fumble_effects" else []:
            deeds.setdefault(each.effect, [aimed(effect, who.id) for effect in each.do])
        offered = [each for each in offered if each not in deeds or any(map(self.could, deeds[each]))]  # type: ignore[attr-defined]
        choice = Thing(check=check.id, token=token, does={each: deeds[each] for each in offered if each in deeds})
        marked = {each for one in bearers for each in one.or_interference}
        opened = token == "momentum" or bool(marked & set(offered))
        if not offered:
            self.gain(who, token)
        elif len(offered) > 1 or opened:
            tokens = [token] if opened else []
            choice.offered = [*tokens, *offered]
            who.choices.append(choice)
        else:
            self.befalls(who, choice, offered[0])

    def _around(self, check: Any) -> list[Any]:
        """Return the situation and the scene that a check happens in, as far as all see them, and they go on."""
        one = self.things.get(check.within_id or "")
        around = [one] if one is not None else []
        if one is not None and one.kind == "situation":
            around.append(self.things[one.of])
        return [each for each in around if each.status == "open" and self.seen_by(each) == "public"]

    def place(self, within: str | None, effort: str | None) -> str | None:
        """Return where a check happens: as said, where its effort is, or the one place that is open to all. C21."""
        if within is not None:
            one = self.things.get(within)
            need(one is not None and one.kind in ("scene", "situation"))
            need(self.seen_by(one) == "public" and one.status == "open")  # type: ignore[union-attr]
            return within
        if effort is not None:
            return str(self.things[effort].of)
        scenes = [each for each in self.all("scene", status="open") if self.seen_by(each) == "public"]
        inside = [each for each in self.all("situation", status="open") if self.seen_by(each) == "public"]
        if len(scenes) != 1:
            return None
        inside = [each for each in inside if each.of == scenes[0].id]
        return str(inside[0].id if len(inside) == 1 else scenes[0].id)

    def choose_effect(self, c: Any) -> None:
        who = self.find("character", c.character_id)
        choices = [each for each in who.choices if each.check == c.check_id and c.effect in each.offered]
        need(choices)
        who.choices.remove(choices[0])
        if c.effect == choices[0].token:
            self.gain(who, choices[0].token)
        self.befalls(who, choices[0], c.effect)
