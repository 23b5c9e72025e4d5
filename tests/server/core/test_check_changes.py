"""Checks before they are rolled: adjusted, helped, opposed, withdrawn; and that what was rolled stands."""

from typing import Any

import pytest

from dreadclock.rules.check import Outcome
from dreadclock.wire.errors import Code
from dreadclock.wire.events import CheckAdjusted, CheckWithdrawn, HelpJoined, OppositionJoined
from dreadclock.wire.things import CheckStatus, Part
from kit.families.checks import (
    OPPOSING,
    adjust,
    aid,
    kill,
    oppose,
    part,
    plain_odds,
    propose,
    resolved,
    roll,
    rolled_out,
    seated,
    update,
    withdraw,
)
from kit.tables import ANN, BO, GM, Table, loaded

WAITS, READY = CheckStatus.PROPOSED, CheckStatus.READY


def diving(*, by: Any = GM, **policy: Any) -> Table:
    """Propose Han's check of three dice."""
    table = seated(**policy)
    table.do(propose(), by=by)
    return table


def adjusted(events: list[Any]) -> Any:
    [event] = events
    assert isinstance(event, CheckAdjusted)
    return event.check


def parts_of(table: Table) -> tuple[Part, ...]:
    return table.view.checks["dive"].parts


# Adjustments


def test_an_adjustment_names_something_to_change():
    table = diving()

    assert table.refused(adjust()).code is Code.NOTHING_TO_CHANGE
    assert table.refused(adjust(character_id="han")).code is Code.NOTHING_TO_CHANGE
    assert table.do(adjust(score=3, bonus=0, approve=True)) == []


def test_a_score_that_the_gm_names_is_no_attribute_any_more():
    table = seated()
    table.do(propose(score=None, attribute="agility"), by=ANN)

    table.do(adjust(bonus=1))
    assert parts_of(table) == (part(score=4, attribute="agility", bonus=1),)
    table.do(adjust(score=2))
    assert parts_of(table) == (part(score=2, bonus=1),)


@pytest.mark.rule("C23")
def test_c23_the_gm_names_another_attribute_and_score_and_label_are_the_sheets():
    table = diving()
    table.do(oppose("chen", 1))

    changed = adjusted(table.do(adjust(attribute="combat")))
    assert changed.parts[0] == part(score=3, attribute="combat")
    assert changed.odds.fumble == plain_odds(3).fumble
    assert adjusted(table.do(adjust(character_id="chen", attribute="agility"))).parts[1].score == 2
    for order, code in (
        ({"attribute": "luck"}, Code.NOT_ON_SHEET),
        ({"attribute": "combat", "score": 1}, Code.SCORE_NEEDED),
    ):
        assert table.refused(adjust(**order)).code is code


def test_the_gm_adjusts_every_part_and_offers_effects():
    table = diving()
    table.do(aid("chen"))

    check = adjusted(table.do(adjust(character_id="chen", penalty=1, stunts=["slide"], fumble_effects=["stuck"])))

    assert check.parts == (part(), part("chen", 2, penalty=1))
    assert (check.stunts, check.fumble_effects) == (("slide",), ("stuck",))
    assert table.refused(adjust(character_id="guard", penalty=1)).details == {"id": "guard", "check": "dive"}


def test_the_gm_takes_a_part_out_but_not_the_leaders():
    table = diving()
    table.do(aid("chen"))

    refused = [table.refused(adjust(remove=character)).code for character in ("han", "guard")]
    check = adjusted(table.do(adjust(remove="chen")))

    assert refused == [Code.LEADER_STAYS, Code.NOT_IN_CHECK]
    assert (check.parts, check.odds) == ((part(),), plain_odds(3))
    assert table.do(aid("chen"))


def test_a_contest_whose_only_opposition_is_taken_out_waits_for_another():
    table = diving()
    table.do(oppose())

    assert table.refused(adjust(contest=False)).code is Code.ALREADY_OPPOSED
    table.do(adjust(remove="chen"))

    assert table.refused(roll("han")).code is Code.NOT_OPPOSED
    table.do(adjust(contest=False))
    assert table.do(roll("han"), dice=loaded(2, 2, 2))


