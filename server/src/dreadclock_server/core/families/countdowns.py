"""Countdowns: dice pools that empty. Source: rules.md A1-A8."""

from collections.abc import Sequence

from dreadclock.following import secrets
from dreadclock.following.countdowns import ALIVE, fell, is_due, rolled_this_turn, rose
from dreadclock.following.telling import Root, channel_of, root_of_countdown, root_of_scene
from dreadclock.rules import countdown as rules
from dreadclock.rules.limits import MAX_COUNTDOWNS, MAX_POOL
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Id, Kind, Role, Visibility
from dreadclock.wire.commands import (
    CancelCountdown,
    EndTurn,
    NewCountdown,
    ReplenishCountdown,
    ResumeCountdown,
    RollCountdown,
    RollingCommand,
    StabilizeCountdown,
    StartCountdown,
)
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.things import Countdown, CountdownStatus, Stage
from dreadclock_server.core import find
from dreadclock_server.core.draft import Deciders, Draft
from dreadclock_server.core.families.dice import is_used_up, throw
from dreadclock_server.core.families.secrets import begin_hidden
from dreadclock_server.core.find import owner_for


def start_countdown(draft: Draft, command: StartCountdown) -> None:
    """Decide `start_countdown`."""
    if draft.by.role is not Role.GM and not draft.view.policy.player_countdowns:
        raise Refused(Code.NOT_ALLOWED, allowed="the gm, by the room's policy,")
    begin_countdown(draft, command)


def begin_countdown(draft: Draft, new: NewCountdown) -> None:
    """Start a countdown, by its own command or with a complication."""
    find.require_gm_for(draft, new.visibility)
    _refuse_too_many(draft, new.visibility)
    _refuse_double_stages(new.stages)
    owner = owner_for(draft, new.owner)
    countdown_id = draft.new_id(Kind.COUNTDOWN, new.id, known=new.visibility is not Visibility.GM)
    root = Root(Kind.COUNTDOWN, countdown_id, new.name, new.visibility)
    begin_hidden(draft, root, rolled=True)
    fields = new.model_dump(exclude={"id", "owner", "note", "type", "stages"})
    started = draft.room.seq(Channel.PUBLIC) + (1 if new.visibility is Visibility.PUBLIC else 0)
    countdown = Countdown(id=countdown_id, owner=owner, started=started, stages=new.stages, **fields)
    draft.emit(channel_of(countdown.visibility), e.CountdownStarted(countdown=countdown))


def _refuse_too_many(draft: Draft, visibility: Visibility) -> None:
    """Count what the public knows of and what it does not on their own: a cap may not tell of secrets."""
    running = [each.visibility for each in draft.view.countdowns.values() if each.status in ALIVE]
    if sum((each is Visibility.GM) == (visibility is Visibility.GM) for each in running) >= MAX_COUNTDOWNS:
        raise Refused(Code.TOO_MANY, limit=MAX_COUNTDOWNS, what="countdowns")


def _refuse_double_stages(stages: Sequence[Stage]) -> None:
    sizes = [stage.at for stage in stages]
    twice = [at for at in sizes if sizes.count(at) > 1]
    if twice:
        raise Refused(Code.STAGE_TWICE, at=twice[0])


def _require(countdown: Countdown, *allowed: CountdownStatus) -> None:
    if countdown.status not in allowed:
        raise Refused(Code.NOT_RUNNING, id=countdown.id, status=countdown.status)


def roll_countdown(draft: Draft, command: RollCountdown) -> None:
    """Decide `roll_countdown`."""
    countdown = find.countdown(draft, command.countdown_id)
    _require(countdown, CountdownStatus.RUNNING)
    if rolled_this_turn(draft.view, countdown):
        raise Refused(Code.ALREADY_ROLLED, id=countdown.id, turn=draft.view.turn)
    _roll(draft, countdown, command)


