"""Random commands about checks, totals, pushes and crises, as fields of the wire."""

from kit.strategies import picks
from kit.strategies.picks import FLAG, Fields, Picks, Shape, new_id, often, shape

FACES = ([1, 1], [2, 3], [5, 4], [6, 6, 2, 4], [6, 3], [4], [2, 3, 4, 5, 6])
OFFERS: tuple[list[str], ...] = ([], ["slide"], ["fall", "fly"])
_DEEDS: tuple[Fields, ...] = (
    *({"does": does, "name": "wet"} for does in ("give_state", "give_state", "drop_state")),
    {"does": "set_fumble", "text": "fly", "do": ([{"does": "drop_fumble", "text": "fly"}], None)},
    {"does": "drop_fumble", "text": ("fall", "fly")},
    {"does": "give_token", "token": ("momentum", "interference")},
    {"does": "tick", "thing_id": picks.CLOCKS, "by": (1, -1)},
    *({"does": does, "thing_id": picks.COUNTDOWNS} for does in ("roll", "roll", "stabilize")),
    {"does": "tell", "text": "A cry."},
)


def _deeds(p: Picks, chosen: Fields) -> object:
    if not chosen.get("fumble_effects"):
        return None
    do = [p.fields(p.one(_DEEDS)) for _ in range(p.one((1, 2)))]
    return (None, [{"effect": chosen["fumble_effects"][0], "do": do}])


CLAIMS: tuple[list[str], ...] = ([], ["feat-v1"], ["feat-v1", "duel-v2"], ["pact-v1"])
_PLACES = (*picks.SCENES, *picks.SITUATIONS)
_TERMS = "A broken arm."
_KINDS = (None, "physical", "mental")
_ABOUT_CHECK = shape(check_id=often(picks.CHECKS_TO_ROLL, picks.CHECKS))
_ABOUT_ROLL = shape(total_id=often(picks.TOTALS_TO_ROLL, picks.TOTALS))
_EFFORT = (None, None, shape(challenge_id=picks.CHALLENGES))
_SOMEBODY = (None, None, picks.CHARACTERS)
_ABOUT_FAILURE = shape(check_id=often(picks.CHECKS_FAILED, picks.CHECKS), character_id=_SOMEBODY)
_VENTURE = shape(level=(1, 1, 3), benefits=("check", "damage"), beneficiary=_SOMEBODY, what="a feint")


def _attribute(p: Picks, chosen: Fields) -> object:
    return often("Agility", "Charm") if chosen["score"] in (None, 60) else None


def _terms(p: Picks, chosen: Fields) -> object:
    return {"accept": None, "counter": often(_TERMS, None), "refuse": often(None, _TERMS)}[chosen["answer"]]


def _who_rolls(p: Picks, chosen: Fields) -> object:
    parts = picks.PARTS.get(chosen["check_id"])
    return (*parts, None) if parts else (*(None,) * 7, picks.CHARACTERS)


_PART = {
    **shape(character_id=picks.CHARACTERS, score=often((2, 1, 2, 1, 3, 0, 60), None), attribute=_attribute),
    **shape(bonus=(0, 0, 0, 1, 2, 60), penalty=(0, 0, 1, 2, 4), venture=(None, _VENTURE)),
    "claims": (None, None, *CLAIMS),
    "more": ({}, {"claim": True}, {"claim": True}, {"claim": False}),
}
_APPROVAL = shape(approve=often(*FLAG))

