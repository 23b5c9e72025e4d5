"""What the model is told of a command: the faces of its rolls, and the ids of what it started."""

from dreadclock.wire import events as e
from kit.model.things import Shown
from kit.strategies.scripts import Outcome

NEW = {  # the field of each event that starts a thing
    "countdown_started": "countdown",
    "scene_opened": "scene",
    "situation_started": "situation",
    "challenge_added": "challenge",
    "effort_made": "effort",
    "clock_started": "clock",
    "dice_rolled": "roll",
    "check_proposed": "check",
    "total_proposed": "total",
    "character_added": "character",
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
    found: list[tuple[str, int]] = []
    for written in outcome.written:
        match written.event:
            case e.StageReached():
                found.append((written.event.countdown_id, -written.event.at))
            case e.StageLeft():
                found.append((written.event.countdown_id, written.event.at))
    return found
