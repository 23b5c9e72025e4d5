"""What follows by itself from what a command does. Ruling E5.

Left to other tests: how many events may come of consequences, as the model tells none.
"""

import pickle
from contextlib import suppress
from types import SimpleNamespace as Thing
from typing import Any

from kit.model.countdowns import NOT_OVER, Countdowns
from kit.model.things import No, need

DEEPEST = 8
MOST_EFFECTS = 8  # of a kind that stand on one thing
MOMENTS = {
    "countdown": ("stage", "end"),
    "clock": ("end",),
    "check": ("fumble", "fail", "success", "triumph", "won", "lost"),
    "total": ("succeeded", "failed", "crisis"),
    "character": ("crisis",),
}


class Consequences(Countdowns):
    """The part of the model in which things follow from moments."""

    def attach_consequence(self, c: Any) -> None:
        of, at = self.find(c.of.kind, c.of.id), c.when.at
        need(not self._is_past(of) and c.when.when in MOMENTS[of.kind])
        need(of.kind != "check" or of.status != "resolved" or c.when.when == "success")
        need(at in of.sizes if c.when.when == "stage" else at is None)
        for effect in c.do:
            need(effect.thing_id is not None or effect.does in ("start", "tell"))
            need(self._may_happen(effect))
            self.may_befall(effect.do or ())
        if c.visibility == "public":
            named = [of, *(self.things[each.thing_id] for each in c.do if each.thing_id is not None)]
            need(all(self.seen_by(each) == "public" for each in named))
            need(all(each.does != "reveal" for each in c.do))
            need(all(each.countdown is None or each.countdown.visibility == "public" for each in c.do))
        for each in self.all("consequence", visibility=c.visibility):
            subject = self.things.get(each.about)
            if subject is None or self._is_past(subject):
                self.remove(each)
        self.start("consequence", c.visibility, about=of.id, when=str(c.when.when), at=at, do=c.do)

    def may_befall(self, effects: Any) -> None:
        """Refuse what a fumble effect may not do: what is hidden, or can never happen. C26."""
        for effect in effects:
            self.may_befall(effect.do or ())
            if effect.thing_id is None and effect.does not in ("start", "tell"):
                continue
            need(effect.does != "reveal" and self._may_happen(effect))
            need(effect.thing_id is None or self.seen_by(self.things[effect.thing_id]) == "public")
            need(effect.countdown is None or effect.countdown.visibility == "public")

    def could(self, effect: Any) -> bool:
        """Tell whether an effect would change anything as things are, whoever sees and cares for what it is on.

        It is tried on a copy, as others hold on to the things here; and without dice, as none are shown for it.
        """
        trial = pickle.loads(pickle.dumps(self))
        before = pickle.loads(pickle.dumps(self.things))
        trial.by, trial.sees_secrets = "gm", True
        try:
            if effect.does == "roll":
                return bool(trial.to_roll(effect.thing_id))
            getattr(trial, f"_{effect.does}")(effect)
        except No:
            return False
        return bool(effect.does == "tell" or trial.things != before)

    def detach_consequence(self, c: Any) -> None:
        self.remove(self.find("consequence", c.consequence_id))

    def _is_past(self, one: Any) -> bool:
        """Tell whether no moment of a thing can come any more."""
        if one.kind == "clock":
            return self._has_gone(one)
        if one.kind == "check":
            costs = [part.cost for part in self._side(one, "acting") if self._may_pay(one, part)]
            return one.status == "resolved" and ("applied" in costs or set(costs) <= {"declined"})
        return one.status in ("expired", "cancelled", "succeeded", "failed", "dead", "retired")

    def _may_pay(self, check: Any, part: Any) -> bool:
        leads = part is self._side(check, "acting")[0]
        failed = not leads and part.outcome in ("fail", "fumble")
        return check.outcomes is not None and not self._won(check, "acting") and (leads or failed)

    def _has_gone(self, clock: Any) -> bool:
        """Tell whether a clock's owner is over for good, which what is prepared or set aside is not."""
        of = self.things.get(clock.of or "")
        return of is not None and of.status not in ("open", "prepared")

    def _may_happen(self, effect: Any) -> bool:
        """Tell whether an effect could ever happen to what it names, as things are."""
        kinds = {"tick": "clock", "take_off": "challenge", "start": None, "tell": None, "reveal": None}
        kinds |= dict.fromkeys(("stabilize", "resume", "replenish", "roll"), "countdown")
        kind, one = kinds.get(effect.does, "character"), self.things.get(effect.thing_id or "")
        if effect.does in ("set_fumble", "drop_fumble"):
            return one is not None and self._bears(one)
        if kind is not None and (one is None or one.kind != kind):
            return False
        return bool(getattr(self, f"_can_be_{kind or effect.does}")(effect, one))

    def _can_be_countdown(self, effect: Any, one: Any) -> bool:
        stops = one.stabilizable or one.status == "stabilized"
        allowed = {"stabilize": one.stabilizable, "resume": stops, "replenish": one.replenishable, "roll": True}
        return one.status in NOT_OVER and allowed[effect.does]

    def _can_be_clock(self, effect: Any, one: Any) -> bool:
        return not self._has_gone(one) and (one.sort != "threat" or effect.by > 0)

    def _can_be_challenge(self, effect: Any, one: Any) -> bool:
        return bool(one.status == "open")

    def _can_be_character(self, effect: Any, one: Any) -> bool:
        return one.status == "in_play" and (effect.does != "move_track" or effect.name in one.tracks)

    def _can_be_start(self, effect: Any, one: Any) -> bool:
        return True

    def _can_be_tell(self, effect: Any, one: Any) -> bool:
        return True

    def _can_be_reveal(self, effect: Any, one: Any) -> bool:
        """Tell whether a thing is hidden in its own right."""
        if one is None or one.kind in ("effort", "total", "consequence"):
            return False
        around = self.things.get(getattr(one, "of", None) or "")
        return bool(one.visibility != "public") and (around is None or self.seen_by(around) == "public")

    def _bears(self, one: Any) -> bool:
        """Tell whether fumble effects may be set on a thing, or dropped."""
        going_on = {"character": ("in_play",), "scene": ("open",), "situation": ("open", "prepared")}
        return one.kind in going_on and one.status in going_on[one.kind]

    # What follows

    def follow(self) -> None:
        """Go through the moments in the order in which they came, those that effects bring about included."""
        by, sees = self.by, self.sees_secrets
        self.by, self.sees_secrets = "gm", True
        self.done, self.stopped = set[str](), set[str]()
        waiting = self._came({"public": 0, "gm": 0})
        while waiting:
            moment, depths = waiting.pop(0)
            if moment[0] == "fumbled":
                waiting += self._follows(Thing(id=None, visibility="public", do=moment[2]), depths)
            for visibility in ("public", "gm"):
                for one in self.all("consequence", visibility=visibility):
                    if (one.about, one.when, one.at) == moment:
                        waiting += self._follows(one, depths)
        self.by, self.sees_secrets = by, sees

    def _came(self, depths: dict[str, int]) -> list[tuple[Any, dict[str, int]]]:
        """Take the moments that came, with how deep what follows from them is."""
        came, self.moments = self.moments, []
        return [(moment, depths) for moment in came]

    def _follows(self, one: Any, depths: dict[str, int]) -> list[tuple[Any, dict[str, int]]]:
        """Bring a consequence about once, unless too many led to it: then no more of its sort follow."""
        if one.id in self.done or one.visibility in self.stopped:
            return []
        if one.id is not None:
            self.done.add(one.id)
        deeper = {**depths, one.visibility: depths[one.visibility] + 1}
        if one.visibility == "gm":
            deeper["public"] = 0
        if deeper[one.visibility] > DEEPEST:
            self.stopped.add(one.visibility)
            return []
        came = []
        for effect in one.do:
            self._happen(effect)
            came += self._came(deeper)
        return came

    def _happen(self, effect: Any) -> None:
        """Do what an effect says, or nothing where it cannot happen."""
        with suppress(No):
            getattr(self, f"_{effect.does}")(effect)

    def _tick(self, effect: Any) -> None:
        need(not (self._named("clock", effect).sort == "threat" and effect.by < 0))
        self.complicate(Thing(clock_id=effect.thing_id, by=effect.by, enlarge=0))

    def _named(self, kind: str, effect: Any) -> Any:
        return self.find(kind, effect.thing_id)

    def _stabilize(self, effect: Any) -> None:
        self.stabilize_countdown(Thing(countdown_id=effect.thing_id))

    def _resume(self, effect: Any) -> None:
        self.resume_countdown(Thing(countdown_id=effect.thing_id))

    def _replenish(self, effect: Any) -> None:
        self.replenish_countdown(Thing(countdown_id=effect.thing_id, dice=effect.by))

    def _roll(self, effect: Any) -> None:
        self.roll_countdown(Thing(countdown_id=effect.thing_id, faces=None))

    def _start(self, effect: Any) -> None:
        self.begin_countdown(effect.countdown)

    def _take_off(self, effect: Any) -> None:
        self.succeed(self.still_open("challenge", effect.thing_id).id, effect.by)

    def _leave(self, effect: Any) -> None:
        self.take_out_of_play(Thing(character_id=effect.thing_id, fate=effect.fate))  # type: ignore[attr-defined]

    def _in_play(self, effect: Any) -> Any:
        who = self._named("character", effect)
        need(who.status == "in_play")
        return who

    def _give_state(self, effect: Any) -> None:
        states = self._in_play(effect).states
        need(effect.name not in states)
        states.append(effect.name)

    def _drop_state(self, effect: Any) -> None:
        states = self._in_play(effect).states
        need(effect.name in states)
        states.remove(effect.name)

    def _move_track(self, effect: Any) -> None:
        tracks = self._in_play(effect).tracks
        need(effect.name in tracks)
        value, most = tracks[effect.name]
        tracks[effect.name] = (min(max(value + effect.by, 0), most), most)

    def _give_token(self, effect: Any) -> None:
        self.gain(self._in_play(effect), str(effect.token))

    def _set_fumble(self, effect: Any) -> None:
        one = self._bearer(effect)
        need(effect.text not in one.stunts and len({*one.fumble_effects, effect.text}) <= MOST_EFFECTS)
        if effect.text not in one.fumble_effects:
            one.fumble_effects = (*one.fumble_effects, effect.text)
        deed = Thing(effect=effect.text, do=effect.do)
        kept = [each for each in one.fumble_does if each.effect != effect.text]
        one.fumble_does = (*kept, *([deed] if effect.do else []))

    def _drop_fumble(self, effect: Any) -> None:
        one = self._bearer(effect)
        for name in ("fumble_effects", "or_interference"):
            setattr(one, name, tuple(each for each in getattr(one, name) if each != effect.text))
        one.fumble_does = tuple(each for each in one.fumble_does if each.effect != effect.text)

    def _bearer(self, effect: Any) -> Any:
        one = self.things.get(effect.thing_id)
        need(one is not None and self._bears(one))
        return one

    def _reveal(self, effect: Any) -> None:
        self.reveal(effect)  # type: ignore[attr-defined]

    def _tell(self, effect: Any) -> None:
        """Tell a text, which moves nothing."""
