"""What holds for every decision."""

from typing import get_args

import pytest
from pydantic import ValidationError

from dreadclock.wire.base import Channel
from dreadclock.wire.commands import Command
from dreadclock.wire.errors import SENTENCES, UNCOUNTED, Code, Refused, sentence
from dreadclock.wire.events import Narrated
from dreadclock.wire.records import advance, opening_head
from dreadclock_server.core.decide import _DECIDERS, InternalCommand
from dreadclock_server.core.room import read
from kit.tables import ANN, GM, LOG, ROOM, Table, command_of, evolve, loaded

FEVER = {"type": "start_countdown", "id": "fever", "name": "Fever", "pool": 2}


def test_every_command_is_decided_by_somebody():
    assert _DECIDERS.keys() == {*get_args(get_args(Command)[0]), *get_args(InternalCommand)}


def test_records_name_their_seat_their_time_and_their_place():
    table = Table()
    before = table.room.seq(Channel.PUBLIC)

    [record] = table.write(FEVER, by=ANN)

    assert (record.by, record.at, record.seq, record.after) == (ANN.seat_id, 1_000, before + 1, None)


def test_a_hidden_record_says_which_public_one_it_follows():
    table = Table()
    before = table.room.seq(Channel.PUBLIC)

    opened, started = table.write({**FEVER, "id": "gm-x", "visibility": "gm"})

    assert [(each.channel, each.seq, each.after) for each in (opened, started)] == [
        (Channel.GM, 1, before),
        (Channel.GM, 2, before),
    ]


def test_a_decision_chains_the_heads_of_its_channels():
    table = Table()
    table.do(FEVER)

    head = opening_head(ROOM, LOG, Channel.PUBLIC)
    for text in table.public():
        head = advance(head, text)

    assert table.room.positions[Channel.PUBLIC] == head
    assert table.room.positions[Channel.GM] == opening_head(ROOM, LOG, Channel.GM)


def test_a_note_goes_to_the_first_event_of_its_command():
    table = Table()
    table.do(FEVER)

    events = table.do({"type": "roll_countdown", "countdown_id": "fever", "note": "Oh."}, dice=loaded(6, 6))

    assert [event.note for event in events] == ["Oh.", None]


@pytest.mark.rule("E8")
def test_a_note_on_a_command_that_changes_nothing_is_told_by_itself():
    table = Table()

    assert table.do({"type": "set_policy", "physical_dice": "off", "note": "as ever"}) == [Narrated(text="as ever")]


def test_a_record_that_is_not_the_next_of_its_channel_does_not_fold():
    table = Table()
    table.do(FEVER)

    with pytest.raises(ValueError, match="cannot follow"):
        evolve(table.room, read(table.room, table.texts[-1]))


def test_a_text_that_is_no_record_is_not_read():
    with pytest.raises(ValidationError):
        read(Table().room, '{"v":1}')


# What bad input gets, as far as the shape of a command says it


