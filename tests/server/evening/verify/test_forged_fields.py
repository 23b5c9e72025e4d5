"""Nearly every field that somebody changes in a log is reported; `DREADCLOCK_ROOMS=300` changes 2,000 fields."""

import json
import os
from collections import Counter
from random import Random
from typing import Any

import pytest

from dreadclock.dice.audit import Fault, FaultKind
from dreadclock.wire.base import Channel
from dreadclock.wire.records import text_of
from dreadclock.wire.things import Does
from dreadclock_server.core.decide import decide
from dreadclock_server.core.room import Evolving, Written
from dreadclock_server.evening.verify import verify
from kit.cheating.forging import changed, find, forgeries
from kit.evenings.audited import BOTH, PUBLIC, evening_of, export_of
from kit.strategies.scripts import LEDGER
from kit.tables import ANN, BO, GM, Table, command_of, loaded

EVENTS = 300
FORGERIES = 2_000 if "DREADCLOCK_ROOMS" in os.environ else 30

# What people choose or say of what they see: another choice is another game, and no fault.
CHOSEN = {
    "character_added": ("attributes", "specials", "reflex", "level", "owner", "id"),
    "character_updated": ("attributes", "specials", "reflex", "level", "owner"),
    "countdown_started": ("stages", "speed", "pool", "bound_to", "owner", "replenishable", "stabilizable", "id"),
    "clock_started": ("size", "value", "direction", "owner", "id"),
    "scene_opened": ("size", "value", "sixes_add"),
    "effects_set": ("sixes_add",),
    "situation_started": ("party", "content", "level", "difficulty", "size", "value", "scene_id", "kept_back"),
    "challenge_added": ("kind", "size", "value", "situation_id", "id"),
    "check_proposed": (
        "within_id",
        "contest",
        "claim",
        "effort",
        "level",
        "benefits",
        "beneficiary",
        "bonus",
        "penalty",
        "score",
    ),
    "check_adjusted": ("contest", "stunts", "fumble_effects", "status", "standing", "within_id", "claim"),
    "help_joined": ("claim", "character_id", "level", "benefits", "beneficiary"),
    "opposition_joined": ("claim", "character_id", "level", "benefits", "beneficiary"),
    "total_proposed": ("character_id", "effort"),
    "total_adjusted": ("status", "tool"),
    "required_set": ("crisis", "required"),
    "secret_set": ("required",),
    "total_failed": ("total_id",),
    "push_offered": ("crisis", "until"),
    "policy_set": ("physical_dice", "check_approval", "player_countdowns"),
    "room_opened": ("edition", "physical_dice", "check_approval", "player_countdowns"),
    "seat_joined": ("scopes",),
    "seat_removed": ("seat_id", "reason"),
    "seat_renamed": ("seat_id",),
    "effort_made": ("character_id", "challenge_id"),
    "effort_ruled": ("amount",),
    "dice_rolled": ("faces", "purpose", "character_id", "id", "within_id"),  # of physical dice
    "crisis_suffered": ("kind",),
    "cost_answered": ("stage",),
    "clock_amended": ("value",),
    "clock_ticked": ("value", "cause"),  # of a hand, and of a complication
    "lane_opened": ("anchor",),
    "cancelled": ("id",),
    "command_voided": ("places",),  # where the order comes out the same
    "countdown_replenished": ("added", "remaining"),
}


def rules_broken(texts: list[str], *channels: Channel) -> list[Fault]:
    return [fault for fault in verify(export_of(texts, *channels)).faults if fault.kind is FaultKind.RULES]


def test_nearly_every_field_that_somebody_changes_is_caught(figures: list[str]):
    texts = list(evening_of(EVENTS))
    tried, missed = 0, Counter[str]()

    for forgery in forgeries(texts, Random(1)):
        if tried == FORGERIES:
            break
        tried += 1
        if verify(export_of(forgery.texts, *BOTH)).sound:
            missed[f"{forgery.event} {forgery.path}"] += 1

    figures.append(f"forged fields: {tried}, not caught {missed.total()}: {', '.join(missed)}")
    assert missed.total() <= tried * (0.1 if "DREADCLOCK_ROOMS" in os.environ else 0.3)
    places = [name.split() for name in missed]
    assert [[event, path] for event, path in places if not {*CHOSEN.get(event, ())} & {*path.split(".")}] == []


# What a cheat would like: each is named at its record.


