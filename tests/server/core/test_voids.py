"""Taking back a command after a slip of the hand, and who hears of it. Ruling E3."""

from typing import Any

import pytest

from dreadclock.wire.base import Kind
from dreadclock.wire.errors import Code
from dreadclock.wire.events import CommandVoided, SealedChanged
from dreadclock.wire.things import Restored
from kit.families.voids import (
    ADA,
    CLIMB,
    CLOCK,
    DOOR,
    FEVER,
    HIDDEN,
    LEAP,
    PUBLIC,
    RACE,
    REQUIRE,
    RUN,
    SCENE,
    TICK,
    code_and_why,
    last,
    table_with,
    void,
    voids,
)
from kit.tables import ANN, Table

pytestmark = pytest.mark.rule("E3")

# What is taken back


def test_a_wrong_tick_is_taken_back_with_the_clock_as_it_was():
    table = table_with(CLOCK)
    clock = table.view.clocks["guards"]
    table.do(TICK)
    seq = last(table)

    assert table.do(void(seq)) == [
        CommandVoided(first=seq, last=seq, what="clock_ticked", reason="a slip", restored=Restored(clocks=(clock,)))
    ]
    assert table.view.clocks["guards"] == clock


def test_a_wrong_start_goes_and_its_id_stays_taken():
    table = table_with(CLOCK)
    seq = last(table)

    [event] = table.do(void(seq))

    assert isinstance(event, CommandVoided)
    assert event.restored == Restored(removed={"clocks": ("guards",)})
    assert table.view.clocks == {}
    assert table.refused(CLOCK).code is Code.ID_TAKEN
    assert table.do({**CLOCK, "id": None})[0].clock.id == "clock-2"  # type: ignore[union-attr]


def test_any_record_of_the_command_names_it_and_all_of_it_goes():
    table = table_with(SCENE, RACE, DOOR)
    before = table.view.clocks
    first = last(table) + 1
    table.do({"type": "overcome_challenge", "challenge_id": "door"})

    events = table.do(void(first + 1))

    assert [(event.first, event.last, event.what) for event in events if isinstance(event, CommandVoided)] == [
        (first, first + 2, "clock_ticked")
    ]
    assert table.view.clocks == before
    assert table.view.challenges["door"].status == "open"


@pytest.mark.parametrize(
    "order",
    [
        {"type": "set_policy", "player_countdowns": False},
        {"type": "update_character", "character_id": "ada", "level": 4},
        {**FEVER, "id": "rot"},
        {"type": "replenish_countdown", "countdown_id": "fever", "dice": 2},
        {"type": "cancel_countdown", "countdown_id": "fever"},
        {"type": "end_turn"},
        {**RACE, "id": "chase", "scene_id": "bomb"},
        {"type": "cancel", "thing_id": "bomb", "reason": "no"},
        {"type": "end_scene", "scene_id": "bomb"},
        {"type": "resolve_situation", "situation_id": "run", "how": "They talk."},
        {"type": "fail_situation", "situation_id": "run", "reason": "defeated"},
        {"type": "introduce_complication", "situation_id": "run", "text": "Fog."},
        {"type": "attempt_effort", "challenge_id": "door", "success": True},
        {"type": "cancel", "thing_id": "door", "reason": "no"},
        {"type": "amend_clock", "clock_id": "bomb-clock", "value": 0, "reason": "no"},
        {"type": "withdraw_check", "check_id": "leap"},
        {"type": "adjust_check", "check_id": "leap", "bonus": 2},
        {"type": "withdraw_total", "total_id": "climb"},
        {**REQUIRE, "required": 7},
        {**REQUIRE, "secret": True},
    ],
    ids=lambda order: "-".join(map(str, list(order.values())[:3])),
)
def test_whatever_touches_no_dice_leaves_nothing_behind_when_it_is_taken_back(order: dict[str, Any]):
    table = table_with(ADA, {**FEVER, "replenishable": True}, SCENE, RUN, DOOR)
    for again in (LEAP, {**LEAP, "id": "hop"}, CLIMB, {**CLIMB, "id": "swim"}):
        table.do(again)

    assert {type(event) for event in voids(table, order)} == {CommandVoided}


def test_what_was_put_away_to_make_room_comes_back_first_where_it_was():
    table = table_with(*({**CLOCK, "id": f"c-{n}", "size": 1} for n in range(33)))
    for n in range(33):
        table.do({"type": "tick_clock", "clock_id": f"c-{n}"})

    voids(table, {**CLOCK, "id": "fresh"})

    assert next(iter(table.view.clocks)) == "c-0"


def test_what_comes_back_stands_where_it_stood_and_what_came_since_behind_it():
    table = table_with(*({**CLOCK, "id": name} for name in ("one", "two", "three")))
    table.do({"type": "cancel", "thing_id": "two", "reason": "no"})
    seq = last(table)
    table.do({**CLOCK, "id": "four"})

    table.do(void(seq))

    assert list(table.view.clocks) == ["one", "two", "three", "four"]


def test_what_a_player_did_is_the_gms_to_take_back():
    table = Table()
    table.do(CLOCK, by=ANN)

    assert isinstance(table.do(void(last(table)))[0], CommandVoided)


