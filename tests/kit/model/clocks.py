"""Scenes, situations, races and clocks. Rulings B1 to B21."""

from typing import Any

from kit.model.things import NO_EFFECTS, Things, need

BUDGET = {"hard": (8, 12, 16), "normal": (15, 20, 25), "easy": (20, 30, 40)}
DIFFICULTY = {-2: "easy", -1: "easy", 0: "normal", 1: "hard", 2: "hard"}


class Clocks(Things):
    """The part of the model in which clocks move."""

    def still_open(self, kind: str, thing_id: str) -> Any:
        """Return a thing that is under way, in situations and scenes that are, too."""
        one = self.find(kind, thing_id)
        need(one.status == "open")
        self.goes_on(one)
        return one

    def goes_on(self, one: Any) -> None:
        """Refuse what is in a situation that is only prepared, or in a scene that is set aside. B20."""
        while one is not None:
            need(getattr(one, "status", "open") != "prepared" and not getattr(one, "aside", False))
            one = self.things.get(getattr(one, "of", None) or "")

    def rolls_on(self, challenge_id: str | None) -> None:
        """Refuse to roll on against a challenge whose scene is set aside. B20."""
        challenge = self.things.get(challenge_id or "")
        if challenge is not None and challenge.status == "open":
            self.goes_on(challenge)

    def clock_of(self, one: Any) -> Any:
        """Return a thing's own clock."""
        return self.things[f"{one.id}-clock"]

    def _new_clock(self, one: Any, size: int, sort: str, name: str = "clock") -> None:
        self.shown.ids.appendleft(f"{one.id}-{name}")
        self.start("clock", of=one.id, sort=sort, size=size, value=size, up=False, owner=None)

    # Moving, and what follows

    def move(self, clock: Any, by: int) -> bool:
        """Move a clock, and tell whether that took it to its end. A tick at the end is none. B11."""
        before, clock.value = clock.value, min(max(clock.value + (by if clock.up else -by), 0), clock.size)
        return before != clock.value and self.is_done(clock)

    def is_done(self, clock: Any) -> bool:
        """Tell whether a clock is at its end."""
        return bool(clock.value == (clock.size if clock.up else 0))

    def tick(self, clock: Any, by: int = 1) -> None:
        """Move a clock, with what follows."""
        if self.move(clock, by):
            self.come_to_end(clock)

    def come_to_end(self, clock: Any) -> None:
        """Let happen what follows when a clock is at its end."""
        self.comes(clock, "end")
        of: Any = self.things.get(clock.of or "")
        if clock.sort == "free":
            self.end_sealed(clock)
        elif clock.sort == "challenge" and of.status == "open":
            self._close(of, "overcome")
            self.tick(self.clock_of(self.things[of.of]))
        elif clock.sort == "situation":
            self.win(of, "won")
        elif clock.sort == "threat":
            for race in self._open_races(of):
                self.lose(race)
        elif clock.sort == "scene" and not self._open_races(of):
            self.close_scene(of)

    def _open_races(self, scene: Any) -> list[Any]:
        return self.all("situation", of=scene.id, race=True, status="open")

    def _close(self, one: Any, status: str) -> None:
        """End a challenge, situation or scene, with what waits in it."""
        one.status = status
        for inside in [each for each in self.things.values() if getattr(each, "of", None) == one.id]:
            if inside.kind == "effort":
                self.remove(inside)
            elif getattr(inside, "status", None) in ("open", "prepared"):
                self._close(inside, "closed")

    def win(self, situation: Any, status: str) -> None:
        """Win a situation: its scene loses a point, and where it was a race, that is a success. B2, B8."""
        self._close(situation, status)
        self.end_sealed(situation)
        situation.outcome = "success" if situation.race else None
        clock = self.clock_of(self.things[situation.of])
        if self.move(clock, 1):
            self.come_to_end(clock)

    def lose(self, situation: Any) -> None:
        """Lose a situation; the scene goes on. B8, B9."""
        self._close(situation, "failed")
        self.end_sealed(situation)
        situation.outcome = "failure" if situation.race else None

    def close_scene(self, scene: Any) -> None:
        """End a scene, its open races early. B2, B4."""
        left = self.clock_of(scene).value
        for race in self._open_races(scene):
            race.outcome = self._would(race)
        for situation in self.all("situation", of=scene.id):
            self.end_sealed(situation)
        self._close(scene, "success" if left == 0 else "unfinished")
        self.end_sealed(scene)

    # Efforts

    def challenge_for(self, effort: Any, visibility: str) -> str | None:
        """Return the challenge that a roll is an effort against; nobody may learn of a hidden one by it."""
        if effort is None:
            return None
        challenge = self.still_open("challenge", effort.challenge_id)
        need(visibility != "public" or self.seen_by(challenge) == "public")
        return str(challenge.id)

    def attempt(self, challenge_id: str | None) -> None:
        """Tick the threat for an attempt, whatever becomes of it. B1, B7, B13."""
        challenge = self.things.get(challenge_id or "")
        if challenge is not None and challenge.status == "open":
            situation = self.things[challenge.of]
            if situation.race and challenge.sort != "foe":
                self.tick(self.things[f"{situation.of}-threat"])

    def succeed(self, challenge_id: str | None, amount: int = 1) -> None:
        """Take a success off a challenge, unless the attempt itself lost the race."""
        challenge = self.things.get(challenge_id or "")
        if challenge is not None and challenge.status == "open":
            self.tick(self.clock_of(challenge), amount)

    def attempt_effort(self, c: Any) -> None:
        challenge = self.still_open("challenge", c.challenge_id)
        need(c.success is None or self.is_gm)
        own = [each.id for each in self.all("character", owner=self.by, status="in_play")]
        if c.character_id is not None:
            need(self.able(c.character_id).owner == self.by or not self.is_player)
        elif not self.is_gm:  # B17
            need(len(own) == 1)
            self.able(own[0])
        effort = self.start("effort", of=challenge.id)
        self.attempt(challenge.id)
        if c.success is not None and effort.id in self.things:
            self._rule(effort, c)

    def able(self, character_id: str) -> Any:
        """Return a character for whom dice may be rolled. D6, D7."""
        one = self.find("character", character_id)
        need(one.status == "in_play" and one.due is None)
        return one

    def rule_effort(self, c: Any) -> None:
        self._rule(self.find("effort", c.effort_id), c)

    def _rule(self, effort: Any, c: Any) -> None:
        self.goes_on(self.things[effort.of])
        self.remove(effort)
        if c.success:
            self.succeed(effort.of, c.amount)

    # Commands

    def open_scene(self, c: Any) -> None:
        scene = self.start("scene", c.visibility, status="open", of=None, aside=False, turn=1, **NO_EFFECTS)
        scene.sixes_add = c.sixes_add
        self._new_clock(scene, c.clock, "scene")

    def start_situation(self, c: Any) -> None:
        scene = self.find("scene", c.scene_id)
        need(scene.status == "open" and (c.prepared or not scene.aside))
        race, own = c.kind == "race", self._own(c, scene)
        around = None if c.within is None else self.find("situation", c.within)
        need(around is None or not race)
        need(around is None or (around.race and around.of == scene.id))
        need(around is None or around.status == "open" or (c.prepared and around.status == "prepared"))
        need(not race or c.level is not None)
        party = self._party(c.party)
        measured = not race or c.prepared
        budget = 0 if measured else self._budget(c.level, c.difficulty, c.party_levels, party)
        status = "prepared" if c.prepared else "open"
        fields = {"race": race, "status": status, "outcome": None, "rounds": 0, "within": c.within, **NO_EFFECTS}
        fields["party"] = c.party
        named = c.difficulty
        if named is None and race and c.prepared and c.party_levels is not None:
            named = self._difficulty(c.level, c.party_levels, party)
        one = self.start("situation", own, of=scene.id, **fields, level=c.level, difficulty=named)
        self._new_clock(one, c.clock, "situation")
        if not measured:
            self._threaten(scene, budget)

    def _own(self, c: Any, scene: Any) -> str:
        """Return what hides a situation in its own right: `public` if nothing does. B20."""
        race = c.kind == "race"
        if c.prepared:
            need(c.visibility == "public")
            return "gm"
        if c.visibility == "public" or c.visibility == scene.visibility == "sealed":
            return "public"
        need(not race and (scene.visibility == "public" or c.visibility == "gm"))
        return str(c.visibility)

    def _threaten(self, scene: Any, budget: int) -> None:
        if f"{scene.id}-threat" not in self.things:
            self._new_clock(scene, budget, "threat", "threat")
        need(self.things[f"{scene.id}-threat"].value > 0)

    def begin_situation(self, c: Any) -> None:
        one = self.find("situation", c.situation_id)
        need(one.status == "prepared")
        scene = self.still_open("scene", one.of)
        around = self.things.get(one.within or "")
        need(one.within is None or (around is not None and around.status == "open"))
        if one.race:
            named = c.difficulty or (one.difficulty if c.party_levels is None else None)
            known = [self.things[each] for each in one.party or () if each in self.things]
            self._threaten(scene, self._budget(one.level, named, c.party_levels, known))
        one.status, one.visibility = "open", "public"

    def set_scene_aside(self, c: Any) -> None:
        self.still_open("scene", c.scene_id).aside = True

    def take_up_scene(self, c: Any) -> None:
        scene = self.find("scene", c.scene_id)
        need(scene.status == "open" and scene.aside)
        scene.aside = False

    def _budget(self, level: int, named: str | None, levels: Any, party: list[Any]) -> int:
        """Return what a threat starts with. B5."""
        return BUDGET[named or self._difficulty(level, levels, party)][(level - 1) // 3]

    def _difficulty(self, level: int, levels: Any, party: list[Any]) -> str:
        """Return how hard a race is for a party, or for the players' characters in play. B5, B12, B18."""
        playing = self.all("character", status="in_play")
        players = [each for each in playing if self.seats.get(each.owner or "") == "player"]
        known = [each for each in (party or players) if not each.newcomer and each.status == "in_play"]
        levels = levels or [each.approved or each.level for each in known]
        need(levels)
        average = (2 * sum(levels) + len(levels)) // (2 * len(levels))
        need(abs(level - average) <= 2)
        return DIFFICULTY[level - average]

    def _party(self, ids: Any) -> list[Any]:
        """Return the party that a situation names: nobody twice, and all in play. B18."""
        named = [self.find("character", each) for each in ids or ()]
        need(all(each.visibility == "public" for each in named))
        need(all(each.status == "in_play" for each in named) and len({each.id for each in named}) == len(named))
        return named

    def add_challenge(self, c: Any) -> None:
        situation = self.find("situation", c.situation_id)
        need(situation.status == "prepared" or self.still_open("situation", situation.id))
        self._new_clock(self.start("challenge", of=situation.id, sort=c.kind, status="open"), c.clock, "challenge")
        clock, waiting = self.clock_of(situation), len(self.all("challenge", of=situation.id, status="open"))
        clock.value = max(clock.value, waiting)  # B16
        clock.size = max(clock.size, clock.value)

    def overcome_challenge(self, c: Any) -> None:
        clock = self.clock_of(self.still_open("challenge", c.challenge_id))
        self.tick(clock, clock.value)

    def resolve_situation(self, c: Any) -> None:
        situation = self.still_open("situation", c.situation_id)
        self.clock_of(situation).value = 0
        self.comes(self.clock_of(situation), "end")
        self.win(situation, "resolved")

    def fail_situation(self, c: Any) -> None:
        self.lose(self.still_open("situation", c.situation_id))

    def end_round(self, c: Any) -> None:
        situation = self.find("situation", c.situation_id)
        scene = self.still_open("scene", situation.of)
        need(situation.status != "prepared")
        if situation.status == "open":
            self.roll_bound_to(situation)  # type: ignore[attr-defined]
            situation.rounds += 1
            around = self.things.get(situation.within or "")
            if situation.race or (around is not None and around.status == "open"):
                self.tick(self.things[f"{scene.id}-threat"])

    def travel(self, c: Any) -> None:
        self.tick(self.clock_of(self.still_open("scene", c.scene_id)))

    rest = travel

    def end_scene(self, c: Any) -> None:
        scene = self.still_open("scene", c.scene_id)
        for key, expected in (c.expect or {}).items():
            race = self.find("situation", key)
            need(race.of == scene.id and expected == (self._would(race) if race.status == "open" else race.outcome))
        need(c.expect is None or {race.id for race in self._open_races(scene)} <= set(c.expect))
        self.close_scene(scene)

    def _would(self, race: Any) -> str | None:
        """Say how a race that is under way would end with its scene. B4, B21."""
        left, threat = self.clock_of(self.things[race.of]).value, self.things.get(f"{race.of}-threat")
        if not race.race or threat is None:
            return None
        return "partial_success" if threat.value > left else "failure"

    def start_clock(self, c: Any) -> None:
        up, owner = c.direction == "up", self.owner_of_new(c.owner)
        value = 0 if up else c.size
        self.start("clock", c.visibility, of=None, sort="free", size=c.size, value=value, up=up, owner=owner)

    def tick_clock(self, c: Any) -> None:
        if c.back:
            need(self.is_gm)
            self._change(c.clock_id, -c.by, 0)
        else:
            clock = self.find("clock", c.clock_id)
            need(clock.sort == "free")
            self.tick(clock, c.by)

    def enlarge_clock(self, c: Any) -> None:
        self._change(c.clock_id, 0, c.by)

    def _change(self, clock_id: str, by: int, more: int) -> None:
        """Enlarge a clock and move it; that must change something, and a threat only goes on. B15."""
        clock = self._movable(clock_id)
        before = clock.value, clock.size
        need(clock.sort != "threat" or (by >= 0 and more == 0))
        need(clock.size + more <= 99)
        clock.size += more
        clock.value += 0 if clock.up else more
        ended = self.move(clock, by)
        need((clock.value, clock.size) != before)
        if ended:
            self.come_to_end(clock)

    def _movable(self, clock_id: str) -> Any:
        """Return a clock of something that is not over."""
        clock = self.find("clock", clock_id)
        of = self.things.get(clock.of or "")
        need(of is None or of.status == "open")
        self.goes_on(clock)
        return clock

    def amend_clock(self, c: Any) -> None:
        clock = self._movable(c.clock_id)
        need(c.value <= clock.size)
        moved, clock.value = clock.value != c.value, c.value
        if moved and self.is_done(clock):
            self.come_to_end(clock)

    def complicate(self, effect: Any) -> None:
        """Change a clock for a complication."""
        self._change(effect.clock_id, effect.by, effect.enlarge)

    def cancel(self, c: Any) -> None:
        one: Any = self.things.get(c.thing_id)
        need(one is not None and one.kind in ("scene", "situation", "challenge", "clock"))
        need(one.sort == "free" if one.kind == "clock" else one.status in ("open", "prepared"))
        self.remove(one)
