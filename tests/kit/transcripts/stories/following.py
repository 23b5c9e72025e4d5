"""Consequences: attached, taken away and taken back, and what they bring about, dice of the same slot included."""

from functools import partial
from typing import Any

from dreadclock.wire.base import Channel
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.sessions import Done
from kit.dice.lanes import dice, opening
from kit.tables import ANN, BO, GM
from kit.transcripts.host import Recorder
from kit.transcripts.stories.base import STORIES, joined

HIDDEN = {"visibility": "gm"}
TELL = {"does": "tell", "text": "A bell rings."}


def _on(kind: str, thing_id: str, when: dict[str, Any], *do: dict[str, Any], **more: Any) -> dict[str, Any]:
    of = {"kind": kind, "id": thing_id}
    return {"type": "attach_consequence", "of": of, "when": when, "do": list(do), **more}


def _countdown(name: str, **more: Any) -> dict[str, Any]:
    return {
        "type": "start_countdown",
        "id": name,
        "name": name,
        "pool": 1,
        "speed": "fast",
        "bound_to": "nothing",
        **more,
    }


def _roll(name: str) -> dict[str, Any]:
    return {"does": "roll", "thing_id": name}


END = {"when": "end"}
ORDERS: list[dict[str, Any]] = [
    {"type": "add_character", "id": "ada", "name": "Ada", "owner": ANN.seat_id},
    *({"type": "start_clock", "id": name, "name": name, "size": 2} for name in ("bell", "guards")),
    {"type": "start_clock", "id": "gm-trap", "name": "Trap", "size": 9, **HIDDEN},
    {"type": "propose_check", "id": "leap", "character_id": "ada", "score": 3, "claim": True},
    _countdown("fire", pool=9),
    _countdown("flood", pool=9),
    _countdown("gm-rot", pool=9, **HIDDEN),
    _countdown("gas", pool=9, visibility="sealed"),
    _on("check", "leap", {"when": "success"}, _roll("fire"), _roll("flood"), id="splash"),
    _on("check", "leap", {"when": "fail"}, _roll("flood"), _roll("fire"), TELL, id="slip"),
    _on("check", "leap", {"when": "success"}, _roll("gm-rot"), _roll("gas"), _roll("gas"), **HIDDEN),
    _on("check", "leap", {"when": "fail"}, _roll("gm-rot"), _roll("gm-rot"), _roll("gas"), **HIDDEN),
    _on("clock", "bell", END, {"does": "tick", "thing_id": "guards", "by": 1}, TELL),
    _on("clock", "bell", END, {"does": "tick", "thing_id": "guards", "by": 1}, id="gm-also", **HIDDEN),
    _on(
        "clock",
        "bell",
        END,
        {"does": "start", "countdown": {"name": "Hunt", "pool": 4, "bound_to": "nothing", "visibility": "sealed"}},
        **HIDDEN,
    ),
    _on("clock", "guards", END, {"does": "give_token", "thing_id": "ada", "token": "momentum"}, TELL, TELL),
    {"type": "tick_clock", "clock_id": "bell", "by": 2},
]


def _following(about: str, viewer: Actor) -> Recorder:
    recorder = joined(about, viewer)
    recorder.order(opening(2), ANN)
    for order in ORDERS:
        assert isinstance(recorder.order(order, GM), Done), order
    rolled = recorder.order({"type": "roll_check", "check_id": "leap", "dice": dice(1, "seat/player-1/1", 2)}, ANN)
    assert isinstance(rolled, Done)
    recorder.order({"type": "detach_consequence", "consequence_id": "slip"}, GM)
    back = {"type": "void_command", "seq": recorder.host.room.seq(Channel.PUBLIC), "reason": "A slip."}
    assert isinstance(recorder.order(back, GM), Done)
    for hidden in ("gm-rot", "gas"):
        recorder.order({"type": "reveal", "thing_id": hidden}, GM)
    return recorder


for _viewer in (GM, BO):
    _about = f"What follows by itself from what, seen by {_viewer.seat_id}."
    STORIES[f"following-{'gm' if _viewer is GM else 'player'}"] = partial(_following, _about, _viewer)