def test_two_slips_are_taken_back_the_later_one_first():
    table = table_with(CLOCK, TICK, TICK)
    seq = last(table)

    assert table.refused(void(seq - 1)).code is Code.CHANGED_SINCE
    table.do(void(seq))
    table.do(void(seq - 1))

    assert table.view.clocks["guards"].value == 6


def test_a_roll_that_was_decided_before_something_was_taken_back_is_looked_at_again():
    table = table_with({**FEVER, "replenishable": True})
    table.do({"type": "replenish_countdown", "countdown_id": "fever", "dice": 2})
    seen = last(table)
    table.do(void(seen))

    roll = {"type": "roll_countdown", "countdown_id": "fever", "dice": {"lane": "seat/gm/0", "n": 1, "seen": seen}}
    assert table.refused(roll).code is Code.CHANGED


def test_a_note_goes_with_it():
    table = table_with(CLOCK)

    assert table.do({**void(last(table)), "note": "Sorry."})[0].note == "Sorry."


# Who hears of it


def test_of_what_only_the_gm_knows_nobody_else_hears_that_it_was_taken_back():
    table = table_with({**CLOCK, "id": "gm-tide", "visibility": "gm"})
    before = last(table)

    events = table.do(void(last(table, HIDDEN), HIDDEN))

    assert [event.type for event in events] == ["command_voided"]
    assert (last(table), table.view.clocks) == (before, {})


@pytest.mark.rule("E4")
def test_of_a_sealed_thing_everyone_hears_that_it_changed():
    table = table_with({**CLOCK, "visibility": "sealed"}, TICK)

    records = table.write(void(last(table, HIDDEN), HIDDEN, reason="not the guards"))

    assert [(each.channel, each.event.type) for each in records] == [
        (HIDDEN, "command_voided"),
        (PUBLIC, "sealed_changed"),
    ]
    assert records[1].event == SealedChanged(kind=Kind.CLOCK, id="guards", name="Guards")
    assert "not the guards" not in "".join(table.public())
    assert table.view.clocks["guards"].value == 6


@pytest.mark.rule("E4")
def test_the_hint_in_public_names_the_command_as_well():
    table = table_with({**CLOCK, "visibility": "sealed"}, TICK)

    table.do(void(last(table)))

    assert table.view.clocks["guards"].value == 6


@pytest.mark.rule("E4")
def test_a_command_that_was_told_in_both_channels_is_taken_back_in_both():
    table = table_with(ADA, CLIMB, {**REQUIRE, "secret": True})

    events = table.write(void(last(table)))

    assert [(each.channel, each.event.type) for each in events] == [
        (PUBLIC, "command_voided"),
        (HIDDEN, "command_voided"),
    ]
    assert table.view.secrets == {}
    assert not table.view.totals["climb"].secret


@pytest.mark.rule("E4")
@pytest.mark.parametrize(
    ("channel", "more", "told"),
    [
        (HIDDEN, {}, {PUBLIC: "slip", HIDDEN: "It is 9."}),
        (HIDDEN, {"public_reason": "The wrong total."}, {PUBLIC: "The wrong total.", HIDDEN: "It is 9."}),
        (PUBLIC, {}, {PUBLIC: "It is 9.", HIDDEN: "slip"}),
    ],
)
def test_its_reason_is_told_in_the_channel_named_and_no_other(channel, more, told):
    table = table_with(ADA, CLIMB, {**REQUIRE, "secret": True})

    records = table.write({**void(last(table, channel), channel, reason="It is 9."), **more})

    assert {each.channel: each.event.reason for each in records} == told  # type: ignore[union-attr]


@pytest.mark.rule("E4")
def test_what_came_to_nothing_behind_a_seal_is_nothing_to_take_back():
    table = table_with({**CLOCK, "visibility": "sealed"})
    table.do({"type": "amend_clock", "clock_id": "guards", "value": 6, "reason": "x"})

    assert code_and_why(table, last(table)) == (Code.CANNOT_BE_VOIDED, "it changed nothing")


@pytest.mark.rule("E4")
def test_a_note_about_the_gms_channel_stays_in_it():
    table = table_with(ADA, CLIMB, {**REQUIRE, "secret": True})

    records = table.write({**void(last(table, HIDDEN), HIDDEN), "note": "It was 9."})

    assert [(each.channel, each.event.note) for each in records] == [(PUBLIC, None), (HIDDEN, "It was 9.")]


@pytest.mark.rule("E4")
def test_it_is_named_after_what_was_told_and_not_after_the_hint_before_it():
    table = table_with(SCENE, {**RUN, "visibility": "sealed"})
    fog = {"type": "introduce_complication", "situation_id": "run", "text": "Fog."}
    records = table.write({**fog, "countdown": {"name": "Fog", "pool": 3}})
    public = [each for each in records if each.channel is PUBLIC]
    assert [each.event.type for each in public] == ["sealed_changed", "countdown_started"]

    events = table.do(void(public[0].seq))

    assert [event.what for event in events if isinstance(event, CommandVoided)] == [
        "complication_introduced",
        "countdown_started",
    ]
