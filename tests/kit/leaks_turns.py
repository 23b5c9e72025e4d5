"""What becomes of the things that the gm keeps to herself."""

from dreadclock.rules.check import Outcome
from dreadclock.wire.things import (
    Challenge,
    ChallengeStatus,
    Check,
    CheckStatus,
    ClockKind,
    CostStage,
    SceneStatus,
    TotalStatus,
)
from kit.leaks import Fields
from kit.leaks_beginnings import (
    challenge,
    check,
    companion,
    complication,
    countdown,
    effects,
    open_complication,
    open_situation,
    roll,
)
from kit.leaks_pen import Move, Pen


def countdown_turn(pen: Pen) -> Fields:
    """Let a hidden countdown be rolled, stopped, resumed or extended."""
    pen.about(pen.any_of(list(pen.hidden.countdowns)))
    kind = pen.one(("roll", "roll", "roll", "roll", "stabilize", "resume", "replenish"))
    dice = {"dice": 2} if kind == "replenish" else {}
    return {"type": f"{kind}_countdown", "countdown_id": pen.root, **dice, **pen.note()}


def countdown_cancelled(pen: Pen) -> Fields:
    """Cancel a hidden countdown; what everyone sees of a sealed one then does not say why."""
    pen.about(pen.any_of(list(pen.hidden.countdowns)))
    return {"type": "cancel_countdown", "countdown_id": pen.root, "reason": pen.kept(), **pen.note()}


def clock_ticked(pen: Pen) -> Fields:
    """Move a hidden clock that stands for itself."""
    found = [each for each in pen.hidden.clocks.values() if each.kind is ClockKind.FREE]
    pen.about(pen.any_of(found).id)
    return {"type": "tick_clock", "clock_id": pen.root, **pen.note()}


def clock_amended(pen: Pen) -> Fields:
    """Amend a hidden clock of any kind."""
    chosen = pen.any_of(list(pen.hidden.clocks.values()))
    pen.about_clock(chosen)
    value = pen.chance.randint(1 if pen.traceless else 0, chosen.size)
    return {"type": "amend_clock", "clock_id": chosen.id, "value": value, "reason": pen.kept(), **pen.note()}


def scene_moved(pen: Pen) -> Fields:
    """Travel or rest in a hidden scene, or end it."""
    found = [each for each in pen.hidden.scenes.values() if each.status is SceneStatus.OPEN]
    pen.about(pen.any_of(found).id)
    return {"type": pen.one(("travel", "travel", "rest", "rest", "end_scene")), "scene_id": pen.root, **pen.note()}


def round_ended(pen: Pen) -> Fields:
    """End a round of a hidden situation."""
    return {"type": "end_round", "situation_id": open_situation(pen).id, **pen.note()}


def situation_over(pen: Pen) -> Fields:
    """End a hidden situation by the gm's word."""
    one = open_situation(pen)
    said = {"how": pen.kept()} if pen.chance.random() < 0.5 else {"reason": "defeated"}
    if pen.traceless and "how" in said and one.scene_id in pen.public.scenes:
        raise LookupError("it would take its point off the scene")
    kind = "resolve_situation" if "how" in said else "fail_situation"
    return {"type": kind, "situation_id": one.id, **said, **pen.note()}


def _open_challenge(pen: Pen) -> Challenge:
    found = [each for each in pen.hidden.challenges.values() if each.status is ChallengeStatus.OPEN]
    chosen = pen.any_of(found)
    pen.about_challenge(chosen)
    return chosen


def effort(pen: Pen) -> Fields:
    """Attempt an effort against a hidden challenge."""
    target = _open_challenge(pen).id
    ruled = pen.one(({}, {"success": True}, {"success": False}))
    return {"type": "attempt_effort", **pen.inner_id(), "challenge_id": target, **ruled, **pen.note()}


def effort_ruled(pen: Pen) -> Fields:
    """Rule on an effort that waits."""
    waiting = pen.any_of(list(pen.hidden.efforts.values()))
    pen.about_effort(waiting)
    return {"type": "rule_effort", "effort_id": waiting.id, "success": pen.one((True, False)), **pen.note()}


