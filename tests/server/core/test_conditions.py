"""How characters leave play and come back, and their states and tracks. Rulings C24 and E6."""

from typing import Any

import pytest

from dreadclock.rules.limits import CHARACTERS_KEPT, MAX_CHARACTERS, MAX_LEFT, MAX_ON_SHEET
from dreadclock.wire import events as e
from dreadclock.wire.errors import Code
from dreadclock.wire.things import CharacterStatus, Track
from kit.tables import ANN, Table

REASON = "The wolves came back"


def order(type_: str, character_id: str = "ada", **fields: Any) -> dict[str, Any]:
    return {"type": type_, "character_id": character_id, **fields}


def ada(*before: dict[str, Any]) -> Table:
    """Open a table with Ada (Ann's) in play, to whom some things happened already."""
    table = Table(check_approval="open")
    table.do({"type": "add_character", "id": "ada", "name": "Ada", "owner": ANN.seat_id})
    for each in before:
        table.do(each)
    return table


ARROWS = order("set_track", track="Arrows", most=12)
TIRED = order("give_state", state="exhausted")
AWAY = order("take_out_of_play", fate="leaves")
DEAD = order("take_out_of_play", fate="dies")


# Leaving and coming back


@pytest.mark.rule("E6")
@pytest.mark.parametrize(
    ("fate", "event", "status"),
    [
        ("dies", e.CharacterDied, CharacterStatus.DEAD),
        ("retires", e.CharacterRetired, CharacterStatus.RETIRED),
        ("leaves", e.CharacterLeft, CharacterStatus.LEFT),
    ],
)
def test_a_character_leaves_play_by_the_gms_word(fate: str, event: Any, status: CharacterStatus):
    table = ada()

    assert table.do(order("take_out_of_play", fate=fate, reason=REASON)) == [event(character_id="ada", reason=REASON)]
    assert table.view.characters["ada"].status is status
    assert table.refused(order("propose_check", score=1), by=ANN).code is Code.OUT_OF_PLAY


@pytest.mark.rule("E6")
def test_who_left_keeps_what_waits_for_it_and_may_come_back():
    table = ada(ARROWS, TIRED, AWAY)

    assert table.do(order("return_to_play", reason="Rested")) == [
        e.CharacterReturned(character_id="ada", reason="Rested")
    ]
    one = table.view.characters["ada"]
    assert (one.status, one.states, one.tracks["Arrows"].value) == (CharacterStatus.IN_PLAY, ("exhausted",), 12)


@pytest.mark.rule("E6")
@pytest.mark.parametrize(
    ("before", "after", "code"),
    [
        (DEAD, AWAY, Code.GONE_FOR_GOOD),
        (DEAD, order("return_to_play"), Code.GONE_FOR_GOOD),
        (AWAY, DEAD, Code.HAS_LEFT),
        (TIRED, order("return_to_play"), Code.HAS_NOT_LEFT),
        (TIRED, order("take_out_of_play", "eve", fate="dies"), Code.UNKNOWN),
    ],
)
def test_only_who_is_in_play_leaves_and_only_who_left_returns(before: Any, after: Any, code: Code):
    refused = ada(before).refused(after)

    assert refused.code is code
    assert refused.details.get("status") == ("dead" if code is Code.GONE_FOR_GOOD else None)


@pytest.mark.rule("E6")
def test_a_fate_by_the_gms_word_can_be_taken_back():
    table = ada(TIRED, DEAD)
    seq = table.records[-1].seq

    table.do({"type": "void_command", "seq": seq, "reason": "a slip"})

    assert table.view.characters["ada"].status is CharacterStatus.IN_PLAY


