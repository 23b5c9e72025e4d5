"""Commands that bring about every event of checks, totals and crises."""

from typing import Any

from dreadclock_server.core.draft import Actor
from kit.tables import ANN, BO, GM, Order


def rolls() -> list[tuple[Actor, Order]]:
    """Give the commands of Ann, who plays Ada, of Bo, who plays Bea, and of the gm."""
    return [*_people(), *_contest(), *_effects(), *_bargain(), *_totals(), *_fates()]


def _people() -> list[tuple[Actor, Order]]:
    sheet = {"attributes": {"Grace": 3}, "specials": [{"name": "Climber", "starred": True}], "reflex": 2}
    return [
        (GM, {"type": "set_policy", "physical_dice": "everyone"}),
        (ANN, {"type": "add_character", "id": "ada", "name": "Ada", **sheet}),
        (BO, {"type": "add_character", "id": "bea", "name": "Bea", "reflex": 2}),
    ]


def _check(check_id: str, character_id: str, score: int, **fields: Any) -> Order:
    return {"type": "propose_check", "id": check_id, "character_id": character_id, "score": score, **fields}


def _roll(check_id: str, *faces: int, by: Actor = GM) -> tuple[Actor, Order]:
    return by, {"type": "roll_check", "check_id": check_id, "faces": faces or None}


def _contest() -> list[tuple[Actor, Order]]:
    """A contest that is helped and dealt, with a venture that comes off, is paid, and lapses."""
    venture = {"level": 1, "what": "A taunt.", "beneficiary": "bea"}
    part = {"check_id": "kick", "character_id": "bea", "score": 2}
    return [
        (ANN, _check("kick", "ada", 3, purpose="A kick.", contest=True)),
        (BO, {"type": "oppose_check", **part}),
        (GM, {"type": "adjust_check", "check_id": "kick", "bonus": 1, "approve": True}),
        _roll("kick", by=ANN),
        _roll("kick", by=BO),
        (GM, _check("feint", "ada", 2, venture=venture)),
        _roll("feint", 5, 4),
        (GM, _check("blow", "bea", 1)),
        _roll("blow", 2, 5),
        (GM, _check("feint-2", "ada", 2, venture=venture)),
        (BO, {"type": "help_check", "check_id": "feint-2", "character_id": "bea", "score": 1}),
        (GM, {"type": "adjust_check", "check_id": "feint-2", "approve": True}),
        _roll("feint-2", 5, 4),
        _roll("feint-2", 4),
        (GM, _check("miss", "bea", 1, claim=False)),
        _roll("miss", 3),
    ]


def _effects() -> list[tuple[Actor, Order]]:
    """Momentum and interference, gained and spent, and effects to choose from."""
    return [
        *((GM, _check(check_id, "ada", 2)) for check_id in ("up", "spent", "down", "under", "slip", "gone")),
        (GM, {"type": "adjust_check", "check_id": "slip", "fumble_effects": ["She hangs on."]}),
        _roll("up", 6, 6, 2, 2),
        _roll("spent", 1, 2, 3),
        _roll("down", 1, 1),
        _roll("under", 6, 4),
        _roll("slip", 1, 1),
        (ANN, {"type": "choose_effect", "check_id": "slip", "character_id": "ada", "effect": "She hangs on."}),
        (ANN, {"type": "withdraw_check", "check_id": "gone"}),
    ]


def _bargain() -> list[tuple[Actor, Order]]:
    return [
        (BO, {"type": "propose_cost", "check_id": "miss", "cost": "A sprain."}),
        (GM, {"type": "answer_cost", "check_id": "miss", "answer": "counter", "terms": "A break."}),
        (BO, {"type": "settle_failure", "check_id": "miss", "apply": True}),
        (GM, _check("gm-plan", "bea", 2, visibility="gm")),
        _roll("gm-plan"),
        (GM, _check("plot", "bea", 2, visibility="sealed")),
        _roll("plot"),
    ]


def _total(total_id: str, character_id: str, **fields: Any) -> Order:
    return {"type": "propose_total", "id": total_id, "character_id": character_id, "attribute": 2, **fields}


def _totals() -> list[tuple[Actor, Order]]:
    """A total that is enough, one whose number is secret and revealed, and one that is taken back."""
    return [
        (ANN, _total("wall", "ada", attribute="Grace", special="Climber")),
        (GM, {"type": "adjust_total", "total_id": "wall", "tool": {"name": "Rope", "quality": 1}, "approve": True}),
        (GM, {"type": "set_required", "total_id": "wall", "required": 1}),
        (ANN, {"type": "roll_total", "total_id": "wall"}),
        (BO, _total("storm", "bea")),
        (GM, {"type": "set_required", "total_id": "storm", "required": 21, "secret": True}),
        (BO, {"type": "roll_total", "total_id": "storm", "faces": (3, 3)}),
        (GM, {"type": "reveal", "thing_id": "storm"}),
        (GM, {"type": "offer_push", "total_id": "storm"}),
        (BO, {"type": "push_luck", "total_id": "storm"}),
        (BO, _total("late", "bea")),
        (BO, {"type": "withdraw_total", "total_id": "late"}),
    ]


def _fates() -> list[tuple[Actor, Order]]:
    """Three crises of each kind: the first is given its kind and story later."""
    return [
        *(step for number in (1, 2, 3) for step in _crisis(f"wound-{number}", "ada", "physical")),
        (GM, {"type": "describe_crisis", "total_id": "wound-1", "description": "A limp."}),
        *_crisis("dread", "bea", None),
        (GM, {"type": "describe_crisis", "total_id": "dread", "kind": "mental", "description": "Fear of water."}),
        *(step for number in (2, 3) for step in _crisis(f"dread-{number}", "bea", "mental")),
    ]


def _crisis(total_id: str, character_id: str, kind: str | None) -> list[tuple[Actor, Order]]:
    return [
        (GM, _total(total_id, character_id, attribute=1)),
        (GM, {"type": "set_required", "total_id": total_id, "required": 9, "crisis": kind}),
        (GM, {"type": "roll_total", "total_id": total_id, "faces": (4,)}),
        (GM, {"type": "offer_push", "total_id": total_id}),
        (GM, {"type": "push_luck", "total_id": total_id, "faces": (4,)}),
    ]