def overcome(pen: Pen) -> Fields:
    """Declare a hidden challenge overcome."""
    return {"type": "overcome_challenge", "challenge_id": _open_challenge(pen).id, **pen.note()}


def cancelled(pen: Pen) -> Fields:
    """Take back what nobody else knows of; only then is the reason nobody else's."""
    challenges = [each.id for each in pen.hidden.challenges.values() if each.status is ChallengeStatus.OPEN]
    clocks = [each.id for each in pen.hidden.clocks.values() if each.kind is ClockKind.FREE]
    unknown = [each for each in (*challenges, *clocks) if each not in pen.public.sealed]
    chosen = pen.any_of(unknown)
    if chosen in pen.hidden.challenges:
        pen.about_challenge(pen.hidden.challenges[chosen])
    else:
        pen.about(chosen)
    return {"type": "cancel", "thing_id": chosen, "reason": pen.kept(), **pen.note()}


def check_rolled(pen: Pen) -> Fields:
    """Roll a part of a hidden check."""
    found = [each for each in pen.hidden.checks.values() if each.status is not CheckStatus.RESOLVED]
    pen.about(pen.any_of(found).id)
    return {"type": "roll_check", "check_id": pen.root, **pen.note()}


def check_withdrawn(pen: Pen) -> Fields:
    """Withdraw a hidden check; a sealed one is shown as it goes."""
    found = [each for each in pen.hidden.checks.values() if each.status is CheckStatus.READY]
    pen.about(pen.any_of(found).id)
    return {"type": "withdraw_check", "check_id": pen.root, **pen.note()}


def _failed(pen: Pen) -> Check:
    checks = [each for each in pen.hidden.checks.values() if each.result is not None]
    chosen = pen.any_of([each for each in checks if each.result and each.result.acting.outcome is Outcome.FAIL])
    pen.about(chosen.id)
    return chosen


def bargain(pen: Pen) -> Fields:
    """Go on with the bargain over a hidden failure."""
    cost = _failed(pen).cost
    about = {"check_id": pen.root, **pen.note()}
    if cost is None:
        return {"type": "propose_cost", **about, "cost": pen.text()}
    if cost.stage is CostStage.PROPOSED:
        return {"type": "answer_cost", **about, "answer": "counter", "terms": pen.text()}
    return {"type": "settle_failure", **about, "apply": pen.one((True, False)) and not pen.traceless}


def required(pen: Pen) -> Fields:
    """Name the secret number of a total that everyone sees."""
    waiting = (TotalStatus.PROPOSED, TotalStatus.READY, TotalStatus.ROLLED)
    totals = [each for each in pen.public.totals.values() if each.status in waiting and each.enough is None]
    about = {"total_id": pen.any_of(totals).id, "required": pen.chance.randint(1, 30), "secret": True}
    return {"type": "set_required", **about, **pen.note()}


def revealed(pen: Pen) -> Fields:
    """Show everyone a hidden thing."""
    part = pen.hidden
    situations = [each.id for each in part.situations.values() if each.scene_id not in part.scenes]
    clocks = [each.id for each in part.clocks.values() if each.of is None]
    things = [*part.countdowns, *clocks, *part.scenes, *situations, *part.rolls, *part.checks]
    pen.about(pen.any_of(things))
    return {"type": "reveal", "thing_id": pen.root, **pen.note()}


def turn_ended(pen: Pen) -> Fields:
    """End the turn, which rolls what is hidden too; its note is for everyone all the same."""
    return {"type": "end_turn", "note": "Dusk falls."}


TURNS: tuple[Move, ...] = (
    *(countdown_turn,) * 4,
    *(effort, effort_ruled, effort_ruled, overcome) * 2,
    *(clock_ticked, clock_amended, clock_amended, round_ended, scene_moved),
    *(check_rolled, check_rolled, check_rolled, bargain, bargain, bargain, effects, companion),
    *(complication, complication, situation_over, cancelled),
    *(countdown, check, check, roll, challenge),
)
TELLING: tuple[Move, ...] = (
    *TURNS,
    *(countdown_cancelled, check_withdrawn, required, required, turn_ended, turn_ended, open_complication),
)
