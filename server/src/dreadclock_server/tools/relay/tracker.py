"""The tracker: a Discord embed with the open scenes, the clocks, the countdowns, and what waits for somebody."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from dreadclock.narration import Narrator, words
from dreadclock.wire import things
from dreadclock.wire.base import Id, Visibility
from dreadclock.wire.families.characters import waits
from dreadclock.wire.families.situations import NOT_OVER
from dreadclock.wire.plain import isolated
from dreadclock.wire.views import View
from dreadclock_server.tools.relay.markdown import escaped, escaped_within, length
from dreadclock_server.tools.words import character_name

MOST_TITLE, MOST_DESCRIPTION = 256, 4096
CELLS = 12  # cells of a bar
_DIE, _FULL, _EMPTY = "⬢", "▰", "▱"
_APART = " · "

Words = words.Words
words_of = partial(words.words_of, package=__package__, name="relay")


def embed(view: View, words: Words, narrator: Narrator) -> dict[str, Any]:
    """Draw a view, within the size limit of an embed."""
    picture = _Picture(view, words, narrator)
    footer = _joined(words("turn", turn=view.turn), words("closed") if view.public.closed else "")
    return {
        "title": escaped_within(view.title, MOST_TITLE),
        "description": fitted(list(picture.lines()) or [words("empty")], words),
        "footer": {"text": footer},
    }


def fitted(lines: list[str], words: Words) -> str:
    """Join lines. If they are too long, leave out the last lines, and write how many lines are missing."""
    for kept in range(len(lines), 0, -1):
        more = [words("more", number=len(lines) - kept)] if kept < len(lines) else []
        text = "\n".join([*lines[:kept], *more])
        if length(text) <= MOST_DESCRIPTION:
            return text
    return words("more", number=len(lines))


class _Picture:
    """Draws a view, with a line for each thing."""

    def __init__(self, view: View, words: Words, narrator: Narrator) -> None:
        self._view, self._words, self._narrator = view, words, narrator

    def lines(self) -> Iterator[str]:
        for scene in self._view.scenes.values():
            if scene.status is things.SceneStatus.OPEN:
                yield from self._scene(scene)
        free = [clock for clock in self._view.clocks.values() if clock.kind is things.ClockKind.FREE and not clock.done]
        yield from self._section("clocks", map(self._free_clock, free))
        running = (things.CountdownStatus.RUNNING, things.CountdownStatus.STABILIZED)
        countdowns = [countdown for countdown in self._view.countdowns.values() if countdown.status in running]
        yield from self._section("countdowns", map(self._countdown, countdowns))
        yield from self._section("sealed", (_bold(thing.name) for thing in self._view.sealed.values()))
        yield from self._section("waits", self._waiting())

    def _section(self, name: str, lines: Iterator[str]) -> Iterator[str]:
        drawn = list(lines)
        if drawn:
            yield f"__{self._words(f'section.{name}')}__"
            yield from drawn

    # Scenes

    def _scene(self, scene: things.Scene) -> Iterator[str]:
        aside = self._words("aside") if scene.aside else ""
        turn = self._words("turn", turn=scene.turn) if scene.turn > 1 else ""
        yield _joined(_bold(scene.name), self._clock(scene.clock_id), turn, aside, self._mark(scene.visibility))
        if scene.threat_id is not None:
            yield _joined(_bold(self._words("threat")), self._clock(scene.threat_id))
        for situation in self._view.situations.values():
            if situation.scene_id == scene.id and situation.status in NOT_OVER:
                yield from self._situation(situation)

    def _situation(self, situation: things.Situation) -> Iterator[str]:
        words = self._words
        is_open = situation.status is things.SituationStatus.OPEN
        name = words(f"situation.{situation.kind}", name=escaped(situation.name))
        turn = words("round", round=situation.round + 1) if is_open and situation.difficulty is not None else ""
        yield _joined(f"› {name}", self._clock(situation.clock_id), turn, self._mark(situation.visibility))
        for challenge in self._view.challenges.values():
            if challenge.situation_id == situation.id and challenge.status is things.ChallengeStatus.OPEN:
                title = words(f"challenge.{challenge.kind}", name=escaped(challenge.name))
                yield _joined(f"›› {title}", self._clock(challenge.clock_id))

    # Clocks and countdowns

    def _clock(self, clock_id: Id) -> str:
        clock = self._view.clocks.get(clock_id)
        return _bar(clock) if clock is not None else ""

    def _free_clock(self, clock: things.Clock) -> str:
        return _joined(_bold(clock.name), _bar(clock), self._of(clock.owner), self._mark(clock.visibility))

    def _countdown(self, countdown: things.Countdown) -> str:
        return _joined(
            f"{_bold(countdown.name)} {_DIE * min(countdown.pool, CELLS)}",
            self._narrator.word("dice", countdown.pool),
            self._words("stabilized") if countdown.status is things.CountdownStatus.STABILIZED else "",
            self._next(countdown),
            self._of(countdown.owner),
            self._mark(countdown.visibility),
        )

    def _next(self, countdown: things.Countdown) -> str:
        """Return what happens at the next stage of a countdown (a number of dice), or at its end."""
        ahead = [stage for stage in countdown.stages if stage.at < countdown.pool]
        if ahead:
            stage = max(ahead, key=lambda stage: stage.at)
            return self._words("stage", at=stage.at, effect=escaped(stage.effect))
        return self._words("ending", effect=escaped(countdown.ending)) if countdown.ending else ""

    def _of(self, seat_id: Id | None) -> str:
        if seat_id is None:
            return ""
        seat = self._view.seats.get(seat_id)
        return self._words("of", name=escaped(seat.name if seat else self._narrator.unnamed(seat_id)))

    def _mark(self, visibility: Visibility) -> str:
        return self._words(f"mark.{visibility}")

    # Things that wait for somebody

    def _waiting(self) -> Iterator[str]:
        for check in self._view.checks.values():
            if check.status is not things.CheckStatus.RESOLVED:
                who = check.leader.name or character_name(self._view, check.leader.character_id)
                yield self._waits(who, check.purpose or self._words("check"), check.status)
        for total in self._view.totals.values():
            if total.status not in (things.TotalStatus.SUCCEEDED, things.TotalStatus.FAILED):
                what = total.purpose or self._words("total")
                yield self._waits(character_name(self._view, total.character_id), what, total.status)
        for effort in self._view.efforts.values():
            yield self._waits(self._effort_by(effort), "", "effort")
        for character in self._view.characters.values():
            whys = {"crisis": character.crisis_due, "choice": character.choices, "sheet": waits(character)}
            yield from (self._waits(character.name, "", why) for why, waits in whys.items() if waits)

    def _waits(self, who: str, what: str, why: str) -> str:
        return _joined(_bold(who), isolated(escaped(what)), self._words(f"waits.{why}"))

    def _effort_by(self, effort: things.Effort) -> str:
        if effort.character_id is not None:
            return character_name(self._view, effort.character_id)
        seat = self._view.seats.get(effort.seat_id)
        return seat.name if seat else self._narrator.unnamed(effort.seat_id)


def _bold(name: str) -> str:
    return f"**{isolated(escaped(name))}**"


def _bar(clock: things.Clock) -> str:
    cells = min(clock.size, CELLS)
    full = -(-clock.value * cells // clock.size)  # rounded up: only a clock at 0 looks empty
    return f"{_FULL * full}{_EMPTY * (cells - full)} {clock.value}/{clock.size}"


def _joined(*parts: str) -> str:
    return _APART.join(part for part in parts if part)
