"""Nearly every field that somebody changes in a log is reported; `DREADCLOCK_ROOMS=300` changes 2,000 fields."""

import json
import os
from collections import Counter
from random import Random
from typing import Any

import pytest

from dreadclock.dice.audit import Fault, FaultKind
from dreadclock.wire.base import Channel
from dreadclock_server.evening.verify import verify
from kit.cheating.forging import changed, find, forgeries
from kit.evenings.audited import BOTH, PUBLIC, evening_of, export_of
from kit.tables import Table

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
    decided = [name for name in missed if not is_chosen(*name.split())]
    assert decided == []


def is_chosen(event: str, path: str) -> bool:
    return any(part in CHOSEN.get(event, ()) for part in path.split("."))


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
