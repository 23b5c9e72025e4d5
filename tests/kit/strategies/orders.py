"""Random commands about everything in a room, plausible and implausible, as fields of the wire."""

from kit.strategies import picks
from kit.strategies.picks import FLAG, Fields, Picks, Shape, new_id, often, shape
from kit.strategies.roll_orders import ROLL_BUILDERS
from kit.tables import ANN, BO

REVEALED = (
    *(*picks.COUNTDOWNS, *picks.SCENES, *picks.SITUATIONS, *picks.CLOCKS),
    *(*picks.ROLLS, *picks.CHECKS, *picks.TOTALS),
)
_SEEN = ("public", "public", "sealed", "gm")
_STAGES: tuple[list[Fields], ...] = ([], [{"at": 1, "effect": "rash"}, {"at": 3, "effect": "itch"}])
_OWNERS = (None, ANN.seat_id, "player-9")
_ABOUT_COUNTDOWN = shape(countdown_id=picks.COUNTDOWNS)
_ABOUT_SITUATION = shape(situation_id=picks.SITUATIONS)
_ABOUT_CLOCK = shape(clock_id=picks.CLOCKS)
_ABOUT_CHARACTER = shape(character_id=picks.CHARACTERS)
_ABOUT_TRACK = {**_ABOUT_CHARACTER, "track": ("Hits", "Wits")}
_SHEETS: tuple[Fields, ...] = ({}, {"name": "Di"}, {"level": 3}, {"level": 1, "reflex": 2}, {"name": "Ed", "level": 2})
_PARTIES = (None, None, tuple([one] for one in picks.CHARACTERS), tuple(["ada", one] for one in picks.CHARACTERS))
_STATES = ("tired", "calm")
_END: Fields = {"when": "end"}
_STAGE: Fields = {"when": "stage", "at": (1, 3)}
_ABOUT_SCENE = shape(scene_id=picks.SCENES)
_BOUND: tuple[Fields, ...] = (
    *({}, {"bound_to": "turn"}, {"bound_to": "nothing"}, {"bound_to": "rounds"}),
    *({"bound_to": "rounds", "bound_id": one} for one in ("run", "talk", "gm-zz-dig")),
    *({"bound_to": "scene", "bound_id": one} for one in ("bomb", "heist", "gm-zz-den")),
)
_ABOUT: tuple[Fields, ...] = (
    *({}, {}, {"about": picks.CHARACTERS, "fate": (None, "dies", "leaves")}, {"fate": "dies"}),
    *({"repeats": "same"}, {"repeats": "d6", "about": picks.CHARACTERS, "fate": "leaves"}),
    *({"pool": None, "from_attribute": ("Agility", "Charm"), "about": picks.CHARACTERS},),
)
_BEARERS = (*picks.CHARACTERS, *picks.SCENES, *picks.SITUATIONS)
_EFFECTS: tuple[Fields, ...] = (
    *({"does": "tick", "thing_id": picks.CLOCKS, "by": by} for by in (1, 2, -1)),
    *({"does": does, "thing_id": picks.COUNTDOWNS} for does in ("stabilize", "resume", "roll", "roll")),
    {"does": "replenish", "thing_id": picks.COUNTDOWNS, "by": (1, 60)},
    {"does": "start", "countdown": {"name": "Doom", "pool": 1, "visibility": _SEEN}},
    {"does": "take_off", "thing_id": picks.CHALLENGES, "by": (1, 9)},
    {"does": "leave", "thing_id": picks.CHARACTERS, "fate": ("leaves", "dies")},
    *({"does": does, "thing_id": picks.CHARACTERS, "name": _STATES} for does in ("give_state", "drop_state")),
    {"does": "move_track", "thing_id": picks.CHARACTERS, "name": ("Hits", "Wits"), "by": (-9, -1, 1)},
    {"does": "give_token", "thing_id": picks.CHARACTERS, "token": ("momentum", "interference")},
    {
        "does": "set_fumble",
        "thing_id": _BEARERS,
        "text": ("fall", "slide"),
        "do": (None, [{"does": "leave", "fate": "dies"}]),
    },
    {"does": "drop_fumble", "thing_id": _BEARERS, "text": ("fall", "fly")},
    {"does": "reveal", "thing_id": REVEALED},
    {"does": "tell", "text": "A bell rings."},
)
_MOMENTS: tuple[Fields, ...] = (
    *({"of": {"kind": "countdown", "id": picks.COUNTDOWNS}, "when": when} for when in (_END, _END, _STAGE)),
    *({"of": {"kind": "clock", "id": picks.CLOCKS}, "when": _END} for _ in range(3)),
    *(
        {"of": {"kind": "check", "id": picks.CHECKS_TO_ROLL}, "when": {"when": when}}
        for when in (("fumble", "fail"), ("fail", "success"), ("success", "triumph"), ("won", "lost"))
    ),
    {"of": {"kind": "total", "id": picks.TOTALS}, "when": {"when": ("succeeded", "failed", "crisis")}},
    {"of": {"kind": "character", "id": picks.CHARACTERS}, "when": {"when": "crisis"}},
)


