"""Random commands about everything in a room, plausible and implausible, as fields of the wire."""

from collections.abc import Callable

from kit.strategies import picks
from kit.strategies.roll_orders import ROLL_BUILDERS
from kit.tables import ANN, BO

REVEALED = (
    *picks.COUNTDOWNS,
    *picks.SCENES,
    *picks.SITUATIONS,
    *picks.CLOCKS,
    *picks.ROLLS,
    *picks.CHECKS,
    *picks.TOTALS,
)
CANCELLED = (*picks.SCENES, *picks.SITUATIONS, *picks.CHALLENGES, *picks.CLOCKS)


def _policy(p: picks.Picks) -> picks.Fields:
    return {
        "physical_dice": p.one(("off", "gm", "everyone", None)),
        "check_approval": p.one(("open", "gm", None)),
        "player_countdowns": p.one((True, False, None)),
        "sheets": p.one(("gm", "players", None)),
    }


def _countdown(p: picks.Picks) -> picks.Fields:
    visibility = p.one(("public", "public", "sealed", "gm"))
    return {
        "id": p.new_id(hidden=visibility == "gm"),
        "name": "Doom",
        "pool": p.one((1, 2, 4, 60)),
        "speed": p.one(("slow", "fast")),
        "stages": p.one(([], [{"at": 1, "effect": "rash"}, {"at": 3, "effect": "itch"}])),
        "owner": p.one((None, None, ANN.seat_id, "player-9")),
        "stabilizable": p.one((True, False)),
        "replenishable": p.one((True, False)),
        "bound_to": p.one(("turn", "nothing")),
        "visibility": visibility,
    }


def _narration(p: picks.Picks) -> picks.Fields:
    return {"text": "It rains.", "outcome": p.one(("success", "failure", None)), "channel": p.one(("public", "gm"))}


def _scene(p: picks.Picks) -> picks.Fields:
    visibility = p.one(("public", "public", "sealed", "gm"))
    return {"id": p.new_id(hidden=visibility == "gm"), "name": "S", "clock": p.one((1, 2, 8)), "visibility": visibility}


def _situation(p: picks.Picks) -> picks.Fields:
    scene, visibility = p.one(picks.SCENES), p.one(("public", "public", "sealed", "gm"))
    prepared = p.one((None, None, True))
    return {
        "scene_id": scene,
        "visibility": None if prepared else visibility,
        "prepared": prepared,
        "within": p.one((None, None, p.one(picks.SITUATIONS))),
        "id": p.new_id(hidden=scene != "bomb" or visibility == "gm" or bool(prepared)),
        "name": "R",
        "kind": p.one(("race", "standard")),
        "content": "social",
        "clock": p.one((1, 2)),
        "level": p.one((1, 9, None)),
        "difficulty": p.one(("hard", None)),
        "party": p.one((None, None, [p.one(picks.CHARACTERS)], ["ada", p.one(picks.CHARACTERS)])),
    }


def _challenge(p: picks.Picks) -> picks.Fields:
    situation = p.one(picks.SITUATIONS)
    kind, hidden = p.one(("barrier", "foe")), situation == "parley" or situation[:3] == "gm-"
    return {"situation_id": situation, "id": p.new_id(hidden=hidden), "name": "D", "kind": kind}


def _effort(p: picks.Picks) -> picks.Fields:
    challenge = p.one(picks.CHALLENGES)
    return {
        "challenge_id": challenge,
        "success": p.one((None, None, True, False)),
        "amount": p.one((1, 9)),
        "character_id": p.one((None, None, p.one(picks.CHARACTERS))),
        "id": p.new_id(hidden=challenge[:3] == "gm-"),
    }


def _complication(p: picks.Picks) -> picks.Fields:
    effect = {"clock_id": p.one(picks.CLOCKS), "by": p.one((0, 1, 9, 99, -1)), "enlarge": p.one((0, 0, 2))}
    return {
        "situation_id": p.often(p.one(picks.SITUATIONS), None),
        "scene_id": p.often(None, p.one(picks.SCENES)),
        "text": "Fog.",
        "clock": p.one((None, effect)),
        "countdown": p.one((None, None, _countdown(p))),
    }


def _clock(p: picks.Picks) -> picks.Fields:
    visibility = p.one(("public", "sealed", "gm"))
    return {
        "id": p.new_id(hidden=visibility == "gm"),
        "name": "C",
        "size": p.one((1, 6)),
        "direction": p.one(("down", "up")),
        "visibility": visibility,
    }


def _roll(p: picks.Picks) -> picks.Fields:
    visibility = p.one(("public", "public", "sealed", "gm"))
    return {
        "id": p.new_id(hidden=visibility == "gm"),
        "pool": p.one((1, 3)),
        "character_id": p.one((None, None, p.one(picks.CHARACTERS))),
        "faces": p.often(None, [1, 2, 6]),
        "visibility": visibility,
        "purpose": p.one(("damage", "other")),
        "claims": p.one((None, None, [], ["pact-v1"])),
        "action": p.often(False, True),
    }


def _character(p: picks.Picks) -> picks.Fields:
    return {
        "id": p.new_id(hidden=False),
        "name": "Cy",
        "owner": p.one((None, ANN.seat_id, "player-9")),
        "level": p.one((1, 2, 9)),
        "attributes": p.one((None, {"Agility": 2}, {"Charm": 0})),
        "reflex": p.one((None, 0, 3)),
    }


