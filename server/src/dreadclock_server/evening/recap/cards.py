"""The cards of the recap: moments, races, clocks, countdowns and dice, with drawings and texts."""

from collections.abc import Sequence

from dreadclock.export import Step
from dreadclock.rules.clocks import RaceOutcome
from dreadclock.rules.odds.countdown import mean_rolls
from dreadclock.wire.plain import isolated
from dreadclock.wire.things import ClockKind
from dreadclock_server.evening.recap import chances
from dreadclock_server.evening.recap.dice import ENOUGH, Tally, tallies
from dreadclock_server.evening.recap.drawing import (
    CountdownWords,
    draw_clocks,
    draw_countdown,
    draw_dice,
    draw_tally,
    lines,
)
from dreadclock_server.evening.recap.markup import Markup, items, tag
from dreadclock_server.evening.recap.moments import Moment, moments
from dreadclock_server.evening.recap.things import Course, Panel, Race, Survival, panels, races, seats, survivals
from dreadclock_server.evening.recap.times import Axis, Times
from dreadclock_server.evening.recap.words import Words

_SURPRISING = 0.05
_WON = ("triumph", "success", "enough", "won")
_LOST = ("fumble", "crisis")


class Cards:
    """Makes the cards of an evening."""

    def __init__(self, steps: Sequence[Step], words: Words, times: Times) -> None:
        self._steps, self._say, self._times = steps, words, times
        self._axis = Axis(step.record.at for step in steps)

    # Moments

    def moments(self) -> list[Markup]:
        """Make a card for each of the most unlikely rolls of the evening, three at most."""
        return [self._moment(moment) for moment in moments(self._steps)]

    def _moment(self, moment: Moment) -> Markup:
        faces = " ".join(str(face) for face, _ in moment.dice)
        purpose = [tag("p", moment.purpose, class_="soft")] if moment.purpose else []
        tone = "won" if moment.verdict in _WON else "lost" if moment.verdict in _LOST else ""
        verdict = tag("p", self._say("moment.verdict", verdict=moment.verdict), class_=f"verdict {tone}".rstrip())
        odds = tag("p", self._say("moment.odds", chance=self._say.chance(float(moment.chance))), class_="soft")
        dice = draw_dice(moment.dice, self._say("moment.dice", faces=faces))
        return tag("li", tag("h3", isolated(moment.character)), *purpose, dice, verdict, odds)

    # Races

    def races(self) -> list[Markup]:
        """Make a card for each race (against a threat) that has ended. The closest race is first."""
        return [self._race(race) for race in races(self._steps)]

    def _race(self, race: Race) -> Markup:
        size = race.threat_size if race.outcome is RaceOutcome.SUCCESS else race.situation_size
        fields = {"outcome": race.outcome, "margin": race.margin, "size": size}
        said = self._say("race", **fields, scene=race.scene, threat=race.threat)
        own = self._bar("own", race.situation, race.situation_size)
        threat = self._bar("threat", race.threat, race.threat_size)
        return _card(race.name, self._say("story.scene", name=race.scene_name), tag("p", said), own, threat)

    def _bar(self, style: str, value: int, size: int) -> Markup:
        box = {"viewBox": "0 0 100 6", "preserveAspectRatio": "none", "aria_hidden": "true"}
        whole = tag("rect", class_="empty", width=100, height=6)
        part = tag("rect", class_=style, width=round(100 * value / size), height=6)
        label, numbers = tag("span", self._say(f"race.{style}")), tag("span", f"{value}/{size}")
        return tag("p", label, tag("svg", whole, part, **box), numbers, class_="bar")

    # Clocks

    def panels(self) -> list[Markup]:
        """Make a card for each group of clocks that share a drawing."""
        return [self._panel(panel) for panel in panels(self._steps)]

    def _panel(self, panel: Panel) -> Markup:
        described = self._say("clocks.drawing", count=len(panel.courses))
        drawn = draw_clocks(panel, self._axis, self._times, described)
        keys = (
            self._key(*course_and_line) for course_and_line in zip(panel.courses, lines(panel.courses), strict=True)
        )
        name = self._say("clocks.free") if panel.name is None else panel.name
        return _card(name, "", drawn, items(keys, "keys"))

    def _key(self, course: Course, line: str) -> Markup:
        clock, values = course.clock, [value for _, value in course.moves]
        ends = {"from": values[0], "until": values[-1], "size": clock.size}
        stood = self._say("clock.stood" if course.moved else "clock.stayed", **ends)
        named = clock.kind not in (ClockKind.SCENE, ClockKind.THREAT)  # the panel's heading names these clocks
        kind = "" if clock.kind is ClockKind.FREE else self._say("clock.kind", kind=clock.kind) + ", "
        drawn = tag("path", d="M1 3H25", class_=f"line {line}")
        said = tag("span", f"{isolated(clock.name)}, " if named else "", tag("span", kind + stood, class_="soft"))
        return tag("li", tag("svg", drawn, class_="key", viewBox="0 0 26 6", aria_hidden="true"), said)

    # Countdowns

    def countdowns(self) -> list[Markup]:
        """Make a card of each countdown that was rolled."""
        return [self._countdown(survival) for survival in survivals(self._steps)]

    def _countdown(self, survival: Survival) -> Markup:
        countdown, first = survival.countdown, survival.stretches[0].pools[0]
        words = CountdownWords(self._say("countdown.rolls"), self._say("countdown.dice"))
        drawn = draw_countdown(survival, words, self._say("countdown.drawing"))
        kind = self._say("countdown.kind", speed=countdown.speed, pool=first)
        return _card(countdown.name, kind, drawn, tag("p", self._survived(survival)))

    def _survived(self, survival: Survival) -> str:
        *before, last = survival.stretches
        speed, pool, left = survival.countdown.speed, last.pools[0], last.pools[-1]
        said = self._say(
            "countdown.alive" if left else "countdown.ended",
            rolls=last.rolls,
            left=left,
            status=survival.countdown.status,
            chance=self._say.chance(float(chances.lasted_so_long(last, speed))),
            mean=self._say.decimal(float(mean_rolls(pool, speed))),
        )
        return f"{self._say('countdown.again', pool=pool)} {said}" if before else said

    # Dice

    def tallies(self) -> list[Markup]:
        """Make a card of each seat's dice."""
        names = {key: seat.name for key, seat in seats(self._steps).items()}
        return [self._tally(tally, names) for tally in tallies(self._steps)]

    def _tally(self, tally: Tally, names: dict[str, str]) -> Markup:
        drawn = draw_tally(tally, self._say("dice.drawing", counts=list(tally.counts)))
        name = self._say("dice.table") if tally.seat_id is None else names.get(tally.seat_id, tally.seat_id)
        kind = self._say("dice.physical" if tally.physical else "dice.server")
        return _card(name, kind, drawn, tag("p", self._meaning(tally)))

    def _meaning(self, tally: Tally) -> str:
        if tally.chance is None:
            return self._say("dice.few", dice=tally.dice, enough=ENOUGH)
        said = self._say("dice.fair", dice=tally.dice, chance=self._say.chance(tally.chance, within=True))
        return f"{said} {self._say('dice.rare')}" if tally.chance < _SURPRISING else said


def _card(name: str, kind: str, *inside: Markup) -> Markup:
    below = [tag("p", kind, class_="soft")] if kind else []
    return tag("li", tag("h3", name), *below, *inside, class_="card")
