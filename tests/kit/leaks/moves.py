"""What the gm does at random with what she keeps to herself: how she begins it, and what becomes of it."""

from dreadclock.rules.check import Outcome
from kit.leaks.book import Fields
from kit.leaks.pen import Move, Pen, having

CHARACTERS = ("ada", "bea", "foe")


# How hidden things begin


def countdown(pen: Pen) -> Fields:
    return {"type": "start_countdown", **countdown_fields(pen)}


def countdown_fields(pen: Pen, *, own_id: bool = False) -> Fields:
    """Describe a hidden countdown; with `own_id`, its id is not left to the server."""
    chosen = pen.named_root()
    if own_id:
        chosen["id"] = pen.root
    return {
        **chosen,
        "pool": pen.one((3, 8, 20)),
        "speed": pen.one(("slow", "medium", "fast")),
        "stages": [{"at": at, "effect": pen.text()} for at in (1, 2, 6)],
        "ending": pen.text(),
        "stabilizable": True,
        "replenishable": True,
        "bound_to": pen.one(("turn", "nothing")),
    }


def clock(pen: Pen) -> Fields:
    return {"type": "start_clock", **pen.named_root(), "size": pen.one((3, 9)), "direction": pen.one(("up", "down"))}


def scene(pen: Pen) -> Fields:
    return {"type": "open_scene", **pen.named_root(), "clock": pen.one((3, 9))}


def situation_inside(pen: Pen) -> Fields:
    """Start a situation in a hidden scene, so that nobody knows of it."""
    within = pen.thing("scenes", "open").id
    race: Fields = pen.one(({"kind": "standard"}, {"kind": "race", "level": 8, "difficulty": "easy"}))
    shape = {"scene_id": within, "content": "social", "clock": pen.one((2, 5)), **race}
    return {"type": "start_situation", **pen.inner(), "name": pen.text(), **shape}


def situation_hidden(pen: Pen) -> Fields:
    """Start a hidden situation in a scene that everyone sees."""
    within = pen.one(having(pen.public, "scenes", "open")).id
    clock = 99 if pen.traceless else pen.one((2, 5))
    shape = {"scene_id": within, "kind": "standard", "content": "combat", "clock": clock}
    return {"type": "start_situation", **pen.named_root(), **shape}


def challenge(pen: Pen) -> Fields:
    within = pen.thing("situations", "open").id
    shape = {"situation_id": within, "kind": pen.one(("barrier", "puzzle", "foe")), "clock": pen.one((1, 4))}
    return {"type": "add_challenge", **pen.inner(), "name": pen.text(), **shape}


def roll(pen: Pen) -> Fields:
    chosen, character = pen.named_root(), pen.one((None, *CHARACTERS))
    shape = {"pool": pen.one((1, 4, 9)), "purpose": pen.one(("damage", "other"))}
    return {"type": "roll_dice", **chosen, **shape, **({"character_id": character} if character else {})}


def check(pen: Pen) -> Fields:
    """Propose a check, perhaps as an effort against a challenge, hidden or not."""
    public = [] if pen.traceless else having(pen.public, "challenges", "open")
    target = pen.one((None, *having(pen.hidden, "challenges", "open") * 2, *public))
    chosen = pen.new_root()
    shape = {"character_id": pen.one(CHARACTERS), "score": pen.one((0, 2, 5)), "purpose": pen.text()}
    effort = {"effort": {"challenge_id": target.id}} if target else {}
    return {"type": "propose_check", **chosen, **shape, **effort, **pen.one(({}, {}, {"contest": True}))}


def effects(pen: Pen) -> Fields:
    about = {"check_id": pen.thing("checks", "ready").id}
    return {"type": "adjust_check", **about, "stunts": [pen.text()], "fumble_effects": [pen.text(), pen.text()]}


def companion(pen: Pen) -> Fields:
    """Let another character help with a hidden check or oppose it."""
    about = {"check_id": pen.thing("checks", "ready").id}
    return {"type": pen.one(("help_check", "oppose_check")), **about, "character_id": pen.one(CHARACTERS), "score": 2}


def complication(pen: Pen) -> Fields:
    """Let something happen in a hidden situation, with a hidden countdown or a clock that it moves."""
    within = pen.thing("situations", "open").id
    free = [*pen.hidden.clocks, *([] if pen.traceless else pen.public.clocks)]
    told: Fields = {"type": "introduce_complication", "situation_id": within, "text": pen.kept()}
    if pen.chance.random() < 0.5:
        return {**told, "countdown": countdown_fields(pen, own_id=True)}
    return {**told, "clock": {"clock_id": pen.one(free), "by": pen.one((1, 2, -1))}}


def open_complication(pen: Pen) -> Fields:
    """Let something happen in a situation that everyone sees, with a hidden countdown."""
    within = pen.one(having(pen.public, "situations", "open")).id
    told = {"type": "introduce_complication", "situation_id": within, "text": "Fog."}
    return {**told, "countdown": countdown_fields(pen, own_id=True)}


# What becomes of them