def _effects(p: Picks, chosen: Fields) -> list[Fields]:
    return [p.fields(p.one(_EFFECTS)) for _ in range(p.one((1, 1, 2)))]


_COUNTDOWN = {
    **shape(visibility=_SEEN, id=new_id, name="Doom", pool=(1, 2, 4, 60), speed=("slow", "fast"), stages=_STAGES),
    **shape(owner=(None, *_OWNERS), stabilizable=FLAG, replenishable=FLAG, also=_BOUND),
}
_CHANGES: tuple[Fields, ...] = (
    *({"pool": pool} for pool in (0, 1, 1, 2, 9, 60)),
    *({"clear": list(names)} for names in (("about",), ("repeats", "fate"), ("owner", "ending"))),
    *({"stabilizable": True}, {"replenishable": True, "owner": BO.seat_id}, {"repeats": "same"}, {"speed": "medium"}),
    *({"stages": _STAGES}, {"about": picks.CHARACTERS, "fate": "leaves"}, {"also": _BOUND}),
)


def _seen(p: Picks, chosen: Fields) -> object:
    return None if chosen["prepared"] else _SEEN


BUILDERS: dict[str, Shape] = {
    "set_policy": shape(
        physical_dice=("off", "gm", "everyone", None),
        check_approval=("open", "gm", None),
        player_countdowns=(*FLAG, None),
        sheets=("gm", "players", None),
        care=("gm", "owner", "players", None),
        specials=("one", "several", None),
    ),
    "lend_seat": shape(to=("integration-7", "ghost")),
    "take_back_seat": {},
    "rename_seat": shape(seat_id=(ANN.seat_id, BO.seat_id, "ghost"), name="Renamed"),
    "remove_seat": shape(seat_id=("ghost", BO.seat_id)),
    "leave_seat": {},
    "close_room": {},
    "reopen_room": {},
    "void_command": shape(
        seq=(*range(1, 400),), channel=("public", "gm"), reason="a slip", public_reason=(None, "Not now.")
    ),
    "add_character": {
        **shape(id=new_id, name="Cy", owner=_OWNERS, level=(1, 2, 9)),
        **shape(attributes=(None, {"Agility": 2}, {"Charm": 0}), reflex=(None, 0, 3)),
    },
    "update_character": {**_ABOUT_CHARACTER, "also": _SHEETS},
    "approve_sheet": {**_ABOUT_CHARACTER, **shape(approve=FLAG, expect=often(None, {"level": 3}))},
    "take_out_of_play": {**_ABOUT_CHARACTER, "fate": ("leaves", "leaves", "leaves", "dies", "retires")},
    "return_to_play": _ABOUT_CHARACTER,
    "give_state": {**_ABOUT_CHARACTER, "state": _STATES},
    "drop_state": {**_ABOUT_CHARACTER, "state": _STATES},
    "set_track": {**_ABOUT_TRACK, **shape(most=(1, 6), value=(None, 0, 3))},
    "move_track": {**_ABOUT_TRACK, "by": (-2, -1, 0, 1)},
    "drop_track": _ABOUT_TRACK,
    "roll_dice": {
        **shape(visibility=_SEEN, id=new_id, pool=(1, 3), character_id=(None, None, picks.CHARACTERS)),
        **shape(faces=often(None, [1, 2, 6]), purpose=("damage", "other")),
        **shape(claims=(None, None, [], ["pact-v1"]), action=often(False, True)),
        "within_id": often(None, (*picks.SCENES, *picks.SITUATIONS)),
    },
    "attach_consequence": {"also": _MOMENTS, **shape(do=_effects, visibility=("public", "gm"))},
    "detach_consequence": shape(consequence_id=("consequence-1", "gm-consequence-000000000001")),
    "reveal": shape(thing_id=REVEALED),
    "open_lane": shape(anchor=tuple(each * 43 for each in "AEUY")),
    "start_countdown": {**_COUNTDOWN, "more": _ABOUT},
    "amend_countdown": {**_ABOUT_COUNTDOWN, "reason": "a slip", "also": _CHANGES},
    "roll_countdown": {**_ABOUT_COUNTDOWN, "faces": often(None, [6, 6, 6, 6])},
    "stabilize_countdown": _ABOUT_COUNTDOWN,
    "resume_countdown": _ABOUT_COUNTDOWN,
    "replenish_countdown": {**_ABOUT_COUNTDOWN, "dice": (1, 3, 60)},
    "cancel_countdown": _ABOUT_COUNTDOWN,
    "end_turn": shape(note=(None, "tick"), scene_id=(None, None, picks.SCENES), turn=(None, None, 1, 2)),
    "open_scene": shape(visibility=_SEEN, id=new_id, name="S", clock=(1, 2, 8), sixes_add=often(False, True)),
    "start_situation": {
        **shape(scene_id=picks.SCENES, prepared=(None, None, True), visibility=_seen, id=new_id, name="R"),
        **shape(within=(None, None, picks.SITUATIONS), kind=("race", "standard")),
        **shape(content="social", clock=(1, 2), level=(1, 9, None), difficulty=("hard", None), party=_PARTIES),
    },
    "begin_situation": {**_ABOUT_SITUATION, "difficulty": ("easy", None)},
    "set_scene_aside": _ABOUT_SCENE,
    "take_up_scene": _ABOUT_SCENE,
    "add_challenge": {**_ABOUT_SITUATION, **shape(kind=("barrier", "foe"), id=new_id, name="D")},
    "attempt_effort": {
        **shape(challenge_id=picks.CHALLENGES, success=(None, None, *FLAG), amount=(1, 9)),
        **shape(character_id=(None, None, picks.CHARACTERS), id=new_id),
    },
    "rule_effort": shape(effort_id=picks.EFFORTS, success=FLAG, amount=(1, 9)),
    "overcome_challenge": shape(challenge_id=picks.CHALLENGES),
    "resolve_situation": {**_ABOUT_SITUATION, "how": "They talk."},
    "fail_situation": {**_ABOUT_SITUATION, "reason": ("defeated", "retreated")},
    "end_round": _ABOUT_SITUATION,
    "travel": _ABOUT_SCENE,
    "rest": _ABOUT_SCENE,
    "end_scene": {**_ABOUT_SCENE, "expect": (None, None, shape(run=("partial_success", "failure")))},
    "introduce_complication": {
        **shape(situation_id=often(picks.SITUATIONS, None), scene_id=often(None, picks.SCENES), text="Fog."),
        **shape(clock=(None, {**_ABOUT_CLOCK, **shape(by=(0, 1, 9, 99, -1), enlarge=(0, 0, 2))})),
        **shape(countdown=(None, None, _COUNTDOWN)),
    },
    "start_clock": shape(visibility=_SEEN[1:], id=new_id, name="C", size=(1, 6), direction=("down", "up")),
    "tick_clock": {**_ABOUT_CLOCK, **shape(by=(1, 2, 99), back=(None, None, True))},
    "enlarge_clock": {**_ABOUT_CLOCK, "by": (1, 3, 99)},
    "amend_clock": {**_ABOUT_CLOCK, **shape(value=(0, 1, 3, 8), reason="a slip")},
    "cancel": shape(thing_id=(*picks.SCENES, *picks.SITUATIONS, *picks.CHALLENGES, *picks.CLOCKS), reason="a slip"),
    "narrate": shape(text="It rains.", outcome=("success", "failure", None), channel=("public", "gm")),
    **ROLL_BUILDERS,
}


def random_order(kind: str, p: Picks) -> Fields:
    """Return a command of a type; None is a field left out."""
    return {"type": kind, **{name: value for name, value in p.fields(BUILDERS[kind]).items() if value is not None}}
