"""Countdowns: dice pools that empty. A stage is a number of dice at which something happens. Source: rules.md A."""

from collections.abc import Iterable

from dreadclock.rules import countdown as rules
from dreadclock.rules.countdown import Repeats
from dreadclock.rules.due import RollState
from dreadclock.rules.ledger import LANE_LENGTH
from dreadclock.rules.limits import MAX_POOL
from dreadclock.rules.total import Fate
from dreadclock.wire import commands as c
from dreadclock.wire import events as e
from dreadclock.wire import things as t
from dreadclock.wire.base import Channel, Faces, Id, Kind, Role, RollProof, Scope, Visibility
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.events import SkipReason
from dreadclock.wire.families.countdown_changes import AMENDED
from dreadclock.wire.families.countdowns import ALIVE, period_of, state_of, was_rolled
from dreadclock.wire.families.dice import lane_of_thing
from dreadclock.wire.views import View
from dreadclock_server.core import find
from dreadclock_server.core.draft import Draft
from dreadclock_server.core.effects import Due, EffectRow, Effects, Reason, unless
from dreadclock_server.core.families import secrets
from dreadclock_server.core.families.characters import leave_play
from dreadclock_server.core.families.consequences import attach_consequence
from dreadclock_server.core.families.countdown_starts import begin_countdown, refuse_double_stages, require_fit
from dreadclock_server.core.find import topic_of_countdown, topic_of_scene
from dreadclock_server.core.rights import Rights, Who, named, only, owned
from dreadclock_server.core.rolling import draw_faces, draw_from_ledger

_named = named(find.countdown, "countdown_id")
# `_require_care` checks the policy `care`, which may allow fewer seats.
_CARED_FOR = owned(_named, Who.PLAYER, Who.COUNTDOWNS)
RIGHTS: Rights = {
    c.StartCountdown: only(Who.GM, Who.PLAYER, Who.COUNTDOWNS),
    c.RollCountdown: owned(_named, Who.COUNTDOWNS),
    c.StabilizeCountdown: _CARED_FOR,
    c.ResumeCountdown: _CARED_FOR,
    c.ReplenishCountdown: _CARED_FOR,
    c.CancelCountdown: only(Who.GM),
    c.AmendCountdown: only(Who.GM),
    c.EndTurn: only(Who.GM, Who.TURNS),
}


def start_countdown(draft: Draft, command: c.StartCountdown) -> None:
    """Decide `start_countdown`: start a countdown.

    Only the gm may send `at_start`: effects that happen when the countdown starts. They become an attached
    consequence, which is public if the countdown is public and otherwise only in the gm's channel. Source: rules.md A3.
    """
    if not draft.by.may(Scope.COUNTDOWNS) and not draft.view.policy.player_countdowns:
        raise Refused(Code.NOT_ALLOWED, allowed="the gm, by the room's policy,")
    countdown = begin_countdown(draft, command)
    if command.at_start is None:
        return
    find.require_gm(draft)
    of, when = t.Subject(kind=Kind.COUNTDOWN, id=countdown.id), t.Moment(when=t.When.STAGE, at=countdown.pool)
    visibility: t.OwnVisibility = Visibility.PUBLIC if countdown.visibility is Visibility.PUBLIC else Visibility.GM
    attach_consequence(draft, c.AttachConsequence(of=of, when=when, do=command.at_start, visibility=visibility))


def require(countdown: t.Countdown, *allowed: t.CountdownStatus) -> None:
    if countdown.status not in allowed:
        raise Refused(Code.NOT_RUNNING, id=countdown.id, status=countdown.status)


def roll_countdown(draft: Draft, command: c.RollCountdown, countdown: t.Countdown) -> None:
    """Decide `roll_countdown`: roll a countdown's pool."""
    require(countdown, t.CountdownStatus.RUNNING)
    _refuse_aside(draft, countdown)
    if was_rolled(draft.view, countdown):
        raise Refused(Code.ALREADY_ROLLED, id=countdown.id, turn=draft.view.turn)
    roll(draft, countdown, command)


def _refuse_aside(draft: Draft, countdown: t.Countdown) -> None:
    """Raise Refused if a countdown is bound to an open scene that is set aside, or to a situation in it. B20."""
    if countdown.bound_id is None:
        return
    situation = draft.view.situations.get(countdown.bound_id)
    scene = draft.view.scenes.get(situation.scene_id if situation is not None else countdown.bound_id)
    if scene is not None and scene.aside and scene.status is t.SceneStatus.OPEN:
        raise Refused(Code.SCENE_ASIDE, id=scene.id)


