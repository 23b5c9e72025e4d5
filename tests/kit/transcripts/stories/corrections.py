"""Commands that are taken back, and sealed things that are rolled with witnesses."""

from functools import partial
from typing import Any

from dreadclock.wire.base import Channel
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.sessions import Done
from kit.dice.lanes import dice, opening
from kit.tables import ANN, BO, GM
from kit.transcripts.host import Recorder
from kit.transcripts.stories.base import ROLL, STORIES, joined, story

CLOCK = {"type": "start_clock", "size": 4}
TICK = {"type": "tick_clock", "by": 3}
COUNTDOWN = {"type": "start_countdown", "pool": 3, "bound_to": "nothing"}
IN_VAULT = {"scene_id": "vault"}
SITUATION = {"type": "start_situation", "content": "social", "clock": 2}


def _orders() -> list[dict[str, Any]]:
    """Give commands of which each is done, then taken back, then done again."""
    return [
        {**CLOCK, "name": "Guards"},
        {"type": "set_policy", "player_countdowns": False},
        {"type": "add_character", "name": "Ada", "attributes": {"Brawn": 3}},
        {**COUNTDOWN, "name": "Fever", "stages": [{"at": 2, "effect": "Cough"}], "replenishable": True},
        {"type": "open_scene", "id": "vault", "name": "Vault", "clock": 8},
        {**SITUATION, **IN_VAULT, "id": "run", "name": "Run", "kind": "race", "level": 1, "difficulty": "easy"},
        {"type": "add_challenge", "id": "door", "situation_id": "run", "name": "Door", "kind": "barrier"},
        {"type": "add_challenge", "id": "gate", "situation_id": "run", "name": "Gate", "kind": "barrier", "clock": 2},
        {"type": "attempt_effort", "challenge_id": "door"},
        {"type": "overcome_challenge", "challenge_id": "door"},
        {"type": "cancel", "thing_id": "gate", "reason": "Not there."},
        {"type": "propose_check", "id": "leap", "character_id": "character-2", "score": 2, "claim": True},
        {"type": "propose_check", "id": "hop", "character_id": "character-2", "score": 2, "claim": True},
        {"type": "withdraw_check", "check_id": "leap"},
        {"type": "propose_total", "id": "climb", "character_id": "character-2", "attribute": 2},
        {"type": "set_required", "total_id": "climb", "required": 9, "secret": True},
        {"type": "set_required", "total_id": "climb", "required": 8},
        {"type": "end_turn"},
        {**SITUATION, **IN_VAULT, "id": "gm-plot", "name": "Plot", "kind": "standard", "visibility": "gm"},
        {"type": "end_scene", "scene_id": "vault"},
    ]


def _do_over(recorder: Recorder, order: dict[str, Any]) -> None:
    """Do something, take it back by one of its records, and do it again, under another id if it has one."""
    done = recorder.host.do(order, GM)
    recorder.catch_up()
    assert isinstance(done, Done), (order, done)
    channel = Channel.GM if Channel.GM in done.events else Channel.PUBLIC
    back = {"type": "void_command", "channel": channel, "seq": done.events[channel][1], "reason": "A slip."}
    assert isinstance(recorder.order(back, GM), Done), order


def _all_over(about: str, viewer: Actor) -> Recorder:
    recorder = joined(about, viewer)
    recorder.order({**CLOCK, "id": "tide", "name": "Tide", "visibility": "sealed"}, GM)
    _do_over(recorder, {**TICK, "clock_id": "tide"})
    for order in _orders():
        again = {"id": f"{order['id']}-1".replace("gm-plot-1", "gm-plot-2")} if "id" in order else {}
        _do_over(recorder, {**order, **again})
        recorder.order(order, GM)
    for back in ({"seq": 1}, {"seq": 9_999}, {"seq": 40}):
        recorder.order({"type": "void_command", "reason": "A slip.", **back}, GM)
    recorder.order({"type": "void_command", "seq": 40, "reason": "Not hers."}, ANN)
    return recorder


def _sealed(about: str, viewer: Actor) -> Recorder:
    recorder = joined(about, viewer)
    for secret, by in enumerate((ANN, BO, GM), 1):
        recorder.order(opening(secret), by)
    for name, visibility in (("gas", "sealed"), ("gm-mole", "gm"), ("rot", "sealed")):
        recorder.order({**COUNTDOWN, "pool": 12, "id": name, "name": name, "visibility": visibility}, GM)
    shown = [(1, "seat/player-1/1", 1, ANN), (1, "seat/gm/1", 3, GM), (2, "seat/player-1/1", 1, ANN)]
    shown.append((1, "seat/player-2/1", 2, BO))
    for n, lane, secret, by in shown:
        for name in ("gas", "gm-mole"):
            recorder.order({"type": "roll_countdown", "countdown_id": name}, GM)
        recorder.order({**ROLL, "dice": dice(n, lane, secret)}, by)
    for name in ("gas", "gm-mole", "rot"):
        recorder.order({"type": "roll_countdown", "countdown_id": name}, GM)
    for name in ("gas", "gm-mole"):
        recorder.order({"type": "reveal", "thing_id": name}, GM)
    recorder.order({**ROLL, "visibility": "sealed"}, GM)
    return recorder


@story
def a_room_that_is_opened_again() -> Recorder:
    recorder = joined("The gm closes the room and opens it again, seen by a player.", ANN)
    start = {"type": "start_clock", "name": "Flood", "size": 4, "id": "flood"}
    tick = {"type": "tick_clock", "clock_id": "flood"}
    for order in (start, {"type": "close_room"}, tick, {"type": "reopen_room"}, tick):
        recorder.order(order, GM)
    return recorder


_BACK = "Commands of all sorts are taken back and given again, seen by"
STORIES["taken-back-gm"] = partial(_all_over, f"{_BACK} the gm.", GM)
STORIES["taken-back-player"] = partial(_all_over, f"{_BACK} a player.", ANN)
_WITNESSED = "Sealed countdowns gather witnesses,"
STORIES["sealed-with-witnesses-gm"] = partial(
    _sealed, f"{_WITNESSED} what only the gm knows does not; seen by the gm.", GM
)
STORIES["sealed-with-witnesses-player"] = partial(_sealed, f"{_WITNESSED} and one is revealed; seen by a player.", ANN)
