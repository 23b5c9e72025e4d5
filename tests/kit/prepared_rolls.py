"""Characters with a past, and checks and totals at every stage: commands of the gm, with faces typed in."""

from typing import Any

from kit.picks import Fields
from kit.tables import ANN, BO

SHEET = {
    "attributes": {"Agility": 2, "Strength": 1},
    "specials": [{"name": "Driver"}, {"name": "Climber", "starred": True}],
    "reflex": 3,
}
OWNERS = {"ada": ANN, "bea": BO, "cid": ANN, "dan": BO, "eli": ANN, "foe": None}
LEVELS = {"cid": 5}  # the others have level 1


def characters() -> list[Fields]:
    """Bring six into play: two of Ann's and Bo's each, one more of Ann's, and one whom the gm plays."""
    return [
        {
            "type": "add_character",
            "id": one,
            "name": one.capitalize(),
            **SHEET,
            "owner": owner and owner.seat_id,
            "level": LEVELS.get(one, 1),
        }
        for one, owner in OWNERS.items()
    ]


def _check(check_id: str, character: str, score: int = 2, **more: Any) -> Fields:
    return {"type": "propose_check", "id": check_id, "character_id": character, "score": score, **more}


def _adjust(check_id: str, **fields: Any) -> Fields:
    return {"type": "adjust_check", "check_id": check_id, **fields}


def _join(kind: str, check_id: str, character: str, score: int = 2) -> Fields:
    return {"type": kind, "check_id": check_id, "character_id": character, "score": score}


def _roll(check_id: str, character: str, *faces: int) -> Fields:
    typed = {"faces": list(faces)} if faces else {}
    return {"type": "roll_check", "check_id": check_id, "character_id": character, **typed}


def _cost(check_id: str, mark: str = "") -> Fields:
    return {"type": "propose_cost", "check_id": check_id, "cost": f"exhausted {mark}"}


def _answer(check_id: str, mark: str = "") -> Fields:
    return {"type": "answer_cost", "check_id": check_id, "answer": "counter", "terms": f"hurt {mark}"}


def _gift(check_id: str, benefits: str) -> list[Fields]:
    venture = {"level": 2, "benefits": benefits, "beneficiary": "dan", "what": "a feint"}
    return [_check(check_id, "foe", 4, venture=venture), _roll(check_id, "foe", 5, 5, 5, 5)]


def checks() -> list[Fields]:
    """Leave Ada with interference, Bea with momentum, Foe with that and a choice, Dan with one and with ventures."""
    return [
        *[_check("botch", "ada"), _roll("botch", "ada", 2, 3)],
        *[_check("regret", "cid"), _roll("regret", "cid", 1, 3), _cost("regret")],
        *[_check("truce", "dan"), _roll("truce", "dan", 1, 3), _cost("truce"), _answer("truce")],
        *[_check("jinx", "ada"), _roll("jinx", "ada", 1, 1)],
        *[_check("charm", "bea"), _roll("charm", "bea", 6, 6, 2, 2)],
        *[_check("feat", "dan"), _adjust("feat", stunts=["slide", "fly"]), _roll("feat", "dan", 6, 6, 2, 2)],
        *_gift("gift", "check"),
        *_gift("loan", "damage"),
        *[_check("jump", "ada", effort={"challenge_id": "door"})],
        *[_adjust("jump", stunts=["slide"], fumble_effects=["fall", "fly"])],
        *[_check("pact", "foe", 1), _join("help_check", "pact", "cid", 1), _roll("pact", "foe", 6, 2)],
        *[_check("slip", "foe"), _adjust("slip", fumble_effects=["fall"]), _roll("slip", "foe", 1, 1)],
        _roll("pact", "cid", 6, 2),
        *[_check("sneak", "ada"), _adjust("sneak", approve=False)],
        *[_check("duel", "bea"), _join("oppose_check", "duel", "dan")],
        *[_check("team", "ada"), _join("help_check", "team", "cid"), _roll("team", "cid", 2, 5)],
    ]