def end_turn(draft: Draft, command: EndTurn) -> None:
    """Decide `end_turn`: roll what is bound to the turn, in the order it was started.

    A hidden countdown whose lane is used up is left out: it may not keep the turn from ending.
    """
    if command.faces is not None:
        raise Refused(Code.NOT_AVAILABLE, what="typing in the dice of a whole turn: roll each countdown first")
    if command.scene_id is not None:
        return end_turn_of_scene(draft, command.scene_id)
    for countdown in list(draft.view.countdowns.values()):
        if is_due(draft.view, countdown) and not is_used_up(draft, root_of_countdown(countdown)):
            _roll(draft, countdown, command)
    draft.emit(Channel.PUBLIC, e.TurnEnded(turn=draft.view.turn))
    return None


def end_turn_of_scene(draft: Draft, scene_id: Id) -> None:
    """End the turn for one scene alone; of a hidden one only the gm hears of it. Source: rules.md B19."""
    scene = find.open_scene(draft, scene_id)
    draft.tell(root_of_scene(draft.view, scene.id), e.SceneTurnEnded(scene_id=scene.id, turn=scene.turn))


def _roll(draft: Draft, countdown: Countdown, command: RollingCommand) -> None:
    root = root_of_countdown(countdown)
    faces, proof = throw(draft, countdown.pool, command, root)
    rolled = rules.roll(countdown.speed, faces)
    event = e.CountdownRolled.trusted(
        countdown_id=countdown.id,
        faces=faces,
        removed=rolled.removed,
        remaining=rolled.remaining,
        turn=draft.view.turn,
        physical=proof is None,
        proof=proof,
    )
    draft.tell(root, event)
    fell(draft, countdown, rolled.remaining)


def stabilize_countdown(draft: Draft, command: StabilizeCountdown) -> None:
    """Decide `stabilize_countdown`."""
    countdown = find.countdown(draft, command.countdown_id)
    _require(countdown, CountdownStatus.RUNNING)
    if not countdown.stabilizable:
        raise Refused(Code.NOT_STABILIZABLE, id=countdown.id)
    draft.tell(root_of_countdown(countdown), e.CountdownStabilized(countdown_id=countdown.id))


def resume_countdown(draft: Draft, command: ResumeCountdown) -> None:
    """Decide `resume_countdown`."""
    countdown = find.countdown(draft, command.countdown_id)
    if countdown.status is not CountdownStatus.STABILIZED:
        raise Refused(Code.NOT_STABILIZED, id=countdown.id, status=countdown.status)
    draft.tell(root_of_countdown(countdown), e.CountdownResumed(countdown_id=countdown.id))


def replenish_countdown(draft: Draft, command: ReplenishCountdown) -> None:
    """Decide `replenish_countdown`; a stabilized countdown stays stabilized. Source: rules.md A4-A7."""
    countdown = find.countdown(draft, command.countdown_id)
    _require(countdown, *ALIVE)
    if not countdown.replenishable:
        raise Refused(Code.NOT_REPLENISHABLE, id=countdown.id)
    pool = countdown.pool + command.dice
    if pool > MAX_POOL:
        raise Refused(Code.POOL_TOO_LARGE, pool=countdown.pool, dice=command.dice, limit=MAX_POOL)
    event = e.CountdownReplenished(countdown_id=countdown.id, added=command.dice, remaining=pool)
    draft.tell(root_of_countdown(countdown), event)
    rose(draft, countdown, pool)


def cancel_countdown(draft: Draft, command: CancelCountdown) -> None:
    """Decide `cancel_countdown`."""
    countdown = find.countdown(draft, command.countdown_id)
    _require(countdown, *ALIVE)
    root = root_of_countdown(countdown)
    draft.tell(root, e.CountdownCancelled(countdown_id=countdown.id, reason=command.reason))
    secrets.end(draft, root)


DECIDE: Deciders = {
    StartCountdown: start_countdown,
    RollCountdown: roll_countdown,
    StabilizeCountdown: stabilize_countdown,
    ResumeCountdown: resume_countdown,
    ReplenishCountdown: replenish_countdown,
    CancelCountdown: cancel_countdown,
    EndTurn: end_turn,
}