@pytest.mark.rule("E2", "E6")
def test_those_out_of_play_do_not_count_against_the_cap_and_the_latest_are_remembered():
    table = ada(DEAD)
    for number in range(CHARACTERS_KEPT):
        table.do({"type": "add_character", "id": f"extra-of-{number}", "name": "Extra"})
        table.do(order("take_out_of_play", f"extra-of-{number}", fate="retires"))
    assert "ada" not in table.view.characters
    assert len(table.view.characters) == CHARACTERS_KEPT

    for number in range(MAX_CHARACTERS):
        table.do({"type": "add_character", "id": f"guard-of-{number}", "name": "Guard"})
    assert table.refused({"type": "add_character", "name": "One more"}).details["limit"] == MAX_CHARACTERS

    table.do(order("take_out_of_play", "guard-of-0", fate="leaves"))
    table.do({"type": "add_character", "id": "last", "name": "Last"})
    assert table.refused(order("return_to_play", "guard-of-0")).code is Code.TOO_MANY


@pytest.mark.rule("E2", "E6")
def test_only_so_many_may_be_away():
    table = ada()
    for number in range(MAX_LEFT):
        table.do({"type": "add_character", "id": f"guard-of-{number}", "name": "Guard"})
        table.do(order("take_out_of_play", f"guard-of-{number}", fate="leaves"))

    assert table.refused(AWAY).code is Code.TOO_MANY
    assert table.do(DEAD) == [e.CharacterDied(character_id="ada")]


# States and tracks


@pytest.mark.rule("C24")
def test_the_owner_gives_states_and_drops_them():
    table = ada(TIRED)

    assert table.do(order("give_state", state="on the ledge"), by=ANN) == [
        e.StateGained(character_id="ada", state="on the ledge", states=("exhausted", "on the ledge"))
    ]
    assert table.do(order("drop_state", state="exhausted"), by=ANN) == [
        e.StateLost(character_id="ada", state="exhausted", states=("on the ledge",))
    ]
    assert table.view.characters["ada"].states == ("on the ledge",)


@pytest.mark.rule("C24")
def test_a_track_is_set_moved_both_ways_and_dropped():
    table = ada()

    assert table.do(ARROWS, by=ANN) == [e.TrackSet(character_id="ada", track="Arrows", value=12, most=12)]
    assert table.do(order("move_track", track="Arrows", by=-3), by=ANN) == [
        e.TrackMoved(character_id="ada", track="Arrows", value=9)
    ]
    assert table.do(order("move_track", track="Arrows", by=1)) == [
        e.TrackMoved(character_id="ada", track="Arrows", value=10)
    ]
    assert table.do(order("set_track", track="Arms", most=2, value=0)) == [
        e.TrackSet(character_id="ada", track="Arms", value=0, most=2)
    ]
    assert list(table.view.characters["ada"].tracks.items()) == [
        ("Arms", Track(value=0, most=2)),
        ("Arrows", Track(value=10, most=12)),
    ]
    assert table.do(order("drop_track", track="Arms")) == [e.TrackDropped(character_id="ada", track="Arms")]


@pytest.mark.rule("C24")
@pytest.mark.parametrize("nothing", [ARROWS, order("move_track", track="Arrows", by=0)])
def test_what_changes_no_track_is_an_ack_without_events(nothing: dict[str, Any]):
    assert ada(ARROWS).do(nothing) == []


@pytest.mark.rule("C24")
@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (TIRED, Code.STATE_HELD),
        (order("drop_state", state="asleep"), Code.NOT_ON_SHEET),
        (order("move_track", track="Arrows", by=-13), Code.BEYOND_TRACK),
        (order("move_track", track="Arrows", by=1), Code.BEYOND_TRACK),
        (order("move_track", track="Hits", by=1), Code.NOT_ON_SHEET),
        (order("drop_track", track="Hits"), Code.NOT_ON_SHEET),
        (order("set_track", track="Hits", most=3, value=4), Code.BEYOND_TRACK),
    ],
)
def test_what_no_sheet_can_hold_is_refused(wrong: dict[str, Any], code: Code):
    assert ada(ARROWS, TIRED).refused(wrong).code is code


@pytest.mark.rule("C24", "E2")
def test_a_sheet_holds_only_so_many_states_and_tracks():
    table = ada()
    for number in range(MAX_ON_SHEET):
        table.do(order("give_state", state=f"tired {number}"))
        table.do(order("set_track", track=f"Track {number}", most=1))

    assert table.refused(TIRED).code is Code.TOO_MANY
    assert table.refused(ARROWS).code is Code.TOO_MANY