def named(texts: list[str], place: int, *channels: Channel) -> str:
    """Return what is said first of a record."""
    faults = rules_broken(texts, *(channels or BOTH))
    seq = sum('"channel":"public"' in text for text in texts[: place + 1])
    assert any((fault.channel, fault.seq) == (Channel.PUBLIC, seq) for fault in faults), list(map(str, faults))
    return next(fault.sentence for fault in faults if (fault.channel, fault.seq) == (Channel.PUBLIC, seq))


def evening() -> list[str]:
    return list(evening_of(EVENTS))


@pytest.mark.parametrize("channels", [PUBLIC, BOTH])
def test_a_command_that_is_taken_back_restores_what_was_and_nothing_else(channels: tuple[Channel, ...]):
    texts = list(evening_of(700))
    voided = [place for place, text in enumerate(texts) if '"channel":"public","event":{"first"' in text]
    place = next(place for place in voided if json.loads(texts[place])["event"]["restored"]["clocks"])

    def other(record: dict[str, Any]) -> None:
        clock = record["event"]["restored"]["clocks"][0]
        clock["value"] = 0 if clock["value"] else clock["size"]

    assert "its restored.clocks is" in named(changed(texts, place, other), place, *channels)


def test_an_event_that_nothing_leads_to_is_caught():
    place = find(evening(), "stage_reached")
    without = [text for text in evening() if '"type":"countdown_rolled"' not in text]

    assert any("nothing before it leads to it" in fault.sentence for fault in rules_broken(renumbered(without), *BOTH))
    assert place


def test_an_event_that_should_have_followed_and_did_not_is_caught():
    without = [text for text in evening() if '"type":"stage_reached"' not in text]

    found = [fault.sentence for fault in rules_broken(renumbered(without), *BOTH)]

    assert any("before it must come `stage_reached`, which is not there" in sentence for sentence in found)


def renumbered(texts: list[str]) -> list[str]:
    """Number the records anew, so that nothing but what is missing is wrong."""
    seqs = {"public": 0, "gm": 0}

    def number(record: dict[str, object]) -> None:
        channel = str(record["channel"])
        seqs[channel] += 1
        record["seq"] = seqs[channel]
        if channel == "gm":
            record["after"] = seqs["public"]

    for place in range(len(texts)):
        texts = changed(texts, place, number)
    return texts


def test_a_scenes_point_for_an_altered_clock_is_a_fault_and_no_crash():
    table = Table()
    sealed = {"kind": "standard", "content": "combat", "clock": 2, "visibility": "sealed"}
    table.do({"type": "open_scene", "id": "keep", "name": "Keep", "clock": 8})
    table.do({"type": "start_situation", "id": "fight", "scene_id": "keep", "name": "Fight", **sealed})
    table.do({"type": "resolve_situation", "situation_id": "fight", "how": "They talk."})
    place = find(table.texts, "scene_opened")

    forged = changed(table.texts, place, lambda record: record["event"]["clock"].update(of="turret"))

    assert rules_broken(table.texts, *PUBLIC) == []
    assert rules_broken(forged, *PUBLIC) != []


# What the server allows and random rooms came upon: the verifier says nothing of it either


ADA = {"type": "add_character", "id": "ada", "name": "Ada", "owner": ANN.seat_id, "attributes": {"Brawn": 4}}
HIDDEN = {"visibility": "gm"}
TELL = {"does": "tell", "text": "A cry."}
AT_2 = {"when": {"when": "stage", "at": 2}}
ROLL = {"type": "roll_countdown", "countdown_id": "fire", "faces": [6, 1, 1]}
TICK = {"does": "tick", "thing_id": "c", "by": 1}


def _follows(kind: str, thing_id: str, effect: dict[str, Any], **more: Any) -> dict[str, Any]:
    of = {"kind": kind, "id": thing_id}
    return {"type": "attach_consequence", "of": of, "when": {"when": "end"}, "do": [effect], **more}


