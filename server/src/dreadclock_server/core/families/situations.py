"""Situations: preparing, starting, playing and ending them. A race is a situation against the scene's threat clock.

Source: rules.md B1-B12 and B20.
"""

from dreadclock.rules import clocks as rules
from dreadclock.rules.clocks import Difficulty
from dreadclock.rules.limits import MAX_SITUATIONS
from dreadclock.wire import commands as c
from dreadclock.wire import events as e
from dreadclock.wire.base import Id, Kind, Role, Visibility
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.events import Cause
from dreadclock.wire.families.situations import NOT_OVER
from dreadclock.wire.things import Clock, ClockKind, Scene, Situation, SituationKind, SituationStatus
from dreadclock_server.core import find
from dreadclock_server.core.draft import Draft, Topic, channel_of
from dreadclock_server.core.families.characters import counted_level
from dreadclock_server.core.families.clocks import complicate, fail, full_clock, move, new_threat, round_ends, succeed
from dreadclock_server.core.families.countdown_starts import begin_countdown
from dreadclock_server.core.families.countdowns import due, roll_due
from dreadclock_server.core.families.secrets import begin_hidden, show
from dreadclock_server.core.find import topic_of_scene, topic_of_situation
from dreadclock_server.core.rights import Rights, Who, only

RIGHTS: Rights = {
    c.StartSituation: only(Who.GM),
    c.BeginSituation: only(Who.GM),
    c.SetSceneAside: only(Who.GM),
    c.TakeUpScene: only(Who.GM),
    c.ResolveSituation: only(Who.GM),
    c.FailSituation: only(Who.GM),
    c.EndRound: only(Who.GM, Who.TURNS),
    c.IntroduceComplication: only(Who.GM),
}


def start_situation(draft: Draft, command: c.StartSituation) -> None:
    """Decide `start_situation`: open or prepare a situation with its clock.

    A prepared race may get its difficulty later, when it begins. Source: rules.md B20.
    """
    scene = find.open_scene(draft, command.scene_id, aside=command.prepared)
    visibility, kept_back = _visibility(scene, command)
    public = is_known(scene, visibility)
    refuse_too_many(draft, public=public)
    _require_race(draft, scene, command)
    _require_party(draft, command.party or ())
    difficulty, threat = measure(draft, scene, command)
    situation_id = draft.new_id(Kind.SITUATION, command.id, public=public)
    clock = full_clock(ClockKind.SITUATION, situation_id, command.name, command.clock, visibility)
    situation = Situation(
        id=situation_id,
        scene_id=scene.id,
        name=command.name,
        kind=command.kind,
        content=command.content,
        clock_id=clock.id,
        level=command.level,
        difficulty=difficulty,
        visibility=visibility,
        party=command.party,
        status=SituationStatus.PREPARED if command.prepared else SituationStatus.OPEN,
        within=command.within,
        kept_back=kept_back,
    )
    _tell_start(draft, scene, e.SituationStarted(situation=situation, clock=clock, threat=threat))


def _visibility(scene: Scene, command: c.StartSituation) -> tuple[Visibility, bool]:
    """Return a situation's visibility, and whether it stays hidden when its scene is revealed.

    In a hidden scene, a situation has the scene's visibility, unless the command hides it separately. A prepared
    situation is hidden until it begins. Raises Refused if the visibility does not fit. Source: rules.md E4 and B20.
    """
    asked, race = command.visibility, command.kind is SituationKind.RACE
    if command.prepared:
        if asked is not Visibility.PUBLIC:
            raise Refused(Code.NOT_AVAILABLE, what="preparing a situation that stays hidden when it begins")
        return Visibility.GM, True
    if asked is Visibility.PUBLIC or asked is scene.visibility is Visibility.SEALED:
        return scene.visibility, False
    if scene.visibility is Visibility.PUBLIC:
        if race:
            raise Refused(Code.RACE_IN_THE_OPEN, id=scene.id)
        return asked, False
    if asked is Visibility.SEALED:
        raise Refused(Code.HIDDEN_WITH_SCENE, id=scene.id, visibility=scene.visibility)
    if race:
        raise Refused(Code.RACE_KEPT_BACK, id=scene.id)
    return asked, True


def _require_race(draft: Draft, scene: Scene, command: c.StartSituation) -> None:
    """Raise Refused if the new situation is a race within a race, or if `within` is no open race of the scene.

    A prepared situation may also lie within a prepared race. Does nothing without `within`.
    """
    if command.within is None:
        return
    if command.kind is SituationKind.RACE:
        raise Refused(Code.RACE_WITHIN)
    race = find.situation(draft, command.within)
    if race.scene_id != scene.id or not is_race_for(race, prepared=command.prepared):
        raise Refused(Code.NOT_A_RACE, id=race.id)


def is_race_for(race: Situation, *, prepared: bool) -> bool:
    """Tell whether a situation may lie within `race`: an open race, or a prepared race if `prepared` is true."""
    return race.kind is SituationKind.RACE and race.status in (NOT_OVER if prepared else (SituationStatus.OPEN,))


