"""Races: what they are measured by, and how they end. Source: rules.md B1-B12."""

from dreadclock.rules import clocks as rules
from dreadclock.rules.clocks import Difficulty, RaceOutcome
from dreadclock.wire import events as e
from dreadclock.wire.base import Id, Role
from dreadclock.wire.commands import StartSituation
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.ids import threat_id_of
from dreadclock.wire.things import CharacterStatus, Clock, ClockKind, Scene, Situation, SituationKind, SituationStatus
from dreadclock_server.core import roots
from dreadclock_server.core.draft import Draft


def measure(draft: Draft, scene: Scene, command: StartSituation) -> tuple[Difficulty | None, Clock | None]:
    """Return how hard a race is and its scene's threat clock; for a standard situation neither."""
    if command.kind is not SituationKind.RACE:
        return None, None
    difficulty = _difficulty(draft, command)
    return difficulty, _threat(draft, scene, command, difficulty)


def _difficulty(draft: Draft, command: StartSituation) -> Difficulty:
    """Return how hard a race is: as the gm names it, else by the party's average level. Source: rules.md B5, B12."""
    if command.level is None:
        raise Refused(Code.LEVEL_NEEDED)
    if command.difficulty is not None:
        return command.difficulty
    levels = command.party_levels or _levels_in_play(draft)
    if not levels:
        raise Refused(Code.PARTY_UNKNOWN)
    party = rules.average_level(levels)
    difficulty = rules.difficulty_of(command.level - party)
    if difficulty is None:
        modifier = f"{command.level - party:+d}"
        raise Refused(Code.MODIFIER_TOO_LARGE, level=command.level, modifier=modifier, party=party)
    return difficulty


def _levels_in_play(draft: Draft) -> tuple[int, ...]:
    seats = draft.view.seats
    players = {seat_id for seat_id, seat in seats.items() if seat.role is Role.PLAYER}
    party = (each for each in draft.view.characters.values() if each.status is CharacterStatus.IN_PLAY)
    return tuple(each.level for each in party if each.owner in players)


def _threat(draft: Draft, scene: Scene, command: StartSituation, difficulty: Difficulty) -> Clock:
    """Return the scene's threat clock: a new one, or what its earlier races left of it. Source: rules.md B8."""
    if scene.threat_id is not None:
        threat = draft.view.clocks[scene.threat_id]
        if threat.done:
            raise Refused(Code.THREAT_SPENT, id=scene.id)
        return threat
    start = rules.threat_budget(command.level or 0, difficulty)
    return Clock(
        id=threat_id_of(scene.id),
        kind=ClockKind.THREAT,
        name=f"Threat: {scene.name}"[:64],
        of=scene.id,
        size=start,
        value=start,
        visibility=scene.visibility,
    )


def open_races(draft: Draft, scene_id: Id) -> list[Situation]:
    """Return the races of a scene that are still open, in the order they were started."""
    return [
        each
        for each in draft.view.situations.values()
        if each.scene_id == scene_id
        and each.kind is SituationKind.RACE
        and each.status is SituationStatus.OPEN
        and each.outcome is None
    ]


def end_race(draft: Draft, situation: Situation, outcome: RaceOutcome) -> None:
    """End a race with the clocks as they stand; of a standard situation there is nothing to end."""
    if situation.kind is not SituationKind.RACE:
        return
    left, threat, scene = _clock_values(draft, situation)
    event = e.RaceEnded(situation_id=situation.id, outcome=outcome, situation=left, threat=threat, scene=scene)
    draft.tell(roots.root_of_situation(draft, situation.id), event)


def early_outcome(draft: Draft, race: Situation) -> RaceOutcome:
    """Return what a race comes to if its scene ends now. Source: rules.md B2 and B4."""
    return rules.race_outcome(*_clock_values(draft, race))


def _clock_values(draft: Draft, race: Situation) -> tuple[int, int, int]:
    clocks, scene = draft.view.clocks, draft.view.scenes[race.scene_id]
    return clocks[race.clock_id].value, clocks[str(scene.threat_id)].value, clocks[scene.clock_id].value
