"""What the model is told of a command: the faces of its rolls, and the ids of what it started."""

from typing import Any

from dreadclock.wire import events as e
from kit.model.things import Shown
from kit.strategies.scripts import Outcome

NEW = {  # the field of each event that starts a thing
    **{f"{name}_started": name for name in ("countdown", "situation", "clock")},
    **{f"{name}_added": name for name in ("challenge", "character")},
    **{f"{name}_proposed": name for name in ("check", "total")},
    "scene_opened": "scene",
    "consequence_attached": "consequence",
    "effort_made": "effort",
    "dice_rolled": "roll",
}


def shown(outcome: Outcome) -> Shown:
    """Collect the faces and the new ids that an outcome shows."""
    result = Shown()
    for written in outcome.written:
        result.faces.extend(_faces(written.event))
        if written.event.type in NEW:
            result.ids.append(getattr(written.event, NEW[written.event.type]).id)
    return result


def _faces(event: e.Event) -> list[tuple[int, ...]]:
    match event:
        case e.CountdownRolled() | e.TotalRolled():
            return [event.faces]
        case e.CountdownRepeated():
            return [event.faces] if event.faces else []
        case e.DiceRolled():
            return [event.roll.faces]
        case e.CheckRolled():
            return [event.part.roll.faces] if event.part.roll else []
        case e.CheckResolved():
            return [event.result.deals] if event.result.deals else []
        case e.LuckPushed():
            return [(event.push.face,)]
    return []


def stages(outcome: Outcome) -> list[tuple[str, int]]:
    """List the stages that were reached (-) and left (+)."""
    signs = {"stage_reached": -1, "stage_left": 1}
    events: list[Any] = [each.event for each in outcome.written if each.event.type in signs]
    return [(each.countdown_id, signs[each.type] * each.at) for each in events]