def test_a_score_stays_what_it_was_when_the_character_changes():
    table = seated()
    table.do(propose(score=None, attribute="agility"), by=ANN)

    table.do(update(attributes={"agility": 1}))

    assert parts_of(table) == (part(score=4, attribute="agility"),)
    assert table.do(roll(), by=ANN, dice=loaded(2, 2, 2, 2))


# Help and opposition


@pytest.mark.rule("C-cooperation")
def test_whoever_helps_brings_a_score_of_her_own():
    table = diving()

    [event] = table.do(aid("chen", None, attribute="agility", penalty=1), by=BO)

    helper = part("chen", 2, attribute="agility", penalty=1)
    assert isinstance(event, HelpJoined)
    assert (event.check_id, event.part, event.status) == ("dive", helper, READY)
    assert parts_of(table) == (part(), helper)


@pytest.mark.rule("C-contest")
def test_an_opposition_makes_a_check_a_contest():
    table = diving()

    [event] = table.do(oppose(), by=BO)

    assert isinstance(event, OppositionJoined)
    assert (event.check_id, event.part, event.status) == ("dive", part("chen", 2, side=OPPOSING), READY)
    assert table.view.checks["dive"].contest


def test_nobody_is_in_a_check_twice_nor_opposes_herself():
    table = diving()
    table.do(aid("chen"))

    for order in (aid("chen"), oppose("chen"), aid("han"), oppose("han")):
        refused = table.refused(order)
        assert (refused.code, refused.details) == (
            Code.ALREADY_IN_CHECK,
            {"id": order["character_id"], "check": "dive"},
        )


def test_a_check_is_opposed_once_and_the_opposition_helped():
    table = diving()

    assert table.refused(aid("guard", side="opposing")).code is Code.NOT_OPPOSED
    table.do(oppose())

    assert table.refused(oppose("guard")).code is Code.ALREADY_OPPOSED
    table.do(aid("guard", side="opposing"))
    assert [each.side for each in parts_of(table)] == ["acting", "opposing", "opposing"]


# Withdrawing, and what stands


def test_a_check_is_withdrawn_by_its_owner_or_the_gm():
    for seat in (ANN, GM):
        table = diving()
        assert table.refused(withdraw(), by=BO).code is Code.NOT_ALLOWED
        assert table.do(withdraw(), by=seat) == [CheckWithdrawn(check_id="dive")]
        assert table.view.checks == {}


@pytest.mark.rule("E3")
@pytest.mark.parametrize(
    "order",
    [adjust(bonus=1), adjust(approve=False), adjust(remove="chen"), aid("guard"), oppose("guard"), withdraw()],
    ids=["bonus", "approve", "remove", "help", "oppose", "withdraw"],
)
def test_e3_a_check_of_which_a_die_is_rolled_stands(order: dict[str, Any]):
    table = diving()
    table.do(aid("chen"))
    table.do(roll("han"), dice=loaded(2, 2, 2))

    refused = table.refused(order)
    table.do(roll("chen"), dice=loaded(2, 2))

    assert (refused.code, refused.details) == (Code.ROLL_STANDS, {"kind": "check", "id": "dive"})
    assert table.refused(order).code is Code.ROLL_STANDS


@pytest.mark.rule("E3")
def test_e3_no_part_is_rolled_twice():
    table = diving()
    table.do(aid("chen"))
    table.do(roll("han"), dice=loaded(2, 2, 2))

    for seat, order in ((ANN, roll()), (ANN, roll("han")), (GM, roll("han"))):
        refused = table.refused(order, by=seat)
        assert (refused.code, refused.details) == (Code.ROLL_STANDS, {"kind": "check", "id": "dive"})
    table.do(roll("chen"), dice=loaded(2, 2))
    assert table.refused(roll()).code is Code.ROLL_STANDS


