"""Draw scenes with their contents, and clocks, as rows of a picture.

A race is a situation whose clock runs against the threat clock of its scene.
"""

from collections.abc import Iterator

from rich.text import Text

from dreadclock.wire.base import Id
from dreadclock.wire.families.situations import NOT_OVER, ends_as, open_races
from dreadclock.wire.plain import isolated
from dreadclock.wire.things import (
    Challenge,
    ChallengeStatus,
    Clock,
    ClockKind,
    Effort,
    Scene,
    SceneStatus,
    Situation,
    SituationKind,
    SituationStatus,
)
from dreadclock.wire.views import View
from dreadclock_server.tools.canvas import OVER, Pen, Rank, Row, remarks, with_few_ended
from dreadclock_server.tools.words import Words, character_name


def drawn_scenes(view: View, pen: Pen) -> list[list[Row]]:
    """Draw the open scenes and the latest ended scenes, with their situations."""
    return [list(_scene(view, pen, scene)) for scene in with_few_ended(view.scenes, _has_ended)]


def _has_ended(scene: Scene) -> bool:
    return scene.status is not SceneStatus.OPEN


def _scene(view: View, pen: Pen, scene: Scene) -> Iterator[Row]:
    over, words = _has_ended(scene), pen.words
    aside = words("scene.aside") if scene.aside and not over else ""
    turn = words("scene.turn", turn=scene.turn) if scene.turn > 1 and not over else ""
    label = _Label(0, words("scene", name=scene.name), scene.id, over=over, rank=Rank.SCENE)
    status = words(f"scene.{scene.status}") if over else words("scene.untypical") if not scene.typical else ""
    sixes = words("scene.sixes") if scene.sixes_add and not over else ""
    yield label.row(pen, view.clocks[scene.clock_id], status, aside, turn, sixes, pen.mark(scene.visibility))
    if scene.threat_id is not None:
        yield _Label(2, words("scene.threat"), scene.threat_id, over=over, rank=Rank.SCENE).row(
            pen, view.clocks[scene.threat_id], _ending_now(view, words, scene), style="red"
        )
    for situation in view.situations.values():
        if situation.scene_id == scene.id:
            yield from _situation(view, pen, situation)


def _ending_now(view: View, words: Words, scene: Scene) -> str:
    """Return words that say how the open races would end if their scene ended now; empty without an open race.

    Source: rules.md B21.
    """
    races = open_races(view, scene.id)
    return words("situation.now", outcome=words(f"race.{ends_as(view, races[0])}")) if races else ""


def _situation(view: View, pen: Pen, situation: Situation) -> Iterator[Row]:
    over, name = situation.status not in NOT_OVER, pen.words(f"situation.{situation.kind}", name=situation.name)
    label = _Label(2, name, situation.id, over=over, rank=Rank.SCENE)
    clock = view.clocks[situation.clock_id]
    yield label.row(pen, clock, *_situation_said(view, pen.words, situation), pen.mark(situation.visibility))
    for challenge in view.challenges.values():
        if challenge.situation_id == situation.id and not over:
            yield _challenge(view, pen, challenge)


def _situation_said(view: View, words: Words, situation: Situation) -> Iterator[str]:
    is_open, race = situation.status is SituationStatus.OPEN, situation.kind is SituationKind.RACE
    if not is_open:
        yield words(f"race.{situation.outcome}" if situation.outcome else f"situation.{situation.status}")
    if situation.party and situation.status in NOT_OVER:
        yield words(
            "situation.party", names=" / ".join(isolated(character_name(view, member)) for member in situation.party)
        )
    if situation.within in view.situations:
        yield words("situation.within", name=view.situations[situation.within].name)
    if not race:
        yield words(f"content.{situation.content}")
        return
    if situation.difficulty is not None:
        yield words("situation.level", level=situation.level, difficulty=situation.difficulty)
    if is_open:
        yield words("situation.round", round=situation.round + 1)


def _challenge(view: View, pen: Pen, challenge: Challenge) -> Row:
    over, words = challenge.status is not ChallengeStatus.OPEN, pen.words
    efforts = [_effort(view, pen, effort) for effort in view.efforts.values() if effort.challenge_id == challenge.id]
    rank = Rank.WAITS if efforts else Rank.SCENE
    name = words(f"challenge.{challenge.kind}", name=challenge.name)
    label = _Label(4, name, challenge.id, over=over, rank=rank)
    waiting = words("challenge.effort", names=", ".join(efforts)) if efforts else ""
    status = words(f"challenge.{challenge.status}") if over else ""
    return label.row(pen, view.clocks[challenge.clock_id], status, waiting)


def _effort(view: View, pen: Pen, effort: Effort) -> str:
    character = view.characters.get(effort.character_id) if effort.character_id else None
    return isolated(character.name if character else pen.seat_name(view, effort.seat_id)) + pen.id_of(effort.id)


def drawn_clocks(view: View, pen: Pen) -> list[Row]:
    """Draw the clocks that belong to no scene, situation or challenge. Of the ended clocks, draw only the latest."""
    free: dict[Id, Clock] = {key: clock for key, clock in view.clocks.items() if clock.kind is ClockKind.FREE}
    return [_free_clock(view, pen, clock) for clock in with_few_ended(free, lambda clock: clock.done)]


def _free_clock(view: View, pen: Pen, clock: Clock) -> Row:
    label = _Label(2, clock.name, clock.id, over=clock.done)
    done = pen.words("clock.done") if clock.done else ""
    return label.row(pen, clock, done, pen.of(view, clock.owner), pen.mark(clock.visibility))


class _Label:
    """The label of a clock's row, with its style and rank. `over`: whether the thing with the clock is over."""

    def __init__(self, indent: int, name: str, thing_id: Id, *, over: bool, rank: Rank = Rank.GOES_ON) -> None:
        self._indent, self._name, self._id, self._over = indent, name, thing_id, over
        self._rank = Rank.ENDED if over else rank

    def row(self, pen: Pen, clock: Clock, *said: str, style: str = "cyan") -> Row:
        """Draw the row of a clock: the label, a bar, the value, and the remarks `said`."""
        cells = min(clock.size, pen.bar)
        full = -(-clock.value * cells // clock.size)  # rounded up: only a clock at 0 looks empty
        bar = Text(pen.glyphs.full * full, style).append(pen.glyphs.empty * (cells - full), OVER)
        label = pen.labelled(self._indent, self._name, self._id, OVER if self._over else "")
        return Row((label, bar, Text(f"{clock.value}/{clock.size}"), remarks(*said)), self._rank)
