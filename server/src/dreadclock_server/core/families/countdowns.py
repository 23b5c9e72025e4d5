"""Countdowns: dice pools that empty. Source: rules.md A."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dreadclock.following import countdowns as following
from dreadclock.following import secrets
from dreadclock.following.bringing import too_many_countdowns
from dreadclock.following.countdowns import due
from dreadclock.following.telling import Drawn, Root, channel_of, root_of_countdown, root_of_scene
from dreadclock.rules.limits import MAX_COUNTDOWNS, MAX_POOL
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Id, Kind, Role, Scope, Visibility
from dreadclock.wire.commands import (
    AmendCountdown,
    CancelCountdown,
    EndTurn,
    ReplenishCountdown,
    ResumeCountdown,
    RollCountdown,
    RollingCommand,
    StabilizeCountdown,
    StartCountdown,
)
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.families.countdown_changes import AMENDED
from dreadclock.wire.families.countdowns import ALIVE, was_rolled
from dreadclock.wire.things import (
    BoundTo,
    Care,
    Countdown,
    CountdownStatus,
    NewCountdown,
    SceneStatus,
    SituationStatus,
    Stage,
)
from dreadclock_server.core import find
from dreadclock_server.core.draft import Deciders, Draft
from dreadclock_server.core.families.secrets import begin_hidden
from dreadclock_server.core.find import owner_for
from dreadclock_server.core.rights import Rights, Who, only, owned
from dreadclock_server.core.throwing import throw


def _owner(draft: Draft, command: Any) -> Id | None:
    return find.countdown(draft, command.countdown_id).owner


_CARED_FOR = owned(_owner, Who.PLAYER, Who.COUNTDOWNS)  # players and owners as the policy `care` has it


RIGHTS: Rights = {
    StartCountdown: only(Who.GM, Who.PLAYER, Who.COUNTDOWNS),
    RollCountdown: owned(_owner, Who.COUNTDOWNS),
    StabilizeCountdown: _CARED_FOR,
    ResumeCountdown: _CARED_FOR,
    ReplenishCountdown: _CARED_FOR,
    CancelCountdown: only(Who.GM),
    AmendCountdown: only(Who.GM),
    EndTurn: only(Who.GM, Who.TURNS),
}


def start(draft: Draft, command: StartCountdown) -> Countdown:
    """Start a countdown by its own command, and return it."""
    if not draft.by.may(Scope.COUNTDOWNS) and not draft.view.policy.player_countdowns:
        raise Refused(Code.NOT_ALLOWED, allowed="the gm, by the room's policy,")
    return begin_countdown(draft, command)


def begin_countdown(draft: Draft, new: NewCountdown) -> Countdown:
    """Start a countdown, by its own command or with a complication, and return it."""
    find.require_gm_for(draft, new.visibility)
    if too_many_countdowns(draft.view, new.visibility):
        raise Refused(Code.TOO_MANY, limit=MAX_COUNTDOWNS, what="countdowns")
    pool = _pool(draft, new)
    require_fit(draft, new)
    return begin(draft, new, owner_for(draft, new.owner), pool, made_by=draft.maker)


def begin(draft: Draft, new: NewCountdown, owner: Id | None, pool: int, *, made_by: Id | None = None) -> Countdown:
    """Start a countdown that may start, and return it."""
    countdown_id = draft.new_id(Kind.COUNTDOWN, new.id, known=new.visibility is not Visibility.GM)
    root = Root(Kind.COUNTDOWN, countdown_id, new.name, new.visibility)
    begin_hidden(draft, root, rolled=True)
    fields = new.model_dump(exclude={"id", "owner", "note", "act_for", "type", "stages", "pool", "at_start"})
    started = draft.room.seq(Channel.PUBLIC) + (1 if new.visibility is Visibility.PUBLIC else 0)
    fields |= {"owner": owner, "pool": pool, "started_with": pool, "made_by": made_by}
    countdown = Countdown(id=countdown_id, started=started, stages=new.stages, **fields)
    if draft.form.starts_at_stages and following.start_stage(pool, new.stages) is not None:
        countdown = countdown.model_copy(update={"start_stage": True})
    draft.emit(channel_of(countdown.visibility), e.CountdownStarted(countdown=countdown))
    following.begun(draft, countdown)
    return countdown


def _pool(draft: Draft, new: NewCountdown) -> int:
    """Return how many dice a countdown starts with: as said, or as an attribute says. Source: rules.md A10."""
    if (new.pool is None) == (new.from_attribute is None):
        raise Refused(Code.POOL_NEEDED)
    if new.pool is not None:
        return new.pool
    if new.about is None:
        raise Refused(Code.ABOUT_NEEDED, what="attribute")
    character = find.character(draft, new.about)
    score = character.attributes.get(str(new.from_attribute))
    if score is None:
        raise Refused(Code.NOT_ON_SHEET, id=character.id, kind="attribute", name=str(new.from_attribute))
    if score < 1:
        raise Refused(Code.POOL_OUT_OF_RANGE, sum=score, least=1, most=MAX_POOL)
    return score


def require_fit(draft: Draft, one: NewCountdown | Countdown, before: Countdown | None = None) -> None:
    """Raise Refused if what a countdown is to be contradicts itself, or tells more people of a thing than see it."""
    _refuse_double_stages(one.stages)
    if one.fate is not None and one.about is None:
        raise Refused(Code.ABOUT_NEEDED, what="end")
    if one.about is not None and (before is None or before.about != one.about):
        find.character(draft, one.about)
        _require_seen(draft, one, "characters", Kind.CHARACTER, one.about)
    if before is None or (before.bound_to, before.bound_id) != (one.bound_to, one.bound_id):
        _require_binding(draft, one)


_BOUND: Mapping[BoundTo, tuple[str, Kind]] = {
    BoundTo.ROUNDS: ("situations", Kind.SITUATION),
    BoundTo.SCENE: ("scenes", Kind.SCENE),
}


def _require_binding(draft: Draft, one: NewCountdown | Countdown) -> None:
    """Raise Refused unless a countdown names the open situation or scene that it is bound to, and only then one."""
    family, kind = _BOUND.get(one.bound_to, ("", None))
    if kind is None or one.bound_id is None:
        if kind is not None or one.bound_id is not None:
            raise Refused(Code.BINDING_UNSAID, kind=kind or "situation or scene")
        return
    if kind is Kind.SITUATION:
        situation = find.situation(draft, one.bound_id)
        if situation.status is not SituationStatus.OPEN:
            raise Refused(Code.ENDED, kind=kind, id=situation.id, status=situation.status)
    else:
        find.open_scene(draft, one.bound_id, aside=True)
    _require_seen(draft, one, family, kind, one.bound_id)


def _require_seen(draft: Draft, one: NewCountdown | Countdown, family: str, kind: Kind, thing_id: Id) -> None:
    """Raise Refused if everyone sees a countdown and not what it names."""
    if one.visibility is Visibility.PUBLIC and thing_id not in getattr(draft.view.public, family):
        raise Refused(Code.NAMES_HIDDEN, kind=kind, id=thing_id)


def _refuse_double_stages(stages: Sequence[Stage]) -> None:
    sizes = [stage.at for stage in stages]
    twice = [at for at in sizes if sizes.count(at) > 1]
    if twice:
        raise Refused(Code.STAGE_TWICE, at=twice[0])


def require(countdown: Countdown, *allowed: CountdownStatus) -> None:
    if countdown.status not in allowed:
        raise Refused(Code.NOT_RUNNING, id=countdown.id, status=countdown.status)


def roll_countdown(draft: Draft, command: RollCountdown) -> None:
    """Decide `roll_countdown`."""
    countdown = find.countdown(draft, command.countdown_id)
    require(countdown, CountdownStatus.RUNNING)
    _refuse_aside(draft, countdown)
    if was_rolled(draft.view, countdown):
        raise Refused(Code.ALREADY_ROLLED, id=countdown.id, turn=draft.view.turn)
    _roll(draft, countdown, command)


def _refuse_aside(draft: Draft, countdown: Countdown) -> None:
    """Refuse to roll what is bound to a scene that is set aside, or to rounds in one. Source: rules.md B20."""
    situation = draft.view.situations.get(countdown.bound_id or "")
    scene = draft.view.scenes.get(situation.scene_id if situation is not None else countdown.bound_id or "")
    if scene is not None and scene.aside and scene.status is SceneStatus.OPEN:
        raise Refused(Code.SCENE_ASIDE, id=scene.id)


def end_turn(draft: Draft, command: EndTurn) -> None:
    """Decide `end_turn`: roll what is bound to the turn, in the order it was started.

    A hidden countdown whose lane is used up is left out: it may not keep the turn from ending.
    """
    if command.turn is not None and command.turn != draft.view.turn:
        raise Refused(Code.OTHER_TURN, turn=command.turn, now=draft.view.turn)
    if command.scene_id is not None:
        return end_turn_of_scene(draft, command.scene_id, command)
    roll_due(draft, due(draft.view), command)
    draft.emit(Channel.PUBLIC, e.TurnEnded(turn=draft.view.turn))
    return None


def end_turn_of_scene(draft: Draft, scene_id: Id, command: EndTurn) -> None:
    """End the turn for one scene alone; of a hidden one only the gm hears of it. Source: rules.md B19."""
    scene = find.open_scene(draft, scene_id)
    roll_due(draft, due(draft.view, scene_id=scene.id), command)
    draft.tell(root_of_scene(draft.view, scene.id), e.SceneTurnEnded(scene_id=scene.id, turn=scene.turn))


def roll_due(draft: Draft, countdowns: Iterable[Countdown], command: RollingCommand) -> None:
    """Roll what the end of a turn or of a round rolls. Raises Refused if faces were typed in for all of it."""
    if command.faces is not None:
        raise Refused(Code.NOT_AVAILABLE, what="typing in the dice of a whole turn: roll each countdown first")
    for countdown in countdowns:
        _roll(draft, countdown, command)


def _roll(draft: Draft, countdown: Countdown, command: RollingCommand) -> None:
    drawn = Drawn(*throw(draft, countdown.pool, command, root_of_countdown(countdown)))
    following.roll(draft, countdown, drawn)


def stabilize_countdown(draft: Draft, command: StabilizeCountdown) -> None:
    """Decide `stabilize_countdown`."""
    countdown = _cared_for(draft, command.countdown_id)
    require(countdown, CountdownStatus.RUNNING)
    if not countdown.stabilizable:
        raise Refused(Code.NOT_STABILIZABLE, id=countdown.id)
    following.stabilize(draft, countdown)


def resume_countdown(draft: Draft, command: ResumeCountdown) -> None:
    """Decide `resume_countdown`."""
    countdown = _cared_for(draft, command.countdown_id)
    if countdown.status is not CountdownStatus.STABILIZED:
        raise Refused(Code.NOT_STABILIZED, id=countdown.id, status=countdown.status)
    following.resume(draft, countdown)


def replenish_countdown(draft: Draft, command: ReplenishCountdown) -> None:
    """Decide `replenish_countdown`; a stabilized countdown stays stabilized. Source: rules.md A4-A7."""
    countdown = _cared_for(draft, command.countdown_id)
    require(countdown, *ALIVE)
    if not countdown.replenishable:
        raise Refused(Code.NOT_REPLENISHABLE, id=countdown.id)
    if countdown.pool + command.dice > MAX_POOL:
        raise Refused(Code.POOL_TOO_LARGE, pool=countdown.pool, dice=command.dice, limit=MAX_POOL)
    following.replenish(draft, countdown, command.dice)


def _cared_for(draft: Draft, countdown_id: Id) -> Countdown:
    """Return a countdown that the sender may stabilize, resume or replenish. Source: rules.md A11."""
    countdown, care = find.countdown(draft, countdown_id), draft.view.policy.care
    owns = countdown.owner is not None and countdown.owner == draft.by.seat_id
    if draft.by.may(Scope.COUNTDOWNS) or (care is Care.OWNER and owns):
        return countdown
    if care is Care.PLAYERS and (owns or draft.by.role is Role.PLAYER):
        return countdown
    raise Refused(Code.NOT_ALLOWED, allowed=CARING[care])


CARING = {
    Care.GM: "the gm, by the room's policy,",
    Care.OWNER: "the gm or the owner, by the room's policy,",
    Care.PLAYERS: "the gm or a player, by the room's policy,",
}


def cancel_countdown(draft: Draft, command: CancelCountdown) -> None:
    """Decide `cancel_countdown`."""
    countdown = find.countdown(draft, command.countdown_id)
    require(countdown, *ALIVE)
    root = root_of_countdown(countdown)
    draft.tell(root, e.CountdownCancelled(countdown_id=countdown.id, reason=command.reason))
    secrets.end(draft, root)


def amend_countdown(draft: Draft, command: AmendCountdown) -> None:
    """Decide `amend_countdown`; a pool set past a stage or to 0 falls there. Source: rules.md A14."""
    before = find.countdown(draft, command.countdown_id)
    require(before, *ALIVE)
    after = _amended(before, command)
    if after == before:
        raise Refused(Code.NOTHING_TO_CHANGE)
    if after.owner is not None:
        find.owning_seat(draft, after.owner)
    if after.pool and after.pool > MAX_POOL:
        raise Refused(Code.POOL_TOO_LARGE, pool=0, dice=after.pool, limit=MAX_POOL)
    require_fit(draft, after, before)
    said = {name: getattr(after, name) for name in AMENDED}
    event = e.CountdownAmended(countdown_id=before.id, reason=command.reason, **said)
    draft.tell(root_of_countdown(before), event)
    amended = draft.view.countdowns[before.id].model_copy(update={"pool": before.pool})
    if after.pool < before.pool:
        following.fell(draft, amended, after.pool)
    else:
        following.rose(draft, amended, after.pool)


def _amended(before: Countdown, command: AmendCountdown) -> Countdown:
    """Return a countdown with what a command changes of it; another binding starts without one's id."""
    given = {name: getattr(command, name) for name in AMENDED if getattr(command, name) is not None}
    if "bound_to" in given:
        given.setdefault("bound_id", None)
    cleared: dict[str, None] = dict.fromkeys(command.clear)
    if "about" in cleared:
        cleared["fate"] = None
    return before.model_copy(update={**given, **cleared})


DECIDE: Deciders = {
    RollCountdown: roll_countdown,
    StabilizeCountdown: stabilize_countdown,
    ResumeCountdown: resume_countdown,
    ReplenishCountdown: replenish_countdown,
    CancelCountdown: cancel_countdown,
    EndTurn: end_turn,
    AmendCountdown: amend_countdown,
}