CLOCKS: list[dict[str, Any]] = [{"type": "start_clock", "id": each, "name": each, "size": 3} for each in "abc"]
FIGHT: list[dict[str, Any]] = [
    {"type": "open_scene", "id": "keep", "name": "Keep", "clock": 4},
    {"type": "start_situation", "id": "fight", "scene_id": "keep", "name": "Fight", "kind": "standard"}
    | {"content": "combat", "clock": 2},
]
STORIES: dict[str, list[dict[str, Any]]] = {
    "a room that was closed and goes on, in which what came before is taken back": [
        *CLOCKS,
        {"type": "close_room"},
        {"type": "reopen_room", "note": "Once more."},
        {"type": "void_command", "seq": -3, "reason": "a slip"},
        {"type": "end_turn"},
    ],
    "real dice of a hidden roll, taken back with the chain of dice that began with it": [
        {"type": "roll_dice", "id": "gm-hit", "pool": 2, "faces": [1, 2], **HIDDEN},
        {"type": "void_command", "channel": "gm", "seq": "dice_rolled", "reason": "a slip"},
    ],
    "a command taken back, right after which another's doing with a sealed thing shows": [
        {"type": "start_countdown", "id": "gas", "name": "Gas", "pool": 4, "visibility": "sealed"}
        | {"replenishable": True},
        *FIGHT,
        {"type": "resolve_situation", "situation_id": "fight", "how": "They talk."},
        {"type": "replenish_countdown", "countdown_id": "gas", "dice": 2},
        {"type": "void_command", "seq": "situation_resolved", "reason": "a slip"},
    ],
    "what was cancelled, taken back after what it stood behind was cancelled, too": [
        *CLOCKS,
        {"type": "cancel", "thing_id": "c", "reason": "a slip"},
        {"type": "cancel", "thing_id": "b", "reason": "a slip"},
        {"type": "void_command", "seq": -2, "reason": "a slip"},
    ],
    "commands of one millisecond, behind what a hidden consequence did": [
        *CLOCKS,
        _follows("clock", "a", TELL),
        _follows("clock", "a", TICK, **HIDDEN),
        *({"type": "tick_clock", "clock_id": "a", "by": 3, "back": back} for back in (False, True, False)),
        {"type": "narrate", "text": "It rains."},
    ],
    "rolls of one millisecond, behind what a hidden consequence did, with what follows from it": [
        *CLOCKS,
        {"type": "start_countdown", "id": "fire", "name": "Fire", "pool": 3, "bound_to": "nothing"}
        | {"stages": [{"at": 2, "effect": "smoke"}], "replenishable": True},
        {**_follows("countdown", "fire", TELL), **AT_2},
        {**_follows("countdown", "fire", TICK, **HIDDEN), **AT_2},
        ROLL,
        {"type": "replenish_countdown", "countdown_id": "fire", "dice": 1},
        ROLL,
    ],
    "a command taken back in the millisecond in which it set off what is known and what is hidden": [
        *CLOCKS,
        _follows("clock", "a", TICK),
        _follows("clock", "a", TICK, **HIDDEN),
        {"type": "tick_clock", "clock_id": "a", "by": 3},
        {"type": "void_command", "seq": -1, "reason": "a slip"},
    ],
    "a command taken back that shows only by what it did to a sealed thing and to a clock": [
        *CLOCKS,
        *FIGHT,
        {"type": "open_scene", "id": "heist", "name": "Heist", "clock": 4, "visibility": "sealed"},
        {"type": "resolve_situation", "situation_id": "fight", "how": "They talk."},
        {"type": "introduce_complication", "scene_id": "heist", "text": "Fog.", "clock": {"clock_id": "a", "by": 1}},
        {"type": "void_command", "channel": "gm", "seq": "complication_introduced", "reason": "a slip"},
    ],
    "a countdown bound to rounds in a scene that is set aside": [
        *FIGHT,
        {"type": "set_scene_aside", "scene_id": "keep"},
        {"type": "start_countdown", "id": "fire", "name": "Fire", "pool": 4, "bound_to": "rounds", "bound_id": "fight"},
    ],
    "dice of a venture for damage, claimed for a roll that does not call itself damage": [
        {"type": "propose_check", "id": "feint", "character_id": "ada", "score": 4}
        | {"venture": {"level": 2, "what": "a feint", "benefits": "damage", "beneficiary": "ada"}},
        {"type": "roll_check", "check_id": "feint", "faces": [5, 5, 5, 5]},
        {"type": "roll_dice", "pool": 1, "character_id": "ada", "claims": ["feint-v1"], "faces": [1, 2, 3]},
    ],
}


def place_of(table: Table, event: str | int) -> int:
    """Return the place of the only event of a sort, in its channel, or of one of the latest records."""
    if isinstance(event, int):
        return table.records[event].seq
    (seq,) = [record.seq for record in table.records if record.event.type == event]
    return seq


@pytest.mark.parametrize("story", STORIES)
@pytest.mark.parametrize("channels", [PUBLIC, BOTH])
def test_nothing_is_said_of_what_the_server_allows(story: str, channels: Any):
    table = Table(physical_dice="everyone")
    for order in (ADA, *STORIES[story]):
        table.do({**order, "seq": place_of(table, order["seq"])} if "seq" in order else order)

    assert [str(each) for each in verify(export_of(table.texts, *channels)).faults] == []


