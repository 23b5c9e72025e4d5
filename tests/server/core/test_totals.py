"""Totals until they are rolled: what a pool is made of, approval, adjusting and withdrawing. Ruling D2."""

from typing import Any

import pytest

from dreadclock.wire.errors import Code
from dreadclock.wire.events import CrisisDue, TotalAdjusted, TotalProposed, TotalWithdrawn
from dreadclock.wire.things import CharacterStatus, Special, Tool, Total, TotalStatus
from kit.families.totals import at_table, crisis, finished, odds, order, propose, proposed, require, rolled
from kit.tables import ANN, GM, loaded

DRIVE = {
    **propose("drive", "Precision", tool={"name": "Car", "quality": 1}, special="Delivery driver"),
    "purpose": "Outrun the storm",
}
DROVE = Total(
    id="drive",
    seat_id="player-1",
    character_id="ada",
    purpose="Outrun the storm",
    score=3,
    attribute="Precision",
    tool=Tool(name="Car", quality=1),
    special=Special(name="Delivery driver"),
    pool=5,
    odds=odds(5),
    made_by="player-1",
)


def adjust(**more: Any) -> dict[str, Any]:
    return order("adjust_total", "drive", **more)


# Proposing


@pytest.mark.rule("D-pool", "D2")
def test_a_pool_is_the_attribute_the_tool_and_one_special_attribute():
    assert at_table().do(DRIVE, by=ANN) == [TotalProposed(total=DROVE)]


@pytest.mark.rule("D-pool")
def test_a_starred_special_attribute_adds_two_dice():
    (event,) = at_table().do(propose("climb", "Strength", special="Climber"), by=ANN)

    assert isinstance(event, TotalProposed)
    assert (event.total.special, event.total.pool) == (Special(name="Climber", starred=True), 4)


@pytest.mark.rule("D-pool", "D-odds")
def test_an_attribute_may_be_a_score_and_the_odds_ride_along():
    assert at_table().do({**propose(attribute=1), "id": None}, by=ANN) == [
        TotalProposed(
            total=Total(
                id="total-1", seat_id="player-1", character_id="ada", score=1, pool=1, odds=odds(1), made_by="player-1"
            )
        )
    ]
    assert odds(1).mean == "7/2"