def is_known(scene: Scene, visibility: Visibility) -> bool:
    """Return whether everyone may know that a situation exists: its scene is public, and it is public or sealed."""
    return scene.visibility is Visibility.PUBLIC and visibility is not Visibility.GM


def refuse_too_many(draft: Draft, *, public: bool) -> None:
    """Raise Refused if there are too many situations. Situations that only the gm knows are counted separately.

    `public`: whether everyone may know that the new situation exists.
    """
    scenes = draft.view.scenes
    still_open = [situation for situation in draft.view.situations.values() if situation.status in NOT_OVER]
    public_flags = [is_known(scenes[situation.scene_id], situation.visibility) for situation in still_open]
    if public_flags.count(public) >= MAX_SITUATIONS:
        raise Refused(Code.TOO_MANY, limit=MAX_SITUATIONS, what="situations")


def _tell_start(draft: Draft, scene: Scene, event: e.SituationStarted) -> None:
    """Write a situation's start. If the situation is sealed in a public scene, also tell everyone that it exists."""
    situation = event.situation
    if situation.visibility is scene.visibility:
        draft.tell(topic_of_scene(draft.view, scene.id), event)
    else:
        begin_hidden(draft, Topic(Kind.SITUATION, situation.id, situation.name, situation.visibility), rolled=False)
        draft.emit(channel_of(situation.visibility), event)


def resolve_situation(draft: Draft, command: c.ResolveSituation) -> None:
    """Decide `resolve_situation`: empty the situation's clock, and count the situation as won. Source: rules.md B8."""
    situation = find.open_situation(draft, command.situation_id)
    move(draft, situation.clock_id, draft.view.clocks[situation.clock_id].value, Cause.RULING)
    topic = topic_of_situation(draft.view, situation.id)
    draft.tell(topic, e.SituationResolved(situation_id=situation.id, how=command.how))
    succeed(draft, situation)


def fail_situation(draft: Draft, command: c.FailSituation) -> None:
    """Decide `fail_situation`: mark an open situation as lost."""
    situation = find.open_situation(draft, command.situation_id)
    fail(draft, situation, e.SituationFailure(command.reason))


def end_round(draft: Draft, command: c.EndRound) -> None:
    """Decide `end_round`: roll the countdowns bound to a situation's rounds, then end its round.

    In a race, the threat then ticks. If the situation is over, nothing ends; a sealed situation is announced as
    changed. Source: rules.md B1 and B6.
    """
    situation = find.situation(draft, command.situation_id)
    if situation.status is SituationStatus.PREPARED:
        raise Refused(Code.NOT_BEGUN, id=situation.id)
    find.open_scene(draft, situation.scene_id)
    topic = topic_of_situation(draft.view, situation.id)
    if situation.status is not SituationStatus.OPEN:
        return draft.notify_sealed_changed(topic)
    roll_due(draft, due(draft.view, situation_id=situation.id), command)
    draft.tell(topic, e.RoundEnded(situation_id=situation.id, round=situation.round + 1))
    return round_ends(draft, situation)


def introduce_complication(draft: Draft, command: c.IntroduceComplication) -> None:
    """Decide `introduce_complication`: emit the text, change the clock, then start the countdown."""
    topic = _place(draft, command)
    event = e.ComplicationIntroduced(situation_id=command.situation_id, scene_id=command.scene_id, text=command.text)
    draft.tell(topic, event)
    if command.clock is not None:
        complicate(draft, command.clock, topic)
    if command.countdown is not None:
        begin_countdown(draft, command.countdown)


def _place(draft: Draft, command: c.IntroduceComplication) -> Topic:
    """Return the topic (it decides who sees events) of the scene or situation that a complication names.

    Raises Refused unless the command names exactly one of them, in an open scene. Source: rules.md B16.
    """
    if command.situation_id is not None and command.scene_id is None:
        situation = find.situation(draft, command.situation_id)
        find.open_scene(draft, situation.scene_id)
        return topic_of_situation(draft.view, situation.id)
    if command.scene_id is None or command.situation_id is not None:
        raise Refused(Code.PLACE_NEEDED)
    return topic_of_scene(draft.view, find.open_scene(draft, command.scene_id).id)


def measure(draft: Draft, scene: Scene, command: c.StartSituation) -> tuple[Difficulty | None, Clock | None]:
    """Return a race's difficulty and its scene's threat clock; None and None for a standard situation.

    A prepared race has no threat clock yet. Its difficulty is None unless the command gives it, or gives the levels
    of the party.
    """
    if command.kind is not SituationKind.RACE:
        return None, None
    if command.level is None:
        raise Refused(Code.LEVEL_NEEDED)
    if command.prepared and command.party_levels is None:
        return command.difficulty, None
    difficulty = command.difficulty or difficulty_of(draft, command.level, command.party_levels, command.party)
    return difficulty, None if command.prepared else threat_of(draft, scene, command.level, difficulty)


