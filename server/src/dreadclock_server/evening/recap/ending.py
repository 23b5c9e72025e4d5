"""The end of an evening: how things ended, which characters are out of play, and which things continue."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from dreadclock.export import Step
from dreadclock.wire.things import CharacterStatus, ClockKind, CountdownStatus, SceneStatus, SituationStatus
from dreadclock.wire.views import View

MOST: Final = 6
"""How many things a line names at most. Of the earlier things, it shows only the number."""

Line = tuple[str, list[dict[str, object]], int]
_GONE: Final = (CharacterStatus.DEAD, CharacterStatus.RETIRED, CharacterStatus.LEFT)


def ending(steps: Sequence[Step]) -> Iterator[Line]:
    """Yield lines about what was played, what is over and what continues. Empty lines are left out.

    A line has its name, its latest items, and the number of its earlier items.
    """
    if not steps:
        return
    view, lines = steps[-1].after, {"played": _played, "over": _over, "running": _running}
    for name, lines_of in lines.items():
        told_lines = list(lines_of(view))
        if told_lines:
            yield name, told_lines[-MOST:], len(told_lines[:-MOST])


def _played(view: View) -> Iterator[dict[str, object]]:
    """Yield the scenes and situations that ended, and how."""
    for scene in view.scenes.values():
        inside = [situation for situation in view.situations.values() if situation.scene_id == scene.id]
        ended = filter(_ended, inside)
        yield from (_item(situation.outcome or situation.status, situation) for situation in ended)
        if scene.status is not SceneStatus.OPEN:
            yield _item(scene.status, scene)


def _ended(situation: Any) -> bool:
    over = (SituationStatus.WON, SituationStatus.RESOLVED, SituationStatus.FAILED)
    return situation.outcome is not None or situation.status in over


def _over(view: View) -> Iterator[dict[str, object]]:
    """Yield the clocks that reached their end, and the countdowns that expired."""
    for clock in view.clocks.values():
        if clock.kind is ClockKind.FREE and clock.done:
            yield _item(clock.direction, clock)
    for countdown in view.countdowns.values():
        if countdown.status is CountdownStatus.EXPIRED:
            yield _item("expired", countdown, ending=countdown.ending)


def gone(steps: Sequence[Step]) -> list[dict[str, object]]:
    """Return the characters that are out of play at the end, with their status."""
    characters = steps[-1].after.characters.values() if steps else ()
    return [_item(character.status, character) for character in characters if character.status in _GONE]


def _running(view: View) -> Iterator[dict[str, object]]:
    """Yield the things that continue on the next evening."""
    for countdown in view.countdowns.values():
        if countdown.status in (CountdownStatus.RUNNING, CountdownStatus.STABILIZED):
            yield _item("pool", countdown, pool=countdown.pool)
    for clock in view.clocks.values():
        if clock.kind is ClockKind.FREE and not clock.done:
            yield _item("clock", clock, value=clock.value, size=clock.size)
    yield from (_item("scene", scene) for scene in view.scenes.values() if scene.status is SceneStatus.OPEN)


def _item(how: str, thing: Any, **more: object) -> dict[str, object]:
    return {"how": how, "name": thing.name, **more}
