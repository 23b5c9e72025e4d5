"""Characters who come and go, what they are in and have left, and those whom nobody knew of."""

from functools import partial
from typing import Any

from dreadclock_server.core.draft import Actor
from kit.tables import ANN, GM
from kit.transcripts.host import Recorder
from kit.transcripts.stories.base import STORIES, joined


def _of(type_: str, character_id: str = "ada", **fields: Any) -> dict[str, Any]:
    return {"type": type_, "character_id": character_id, **fields}


def _orders() -> list[dict[str, Any]]:
    crises = [{"kind": "mental", "description": "Fear of water"}]
    return [
        {"type": "add_character", "id": "ada", "name": "Ada", "crises": crises},
        {"type": "add_character", "id": "gm-spy", "name": "The spy", "visibility": "gm"},
        _of("give_state", state="exhausted"),
        _of("give_state", state="on the ledge"),
        _of("drop_state", state="exhausted"),
        _of("set_track", track="Wits", most=4),
        _of("set_track", track="Arrows", most=12, value=3),
        _of("move_track", track="Arrows", by=-1),
        _of("drop_track", track="Wits"),
        _of("give_state", "gm-spy", state="suspicious"),
        _of("set_track", "gm-spy", track="Hits", most=3),
        _of("take_out_of_play", fate="leaves", reason="Off to the coast"),
        _of("return_to_play"),
        _of("propose_check", id="leap", score=2, claim=True),
        {"type": "oppose_check", "check_id": "leap", "name": "The guard dog", "score": 2, "claim": True},
        _of("help_check", "gm-spy", check_id="leap", score=1, claim=True),
        _of("propose_total", id="climb", attribute=2),
        {"type": "roll_total", "total_id": "climb", "faces": [2, 3]},
        {"type": "judge_total", "total_id": "climb", "enough": False},
        {"type": "offer_push", "total_id": "climb"},
        {"type": "push_luck", "total_id": "climb", "faces": [1]},
        {"type": "set_required", "total_id": "climb", "required": 20},
        {"type": "offer_push", "total_id": "climb", "until": 3},
        {"type": "push_luck", "total_id": "climb", "faces": [4]},
        _of("take_out_of_play", fate="dies", reason="A fall"),
        _of("take_out_of_play", "gm-spy", fate="retires"),
    ]


def _characters(about: str, viewer: Actor) -> Recorder:
    recorder = joined(f"Characters who come and go, {about}.", viewer)
    for order in _orders():
        recorder.order(order, GM)
    return recorder


STORIES["characters-gm"] = partial(_characters, "seen by the gm", GM)
STORIES["characters-player"] = partial(_characters, "seen by a player, who hears of a spy when it acts", ANN)
