"""Countdowns. Rulings A1 to A15."""

from typing import Any

from kit.model.things import need
from kit.model.totals import Totals

LOWEST_EXPIRING = {"slow": 6, "medium": 5, "fast": 4}
NOT_OVER = ("running", "stabilized")


class Countdowns(Totals):
    """The part of the model in which pools empty."""

    def start_countdown(self, c: Any) -> None:
        need(self.is_gm or self.policy.player_countdowns)
        self.begin_countdown(c)

    def begin_countdown(self, c: Any) -> None:
        """Start a countdown, for a command or as part of one."""
        fields = {name: getattr(c, name) for name in ("pool", "speed", "bound_to", "stabilizable", "replenishable")}
        fields |= {"owner": self.owner_of_new(c.owner), "sizes": self._sizes(c.stages)}
        self.start("countdown", c.visibility, **fields, rolled_in=0, status="running")

    def _sizes(self, stages: Any) -> list[int]:
        sizes = [stage.at for stage in stages]
        need(len(set(sizes)) == len(sizes))
        return sorted(sizes)

    # Rolling

    def roll_countdown(self, c: Any) -> None:
        countdown = self.find("countdown", c.countdown_id)
        need(countdown.status == "running" and not self._was_rolled(countdown))
        self._roll_pool(countdown, c.faces)

    def _was_rolled(self, countdown: Any) -> bool:
        return bool(countdown.bound_to == "turn" and countdown.rolled_in == self.turn)

    def _roll_pool(self, countdown: Any, typed: Any) -> None:
        """Roll a pool: its expiring dice leave it. A1."""
        before = countdown.pool
        faces = self.roll(lambda faces: before, typed)
        countdown.pool = sum(face < LOWEST_EXPIRING[countdown.speed] for face in faces)
        countdown.rolled_in = self.turn
        self._fall(countdown, before)

    def _fall(self, countdown: Any, before: int) -> None:
        """Let happen what follows when a pool is smaller than it was. A2, A3."""
        for at in reversed(countdown.sizes):
            if countdown.pool <= at < before:
                self.stages.append((countdown.id, -at))
                self.comes(countdown, "stage", at)
        if countdown.pool == 0:
            self.comes(countdown, "end")
            countdown.status = "expired"
            self.end_sealed(countdown)

    def end_turn(self, c: Any) -> None:
        need(c.faces is None)
        if c.scene_id is not None:
            self.still_open("scene", c.scene_id).turn += 1
            return
        for countdown in self.all("countdown", status="running", bound_to="turn"):
            if not self._was_rolled(countdown):
                self._roll_pool(countdown, None)
        self.turn += 1

    # Caring for them

    def stabilize_countdown(self, c: Any) -> None:
        countdown = self.find("countdown", c.countdown_id)
        need(countdown.status == "running" and countdown.stabilizable)
        countdown.status = "stabilized"

    def resume_countdown(self, c: Any) -> None:
        countdown = self.find("countdown", c.countdown_id)
        need(countdown.status == "stabilized")
        countdown.status = "running"

    def replenish_countdown(self, c: Any) -> None:
        """Add dice. A4 to A7."""
        countdown = self.find("countdown", c.countdown_id)
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
