"""Checks as the second edition has them: claims, effects that stand on something, and costs of any part."""

from collections.abc import Iterator
from functools import partial

from dreadclock_server.core.draft import Actor
from kit.families import checks
from kit.families.checks import CAST, aid, answer, choose, cost, roll, settle, venture
from kit.tables import ANN, BO, GM, Order
from kit.transcripts.host import Host, Recorder
from kit.transcripts.stories.base import opened, story

propose = partial(checks.propose, claim=True)
LEDGE = {"type": "set_effects", "thing_id": "han", "stunts": ["swing"], "fumble_effects": ["hang on", "fall"]}


@story
def claims_and_costs() -> Recorder:
    """Let a venture be claimed and lapse, somebody fall from a ledge, and a helper pay for her failure."""
    host = opened(Host(ANN))
    for character_id, fields in CAST.items():
        host.do({"type": "add_character", "id": character_id, **fields, "attributes": {}}, GM)
    recorder = Recorder("Ventures that are claimed, effects that stand on somebody, and costs, seen by a player.", host)
    recorder.join()
    for by, order in _orders():
        recorder.order(order, by)
    assert host.types >= {"check_odds_changed", "effects_set", "effect_happened", "venture_paid", "venture_lapsed"}
    return recorder


def _orders() -> Iterator[tuple[Actor, Order]]:
    yield GM, LEDGE
    yield GM, propose("guard", 2, id="feint", venture=venture(1, beneficiary="han"))
    yield GM, roll("guard", "feint", (5, 4))
    yield ANN, propose(score=1, claims=["feint-v1"])
    yield ANN, propose(score=1, id="leap", claims=["feint-v1"])  # refused
    yield BO, aid("chen", 1)
    yield GM, propose("guard", 1, id="shot")
    yield GM, roll("guard", "shot", (3,))  # with it the feint is over
    yield ANN, roll("han", faces=(1,))
    yield BO, roll("chen", faces=(2,))
    yield ANN, choose("hang on")
    yield BO, cost(character_id="chen")
    yield GM, answer("accept", character_id="chen")
    yield BO, settle(True, character_id="chen")
    yield GM, {**LEDGE, "fumble_effects": ["fall"], "or_interference": []}
    yield ANN, propose(score=1, id="climb")
    yield ANN, roll("han", "climb", (1,))
    yield BO, propose("chen", 2, id="throw", venture=venture(1))
    yield BO, roll("chen", "throw", (5, 4))
    yield BO, propose("chen", 1, id="catch", claims=["throw-v1"])
    yield BO, roll("chen", "catch", (4, 2))


HANG = {
    "type": "set_effects",
    "thing_id": "cliff",
    "fumble_effects": ["hang on"],
    "fumble_does": [
        {
            "effect": "hang on",
            "do": [
                {"does": "give_state", "name": "hanging"},
                {"does": "set_fumble", "text": "fall", "do": [{"does": "leave", "fate": "dies"}]},
            ],
        }
    ],
}


@story
def fumble_effects() -> Recorder:
    """Let somebody hang from a ledge at a fumble, and fall at the next one."""
    host = opened(Host(ANN))
    host.do({"type": "add_character", "id": "han", **CAST["han"], "attributes": {}}, GM)
    host.do({"type": "open_scene", "id": "cliff", "name": "Cliff", "clock": 8}, GM)
    recorder = Recorder("Fumble effects that do something, seen by a player.", host)
    recorder.join()
    recorder.order(HANG, GM)
    for check in ("first", "second"):
        recorder.order(propose(score=1, id=check), ANN)
        recorder.order(roll("han", check, (1,)), ANN)
    assert host.types >= {"consequence_happened", "state_gained", "effects_set", "character_died"}
    return recorder


@story
def damage_sixes() -> Recorder:
    """Let sixes add dice to damage in one scene of two, and let the gm turn that off."""
    host = opened(Host(ANN))
    for scene, sixes_add in (("pit", True), ("hall", False)):
        host.do({"type": "open_scene", "id": scene, "name": scene, "clock": 8, "sixes_add": sixes_add}, GM)
    recorder = Recorder("Damage in scenes where sixes add dice, seen by a player.", host)
    recorder.join()
    damage = {"type": "roll_dice", "pool": 2, "purpose": "damage"}
    recorder.order({**damage, "within_id": "pit", "faces": [6, 3, 6, 1]}, ANN)
    recorder.order({**damage, "within_id": "pit", "faces": [6, 3]}, ANN)  # refused
    recorder.order({**damage, "within_id": "hall", "faces": [6, 3]}, ANN)
    for sixes_add in (False, True):
        recorder.order({"type": "set_effects", "thing_id": "pit", "sixes_add": sixes_add}, GM)
    recorder.order({"type": "end_scene", "scene_id": "hall"}, GM)
    recorder.order({**damage, "faces": [6, 3, 1]}, BO)
    assert host.types >= {"scene_opened", "dice_rolled", "effects_set"}
    return recorder