def end_turn(draft: Draft, command: c.EndTurn) -> None:
    """Decide `end_turn`: roll the due countdowns in the order of their starts, then end the turn.

    With a `scene_id`, only that scene's turn ends, and only countdowns that are bound to the scene are rolled.
    """
    if command.turn is not None and command.turn != draft.view.turn:
        raise Refused(Code.OTHER_TURN, turn=command.turn, now=draft.view.turn)
    if command.scene_id is not None:
        return _end_turn_of_scene(draft, command.scene_id, command)
    roll_due(draft, due(draft.view), command)
    draft.emit(Channel.PUBLIC, e.TurnEnded(turn=draft.view.turn))
    return None


def _end_turn_of_scene(draft: Draft, scene_id: Id, command: c.EndTurn) -> None:
    """End the turn of a single scene. The event goes to the scene's channel. Source: rules.md B19."""
    scene = find.open_scene(draft, scene_id)
    roll_due(draft, due(draft.view, scene_id=scene.id), command)
    draft.tell(topic_of_scene(draft.view, scene.id), e.SceneTurnEnded(scene_id=scene.id, turn=scene.turn))


def roll_due(draft: Draft, countdowns: Iterable[t.Countdown], command: c.RollingCommand) -> None:
    """Roll the due countdowns at the end of a turn or round. Raises Refused if the command has typed-in faces."""
    if command.faces is not None:
        raise Refused(Code.NOT_AVAILABLE, what="typing in the dice of a whole turn: roll each countdown first")
    for countdown in countdowns:
        roll(draft, countdown, command)


def stabilize_countdown(draft: Draft, command: c.StabilizeCountdown, countdown: t.Countdown) -> None:
    """Decide `stabilize_countdown`: a stabilized countdown is not rolled until it is resumed."""
    _require_care(draft, countdown)
    require(countdown, t.CountdownStatus.RUNNING)
    if not countdown.stabilizable:
        raise Refused(Code.NOT_STABILIZABLE, id=countdown.id)
    _tell_stabilized(draft, countdown)


def resume_countdown(draft: Draft, command: c.ResumeCountdown, countdown: t.Countdown) -> None:
    """Decide `resume_countdown`: let a stabilized countdown run again."""
    _require_care(draft, countdown)
    if countdown.status is not t.CountdownStatus.STABILIZED:
        raise Refused(Code.NOT_STABILIZED, id=countdown.id, status=countdown.status)
    _tell_resumed(draft, countdown)


def replenish_countdown(draft: Draft, command: c.ReplenishCountdown, countdown: t.Countdown) -> None:
    """Decide `replenish_countdown`: add dice to a countdown, up to MAX_POOL. Source: rules.md A4-A7."""
    _require_care(draft, countdown)
    require(countdown, *ALIVE)
    if not countdown.replenishable:
        raise Refused(Code.NOT_REPLENISHABLE, id=countdown.id)
    if countdown.pool + command.dice > MAX_POOL:
        raise Refused(Code.POOL_TOO_LARGE, pool=countdown.pool, dice=command.dice, limit=MAX_POOL)
    replenish(draft, countdown, command.dice)


def _require_care(draft: Draft, countdown: t.Countdown) -> None:
    """Raise Refused if the sender may not stabilize, resume or replenish a countdown. Source: rules.md A11."""
    care, by = draft.view.policy.care, draft.by
    owns = countdown.owner == by.seat_id and care is not t.Care.GM
    if not (by.may(Scope.COUNTDOWNS) or owns or (care is t.Care.PLAYERS and by.role is Role.PLAYER)):
        raise Refused(Code.NOT_ALLOWED, allowed=CARING[care])


CARING = {
    t.Care.GM: "the gm, by the room's policy,",
    t.Care.OWNER: "the gm or the owner, by the room's policy,",
    t.Care.PLAYERS: "the gm or a player, by the room's policy,",
}


def cancel_countdown(draft: Draft, command: c.CancelCountdown) -> None:
    """Decide `cancel_countdown`: end a countdown without the consequences of its end.

    If the countdown was sealed (everyone saw only its name), it is revealed.
    """
    countdown = find.countdown(draft, command.countdown_id)
    require(countdown, *ALIVE)
    topic = topic_of_countdown(countdown)
    draft.tell(topic, e.CountdownCancelled(countdown_id=countdown.id, reason=command.reason))
    secrets.end(draft, topic)