@pytest.mark.rule("E3")
@pytest.mark.parametrize(("dead", "margin"), [("han", 1), ("chen", 2)])
def test_a_part_that_will_never_be_rolled_is_taken_out_and_what_was_rolled_counts(dead: str, margin: int):
    table = diving()
    table.do(aid("chen"))
    other = "han" if dead == "chen" else "chen"
    table.do(roll(other), dice=loaded(*[2] * (margin + 1)))
    assert table.refused(adjust(remove=dead)).code is Code.ROLL_STANDS

    kill(table, dead)

    assert table.refused(withdraw()).code is Code.ROLL_STANDS
    assert table.refused(adjust(remove=other)).code is Code.ROLL_STANDS
    changed, result = table.do(adjust(remove=dead))
    assert isinstance(changed, CheckAdjusted)
    assert [part.character_id for part in changed.check.parts] == [other]
    assert result == resolved(Outcome.FAIL, 2, margin=margin)


@pytest.mark.rule("E3")
def test_a_contest_that_its_own_side_can_never_roll_is_withdrawn():
    table = diving()
    table.do(oppose("chen"))
    table.do(roll("chen"), dice=loaded(2, 2))
    kill(table, "han")

    assert table.refused(adjust(remove="han")).code is Code.LEADER_STAYS
    assert table.do(withdraw()) == [CheckWithdrawn(check_id="dive")]


@pytest.mark.rule("E3")
def test_a_contest_whose_other_side_can_never_be_rolled_goes_on_without_it():
    table = diving()
    table.do(oppose("chen"))
    table.do(roll("han"), dice=loaded(2, 2, 5))
    kill(table, "chen")

    assert table.do(adjust(remove="chen"))[-1] == resolved(Outcome.SUCCESS, 5)


def test_a_helper_who_died_is_taken_out_before_the_roll():
    table = diving()
    table.do(aid("chen"))
    kill(table, "chen")

    table.do(adjust(remove="chen"))

    assert table.do(roll("han"), dice=loaded(2, 2, 2))[-1] == resolved(Outcome.FAIL, 2, margin=2)


def test_the_gm_rolls_for_a_player_who_has_left():
    table = diving(by=ANN)
    table.do({"type": "leave_seat"}, by=ANN)

    assert table.do(roll(), dice=loaded(2, 2, 2))[-1] == resolved(Outcome.FAIL, 2, margin=2)


def test_the_id_of_a_check_is_used_once():
    table = seated()
    rolled_out(table, propose(), 2, 2, 2)

    assert table.refused(propose()).code is Code.ID_TAKEN
    assert table.refused(propose(id="check-1")).code is Code.ID_RESERVED
    assert table.refused(propose(id="gm-dive")).code is Code.ID_RESERVED


@pytest.mark.rule("C18")
@pytest.mark.parametrize(
    "effects",
    [
        {"stunts": ["momentum"]},
        {"fumble_effects": ["Fall", "Interference!"]},
        {"stunts": ["A flip"], "fumble_effects": ["a flip."]},
        {"stunts": ["momen\u200btum"]},
    ],
)
def test_effects_that_a_choice_could_not_tell_apart_are_refused(effects: dict[str, Any]):
    table = seated()
    table.do(propose())

    assert table.refused(adjust(**effects)).code is Code.EFFECTS_ALIKE


@pytest.mark.rule("C18")
@pytest.mark.parametrize("effects", [["🔥", "💧"], ["कि", "की"], ["Fall 1", "Fall 2"]])
def test_effects_that_look_different_are_different(effects: list[str]):
    table = seated()
    table.do(propose())

    [adjusted] = table.do(adjust(stunts=effects))

    assert isinstance(adjusted, CheckAdjusted)
    assert adjusted.check.stunts == tuple(effects)


@pytest.mark.rule("E3")
def test_a_part_that_will_never_be_rolled_is_taken_out_alone():
    table = diving()
    table.do(aid("chen"))
    table.do(roll("han"), dice=loaded(2, 2, 5))
    kill(table, "chen")

    assert table.refused(adjust(remove="chen", penalty=1)).code is Code.ROLL_STANDS
