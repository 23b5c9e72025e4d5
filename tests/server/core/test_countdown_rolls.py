"""Rolling countdowns: stages, the ending and the turn. Rulings A2, A3 and A8."""

from typing import Any

import pytest

from dreadclock.wire.base import Channel
from dreadclock.wire.errors import Code
from dreadclock.wire.events import CountdownExpired, CountdownRolled, StageReached, TurnEnded
from dreadclock.wire.things import CountdownStatus
from kit.evenings.audited import BOTH, PUBLIC, rules_broken
from kit.families.countdowns import BLIND_AT_2, END_TURN, FEVER, PALE_AT_4, roll, rolled, started
from kit.tables import ANN, CLERK, GM, Table, loaded

# Rolls


@pytest.mark.rule("A-faces")
@pytest.mark.parametrize(("speed", "removed"), [("slow", 1), ("medium", 2), ("fast", 3)])
def test_the_expiring_faces_of_each_speed_leave_the_pool(speed: str, removed: int):
    table = Table()
    started(table, pool=6, speed=speed)

    assert table.do(roll(), dice=loaded(1, 2, 3, 4, 5, 6)) == [rolled((1, 2, 3, 4, 5, 6), removed)]
    assert table.view.countdowns["fever"].pool == 6 - removed
    assert table.view.countdowns["fever"].last_faces == (1, 2, 3, 4, 5, 6)


@pytest.mark.rule("A-roll")
def test_the_next_roll_is_of_the_dice_that_remain():
    table = Table()
    started(table, pool=3)
    table.do(roll(), dice=loaded(6, 6, 1))

    assert table.do(roll(), dice=loaded(5)) == [rolled((5,), 0)]


@pytest.mark.rule("A2")
def test_a2_several_stages_crossed_at_once_happen_largest_first():
    table = Table()
    started(table, pool=5, stages=[BLIND_AT_2, PALE_AT_4])

    assert table.do(roll(), dice=loaded(6, 6, 6, 1, 1)) == [
        rolled((6, 6, 6, 1, 1), 3),
        StageReached(countdown_id="fever", at=4, effect="pale"),
        StageReached(countdown_id="fever", at=2, effect="blind"),
    ]


@pytest.mark.rule("A3")
def test_a3_a_stage_at_the_starting_size_fires_at_the_start_and_not_on_the_first_roll():
    table = Table()

    events = table.do({**FEVER, "stages": [PALE_AT_4]})

    assert [event.type for event in events] == ["countdown_started", "stage_reached"]
    assert events[1] == StageReached(countdown_id="fever", at=4, effect="pale", starts=True)

    assert table.do(roll(), dice=loaded(1, 1, 1, 1)) == [rolled((1, 1, 1, 1), 0)]
    assert table.do(roll(), dice=loaded(6, 1, 1, 1)) == [rolled((6, 1, 1, 1), 1)]


ON_FEVER: dict[str, Any] = {"type": "start_countdown", "id": "fever", "name": "Fever", "pool": 4, "stages": [PALE_AT_4]}


@pytest.mark.rule("A3", "E5")
def test_a3_what_the_start_stage_does_follows_at_the_start_and_at_each_fall_to_it():
    table = Table()
    table.do({"type": "start_clock", "id": "guards", "name": "Guards", "size": 6})

    events = table.do(
        {**ON_FEVER, "replenishable": True, "at_start": [{"does": "tick", "thing_id": "guards", "by": 1}]}
    )

    assert [event.type for event in events] == [
        *("countdown_started", "stage_reached", "consequence_attached", "consequence_happened", "clock_ticked")
    ]
    table.do({"type": "replenish_countdown", "countdown_id": "fever", "dice": 1})
    events = table.do(roll(), dice=loaded(6, 1, 1, 1, 1))
    assert [event.type for event in events][1:] == ["stage_reached", "consequence_happened", "clock_ticked"]
    assert table.view.clocks["guards"].value == 4


PALE_FEVER: dict[str, Any] = {"id": "fever", "name": "Fever", "pool": 4, "stages": [PALE_AT_4]}


