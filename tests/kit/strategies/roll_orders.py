"""Random commands about checks, totals, pushes and crises, as fields of the wire; None is a field left out."""

from collections.abc import Callable

from kit.strategies import picks

FACES = ([1, 1], [2, 3], [5, 4], [6, 6, 2, 4], [6, 3], [4], [2, 3, 4, 5, 6])
OFFERS: tuple[list[str], ...] = ([], ["slide"], ["fall", "fly"])
CLAIMS: tuple[list[str], ...] = ([], ["feat-v1"], ["feat-v1", "duel-v2"], ["pact-v1"])


def _to_roll(p: picks.Picks) -> str:
    return p.often(p.one(picks.CHECKS_TO_ROLL), p.one(picks.CHECKS))


def _failed(p: picks.Picks) -> str:
    return p.often(p.one(picks.CHECKS_FAILED), p.one(picks.CHECKS))


def _part(p: picks.Picks) -> picks.Fields:
    named, score = p.often(False, True), p.one((2, 1, 2, 1, 3, 0, 60))
    return {
        "character_id": p.one(picks.CHARACTERS),
        "score": None if named else score,
        "attribute": p.often("Agility", "Charm") if named or score == 60 else None,
        "bonus": p.one((0, 0, 0, 1, 2, 60)),
        "penalty": p.one((0, 0, 1, 2, 4)),
        "venture": p.one((None, _venture(p))),
        "claim": p.often(True, False),
        "claims": p.one((None, None, *CLAIMS)),
    }


def _venture(p: picks.Picks) -> picks.Fields:
    return {
        "level": p.one((1, 1, 3)),
        "benefits": p.one(("check", "damage")),
        "beneficiary": p.one((None, None, p.one(picks.CHARACTERS))),
        "what": "a feint",
    }


def _effort(p: picks.Picks) -> picks.Fields | None:
    return p.one((None, None, {"challenge_id": p.one(picks.CHALLENGES)}))


def _check(p: picks.Picks) -> picks.Fields:
    visibility = p.one(("public", "public", "public", "sealed", "gm"))
    return {
        "id": p.new_id(hidden=visibility == "gm"),
        "visibility": visibility,
        "contest": p.often(False, True),
        "purpose": p.one((None, "Jump.")),
        "effort": _effort(p),
        "within_id": p.one((None, None, p.one((*picks.SCENES, *picks.SITUATIONS)))),
        **_part(p),
    }


def _adjustment(p: picks.Picks) -> picks.Fields:
    numbers = ("character_id", "score", "attribute", "bonus", "penalty", "claims")
    named = p.one(("approve", *numbers, "remove", "contest", "stunts", "standing", "within_id", "approve"))
    return {
        "check_id": _to_roll(p),
        "approve": p.often(True, False) if named == "approve" else None,
        "character_id": p.one(picks.CHARACTERS) if named == "character_id" else None,
        "score": p.one((0, 1, 2)) if named in ("score", "character_id") else None,
        "attribute": p.one(("Agility", "Charm")) if named == "attribute" else None,
        "bonus": p.one((0, 1, 60)) if named == "bonus" else None,
        "claims": p.one(CLAIMS) if named == "claims" else None,
        "standing": p.one((True, False)) if named == "standing" else None,
        "within_id": p.one((*picks.SCENES, *picks.SITUATIONS)) if named == "within_id" else None,
        "penalty": p.one((0, 1, 4)) if named == "penalty" else None,
        "remove": p.one(picks.CHARACTERS) if named == "remove" else None,
        "contest": p.one((True, False)) if named == "contest" else None,
        "stunts": p.one(OFFERS) if named == "stunts" else None,
        "fumble_effects": p.one(OFFERS) if named == "stunts" else None,
        "or_interference": p.one((None, *OFFERS)) if named == "stunts" else None,
    }


def _effects(p: picks.Picks) -> picks.Fields:
    return {
        "thing_id": p.one((*picks.CHARACTERS, *picks.SCENES, *picks.SITUATIONS)),
        "stunts": p.one((None, None, *OFFERS)),
        "fumble_effects": p.one((None, *OFFERS)),
        "or_interference": p.one((None, None, *OFFERS)),
    }


def _whose(p: picks.Picks) -> picks.Fields:
    return {"check_id": _failed(p), "character_id": p.one((None, None, p.one(picks.CHARACTERS)))}


def _help(p: picks.Picks) -> picks.Fields:
    return {"check_id": _to_roll(p), "side": p.often("acting", "opposing"), **_part(p)}