def amend_countdown(draft: Draft, command: c.AmendCountdown) -> None:
    """Decide `amend_countdown`: change the fields of a countdown.

    A lower pool reaches stages or the end, as a roll does. A higher pool leaves stages. Source: rules.md A14.
    """
    before = find.countdown(draft, command.countdown_id)
    require(before, *ALIVE)
    after = _amended(before, command)
    if after == before:
        raise Refused(Code.NOTHING_TO_CHANGE)
    if after.owner is not None:
        find.owning_seat(draft, after.owner)
    if after.pool and after.pool > MAX_POOL:
        raise Refused(Code.POOL_TOO_LARGE, pool=0, dice=after.pool, limit=MAX_POOL)
    refuse_double_stages(after.stages)
    require_fit(draft, after, before)
    said = {name: getattr(after, name) for name in AMENDED}
    event = e.CountdownAmended(countdown_id=before.id, reason=command.reason, **said)
    draft.tell(topic_of_countdown(before), event)
    amended = draft.view.countdowns[before.id].model_copy(update={"pool": before.pool})
    if after.pool < before.pool:
        fell(draft, amended, after.pool)
    else:
        rose(draft, amended, after.pool)


def _amended(before: t.Countdown, command: c.AmendCountdown) -> t.Countdown:
    """Return a countdown after the changes of a command.

    A new `bound_to` without a `bound_id` drops the old `bound_id`. Clearing `about` also clears `fate`.
    """
    given = {name: getattr(command, name) for name in AMENDED if getattr(command, name) is not None}
    if "bound_to" in given:
        given.setdefault("bound_id", None)
    cleared: dict[str, None] = dict.fromkeys(command.clear)
    if "about" in cleared:
        cleared["fate"] = None
    return before.model_copy(update={**given, **cleared})


# Consequences. Source: rules.md A1-A15


def roll(draft: Draft, countdown: t.Countdown, command: c.RollingCommand) -> None:
    """Roll a countdown's pool, and write the stages and the end that it reaches."""
    _tell_rolled(draft, countdown, *draw_faces(draft, countdown.pool, command, topic_of_countdown(countdown)))


def _tell_rolled(draft: Draft, countdown: t.Countdown, faces: Faces, proof: RollProof | None) -> None:
    rolled = rules.roll(countdown.speed, faces)
    event = e.CountdownRolled.trusted(
        countdown_id=countdown.id,
        faces=faces,
        removed=rolled.removed,
        remaining=rolled.remaining,
        turn=draft.view.turn,
        period=period_of(draft.view, countdown),
        physical=proof is None,
        proof=proof,
    )
    draft.tell(topic_of_countdown(countdown), event)
    fell(draft, countdown, rolled.remaining)


def fell(draft: Draft, before: t.Countdown, pool: int) -> None:
    """Write the events of a pool that shrank to `pool` dice: each stage reached, and the end if no dice are left.

    Also notes their triggers, so that attached effects follow. Source: rules.md A2 and A14.
    """
    if pool == before.pool or (pool > 0 and not before.stages):
        return
    topic, effects = topic_of_countdown(before), {stage.at: stage.effect for stage in before.stages}
    for at in rules.crossed(effects, before.pool, pool):
        draft.tell(topic, e.StageReached(countdown_id=before.id, at=at, effect=effects[at]))
        draft.happened(Kind.COUNTDOWN, before.id, t.When.STAGE, at)
    if pool == 0:
        _end(draft, before)
        draft.happened(Kind.COUNTDOWN, before.id, t.When.END)


def _end(draft: Draft, countdown: t.Countdown) -> None:
    """Write the events of a countdown's end: it expires or starts again, and its character may leave play.

    Source: rules.md A9 and A15.
    """
    topic = topic_of_countdown(countdown)
    if countdown.repeats is None:
        draft.tell(topic, e.CountdownExpired(countdown_id=countdown.id, ending=countdown.ending))
        secrets.end(draft, topic)
    else:
        is_d6, ending = countdown.repeats is Repeats.D6, countdown.ending
        faces, proof = draw_from_ledger(draft, lambda faces: 1, topic) if is_d6 else ((), None)
        pool = sum(faces) or countdown.started_with or 1
        again = e.CountdownRepeated(countdown_id=countdown.id, ending=ending, pool=pool, faces=faces, proof=proof)
        draft.tell(topic, again)
    if countdown.about is not None and countdown.fate is not None:
        leave_play(draft, countdown.about, Fate(countdown.fate))


def rose(draft: Draft, before: t.Countdown, pool: int) -> None:
    """Write `stage_left` for each reached stage that can be reached again because the pool grew. Source: A4."""
    if not before.stages:
        return
    topic = topic_of_countdown(before)
    for at in rules.left([stage.at for stage in before.stages], before.pool, pool):
        draft.tell(topic, e.StageLeft(countdown_id=before.id, at=at))


def _tell_stabilized(draft: Draft, countdown: t.Countdown) -> None:
    draft.tell(topic_of_countdown(countdown), e.CountdownStabilized(countdown_id=countdown.id))