@pytest.mark.rule("A3", "E5")
@pytest.mark.parametrize("visibility", ["public", "sealed", "gm"])
def test_a3_it_fires_and_verify_agrees_however_a_countdown_starts(visibility: str):
    fever = {**PALE_FEVER, "visibility": visibility}
    if visibility == "gm":
        fever["id"] = "gm-fever"
    bell = {"of": {"kind": "clock", "id": "bell"}, "when": {"when": "end"}}
    does = {"does": "start", "countdown": {**fever, "id": None}}
    attach = {"type": "attach_consequence", **bell, "do": [does]}
    ways: list[list[dict[str, Any]]] = [
        [{"type": "start_countdown", **fever}],
        [
            {"type": "open_scene", "id": "cliff", "name": "Cliff", "clock": 4},
            {"type": "introduce_complication", "scene_id": "cliff", "text": "Fog.", "countdown": fever},
        ],
        [
            {"type": "start_clock", "id": "bell", "name": "Bell", "size": 1},
            {**attach, "visibility": "public" if visibility == "public" else "gm"},
            {"type": "tick_clock", "clock_id": "bell"},
        ],
    ]
    for way in ways:
        table = Table()
        events = [event for order in way for event in table.do(order)]

        assert [event.at for event in events if isinstance(event, StageReached)] == [4], way[-1]["type"]
        for channels in (PUBLIC, BOTH):
            assert rules_broken(table.texts, channels) == [], way[-1]["type"]


@pytest.mark.rule("A3")
@pytest.mark.parametrize("channels", [PUBLIC, BOTH])
def test_a3_verify_finds_a_start_stage_that_is_none_and_one_that_did_not_happen(channels: tuple[Channel, ...]):
    table = Table()
    table.do({"type": "start_countdown", **PALE_FEVER})

    *before, started, reached = table.texts
    none = started.replace('"at":4', '"at":3')
    assert rules_broken([*before, none], channels) == [
        "countdown_started: its countdown.start_stage is true where absent follows"
    ]
    assert any("`stage_reached`" in each for each in rules_broken([*before, started], channels))
    assert rules_broken([*before, started.replace(',"start_stage":true', "")], channels) == []
    assert '"starts":true' in reached


@pytest.mark.rule("A3", "A14", "A15")
def test_a3_it_does_not_fire_when_the_countdown_begins_again_or_is_amended():
    table = Table()
    table.do({**ON_FEVER, "pool": 1, "stages": [{"at": 1, "effect": "pale"}], "repeats": "same"})

    assert [event.type for event in table.do(roll(), dice=loaded(6))] == ["countdown_rolled", "countdown_repeated"]
    amended = {"type": "amend_countdown", "countdown_id": "fever", "reason": "x", "pool": 4, "stages": [PALE_AT_4]}
    assert [event.type for event in table.do(amended)] == ["countdown_amended"]


@pytest.mark.rule("A3", "E4")
def test_a3_of_a_sealed_countdown_nobody_hears_whether_it_starts_at_a_stage():
    tables = [Table(), Table()]
    for table, stages in zip(tables, ([PALE_AT_4], []), strict=True):
        table.do({**ON_FEVER, "visibility": "sealed", "stages": stages})

    public = [[each.event.type for each in table.records if each.channel == "public"] for table in tables]
    assert public[0] == public[1]
    assert "stage_reached" in [each.event.type for each in tables[0].records]


@pytest.mark.rule("A3")
def test_a3_only_the_gm_says_what_a_start_stage_does_and_there_has_to_be_one():
    table = Table()
    do = [{"does": "tell", "text": "x"}]

    assert table.refused({**ON_FEVER, "at_start": do}, by=ANN).code is Code.NOT_ALLOWED
    assert table.refused({**ON_FEVER, "stages": [], "at_start": do}).code is Code.NO_SUCH_MOMENT


@pytest.mark.rule("A-expiry", "A-stages")
def test_the_ending_happens_when_the_last_die_leaves_after_every_stage():
    table = Table()
    started(table, pool=3, stages=[BLIND_AT_2], ending="She dies.")

    assert table.do({**roll(), "note": "Oh no."}, dice=loaded(6, 6, 6)) == [
        rolled((6, 6, 6), 3).model_copy(update={"note": "Oh no."}),
        StageReached(countdown_id="fever", at=2, effect="blind"),
        CountdownExpired(countdown_id="fever", ending="She dies."),
    ]
    assert table.view.countdowns["fever"].status is CountdownStatus.EXPIRED