STATES = ("tired", "calm")
TRACKS = ("Hits", "Wits")
BUILDERS: dict[str, Callable[[picks.Picks], picks.Fields]] = {
    "set_policy": _policy,
    "rename_seat": lambda p: {"seat_id": p.one((ANN.seat_id, BO.seat_id, "ghost")), "name": "Renamed"},
    "remove_seat": lambda p: {"seat_id": p.one(("ghost", BO.seat_id))},
    "leave_seat": lambda p: {},
    "close_room": lambda p: {},
    "void_command": lambda p: {"seq": p.one(range(1, 400)), "channel": p.one(("public", "gm")), "reason": "a slip"},
    "add_character": _character,
    "update_character": lambda p: {
        "character_id": p.one(picks.CHARACTERS),
        **p.one(({}, {"name": "Di"}, {"level": 3}, {"level": 1, "reflex": 2}, {"name": "Ed", "level": 2})),
    },
    "approve_sheet": lambda p: {
        "character_id": p.one(picks.CHARACTERS),
        "approve": p.one((True, False)),
        "expect": p.often(None, {"level": 3}),
    },
    "take_out_of_play": lambda p: {
        "character_id": p.one(picks.CHARACTERS),
        "fate": p.one(("leaves", "leaves", "leaves", "dies", "retires")),
    },
    "return_to_play": lambda p: {"character_id": p.one(picks.CHARACTERS)},
    "give_state": lambda p: {"character_id": p.one(picks.CHARACTERS), "state": p.one(STATES)},
    "drop_state": lambda p: {"character_id": p.one(picks.CHARACTERS), "state": p.one(STATES)},
    "set_track": lambda p: {
        "character_id": p.one(picks.CHARACTERS),
        "track": p.one(TRACKS),
        "most": p.one((1, 6)),
        "value": p.one((None, 0, 3)),
    },
    "move_track": lambda p: {
        "character_id": p.one(picks.CHARACTERS),
        "track": p.one(TRACKS),
        "by": p.one((-2, -1, 0, 1)),
    },
    "drop_track": lambda p: {"character_id": p.one(picks.CHARACTERS), "track": p.one(TRACKS)},
    "roll_dice": _roll,
    "reveal": lambda p: {"thing_id": p.one(REVEALED)},
    "open_lane": lambda p: {"anchor": p.one(("A", "E", "U", "Y")) * 43},
    "start_countdown": _countdown,
    "roll_countdown": lambda p: {"countdown_id": p.one(picks.COUNTDOWNS), "faces": p.often(None, [6, 6, 6, 6])},
    "stabilize_countdown": lambda p: {"countdown_id": p.one(picks.COUNTDOWNS)},
    "resume_countdown": lambda p: {"countdown_id": p.one(picks.COUNTDOWNS)},
    "replenish_countdown": lambda p: {"countdown_id": p.one(picks.COUNTDOWNS), "dice": p.one((1, 3, 60))},
    "cancel_countdown": lambda p: {"countdown_id": p.one(picks.COUNTDOWNS)},
    "end_turn": lambda p: {"note": p.one((None, "tick")), "scene_id": p.one((None, None, p.one(picks.SCENES)))},
    "open_scene": _scene,
    "start_situation": _situation,
    "begin_situation": lambda p: {"situation_id": p.one(picks.SITUATIONS), "difficulty": p.one(("easy", None))},
    "set_scene_aside": lambda p: {"scene_id": p.one(picks.SCENES)},
    "take_up_scene": lambda p: {"scene_id": p.one(picks.SCENES)},
    "add_challenge": _challenge,
    "attempt_effort": _effort,
    "rule_effort": lambda p: {
        "effort_id": p.one(picks.EFFORTS),
        "success": p.one((True, False)),
        "amount": p.one((1, 9)),
    },
    "overcome_challenge": lambda p: {"challenge_id": p.one(picks.CHALLENGES)},
    "resolve_situation": lambda p: {"situation_id": p.one(picks.SITUATIONS), "how": "They talk."},
    "fail_situation": lambda p: {"situation_id": p.one(picks.SITUATIONS), "reason": p.one(("defeated", "retreated"))},
    "end_round": lambda p: {"situation_id": p.one(picks.SITUATIONS)},
    "travel": lambda p: {"scene_id": p.one(picks.SCENES)},
    "rest": lambda p: {"scene_id": p.one(picks.SCENES)},
    "end_scene": lambda p: {
        "scene_id": p.one(picks.SCENES),
        "expect": p.one((None, None, {"run": p.one(("partial_success", "failure"))})),
    },
    "introduce_complication": _complication,
    "start_clock": _clock,
    "tick_clock": lambda p: {
        "clock_id": p.one(picks.CLOCKS),
        "by": p.one((1, 2, 99)),
        "back": p.one((None, None, True)),
    },
    "enlarge_clock": lambda p: {"clock_id": p.one(picks.CLOCKS), "by": p.one((1, 3, 99))},
    "amend_clock": lambda p: {"clock_id": p.one(picks.CLOCKS), "value": p.one((0, 1, 3, 8)), "reason": "a slip"},
    "cancel": lambda p: {
        "thing_id": p.one((*picks.SCENES, *picks.SITUATIONS, *picks.CHALLENGES, *picks.CLOCKS)),
        "reason": "a slip",
    },
    "narrate": _narration,
    **ROLL_BUILDERS,
}


def random_order(kind: str, p: picks.Picks) -> picks.Fields:
    """Return a command of a type; None is a field left out."""
    return {"type": kind, **{name: value for name, value in BUILDERS[kind](p).items() if value is not None}}
