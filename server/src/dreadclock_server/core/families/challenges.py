"""Challenges in situations, and efforts: attempts against a challenge. Source: rules.md B1, B7 and B13."""

from dreadclock.rules.limits import MAX_CHALLENGES, MAX_EFFORTS
from dreadclock.wire import commands as c
from dreadclock.wire import events as e
from dreadclock.wire import things as t
from dreadclock.wire.base import Channel, Id, Kind, Role, Visibility
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.events import Cause
from dreadclock.wire.views import View
from dreadclock_server.core import find
from dreadclock_server.core.draft import Draft, channel_of
from dreadclock_server.core.families import clocks
from dreadclock_server.core.families.characters import acting_character
from dreadclock_server.core.families.clocks import full_clock
from dreadclock_server.core.find import topic_of_situation
from dreadclock_server.core.rights import Rights, Who, only, owned

RIGHTS: Rights = {
    c.AddChallenge: only(Who.GM),
    c.AttemptEffort: owned(find.named_character, Who.ROLLS, owner_of=find.own_or_named),
    c.RuleEffort: only(Who.GM),
    c.OvercomeChallenge: only(Who.GM),
}


def add_challenge(draft: Draft, command: c.AddChallenge) -> None:
    """Decide `add_challenge`: add a challenge to a situation.

    The situation's clock is raised to at least the number of its open challenges. Source: rules.md B16.
    """
    situation = _situation_for(draft, command.situation_id)
    topic = topic_of_situation(draft.view, situation.id)
    if sum(challenge.situation_id == situation.id for challenge in draft.view.challenges.values()) >= MAX_CHALLENGES:
        raise Refused(Code.TOO_MANY, limit=MAX_CHALLENGES, what="challenges in this situation")
    challenge_id = draft.new_id(Kind.CHALLENGE, command.id, public=topic.visibility is Visibility.PUBLIC)
    clock = full_clock(t.ClockKind.CHALLENGE, challenge_id, command.name, command.clock, topic.visibility)
    challenge = t.Challenge(
        id=challenge_id, situation_id=situation.id, name=command.name, kind=command.kind, clock_id=clock.id
    )
    draft.tell(topic, e.ChallengeAdded(challenge=challenge, clock=clock))
    clocks.make_room_for_challenges(draft, situation.id)


def _situation_for(draft: Draft, situation_id: Id) -> t.Situation:
    """Return a situation that accepts challenges: open or prepared."""
    situation = find.situation(draft, situation_id)
    return situation if situation.status is t.SituationStatus.PREPARED else find.open_situation(draft, situation_id)


def overcome_challenge(draft: Draft, command: c.OvercomeChallenge) -> None:
    """Decide `overcome_challenge`: empty the challenge's clock, which ends the challenge."""
    clock_id = find.open_challenge(draft, command.challenge_id).clock_id
    clocks.tick(draft, clock_id, draft.view.clocks[clock_id].value, Cause.RULING)


def attempt_effort(draft: Draft, command: c.AttemptEffort, character: t.Character | None) -> None:
    """Decide `attempt_effort`: make an effort without a check or total. The gm rules on its result, now or later.

    In a race, the scene's threat clock ticks first, except against a foe. If this tick ends the race, the result does
    not count.
    """
    challenge = find.open_challenge(draft, command.challenge_id)
    if command.success is not None:
        find.require_gm(draft)
    seen = topic_of_situation(draft.view, challenge.situation_id).visibility
    effort = _make(draft, challenge, command, _acting(draft, character, seen))
    tick_threat(draft, challenge)
    if command.success is not None and effort.id in draft.view.efforts:
        _rule(draft, effort, success=command.success, amount=command.amount)


def _acting(draft: Draft, named: t.Character | None, seen: Visibility) -> Id | None:
    """Return the id of the character that makes an effort; None if the gm names no character.

    If another sender names none, it is the only character in play that the sender's seat owns. Raises Refused if the
    seat does not own exactly one, or if no dice may be rolled for the character. Source: rules.md B17.
    """
    if named is not None:
        return acting_character(draft, named, seen).id
    if draft.by.role is Role.GM:
        return None
    mine = [character for character in draft.view.characters.values() if character.owner == draft.by.seat_id]
    playing = [character for character in mine if character.status is t.CharacterStatus.IN_PLAY]
    if len(playing) != 1:
        raise Refused(Code.CHARACTER_NEEDED, own=len(playing))
    find.require_able(playing[0])
    return playing[0].id