@pytest.mark.rule("A-expiry", "A-stages")
def test_a_countdown_without_an_ending_expires_all_the_same():
    table = Table()
    started(table, pool=1)

    assert table.do(roll(), dice=loaded(6)) == [rolled((6,), 1), CountdownExpired(countdown_id="fever")]


def test_the_proof_names_the_senders_lane_whoever_owns_the_countdown():
    table = Table()
    started(table, pool=1, owner=ANN.seat_id)

    [record] = table.write(roll(), dice=loaded(1))

    assert isinstance(record.event, CountdownRolled)
    assert record.event.proof is not None
    assert (record.event.proof.lane, record.event.proof.n) == ("seat/gm/0", 1)


# A8: the turn


@pytest.mark.rule("A8")
def test_a8_a_bound_countdown_is_rolled_once_a_turn_by_its_owner():
    table = Table()
    started(table, pool=2, bound_to="turn", owner=ANN.seat_id)
    table.do(roll(), by=ANN, dice=loaded(1, 1))

    for seat in (ANN, GM):
        assert table.refusal(roll(), by=seat) == (Code.ALREADY_ROLLED, {"id": "fever", "turn": 1})
    assert table.do(END_TURN) == [TurnEnded(turn=1)]
    assert table.do(roll(), by=ANN, dice=loaded(1, 1)) == [rolled((1, 1), 0, turn=2)]


@pytest.mark.rule("A8", "A-roller")
def test_a8_or_else_by_the_end_of_the_turn():
    table = Table()
    started(table, pool=1, bound_to="turn")

    assert table.do(END_TURN, dice=loaded(2)) == [rolled((2,), 0), TurnEnded(turn=1)]
    assert table.view.turn == 2


@pytest.mark.rule("A8")
def test_a8_an_unbound_countdown_is_rolled_whenever_its_owner_says_and_never_by_the_turn():
    table = Table()
    started(table, pool=1, owner=ANN.seat_id)

    assert table.do(END_TURN) == [TurnEnded(turn=1)]
    assert table.do(roll(), by=ANN, dice=loaded(1))
    assert table.do(roll(), by=ANN, dice=loaded(1))


@pytest.mark.rule("A-roller")
def test_the_end_of_a_turn_rolls_in_the_order_in_which_countdowns_were_started():
    table = Table()
    for name in ("c", "a", "b"):
        visibility = "gm" if name == "a" else "public"
        table.do(
            {
                "type": "start_countdown",
                "id": "gm-a" if name == "a" else name,
                "name": name,
                "pool": 1,
                "bound_to": "turn",
                "visibility": visibility,
            }
        )

    events = table.do(END_TURN, by=CLERK, dice=loaded(1, 2, 3))

    assert events == [rolled((1,), 0, "c"), rolled((2,), 0, "gm-a"), rolled((3,), 0, "b"), TurnEnded(turn=1)]


def test_one_command_uses_one_slot_of_the_senders_lane():
    table = Table()
    for name in ("a", "b"):
        table.do({"type": "start_countdown", "id": name, "name": name, "pool": 2, "bound_to": "turn"})

    first, second, _ = table.write(END_TURN, by=CLERK, dice=loaded(1, 2, 3, 4))

    assert isinstance(first.event, CountdownRolled)
    assert isinstance(second.event, CountdownRolled)
    assert first.event.proof is not None
    assert second.event.proof is not None
    assert first.event.proof.model_dump(exclude_none=True) == {
        "lane": "seat/integration-5/0",
        "n": 1,
        "start": 0,
        "key": "Q" * 43,
        "witnesses": 0,
    }
    assert second.event.proof.model_dump(exclude_none=True) == {"lane": "seat/integration-5/0", "n": 1, "start": 2}


@pytest.mark.rule("A-expiry")
def test_an_expiry_at_the_end_of_a_turn_comes_before_the_turn_is_over():
    table = Table()
    started(table, pool=1, bound_to="turn", ending="Boom.")

    assert table.do(END_TURN, dice=loaded(6)) == [
        rolled((6,), 1),
        CountdownExpired(countdown_id="fever", ending="Boom."),
        TurnEnded(turn=1),
    ]


def test_the_faces_of_a_whole_turn_cannot_be_typed_in():
    table = Table(physical_dice="everyone")
    started(table, pool=1, bound_to="turn")

    assert table.refused({**END_TURN, "faces": [1]}).code is Code.NOT_AVAILABLE