def _tell_resumed(draft: Draft, countdown: t.Countdown) -> None:
    draft.tell(topic_of_countdown(countdown), e.CountdownResumed(countdown_id=countdown.id))


def replenish(draft: Draft, countdown: t.Countdown, dice: int) -> None:
    """Add dice to a countdown. A stabilized countdown stays stabilized. Source: rules.md A4 and A7."""
    pool = countdown.pool + dice
    replenished = e.CountdownReplenished(countdown_id=countdown.id, added=dice, remaining=pool)
    draft.tell(topic_of_countdown(countdown), replenished)
    rose(draft, countdown, pool)


def is_due(view: View, countdown: t.Countdown, scene_id: Id | None = None, situation_id: Id | None = None) -> bool:
    """Tell whether a countdown is rolled at the end of a scene's turn, a situation's round, or the whole turn.

    `scene_id` or `situation_id` names the scene or situation; without both, the whole turn ends. The end of the whole
    turn also rolls countdowns that are bound to a scene, unless they were rolled in this turn.
    """
    ended = scene_id or situation_id
    if countdown.status is not t.CountdownStatus.RUNNING or (ended is not None and countdown.bound_id != ended):
        return False
    return state_of(view, countdown, at_turn_end=ended is None) is RollState.DUE


def due(view: View, scene_id: Id | None = None, situation_id: Id | None = None) -> list[t.Countdown]:
    """Return the countdowns for which `is_due` is true, in the order of their starts.

    Leaves out a hidden countdown whose dice lane is used up: a refused roll would block the end of the turn.
    """
    running = [countdown for countdown in view.countdowns.values() if is_due(view, countdown, scene_id, situation_id)]
    return [countdown for countdown in running if not is_used_up(view, countdown)]


def is_used_up(view: View, countdown: t.Countdown) -> bool:
    """Tell whether a countdown is hidden, and its lane (a series of rolls fixed in advance) has no roll left."""
    if countdown.visibility is Visibility.PUBLIC:
        return False
    lane = view.hidden.lanes.get(lane_of_thing(Kind.COUNTDOWN, countdown.id))
    return lane is not None and lane.used >= LANE_LENGTH


# Effects of consequences


def _can_resume(_: View, effect: t.Effect, countdown: t.Countdown) -> bool:
    return countdown.status is t.CountdownStatus.STABILIZED or (not countdown.is_over and countdown.stabilizable)


def _no_replenish(_: View, effect: t.Effect, countdown: t.Countdown) -> Reason:
    if countdown.is_over or not countdown.replenishable:
        return SkipReason.OVER
    return unless(countdown.pool + (effect.by or 0) <= MAX_POOL, SkipReason.CAP)


def _no_roll(view: View, _: t.Effect, countdown: t.Countdown) -> Reason:
    if countdown.status is not t.CountdownStatus.RUNNING or was_rolled(view, countdown):
        return SkipReason.OVER
    return unless(not is_used_up(view, countdown), SkipReason.DICE)


def _roll_for_consequence(draft: Draft, _: Due, effect: t.Effect, countdown: t.Countdown) -> Reason:
    """Roll a countdown with the server's dice. Return `SkipReason.DICE` if that is not possible.

    A command rolls a hidden countdown at most once: two rolls would share a slot of its lane, and a verifier could
    not tell later which rolls did.
    """
    if lane_of_thing(Kind.COUNTDOWN, countdown.id) in draft.slots:
        return SkipReason.DICE
    try:
        faces, proof = draw_faces(draft, countdown.pool, c.RollingCommand(), topic_of_countdown(countdown))
    except Refused:
        return SkipReason.DICE
    _tell_rolled(draft, countdown, faces, proof)
    return None


EFFECTS: Effects = {
    t.Does.STABILIZE: EffectRow(
        lambda _, effect, countdown: not countdown.is_over and countdown.stabilizable,
        lambda _, effect, countdown: unless(countdown.status is t.CountdownStatus.RUNNING and countdown.stabilizable),
        lambda draft, _, effect, countdown: _tell_stabilized(draft, countdown),
    ),
    t.Does.RESUME: EffectRow(
        _can_resume,
        lambda _, effect, countdown: unless(countdown.status is t.CountdownStatus.STABILIZED),
        lambda draft, _, effect, countdown: _tell_resumed(draft, countdown),
    ),
    t.Does.REPLENISH: EffectRow(
        lambda _, effect, countdown: not countdown.is_over and countdown.replenishable,
        _no_replenish,
        lambda draft, _, effect, countdown: replenish(draft, countdown, effect.by or 0),
    ),
    t.Does.ROLL: EffectRow(lambda _, effect, countdown: not countdown.is_over, _no_roll, _roll_for_consequence),
}