def _make(draft: Draft, challenge: t.Challenge, command: c.AttemptEffort, who: Id | None) -> t.Effort:
    topic = topic_of_situation(draft.view, challenge.situation_id)
    if len(draft.part(channel_of(topic.visibility)).efforts) >= MAX_EFFORTS:
        raise Refused(Code.TOO_MANY, limit=MAX_EFFORTS, what="efforts that wait for a ruling")
    effort = t.Effort(
        id=draft.new_id(Kind.EFFORT, command.id, public=topic.visibility is Visibility.PUBLIC),
        challenge_id=challenge.id,
        seat_id=draft.by.seat_id,
        character_id=who,
    )
    draft.tell(topic, e.EffortMade(effort=effort))
    return effort


def challenge_for(draft: Draft, effort: c.EffortOn | None, visibility: Visibility) -> Id | None:
    """Return the id of the challenge that a check or total is an effort against; None if the roll is no effort.

    Raises Refused if the challenge is not open, or if the roll is public and the challenge is hidden.
    """
    if effort is None:
        return None
    challenge = find.open_challenge(draft, effort.challenge_id)
    if visibility is Visibility.PUBLIC and challenge.id not in draft.part(Channel.PUBLIC).challenges:
        raise Refused(Code.EFFORT_HIDDEN, id=challenge.id)
    return challenge.id


def rule_effort(draft: Draft, command: c.RuleEffort) -> None:
    """Decide `rule_effort`: say whether an effort succeeded. A success takes points off the challenge's clock."""
    _rule(draft, find.effort(draft, command.effort_id), success=command.success, amount=command.amount)


def _rule(draft: Draft, effort: t.Effort, *, success: bool, amount: int) -> None:
    challenge = find.open_challenge(draft, effort.challenge_id)
    topic = topic_of_situation(draft.view, challenge.situation_id)
    taken = amount if success else 0
    draft.tell(topic, e.EffortRuled(effort_id=effort.id, challenge_id=challenge.id, success=success, amount=taken))
    if success:
        clocks.tick(draft, challenge.clock_id, amount, Cause.EFFORT)


# Consequences


def tick_threat(draft: Draft, challenge: t.Challenge, cause: Cause = Cause.EFFORT) -> None:
    """Tick a race's threat clock for an effort. Efforts against foes do not tick it. Source: rules.md B7, B13."""
    situation = draft.view.situations[challenge.situation_id]
    if situation.kind is t.SituationKind.RACE and challenge.kind is not t.ChallengeKind.FOE:
        clocks.tick(draft, str(draft.view.scenes[situation.scene_id].threat_id), 1, cause)


def roll_begins(draft: Draft, challenge_id: Id | None, *, hidden: bool) -> None:
    """Tick the threat clock before a roll that is an effort in a race. Source: rules.md B1 and B13."""
    challenge = _still_open(draft, challenge_id)
    if challenge is not None:
        tick_threat(draft, challenge, _cause(hidden))


def roll_succeeds(draft: Draft, challenge_id: Id | None, *, hidden: bool) -> None:
    """Take a point off the clock of a challenge after a successful roll against it. Source: rules.md B1.

    Does nothing if the challenge is no longer open, because the tick before the roll may have ended the race. Also does
    nothing if its scene is set aside, or if the roll was no effort (`challenge_id` is None).
    """
    challenge = _still_open(draft, challenge_id)
    if challenge is not None:
        clocks.tick(draft, challenge.clock_id, 1, _cause(hidden))


def _still_open(draft: Draft, challenge_id: Id | None) -> t.Challenge | None:
    challenge = draft.view.challenges.get(challenge_id or "")
    if challenge is None or challenge.status is not t.ChallengeStatus.OPEN or stands_still(draft.view, challenge):
        return None
    return challenge


def stands_still(view: View, challenge: t.Challenge) -> bool:
    """Tell whether the scene of a challenge is set aside. Source: rules.md B20."""
    return view.scenes[view.situations[challenge.situation_id].scene_id].aside


def _cause(hidden: bool) -> Cause:
    """Return the cause for a clock's event. The event may be public, so it must not reveal a hidden roll."""
    return Cause.HIDDEN if hidden else Cause.EFFORT
