"""What a race is measured by: its difficulty, and its scene's threat. Source: rules.md B5, B8 and B12."""

from dreadclock.following.races import new_threat
from dreadclock.rules import clocks as rules
from dreadclock.rules.clocks import Difficulty
from dreadclock.wire.base import Role
from dreadclock.wire.commands import StartSituation
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.things import CharacterStatus, Clock, Scene, SituationKind
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
    return new_threat(scene, command.level or 0, difficulty)
