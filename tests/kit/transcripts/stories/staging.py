"""Scenes that are played at the same time, set aside, and prepared in secret."""

from functools import partial
from typing import Any

from dreadclock_server.core.draft import Actor
from kit.tables import ANN, GM
from kit.transcripts.host import Recorder
from kit.transcripts.stories.base import STORIES, joined

_SCENE = {"type": "open_scene", "clock": 8}
_STANDARD = {"type": "start_situation", "kind": "standard", "content": "combat", "clock": 2}
_RACE = {**_STANDARD, "kind": "race", "level": 2, "difficulty": "hard"}


def _orders() -> list[dict[str, Any]]:
    return [
        {**_SCENE, "id": "vault", "name": "Vault"},
        {**_SCENE, "id": "crypt", "name": "Crypt", "visibility": "sealed"},
        {**_RACE, "id": "gm-run", "scene_id": "vault", "name": "Run", "prepared": True},
        {"type": "add_challenge", "id": "gm-door", "situation_id": "gm-run", "name": "Door", "kind": "barrier"},
        {**_STANDARD, "id": "gm-guards", "scene_id": "vault", "name": "Guards", "prepared": True, "within": "gm-run"},
        {"type": "begin_situation", "situation_id": "gm-run"},
        {"type": "begin_situation", "situation_id": "gm-guards"},
        {"type": "end_round", "situation_id": "gm-guards"},
        {"type": "end_turn", "scene_id": "vault"},
        {"type": "end_turn", "scene_id": "crypt"},
        {"type": "set_scene_aside", "scene_id": "vault"},
        {**_STANDARD, "id": "gm-hall", "scene_id": "crypt", "name": "Hall"},
        {**_STANDARD, "id": "gm-trap", "scene_id": "crypt", "name": "Trap", "visibility": "gm"},
        {**_RACE, "id": "gm-flight", "scene_id": "crypt", "name": "Flight", "prepared": True},
        {"type": "reveal", "thing_id": "crypt"},
        {"type": "begin_situation", "situation_id": "gm-flight"},
        {"type": "end_scene", "scene_id": "crypt"},
        {"type": "take_up_scene", "scene_id": "vault"},
        {**_STANDARD, "id": "gm-late", "scene_id": "vault", "name": "Late", "prepared": True},
        {"type": "end_scene", "scene_id": "vault", "expect": {"gm-run": "failure"}},
    ]


def _rebound() -> Recorder:
    """Bind a countdown to another situation after a round of the first, then to the scene."""
    recorder = joined("A countdown that is bound anew was rolled in no round of what it is bound to now.", GM)
    countdown = {"type": "start_countdown", "id": "fire", "name": "Fire", "pool": 6}
    amend = {"type": "amend_countdown", "countdown_id": "fire", "reason": "a slip"}
    for order in (
        {**_SCENE, "id": "vault", "name": "Vault"},
        {**_STANDARD, "id": "guards", "scene_id": "vault", "name": "Guards"},
        {**_STANDARD, "id": "dogs", "scene_id": "vault", "name": "Dogs"},
        {**countdown, "bound_to": "rounds", "bound_id": "guards"},
        {"type": "end_round", "situation_id": "guards"},
        {**amend, "bound_to": "rounds", "bound_id": "dogs"},
        {"type": "end_round", "situation_id": "dogs"},
        {**amend, "bound_to": "scene", "bound_id": "vault"},
        {**amend, "ending": "smoke"},
    ):
        recorder.order(order, GM)
    return recorder


def _staged(about: str, viewer: Actor) -> Recorder:
    recorder = joined(f"Scenes set aside, situations prepared and begun, seen by {about}.", viewer)
    for order in _orders():
        recorder.order(order, GM)
    return recorder


STORIES["staged-gm"] = partial(_staged, "the gm", GM)
STORIES["rebound"] = _rebound
STORIES["staged-player"] = partial(_staged, "a player", ANN)