@pytest.mark.parametrize(
    "fields",
    [
        {"pool": 0},
        {"pool": 61},
        {"pool": "4"},
        {"pool": 4.0},
        {"pool": True},
        {"name": ""},
        {"name": " "},
        {"name": "x" * 65},
        {"name": "x" * 10_000},
        {"name": "a\x00b"},
        {"name": "a\nb"},
        {"name": 7},
        {"id": "Fever"},
        {"id": "x" * 33},
        {"id": ""},
        {"speed": "warp"},
        {"visibility": "nobody"},
        {"room": "another"},
        {"note": "x" * 281},
        {"type": "explode"},
        {"type": None},
    ],
    ids=lambda fields: str(fields)[:40],
)
def test_what_is_no_command_is_not_read(fields: dict[str, object]):
    with pytest.raises(ValidationError):
        command_of({**FEVER, **fields})


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("tick_clock", {"clock_id": "x", "by": 0}),
        ("tick_clock", {"clock_id": "x", "by": 100}),
        ("amend_clock", {"clock_id": "x", "value": -1, "reason": "r"}),
        ("amend_clock", {"clock_id": "x", "value": 100, "reason": "r"}),
        ("amend_clock", {"clock_id": "x", "value": 1}),
        ("start_clock", {"name": "C", "size": 0}),
        ("start_clock", {"name": "C", "size": 100}),
        ("add_challenge", {"situation_id": "x", "name": "C", "kind": "wall"}),
        ("add_challenge", {"situation_id": "x", "name": "C", "kind": "foe", "clock": 0}),
        ("rule_effort", {"effort_id": "x", "success": 1}),
        ("roll_dice", {"pool": 3, "faces": [7, 1, 1]}),
        ("roll_dice", {"pool": 3, "faces": [0, 1, 1]}),
        ("roll_dice", {"pool": 3, "dice": {"lane": "seat/gm/0", "n": 0, "token": "A" * 43, "seen": 0}}),
        ("introduce_complication", {"situation_id": "x", "text": "t", "clock": {"clock_id": "x", "by": 100}}),
        ("start_situation", {"scene_id": "x", "name": "n", "kind": "race", "content": "x", "clock": 1}),
        (
            "start_situation",
            {"scene_id": "x", "name": "n", "kind": "race", "content": "social", "clock": 1, "party_levels": []},
        ),
    ],
    ids=str,
)
def test_numbers_out_of_range_are_not_read(kind: str, fields: dict[str, object]):
    with pytest.raises(ValidationError):
        command_of({"type": kind, **fields})


# Refusals


def test_every_code_has_a_sentence():
    assert SENTENCES.keys() == set(Code)
    assert set(Code) >= UNCOUNTED


@pytest.mark.parametrize("code", list(Code))
def test_a_sentence_ends_and_holds_up_without_its_numbers(code: Code):
    text = sentence(code, {})

    assert text.endswith(".")
    assert "{" not in text


def test_a_refusal_says_why_with_the_numbers_in_it():
    table = Table()

    refused = table.refused({"type": "roll_countdown", "countdown_id": "fever"}, by=GM)

    assert str(refused) == "There is no countdown with the id fever here."
    assert isinstance(refused, Refused)


@pytest.mark.parametrize(
    ("order", "kind"),
    [
        ({"type": "roll_countdown", "countdown_id": "x"}, "countdown"),
        ({"type": "tick_clock", "clock_id": "x"}, "clock"),
        ({"type": "travel", "scene_id": "x"}, "scene"),
        ({"type": "fail_situation", "situation_id": "x", "reason": "defeated"}, "situation"),
        ({"type": "overcome_challenge", "challenge_id": "x"}, "challenge"),
        ({"type": "rule_effort", "effort_id": "x", "success": True}, "effort"),
        ({"type": "update_character", "character_id": "x", "name": "X"}, "character"),
        ({"type": "roll_dice", "pool": 3, "character_id": "x"}, "character"),
        ({"type": "propose_total", "character_id": "x", "attribute": 1}, "character"),
        ({"type": "roll_total", "total_id": "x"}, "total"),
        ({"type": "roll_check", "check_id": "x"}, "check"),
        ({"type": "remove_seat", "seat_id": "x"}, "seat"),
        ({"type": "cancel", "thing_id": "x", "reason": "r"}, "clock"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_not_there_is_unknown(order: dict[str, object], kind: str):
    assert Table().refusal(order) == (Code.UNKNOWN, {"kind": kind, "id": "x"})


@pytest.mark.parametrize(
    "order",
    [
        FEVER,
        {"type": "open_scene", "id": "fever", "name": "S", "clock": 1},
        {"type": "start_clock", "id": "fever", "name": "S", "size": 1},
        {"type": "add_character", "id": "fever", "name": "S"},
        {"type": "roll_dice", "id": "fever", "pool": 1},
    ],
    ids=lambda order: order["type"],
)
def test_a_duplicate_id_is_refused_whatever_it_is_for(order: dict[str, object]):
    table = Table()
    table.do(FEVER)

    assert table.refused(order).code is Code.ID_TAKEN