def test_what_a_player_takes_back_stays_in_the_gms_channel_and_what_she_made_stays_the_gms():
    table = Table()
    for order in CLOCKS:
        table.do({**order, "owner": ANN.seat_id}, by=ANN)
    table.do(_follows("clock", "a", TICK, **HIDDEN))
    table.do({"type": "tick_clock", "clock_id": "a", "by": 3}, by=ANN)
    table.do({"type": "void_command", "seq": place_of(table, -2), "reason": "a slip"}, by=ANN)
    for channels in (PUBLIC, BOTH):
        assert [str(each) for each in verify(export_of(table.texts, *channels)).faults] == []

    made = Table()
    made.do(CLOCKS[0], by=ANN)
    [voided] = _tried(made, {"type": "void_command", "seq": place_of(made, -1), "reason": "a slip"})
    room = Evolving(made.room)
    hers = room.next_record(Channel.PUBLIC, voided.event, by=ANN.seat_id, now_ms=made.now_ms)
    assert len(verify(export_of([*made.texts, text_of(hers)], *PUBLIC)).faults) == 1


def _tried(table: Table, order: dict[str, Any]) -> list[Written]:
    """Return what would be written if the gm gave a command."""
    return decide(
        table.room, command_of(order), by=GM, dice=loaded(), now_ms=table.now_ms, fresh=lambda: "0" * 12
    ).written


ON_ADA = {"thing_id": "ada"}
ON_GAS = {"thing_id": "gas"}
EFFECTS: dict[Does, dict[str, Any]] = {
    Does.TICK: {"thing_id": "b", "by": 1},
    Does.STABILIZE: ON_GAS,
    Does.RESUME: {"thing_id": "calm"},
    Does.REPLENISH: {**ON_GAS, "by": 1},
    Does.ROLL: ON_GAS,
    Does.START: {"countdown": {"name": "Fire", "pool": 3}},
    Does.TAKE_OFF: {"thing_id": "wall", "by": 1},
    Does.LEAVE: {**ON_ADA, "fate": "leaves"},
    Does.GIVE_STATE: {**ON_ADA, "name": "wet"},
    Does.DROP_STATE: {**ON_ADA, "name": "tired"},
    Does.MOVE_TRACK: {**ON_ADA, "name": "Hits", "by": -1},
    Does.GIVE_TOKEN: {**ON_ADA, "token": "momentum"},
    Does.SET_FUMBLE: {**ON_ADA, "text": "Slips"},
    Does.DROP_FUMBLE: {**ON_ADA, "text": "Falls"},
    Does.REVEAL: {"thing_id": "gm-tide"},
    Does.TELL: {"text": "A cry."},
}
SAID = {Does.TELL: 0}  # records that everyone sees of an effect, with what announces it; else at least two


@pytest.mark.parametrize("does", Does)
def test_whatever_a_hidden_consequence_does_may_come_of_something_hidden(does: Does):
    """A new kind of effect needs a row in core's `EFFECTS`, and in `verify/hidden.py`. Bo may do none of it himself."""
    table = Table(dice=LEDGER)
    countdown = {"type": "start_countdown", "name": "C", "pool": 4, "stabilizable": True, "replenishable": True}
    for order in (
        ADA,
        {**CLOCKS[0], "owner": BO.seat_id},
        CLOCKS[1],
        *FIGHT,
        {"type": "add_challenge", "id": "wall", "situation_id": "fight", "name": "Wall", "kind": "barrier"},
        {**countdown, "id": "gas"},
        {**countdown, "id": "calm"},
        {"type": "stabilize_countdown", "countdown_id": "calm"},
        {"type": "give_state", "character_id": "ada", "state": "tired"},
        {"type": "set_track", "character_id": "ada", "track": "Hits", "most": 3},
        {"type": "set_effects", "thing_id": "ada", "fumble_effects": ["Falls"]},
        {"type": "start_clock", "id": "gm-tide", "name": "Tide", "size": 3, **HIDDEN},
        _follows("clock", "a", {"does": does, **EFFECTS[does]}, **HIDDEN),
        {"type": "narrate", "text": "The clock strikes."},
    ):
        table.do(order)
    before = len(public(table))
    table.do({"type": "tick_clock", "clock_id": "a", "by": 3}, by=BO, dice=LEDGER)

    assert len(public(table)) - before - 1 >= SAID.get(does, 2)
    assert [str(each) for each in verify(export_of(table.texts, *PUBLIC)).faults] == []


def public(table: Table) -> list[str]:
    return [text for text in table.texts if '"channel":"public"' in text]