@pytest.mark.rule("D2")
@pytest.mark.parametrize(
    ("pool", "shown"),
    [
        ({"attribute": 0}, "0"),
        ({"attribute": 9}, "9"),
        ({"attribute": 0, "tool": {"name": "Twig", "quality": 0}}, "0 + 0 = 0"),
        ({"attribute": 8, "special": "Delivery driver"}, "8 + 1 = 9"),
        ({"attribute": "Precision", "tool": {"name": "Rope", "quality": 4}, "special": "Climber"}, "3 + 4 + 2 = 9"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_pool_outside_1_to_8_is_refused_with_the_sum_shown(pool: dict[str, Any], shown: str):
    refused = at_table().refused({**propose(), **pool}, by=ANN)

    assert (refused.code, refused.details) == (Code.POOL_OUT_OF_RANGE, {"sum": shown, "least": 1, "most": 8})
    assert refused.sentence == f"That makes {shown} dice, and the roll takes 1 to 8."


@pytest.mark.rule("D2")
@pytest.mark.parametrize("score", [1, 8])
def test_one_die_and_eight_dice_are_within_the_rule(score: int):
    assert at_table().do(propose(attribute=score), by=ANN)


@pytest.mark.parametrize(
    ("named", "kind"), [({"attribute": "Wits"}, "attribute"), ({"special": "Wits"}, "special attribute")]
)
def test_what_is_named_must_be_on_the_sheet(named: dict[str, Any], kind: str):
    refused = at_table().refused({**propose(), **named}, by=ANN)

    assert (refused.code, refused.details) == (Code.NOT_ON_SHEET, {"id": "ada", "kind": kind, "name": "Wits"})


@pytest.mark.rule("D6", "D7")
def test_nothing_is_proposed_for_a_character_who_rolls_nothing():
    dead, retired, waits = at_table(), at_table(), at_table()
    for number in range(3):
        crisis(dead, f"fall-{number}", crisis="physical")
        crisis(retired, f"fall-{number}", crisis="mental")
    waits.happen(CrisisDue(character_id="ada", total_id="fall"))

    for table, status in ((dead, CharacterStatus.DEAD), (retired, CharacterStatus.RETIRED)):
        refused = table.refused(propose(), by=ANN)
        assert (refused.code, refused.details["status"]) == (Code.OUT_OF_PLAY, status)
    assert waits.refused(propose(), by=ANN).code is Code.CRISIS_WAITS


def test_an_id_of_a_total_may_be_chosen_once_and_has_no_form_kept_for_secrets():
    table = proposed()
    table.do(order("withdraw_total"))

    assert table.refused(propose(), by=ANN).code is Code.ID_TAKEN
    assert table.refused(propose("gm-plan")).code is Code.ID_RESERVED


# Approval


def test_where_the_policy_says_so_a_players_total_waits_for_the_gm():
    table = at_table(check_approval="gm")
    table.do(DRIVE, by=ANN)
    table.do(propose(), by=GM)

    assert table.refusal(order("roll_total", "drive"), by=ANN) == (Code.NOT_APPROVED, {"kind": "total", "id": "drive"})
    assert table.view.totals["drive"] == DROVE.model_copy(update={"status": TotalStatus.PROPOSED})
    assert table.view.totals["leap"].status is TotalStatus.READY


@pytest.mark.parametrize("approval", [adjust(approve=True), require(9, "drive")], ids=lambda one: one["type"])
def test_the_gm_approves_by_saying_so_or_by_naming_the_number(approval: dict[str, Any]):
    table = at_table(check_approval="gm")
    table.do(DRIVE, by=ANN)

    table.do(approval)

    assert table.view.totals["drive"].status is TotalStatus.READY
    assert table.do(order("roll_total", "drive"), by=ANN, dice=loaded(1, 1, 1, 1, 1))


def test_the_gm_may_take_an_approval_back_before_the_roll():
    table = at_table()
    table.do(DRIVE, by=ANN)

    events = table.do(adjust(approve=False))

    assert events == [TotalAdjusted(total=DROVE.model_copy(update={"status": TotalStatus.PROPOSED}))]
    assert table.refused(order("roll_total", "drive"), by=ANN).code is Code.NOT_APPROVED


# Adjusting


@pytest.mark.rule("D-pool", "D-odds")
def test_the_gm_adjusts_a_pool_and_the_odds_are_worked_out_anew():
    table = at_table()
    table.do(DRIVE, by=ANN)
    table.do(require(12, "drive"))

    events = table.do(adjust(attribute=2, tool={"name": "Van", "quality": 2}, special="Climber"))

    changes = {
        "score": 2,
        "attribute": None,
        "tool": Tool(name="Van", quality=2),
        "special": Special(name="Climber", starred=True),
        "pool": 6,
        "required": 12,
        "odds": odds(6, 12),
    }
    assert events == [TotalAdjusted(total=DROVE.model_copy(update=changes))]


def test_what_an_adjustment_leaves_out_stays_as_it_was_proposed():
    table = at_table()
    table.do(DRIVE, by=ANN)
    table.do({"type": "update_character", "character_id": "ada", "attributes": {"Strength": 5}, "specials": []})

    (event,) = table.do(adjust(tool={"name": "Van", "quality": 3}))

    changes = {"tool": Tool(name="Van", quality=3), "pool": 7, "odds": odds(7)}
    assert event == TotalAdjusted(total=DROVE.model_copy(update=changes))


def test_an_attribute_is_adjusted_by_name_too():
    table = at_table()
    table.do(DRIVE, by=ANN)

    table.do(adjust(attribute="Strength"))

    total = table.view.totals["drive"]
    assert (total.score, total.attribute, total.pool) == (2, "Strength", 4)
    assert table.refused(adjust(attribute="Wits")).code is Code.NOT_ON_SHEET


@pytest.mark.parametrize(
    ("without", "left"), [(["tool"], 4), (["special"], 4), (["special", "tool"], 3)], ids=["tool", "special", "both"]
)
def test_the_gm_takes_out_of_a_pool_what_does_not_apply(without: list[str], left: int):
    table = at_table()
    table.do(DRIVE, by=ANN)

    table.do(adjust(without=without))

    changes = {**dict.fromkeys(without), "pool": left, "odds": odds(left)}
    assert table.view.totals["drive"] == DROVE.model_copy(update=changes)


@pytest.mark.rule("D2")
def test_an_adjustment_that_leads_outside_1_to_8_is_refused_with_the_sum_shown():
    table = at_table()
    table.do(DRIVE, by=ANN)

    refused = table.refused(adjust(attribute=7))

    assert (refused.code, refused.details["sum"]) == (Code.POOL_OUT_OF_RANGE, "7 + 1 + 1 = 9")


def test_an_adjustment_that_changes_nothing_is_an_ack_and_one_that_names_nothing_is_refused():
    table = at_table()
    table.do(DRIVE, by=ANN)

    assert table.do(adjust(attribute="Precision", approve=True)) == []
    assert table.refused(adjust()).code is Code.NOTHING_TO_CHANGE


@pytest.mark.rule("E3")
@pytest.mark.parametrize("number", [None, 1, 99], ids=["rolled", "succeeded", "missed"])
def test_what_was_rolled_is_neither_adjusted_nor_withdrawn(number: int | None):
    table = rolled(3, 4, number=number)

    for refused in (
        table.refused(order("adjust_total", attribute=3)),
        table.refused(order("withdraw_total"), by=ANN),
        table.refused(order("withdraw_total"), by=GM),
    ):
        assert (refused.code, refused.details) == (Code.ROLL_STANDS, {"kind": "total", "id": "leap"})


# Withdrawing


def test_the_owner_or_the_gm_takes_a_total_back_before_it_is_rolled():
    for allowed in (ANN, GM):
        table = at_table(check_approval="gm")
        table.do(DRIVE, by=ANN)

        assert table.do(order("withdraw_total", "drive"), by=allowed) == [TotalWithdrawn(total_id="drive")]
        assert table.view.totals == {}
        assert table.refused(order("roll_total", "drive"), by=ANN).code is Code.UNKNOWN


def test_of_totals_that_are_over_the_latest_32_stay():
    table = proposed()

    finished(table, 40)
    proposed("next", table=table)

    assert list(table.view.totals) == ["leap", *(f"past-{number}" for number in range(8, 40)), "next"]