def difficulty_of(
    draft: Draft, level: int, party_levels: tuple[int, ...] | None, party: tuple[Id, ...] | None
) -> Difficulty:
    """Return the difficulty of a race of this level for the average level of its party.

    `party_levels` replaces the levels of the characters in `party`. Raises Refused if there are no levels, or if the
    difference is too large. Source: rules.md B5, B12.
    """
    levels = party_levels or _levels_of(draft, party)
    if not levels:
        raise Refused(Code.PARTY_UNKNOWN)
    average = rules.average_level(levels)
    difficulty = rules.difficulty_of(level - average)
    if difficulty is None:
        modifier = f"{level - average:+d}"
        raise Refused(Code.MODIFIER_TOO_LARGE, level=level, modifier=modifier, party=average)
    return difficulty


def _require_party(draft: Draft, party: tuple[Id, ...]) -> None:
    """Raise Refused if a character of the party is named twice, unknown, hidden or out of play. Source: B18."""
    for character_id in party:
        if party.count(character_id) > 1:
            raise Refused(Code.PARTY_TWICE, id=character_id)
        character = find.character(draft, character_id)
        find.require_in_play(character)
        if character.id not in draft.view.public.characters:
            raise Refused(Code.NAMES_HIDDEN, kind=Kind.CHARACTER, id=character.id)


def _levels_of(draft: Draft, party: tuple[Id, ...] | None) -> list[int]:
    """Return the approved levels of a party. The default party is the players' characters in play."""
    characters = draft.view.characters
    players = {seat_id for seat_id, seat in draft.view.seats.items() if seat.role is Role.PLAYER}
    if party is not None:
        inside = [characters[character_id] for character_id in party if character_id in characters]
    else:
        inside = [character for character in characters.values() if character.owner in players]
    levels = map(counted_level, inside)
    return [level for level in levels if level is not None]


def threat_of(draft: Draft, scene: Scene, level: int, difficulty: Difficulty) -> Clock:
    """Return the scene's threat clock: a new clock, or the clock of its earlier races.

    Raises Refused if that clock is already at its end. Source: rules.md B8.
    """
    if scene.threat_id is not None:
        threat = draft.view.clocks[scene.threat_id]
        if threat.done:
            raise Refused(Code.THREAT_SPENT, id=scene.id)
        return threat
    return new_threat(scene, level, difficulty)


# Prepared situations, and scenes that are set aside. Source: rules.md B20


def begin_situation(draft: Draft, command: c.BeginSituation) -> None:
    """Decide `begin_situation`: open a prepared situation. In a public scene, the situation is revealed first."""
    situation = find.situation(draft, command.situation_id)
    if situation.status is not SituationStatus.PREPARED:
        raise Refused(Code.BEGUN, id=situation.id)
    scene = find.open_scene(draft, situation.scene_id)
    _require_race_around(draft, situation)
    changes, threat = _measured(draft, scene, situation, command)
    if is_known(scene, scene.visibility):
        refuse_too_many(draft, public=True)
        show(draft, Kind.SITUATION, situation.id)
    changes |= {"status": SituationStatus.OPEN, "visibility": scene.visibility, "kept_back": False}
    begun = e.SituationBegun(situation=situation.model_copy(update=changes), threat=threat)
    draft.tell(topic_of_scene(draft.view, scene.id), begun)


def _require_race_around(draft: Draft, situation: Situation) -> None:
    race = draft.view.situations.get(situation.within or "")
    if situation.within is not None and (race is None or not is_race_for(race, prepared=False)):
        raise Refused(Code.NOT_A_RACE, id=situation.within)


def _measured(
    draft: Draft, scene: Scene, situation: Situation, command: c.BeginSituation
) -> tuple[dict[str, object], Clock | None]:
    """Return the fields that a prepared race gets when it begins, and its scene's threat clock.

    For a standard situation, there are none. Source: rules.md B5 and B8.
    """
    if situation.kind is not SituationKind.RACE:
        return {}, None
    level, named = situation.level or 1, command.difficulty
    if named is None and command.party_levels is None:
        named = situation.difficulty
    difficulty = named or difficulty_of(draft, level, command.party_levels, situation.party)
    return {"difficulty": difficulty}, threat_of(draft, scene, level, difficulty)


def set_scene_aside(draft: Draft, command: c.SetSceneAside) -> None:
    """Decide `set_scene_aside`: pause a scene until it is taken up again."""
    scene = find.open_scene(draft, command.scene_id)
    draft.tell(topic_of_scene(draft.view, scene.id), e.SceneSetAside(scene_id=scene.id))


def take_up_scene(draft: Draft, command: c.TakeUpScene) -> None:
    """Decide `take_up_scene`: continue a scene that was set aside."""
    scene = find.open_scene(draft, command.scene_id, aside=True)
    if not scene.aside:
        raise Refused(Code.NOT_ASIDE, id=scene.id)
    draft.tell(topic_of_scene(draft.view, scene.id), e.SceneTakenUp(scene_id=scene.id))