def sealed_checks(score: int) -> list[Fields]:
    """Keep two sealed: one that waits for its second roll, and one that is ready."""
    vault = {"purpose": "Crack it yy-vault.", "visibility": "sealed", "effort": {"challenge_id": "gm-yy-heist-safe"}}
    crypt: Fields = {"purpose": "Find it yy-crypt.", "visibility": "sealed"}
    return [
        *[_check("vault", "foe", score, **vault), _join("help_check", "vault", "ada")],
        *[_adjust("vault", stunts=["slide yy-vault"]), _roll("vault", "foe")],
        *[_check("crypt", "foe", score, **crypt), _adjust("crypt", fumble_effects=["fall yy-crypt"])],
    ]


def hidden_checks(score: int) -> list[Fields]:
    """Keep three that only the gm knows: one ready, one half rolled, one failed."""
    secret: Fields = {"purpose": "Lie zz.", "visibility": "gm"}
    return [
        _check("gm-zz-lie", "foe", score, **secret, effort={"challenge_id": "gm-zz-rock"}),
        _adjust("gm-zz-lie", stunts=["slide zz"], fumble_effects=["fall zz"]),
        *[_check("gm-zz-trap", "foe", score, **secret), _join("oppose_check", "gm-zz-trap", "bea")],
        _roll("gm-zz-trap", "foe"),
        *[_check("gm-zz-flop", "bea", **secret), _roll("gm-zz-flop", "bea", 2, 3)],
        *[_cost("gm-zz-flop", "zz"), _answer("gm-zz-flop", "zz")],
    ]


def _total(total_id: str, character: str, attribute: int | str = 2, **more: Any) -> Fields:
    return {"type": "propose_total", "id": total_id, "character_id": character, "attribute": attribute, **more}


def _of(kind: str, total_id: str, **more: Any) -> Fields:
    return {"type": kind, "total_id": total_id, **more}


def _rolled(total_id: str, character: str, *faces: int, required: int | None = None, **more: Any) -> list[Fields]:
    number = [] if required is None else [_of("set_required", total_id, required=required, **more)]
    return [_total(total_id, character, len(faces)), *number, _of("roll_total", total_id, faces=list(faces))]


def _offered(total_id: str, character: str, *faces: int, required: int = 99, **more: Any) -> list[Fields]:
    return [*_rolled(total_id, character, *faces, required=required, **more), _of("offer_push", total_id)]


def _crisis(total_id: str, character: str, **stake: Any) -> list[Fields]:
    return [*_offered(total_id, character, 1, **stake), _of("push_luck", total_id, faces=[1])]


def _two_crises_each(character: str) -> list[Fields]:
    return [
        order
        for box in (1, 2)
        for kind in ("physical", "mental")
        for order in _crisis(f"{kind}-{box}", character, crisis=kind)
    ]


def totals(required: int) -> list[Fields]:
    """Leave Cid one push from death and one from retirement; `required` is the number that stays secret."""
    return [
        *_two_crises_each("cid"),
        *[_total("leap", "ada", effort={"challenge_id": "door"})],
        *[_total("climb", "bea", special="Driver", attribute="Agility"), _of("set_required", "climb", required=7)],
        *[_total("dive", "ada", "Agility"), _of("set_required", "dive", required=required, secret=True)],
        *_rolled("grab", "bea", 2, 3),
        *_rolled("wade", "bea", 1, 2, required=9),
        *_rolled("swim", "ada", 2, 4, required=required, secret=True),
        *_offered("brink", "cid", 1, 2, 3, 4, 5, crisis="physical"),
        *_offered("edge", "cid", 2, 3, 4, 5, 6, required=required + 20, secret=True, crisis="mental"),
        *_crisis("fall", "eli"),
        *[_total("wait", "bea"), _of("adjust_total", "wait", approve=False)],
    ]