ROLL_BUILDERS: dict[str, Shape] = {
    "propose_check": {
        **shape(visibility=("public", "public", "public", "sealed", "gm"), id=new_id, contest=often(False, True)),
        **shape(purpose=(None, "Jump."), effort=_EFFORT, within_id=(None, None, _PLACES), **_PART),
    },
    "adjust_check": {
        **_ABOUT_CHECK,
        "also": (
            *(_APPROVAL, _APPROVAL, shape(character_id=picks.CHARACTERS, score=(0, 1, 2)), shape(score=(0, 1, 2))),
            *(shape(bonus=(0, 1, 60)), shape(penalty=(0, 1, 4)), shape(remove=picks.CHARACTERS)),
            *(
                shape(attribute=("Agility", "Charm")),
                shape(claims=CLAIMS),
                shape(standing=FLAG),
                shape(within_id=_PLACES),
            ),
            *(
                shape(contest=FLAG),
                shape(stunts=OFFERS, fumble_effects=OFFERS, or_interference=(None, *OFFERS), fumble_does=_deeds),
            ),
        ),
    },
    "help_check": {**_ABOUT_CHECK, "side": often("acting", "opposing"), **_PART},
    "oppose_check": {**_ABOUT_CHECK, **_PART},
    "roll_check": shape(
        check_id=(*picks.CHECKS_TO_ROLL, *picks.CHECKS_TO_ROLL, *picks.CHECKS_BEGUN, *picks.CHECKS),
        faces=often(None, FACES),
        character_id=_who_rolls,
    ),
    "withdraw_check": _ABOUT_CHECK,
    "choose_effect": shape(
        also=(
            shape(check_id="feat", character_id="dan", effect=("momentum", "slide", "fly", "fall")),
            {
                **shape(check_id=often("slip", picks.CHECKS), character_id=often("foe", picks.CHARACTERS)),
                **shape(effect=("interference", "fall", "slide")),
            },
        )
    ),
    "set_effects": {
        **shape(thing_id=(*picks.CHARACTERS, *_PLACES), stunts=(None, None, *OFFERS)),
        **shape(fumble_effects=(None, *OFFERS), or_interference=(None, None, *OFFERS), fumble_does=_deeds),
        "sixes_add": (None, None, None, True, True, False),
    },
    "propose_cost": {**_ABOUT_FAILURE, "cost": "Exhausted."},
    "answer_cost": {**_ABOUT_FAILURE, **shape(answer=("accept", "counter", "refuse"), terms=_terms)},
    "settle_failure": {**_ABOUT_FAILURE, "apply": FLAG},
    "propose_total": {
        **shape(id=new_id, character_id=picks.CHARACTERS, attribute=(2, 1, 0, "Agility", "Charm")),
        **shape(tool=(None, *(shape(name="Rope", quality=each) for each in (0, 1, 8)))),
        **shape(
            special=(None, "Climber", "Driver", "Singer"),
            more_specials=([], [], ["Driver"]),
            purpose=(None, "Climb."),
            effort=_EFFORT,
        ),
    },
    "adjust_total": {
        **_ABOUT_ROLL,
        "also": (
            *(_APPROVAL, shape(attribute=(1, 3, "Agility", "Charm")), shape(special=("Climber", "Singer")), {}),
            *(shape(tool=shape(name="Rope", quality=(1, 8))), shape(without=(["tool"], ["tool", "special"]))),
        ),
    },
    "withdraw_total": shape(total_id=picks.TOTALS),
    "judge_total": shape(total_id=picks.TOTALS, enough=FLAG),
    "set_required": shape(total_id=picks.TOTALS, required=(7, 3, 99, 1), secret=(False, True), crisis=_KINDS),
    "roll_total": {**_ABOUT_ROLL, "faces": (None, None, FACES)},
    "offer_push": {
        **shape(total_id=often(picks.TOTALS_MISSED, picks.TOTALS), crisis=_KINDS),
        **shape(description=(None, None, "A scar."), until=(None, None, 2)),
    },
    "push_luck": shape(
        total_id=("brink", "edge", picks.TOTALS_MISSED, picks.TOTALS), faces=(None, None, ([1], [2], [6]), [1, 2])
    ),
    "stop_pushing": shape(total_id=picks.TOTALS),
    "describe_crisis": {
        **shape(total_id=("fall", "brink", "edge", "physical-2", *picks.TOTALS), kind=_KINDS),
        **shape(description="A scar."),
    },
}
