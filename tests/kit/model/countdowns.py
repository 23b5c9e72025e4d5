"""Countdowns. Rulings A1 to A15."""

from types import SimpleNamespace as Thing
from typing import Any

from kit.model.things import need
from kit.model.totals import Totals

BINDING = {"rounds": "situation", "scene": "scene"}
SETTLED = ("speed", "ending", "bound_to", "bound_id", "about", "fate", "repeats", "stabilizable", "replenishable")
LOWEST_EXPIRING = {"slow": 6, "medium": 5, "fast": 4}
NOT_OVER = ("running", "stabilized")


class Countdowns(Totals):
    """The part of the model in which pools empty."""

    def start_countdown(self, c: Any) -> None:
        need(self.may("countdowns") or self.policy.player_countdowns)
        one = self.begin_countdown(c)
        if c.at_start is not None:
            visibility = "public" if one.visibility == "public" else "gm"
            of, when = Thing(kind="countdown", id=one.id), Thing(when="stage", at=one.pool)
            need(self.is_gm)
            self.attach_consequence(Thing(of=of, when=when, do=c.at_start, visibility=visibility))  # type: ignore[attr-defined]

    def begin_countdown(self, c: Any) -> Any:
        """Start a countdown, for a command or as part of one."""
        owner, sizes = self.owner_of_new(c.owner), self._sizes(c.stages)
        one = Thing(visibility=c.visibility, **{name: getattr(c, name) for name in SETTLED})
        self._fits(one)
        pool = self._dice_at_start(c)
        fields = vars(one) | {"owner": owner, "pool": pool, "began_with": pool, "sizes": sizes, "stages": c.stages}
        one = self.start("countdown", **fields, rolled_in=0, period=0, status="running")
        if pool in sizes:
            self.stages.append((one.id, -pool))
            self.comes(one, "stage", pool)
        return one

    def _sizes(self, stages: Any) -> list[int]:
        sizes = [stage.at for stage in stages]
        need(len(set(sizes)) == len(sizes))
        return sorted(sizes)

    def _dice_at_start(self, c: Any) -> int:
        """Return how many dice there are: as said, or as an attribute says. A1, A10."""
        need((c.pool is None) != (c.from_attribute is None))
        if c.pool is not None:
            return int(c.pool)
        need(c.about is not None)
        score = self.find("character", c.about).attributes.get(c.from_attribute)
        need(score)
        return int(score)

    def _fits(self, one: Any, was: Any = None) -> None:
        """Refuse a countdown whose end is nobody's, or that tells of what not everyone sees. A9, A12."""
        need(one.fate is None or one.about is not None)
        kind = BINDING.get(one.bound_to)
        need((one.bound_id is None) == (kind is None))
        named = [self.find("character", one.about)] if one.about is not None else []
        if kind is not None and was != (one.bound_to, one.bound_id):
            named.append(self.find(kind, one.bound_id))
            need(named[-1].status == "open")
        need(one.visibility != "public" or all(self.seen_by(each) == "public" for each in named))

    def show(self, one: Any) -> None:
        """Let everyone see a thing; a countdown is then bound to nothing that stays hidden. A12, E4."""
        super().show(one)
        if one.kind == "countdown" and one.bound_id is not None and self._hides(one.bound_id):
            one.bound_to, one.bound_id = "nothing", None
        if one.kind == "countdown" and one.about is not None and self._hides(one.about):
            one.about = one.fate = None

    def _hides(self, thing_id: str) -> bool:
        return thing_id not in self.things or self.seen_by(self.things[thing_id]) != "public"

    # Rolling

    def roll_countdown(self, c: Any) -> None:
        self._roll_pool(self.to_roll(c.countdown_id), c.faces)

    def to_roll(self, countdown_id: str) -> Any:
        """Return a countdown that may be rolled now."""
        countdown = self.find("countdown", countdown_id)
        need(countdown.status == "running" and not self._was_rolled(countdown))
        self.goes_on(self.things.get(countdown.bound_id or ""))
        return countdown

    def _bound(self, countdown: Any) -> Any:
        """Return the open situation or scene that a countdown is bound to. A12."""
        one: Any = self.things.get(countdown.bound_id or "")
        return one if one is not None and one.status == "open" else None

    def _period(self, countdown: Any) -> tuple[int, int]:
        """Return the turn or the round in which a countdown may be rolled once. A8, A12."""
        one = self._bound(countdown)
        return (0, one.rounds) if one.kind == "situation" else (self.turn, one.turn)

    def _was_rolled(self, countdown: Any) -> bool:
        if countdown.bound_to == "turn":
            return bool(countdown.rolled_in == self.turn)
        return self._bound(countdown) is not None and countdown.period == self._period(countdown)

    def _roll_pool(self, countdown: Any, typed: Any) -> None:
        """Roll a pool: its expiring dice leave it. A1."""
        before = countdown.pool
        faces = self.roll(lambda faces: before, typed)
        countdown.pool = sum(face < LOWEST_EXPIRING[countdown.speed] for face in faces)
        countdown.rolled_in = self.turn
        countdown.period = None if self._bound(countdown) is None else self._period(countdown)
        self._fall(countdown, before)

    def _fall(self, countdown: Any, before: int) -> None:
        """Let happen what follows when a pool is smaller than it was. A2, A3."""
        for at in reversed(countdown.sizes):
            if countdown.pool <= at < before:
                self.stages.append((countdown.id, -at))
                self.comes(countdown, "stage", at)
        if countdown.pool == 0:
            self.comes(countdown, "end")
            self._end(countdown)

    def _end(self, countdown: Any) -> None:
        """End a countdown, or let it begin again; whom it is about may go. A9, A15."""
        if countdown.repeats is None:
            countdown.status = "expired"
            self.end_sealed(countdown)
        elif countdown.repeats == "same":
            countdown.pool = countdown.began_with
        else:
            countdown.pool = countdown.began_with = self.roll(lambda faces: 1, None)[0]
        about: Any = self.things.get(countdown.about or "")
        if countdown.fate is not None and about.status == "in_play":
            self.leave(about, countdown.fate)  # type: ignore[attr-defined]

    def end_turn(self, c: Any) -> None:
        need(c.faces is None)
        need(c.turn in (None, self.turn))
        if c.scene_id is not None:
            scene = self.still_open("scene", c.scene_id)
            self.roll_bound_to(scene)
            scene.turn += 1
            return
        for countdown in self.all("countdown", status="running"):
            waits = countdown.bound_to == "turn" or (countdown.bound_to == "scene" and self._is_under_way(countdown))
            if waits and countdown.rolled_in != self.turn:
                self._roll_pool(countdown, None)
        self.turn += 1

    def roll_bound_to(self, one: Any) -> None:
        """Roll what is bound to a situation's rounds or a scene's turns, at the end of one."""
        for countdown in self.all("countdown", status="running", bound_id=one.id):
            if not self._was_rolled(countdown):
                self._roll_pool(countdown, None)

    def _is_under_way(self, countdown: Any) -> bool:
        scene = self._bound(countdown)
        return scene is not None and not scene.aside

    def amend_countdown(self, c: Any) -> None:
        """Change a countdown; a pool that is amended falls or rises as another does. A14, B10."""
        countdown = self.find("countdown", c.countdown_id)
        need(countdown.status in NOT_OVER)
        was, before = dict(vars(countdown)), countdown.pool
        for name in (*SETTLED, "owner", "pool", "stages"):
            if name in c.clear or getattr(c, name, None) is not None:
                setattr(countdown, name, None if name in c.clear else getattr(c, name))
        countdown.bound_id = c.bound_id if c.bound_to is not None else (c.bound_id or countdown.bound_id)
        countdown.fate = None if "about" in c.clear else countdown.fate
        countdown.sizes = self._sizes(countdown.stages)
        need(vars(countdown) != was)
        if (countdown.bound_to, countdown.bound_id) != (was["bound_to"], was["bound_id"]):
            countdown.period = None
        need(countdown.pool <= 60 and countdown.owner in (None, *self.seats))
        self._fits(countdown, (was["bound_to"], was["bound_id"]))
        if countdown.pool < before:
            self._fall(countdown, before)  # which may let it begin again: that leaves no stage (A15)
        else:
            self._rise(countdown, before)

    # Caring for them

    def _cared_for(self, c: Any) -> Any:
        """Return a countdown that the sender may care for. A11."""
        countdown, care = self.find("countdown", c.countdown_id), self.policy.care
        owns = countdown.owner == self.by
        need(self.may("countdowns") or (owns and care != "gm") or (self.is_player and care == "players"))
        return countdown

    def stabilize_countdown(self, c: Any) -> None:
        countdown = self._cared_for(c)
        need(countdown.status == "running" and countdown.stabilizable)
        countdown.status = "stabilized"

    def resume_countdown(self, c: Any) -> None:
        countdown = self._cared_for(c)
        need(countdown.status == "stabilized")
        countdown.status = "running"

    def replenish_countdown(self, c: Any) -> None:
        """Add dice. A4 to A7."""
        countdown = self._cared_for(c)
        before, after = countdown.pool, countdown.pool + c.dice
        need(countdown.status in NOT_OVER and countdown.replenishable and after <= 60)
        countdown.pool = after
        self._rise(countdown, before)

    def _rise(self, countdown: Any, before: int) -> None:
        """Leave the stages below a pool that is larger than it was. A4."""
        self.stages += [(countdown.id, at) for at in countdown.sizes if before <= at < countdown.pool]

    def cancel_countdown(self, c: Any) -> None:
        countdown = self.find("countdown", c.countdown_id)
        need(countdown.status in NOT_OVER)
        countdown.status = "cancelled"
        self.end_sealed(countdown)
