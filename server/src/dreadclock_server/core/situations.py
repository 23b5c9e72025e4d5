"""Situations, races and the challenges in them. Source: seed 002, rulings B1-B13."""

from dreadclock.rules import clocks as rules
from dreadclock.rules.clocks import Difficulty
from dreadclock.rules.limits import MAX_SITUATIONS
from dreadclock.wire import events as e
from dreadclock.wire.base import Id, Kind, Role, Visibility
from dreadclock.wire.commands import (
    AddChallenge,
    EndRound,
    FailSituation,
    IntroduceComplication,
    OvercomeChallenge,
    ResolveSituation,
    StartSituation,
)
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.events import Cause
from dreadclock.wire.ids import clock_id_of, threat_id_of
from dreadclock.wire.things import (
    Challenge,
    ChallengeStatus,
    Clock,
    ClockKind,
    Scene,
    Situation,
    SituationKind,
    SituationStatus,
)
from dreadclock_server.core import clocks, consequences, countdowns, find
from dreadclock_server.core.draft import Draft, Root

MAX_CHALLENGES = 32  # in a situation


def start_situation(draft: Draft, command: StartSituation) -> None:
    """Decide `start_situation`."""
    scene = find.open_scene(draft, command.scene_id)
    root = find.root_of_scene(draft, scene.id)
    _refuse_too_many(draft, scene.visibility)
    race = command.kind is SituationKind.RACE
    difficulty = _difficulty(draft, command) if race else None
    threat = _threat(draft, scene, command, difficulty) if difficulty is not None else None
    situation_id = _inside_id(draft, root, Kind.SITUATION, command.id)
    clock = _clock(root, ClockKind.SITUATION, situation_id, command.name, command.clock)
    situation = Situation(
        id=situation_id,
        scene_id=scene.id,
        name=command.name,
        kind=command.kind,
        content=command.content,
        clock_id=clock.id,
        level=command.level,
        difficulty=difficulty,
    )
    draft.tell(root, e.SituationStarted(situation=situation, clock=clock, threat=threat))


def _inside_id(draft: Draft, root: Root, kind: Kind, chosen: Id | None) -> Id:
    """Return an id for what lies within a scene; of a sealed scene the public knows nothing inside."""
    return draft.new_id(kind, chosen, known=root.visibility is Visibility.PUBLIC)


def _clock(root: Root, kind: ClockKind, owner: Id, name: str, size: int) -> Clock:
    return Clock(
        id=clock_id_of(owner), kind=kind, name=name, of=owner, size=size, value=size, visibility=root.visibility
    )


def _refuse_too_many(draft: Draft, visibility: Visibility) -> None:
    """Count what everyone knows of and what not everyone does on their own."""
    secret = visibility is not Visibility.PUBLIC
    scenes = draft.view.scenes
    still_open = [each for each in draft.view.situations.values() if each.status is SituationStatus.OPEN]
    alike = [s for s in still_open if (scenes[s.scene_id].visibility is not Visibility.PUBLIC) == secret]
    if len(alike) >= MAX_SITUATIONS:
        raise Refused(Code.TOO_MANY, limit=MAX_SITUATIONS, what="situations")


def _difficulty(draft: Draft, command: StartSituation) -> Difficulty:
    """Return how hard a race is: as the gm names it, else by the party's average level. Source: B5, B12."""
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
    return tuple(each.level for each in draft.view.characters.values() if each.owner in players)


def _threat(draft: Draft, scene: Scene, command: StartSituation, difficulty: Difficulty) -> Clock:
    """Return the scene's threat clock: a new one, or what its earlier races left of it. Source: B8."""
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


def open_situation(draft: Draft, situation_id: Id) -> Situation:
    """Return a situation that is still open. Raises Refused(ended) if it is over."""
    situation = find.situation(draft, situation_id)
    if situation.status is not SituationStatus.OPEN:
        raise Refused(Code.ENDED, kind=Kind.SITUATION, id=situation_id, status=situation.status)
    return situation


def add_challenge(draft: Draft, command: AddChallenge) -> None:
    """Decide `add_challenge`."""
    situation = open_situation(draft, command.situation_id)
    root = find.root_of_situation(draft, situation.id)
    if sum(each.situation_id == situation.id for each in draft.view.challenges.values()) >= MAX_CHALLENGES:
        raise Refused(Code.TOO_MANY, limit=MAX_CHALLENGES, what="challenges in this situation")
    challenge_id = _inside_id(draft, root, Kind.CHALLENGE, command.id)
    clock = _clock(root, ClockKind.CHALLENGE, challenge_id, command.name, command.clock)
    challenge = Challenge(
        id=challenge_id, situation_id=situation.id, name=command.name, kind=command.kind, clock_id=clock.id
    )
    draft.tell(root, e.ChallengeAdded(challenge=challenge, clock=clock))


def open_challenge(draft: Draft, challenge_id: Id) -> Challenge:
    """Return a challenge that is still open. Raises Refused(ended) if it is over."""
    challenge = find.challenge(draft, challenge_id)
    if challenge.status is not ChallengeStatus.OPEN:
        raise Refused(Code.ENDED, kind=Kind.CHALLENGE, id=challenge_id, status=challenge.status)
    return challenge


def overcome_challenge(draft: Draft, command: OvercomeChallenge) -> None:
    """Decide `overcome_challenge`: the gm's word empties its clock."""
    clock_id = open_challenge(draft, command.challenge_id).clock_id
    consequences.tick(draft, clock_id, draft.view.clocks[clock_id].value, Cause.RULING)


def resolve_situation(draft: Draft, command: ResolveSituation) -> None:
    """Decide `resolve_situation`: the gm's word empties its clock and counts as won. Source: B8."""
    situation = open_situation(draft, command.situation_id)
    consequences.lose(draft, situation.clock_id, draft.view.clocks[situation.clock_id].value, Cause.RULING)
    root = find.root_of_situation(draft, situation.id)
    draft.tell(root, e.SituationResolved(situation_id=situation.id, how=command.how))
    consequences.succeed(draft, situation)


def fail_situation(draft: Draft, command: FailSituation) -> None:
    """Decide `fail_situation`."""
    situation = open_situation(draft, command.situation_id)
    consequences.fail(draft, situation, e.SituationFailure(command.reason))


def end_round(draft: Draft, command: EndRound) -> None:
    """Decide `end_round`; of a situation that is over it changes nothing. Source: rulings B1 and B6."""
    situation = find.situation(draft, command.situation_id)
    scene = find.open_scene(draft, situation.scene_id)
    if situation.status is not SituationStatus.OPEN:
        return
    root = find.root_of_scene(draft, scene.id)
    draft.tell(root, e.RoundEnded(situation_id=situation.id, round=situation.round + 1))
    if situation.kind is SituationKind.RACE:
        consequences.tick(draft, str(scene.threat_id), 1, Cause.ROUND)


def introduce_complication(draft: Draft, command: IntroduceComplication) -> None:
    """Decide `introduce_complication`: its text, then what it does to a clock, then its countdown."""
    situation = find.situation(draft, command.situation_id)
    find.open_scene(draft, situation.scene_id)
    root = find.root_of_situation(draft, situation.id)
    draft.tell(root, e.ComplicationIntroduced(situation_id=situation.id, text=command.text))
    if command.clock is not None:
        clocks.complicate(draft, command.clock, root)
    if command.countdown is not None:
        countdowns.begin(draft, command.countdown)