def countdown_turn(pen: Pen) -> Fields:
    about = {"countdown_id": pen.thing("countdowns").id}
    kind = pen.one(("roll", "roll", "roll", "roll", "stabilize", "resume", "replenish"))
    return {"type": f"{kind}_countdown", **about, **({"dice": 2} if kind == "replenish" else {})}


def countdown_cancelled(pen: Pen) -> Fields:
    """Cancel a hidden countdown; what everyone sees of a sealed one then does not say why."""
    return {"type": "cancel_countdown", "countdown_id": pen.thing("countdowns").id, "reason": pen.kept()}


def clock_ticked(pen: Pen) -> Fields:
    """Move a hidden clock that stands for itself."""
    pen.root = pen.one([each.id for each in pen.hidden.clocks.values() if each.of is None])
    return {"type": "tick_clock", "clock_id": pen.root}


def clock_amended(pen: Pen) -> Fields:
    """Amend a hidden clock of any kind."""
    chosen = pen.thing("clocks")
    value = pen.chance.randint(1 if pen.traceless else 0, chosen.size)
    return {"type": "amend_clock", "clock_id": chosen.id, "value": value, "reason": pen.kept()}


def scene_moved(pen: Pen) -> Fields:
    about = {"scene_id": pen.thing("scenes", "open").id}
    return {"type": pen.one(("travel", "travel", "rest", "rest", "end_scene")), **about}


def round_ended(pen: Pen) -> Fields:
    return {"type": "end_round", "situation_id": pen.thing("situations", "open").id}


def situation_over(pen: Pen) -> Fields:
    """End a hidden situation by the gm's word."""
    one = pen.thing("situations", "open")
    if pen.chance.random() < 0.5:
        return {"type": "fail_situation", "situation_id": one.id, "reason": "defeated"}
    if pen.traceless and one.scene_id in pen.public.scenes:
        raise LookupError("it would take its point off the scene")
    return {"type": "resolve_situation", "situation_id": one.id, "how": pen.kept()}


def effort(pen: Pen) -> Fields:
    target = pen.thing("challenges", "open").id
    ruled = pen.one(({}, {"success": True}, {"success": False}))
    return {"type": "attempt_effort", **pen.inner(), "challenge_id": target, **ruled}


def effort_ruled(pen: Pen) -> Fields:
    return {"type": "rule_effort", "effort_id": pen.thing("efforts").id, "success": pen.one((True, False))}


def overcome(pen: Pen) -> Fields:
    return {"type": "overcome_challenge", "challenge_id": pen.thing("challenges", "open").id}


def cancelled(pen: Pen) -> Fields:
    """Take back what nobody else knows of; only then is the reason nobody else's."""
    free = [each for each in pen.hidden.clocks.values() if each.of is None]
    unknown = [each for each in (*having(pen.hidden, "challenges", "open"), *free) if each.id not in pen.public.sealed]
    chosen = pen.one(unknown)
    pen.root = pen.root_of(chosen)
    return {"type": "cancel", "thing_id": chosen.id, "reason": pen.kept()}


def check_rolled(pen: Pen) -> Fields:
    return {"type": "roll_check", "check_id": pen.thing("checks", "proposed", "ready", "rolling").id}


def check_withdrawn(pen: Pen) -> Fields:
    """Withdraw a hidden check; a sealed one is shown as it goes."""
    return {"type": "withdraw_check", "check_id": pen.thing("checks", "ready").id}


def bargain(pen: Pen) -> Fields:
    """Go on with the bargain over a hidden failure."""
    resolved = having(pen.hidden, "checks", "resolved")
    failed = pen.one([each for each in resolved if each.result.acting.outcome is Outcome.FAIL])
    pen.root, about = failed.id, {"check_id": failed.id}
    if failed.cost is None:
        return {"type": "propose_cost", **about, "cost": pen.text()}
    if failed.cost.stage == "proposed":
        return {"type": "answer_cost", **about, "answer": "counter", "terms": pen.text()}
    return {"type": "settle_failure", **about, "apply": pen.one((True, False)) and not pen.traceless}


def required(pen: Pen) -> Fields:
    """Name the secret number of a total that everyone sees."""
    waiting = having(pen.public, "totals", "proposed", "ready", "rolled")
    about = {"total_id": pen.one([each.id for each in waiting if each.enough is None])}
    return {"type": "set_required", **about, "required": pen.chance.randint(1, 30), "secret": True}


def revealed(pen: Pen) -> Fields:
    """Show everyone a hidden thing."""
    families = ("countdowns", "clocks", "scenes", "situations", "rolls", "checks")
    things = [each for family in families for each in having(pen.hidden, family)]
    pen.root = pen.one([each.id for each in things if pen.root_of(each) == each.id])
    return {"type": "reveal", "thing_id": pen.root}


def turn_ended(pen: Pen) -> Fields:
    """End the turn, which rolls what is hidden too; its note is for everyone all the same."""
    return {"type": "end_turn", "note": "Dusk falls."}


FIRST: tuple[Move, ...] = (countdown, clock, scene, situation_hidden, roll, check)
THEN: tuple[Move, ...] = (
    *(situation_inside, situation_inside, challenge, challenge, challenge, effects, companion, check, check),
)
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