def _roll_check(p: picks.Picks) -> picks.Fields:
    check_id = p.one((*picks.CHECKS_TO_ROLL, *picks.CHECKS_TO_ROLL, *picks.CHECKS_BEGUN, *picks.CHECKS))
    return {
        "check_id": check_id,
        "faces": p.often(None, p.one(FACES)),
        "character_id": p.one(
            (*picks.PARTS[check_id], None) if check_id in picks.PARTS else (*(None,) * 7, p.one(picks.CHARACTERS))
        ),
    }


def _choice(p: picks.Picks) -> picks.Fields:
    lucky = p.one((True, False))
    return {
        "check_id": "feat" if lucky else p.often("slip", p.one(picks.CHECKS)),
        "character_id": "dan" if lucky else p.often("foe", p.one(picks.CHARACTERS)),
        "effect": p.one(("momentum", "slide", "fly", "fall") if lucky else ("interference", "fall", "slide")),
    }


def _answer(p: picks.Picks) -> picks.Fields:
    said = p.one(("accept", "counter", "refuse"))
    return {
        **_whose(p),
        "answer": said,
        "terms": "A broken arm." if p.often(said == "counter", said == "refuse") else None,
    }


def _total(p: picks.Picks) -> picks.Fields:
    quality = p.one((None, 0, 1, 8))
    return {
        "id": p.new_id(hidden=False),
        "character_id": p.one(picks.CHARACTERS),
        "attribute": p.one((2, 1, 0, "Agility", "Charm")),
        "tool": None if quality is None else {"name": "Rope", "quality": quality},
        "special": p.one((None, "Climber", "Driver", "Singer")),
        "purpose": p.one((None, "Climb.")),
        "effort": _effort(p),
    }


def _total_adjustment(p: picks.Picks) -> picks.Fields:
    named = p.one(("approve", "attribute", "tool", "special", "without", "nothing"))
    return {
        "total_id": p.often(p.one(picks.TOTALS_TO_ROLL), p.one(picks.TOTALS)),
        "approve": p.often(True, False) if named == "approve" else None,
        "attribute": p.one((1, 3, "Agility", "Charm")) if named == "attribute" else None,
        "tool": {"name": "Rope", "quality": p.one((1, 8))} if named == "tool" else None,
        "special": p.one(("Climber", "Singer")) if named == "special" else None,
        "without": p.one((["tool"], ["tool", "special"])) if named == "without" else None,
    }


def _required(p: picks.Picks) -> picks.Fields:
    crisis = p.one((None, "physical", "mental"))
    return {
        "total_id": p.one(picks.TOTALS),
        "required": p.one((7, 3, 99, 1)),
        "secret": p.one((False, True)),
        "crisis": crisis,
    }


def _offer(p: picks.Picks) -> picks.Fields:
    return {
        "total_id": p.often(p.one(picks.TOTALS_MISSED), p.one(picks.TOTALS)),
        "crisis": p.one((None, "physical", "mental")),
        "description": p.one((None, None, "A scar.")),
    }


def _roll_total(p: picks.Picks) -> picks.Fields:
    return {
        "total_id": p.often(p.one(picks.TOTALS_TO_ROLL), p.one(picks.TOTALS)),
        "faces": p.one((None, None, p.one(FACES))),
    }


def _push(p: picks.Picks) -> picks.Fields:
    faces = p.one((None, None, [p.one((1, 2, 6))], [1, 2]))
    return {"total_id": p.one(("brink", "edge", p.one(picks.TOTALS_MISSED), p.one(picks.TOTALS))), "faces": faces}


def _crisis(p: picks.Picks) -> picks.Fields:
    return {
        "total_id": p.one(("fall", "brink", "edge", "physical-2", *picks.TOTALS)),
        "kind": p.one(("physical", "mental", None)),
        "description": "A scar.",
    }


ROLL_BUILDERS: dict[str, Callable[[picks.Picks], picks.Fields]] = {
    "propose_check": _check,
    "adjust_check": _adjustment,
    "help_check": _help,
    "oppose_check": lambda p: {"check_id": _to_roll(p), **_part(p)},
    "roll_check": _roll_check,
    "withdraw_check": lambda p: {"check_id": _to_roll(p)},
    "choose_effect": _choice,
    "set_effects": _effects,
    "propose_cost": lambda p: {**_whose(p), "cost": "Exhausted."},
    "answer_cost": _answer,
    "settle_failure": lambda p: {**_whose(p), "apply": p.one((True, False))},
    "propose_total": _total,
    "adjust_total": _total_adjustment,
    "withdraw_total": lambda p: {"total_id": p.one(picks.TOTALS)},
    "set_required": _required,
    "roll_total": _roll_total,
    "offer_push": _offer,
    "push_luck": _push,
    "stop_pushing": lambda p: {"total_id": p.one(picks.TOTALS)},
    "describe_crisis": _crisis,
}
