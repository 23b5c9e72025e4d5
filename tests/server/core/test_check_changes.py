"""Checks before they are rolled: adjusted, helped, opposed, withdrawn; and that what was rolled stands."""

from typing import Any

import pytest

from dreadclock.rules.check import Outcome
from dreadclock.wire.errors import Code
from dreadclock.wire.events import CheckAdjusted, CheckWithdrawn, HelpJoined, OppositionJoined
from dreadclock.wire.things import CheckStatus
from kit.families import checks
from kit.families.checks import part
from kit.tables import ANN, BO, GM, loaded

WAITS, READY = CheckStatus.PROPOSED, CheckStatus.READY


# Adjustments


def test_an_adjustment_names_something_to_change():
    table = checks.diving()

    assert table.refused(checks.adjust()).code is Code.NOTHING_TO_CHANGE
    assert table.refused(checks.adjust(character_id="han")).code is Code.NOTHING_TO_CHANGE
    assert table.do(checks.adjust(score=3, bonus=0, approve=True)) == []


def test_a_score_that_the_gm_names_is_no_attribute_any_more():
    table = checks.seated()
    table.do(checks.propose(score=None, attribute="agility"), by=ANN)

    table.do(checks.adjust(bonus=1))
    assert checks.parts_of(table) == (part(score=4, attribute="agility", bonus=1),)
    table.do(checks.adjust(score=2))
    assert checks.parts_of(table) == (part(score=2, bonus=1),)


@pytest.mark.rule("C23")
def test_c23_the_gm_names_another_attribute_and_score_and_label_are_the_sheets():
    table = checks.diving()
    table.do(checks.oppose("chen", 1))

    changed = checks.adjusted(table.do(checks.adjust(attribute="combat")))
    assert changed.parts[0] == part(score=3, attribute="combat")
    assert changed.odds.fumble == checks.plain_odds(3).fumble
    assert checks.adjusted(table.do(checks.adjust(character_id="chen", attribute="agility"))).parts[1].score == 2
    for order, code in (
        ({"attribute": "luck"}, Code.NOT_ON_SHEET),
        ({"attribute": "combat", "score": 1}, Code.SCORE_NEEDED),
    ):
        assert table.refused(checks.adjust(**order)).code is code


def test_the_gm_adjusts_every_part_and_offers_effects():
    table = checks.diving()
    table.do(checks.aid("chen"))

    check = checks.adjusted(
        table.do(checks.adjust(character_id="chen", penalty=1, stunts=["slide"], fumble_effects=["stuck"]))
    )

    assert check.parts == (part(), part("chen", 2, penalty=1))
    assert (check.stunts, check.fumble_effects) == (("slide",), ("stuck",))
    assert table.refused(checks.adjust(character_id="guard", penalty=1)).details == {"id": "guard", "check": "dive"}


def test_the_gm_takes_a_part_out_but_not_the_leaders():
    table = checks.diving()
    table.do(checks.aid("chen"))

    refused = [table.refused(checks.adjust(remove=character)).code for character in ("han", "guard")]
    check = checks.adjusted(table.do(checks.adjust(remove="chen")))

    assert refused == [Code.LEADER_STAYS, Code.NOT_IN_CHECK]
    assert (check.parts, check.odds) == ((part(),), checks.plain_odds(3))
    assert table.do(checks.aid("chen"))


def test_a_contest_whose_only_opposition_is_taken_out_waits_for_another():
    table = checks.diving()
    table.do(checks.oppose())

    assert table.refused(checks.adjust(contest=False)).code is Code.ALREADY_OPPOSED
    table.do(checks.adjust(remove="chen"))

    assert table.refused(checks.roll("han")).code is Code.NOT_OPPOSED
    table.do(checks.adjust(contest=False))
    assert table.do(checks.roll("han"), dice=loaded(2, 2, 2))


def test_a_score_stays_what_it_was_when_the_character_changes():
    table = checks.seated()
    table.do(checks.propose(score=None, attribute="agility"), by=ANN)

    table.do(checks.update(attributes={"agility": 1}))

    assert checks.parts_of(table) == (part(score=4, attribute="agility"),)
    assert table.do(checks.roll(), by=ANN, dice=loaded(2, 2, 2, 2))


# Help and opposition


@pytest.mark.rule("C-cooperation")
def test_whoever_helps_brings_a_score_of_her_own():
    table = checks.diving()

    [event] = table.do(checks.aid("chen", None, attribute="agility", penalty=1), by=BO)

    helper = part("chen", 2, attribute="agility", penalty=1)
    assert isinstance(event, HelpJoined)
    assert (event.check_id, event.part, event.status) == ("dive", helper, READY)
    assert checks.parts_of(table) == (part(), helper)


@pytest.mark.rule("C-contest")
def test_an_opposition_makes_a_check_a_contest():
    table = checks.diving()

    [event] = table.do(checks.oppose(), by=BO)

    assert isinstance(event, OppositionJoined)
    assert (event.check_id, event.part, event.status) == ("dive", part("chen", 2, side=checks.OPPOSING), READY)
    assert table.view.checks["dive"].contest


def test_nobody_is_in_a_check_twice_nor_opposes_herself():
    table = checks.diving()
    table.do(checks.aid("chen"))

    for order in (checks.aid("chen"), checks.oppose("chen"), checks.aid("han"), checks.oppose("han")):
        assert table.refusal(order) == (Code.ALREADY_IN_CHECK, {"id": order["character_id"], "check": "dive"})


def test_a_check_is_opposed_once_and_the_opposition_helped():
    table = checks.diving()

    assert table.refused(checks.aid("guard", side="opposing")).code is Code.NOT_OPPOSED
    table.do(checks.oppose())

    assert table.refused(checks.oppose("guard")).code is Code.ALREADY_OPPOSED
    table.do(checks.aid("guard", side="opposing"))
    assert [each.side for each in checks.parts_of(table)] == ["acting", "opposing", "opposing"]


# Withdrawing, and what stands


def test_a_check_is_withdrawn_by_its_owner_or_the_gm():
    for seat in (ANN, GM):
        table = checks.diving()
        assert table.do(checks.withdraw(), by=seat) == [CheckWithdrawn(check_id="dive")]
        assert table.view.checks == {}


@pytest.mark.rule("E3")
@pytest.mark.parametrize(
    "order",
    [
        checks.adjust(bonus=1),
        checks.adjust(approve=False),
        checks.adjust(remove="chen"),
        checks.aid("guard"),
        checks.oppose("guard"),
        checks.withdraw(),
    ],
    ids=["bonus", "approve", "remove", "help", "oppose", "withdraw"],
)
def test_e3_a_check_of_which_a_die_is_rolled_stands(order: dict[str, Any]):
    table = checks.diving()
    table.do(checks.aid("chen"))
    table.do(checks.roll("han"), dice=loaded(2, 2, 2))

    refused = table.refused(order)
    table.do(checks.roll("chen"), dice=loaded(2, 2))

    assert (refused.code, refused.details) == (Code.ROLL_STANDS, {"kind": "check", "id": "dive"})
    assert table.refused(order).code is Code.ROLL_STANDS


@pytest.mark.rule("E3")
def test_e3_no_part_is_rolled_twice():
    table = checks.diving()
    table.do(checks.aid("chen"))
    table.do(checks.roll("han"), dice=loaded(2, 2, 2))

    for seat, order in ((ANN, checks.roll()), (ANN, checks.roll("han")), (GM, checks.roll("han"))):
        assert table.refusal(order, by=seat) == (Code.ROLL_STANDS, {"kind": "check", "id": "dive"})
    table.do(checks.roll("chen"), dice=loaded(2, 2))
    assert table.refused(checks.roll()).code is Code.ROLL_STANDS


@pytest.mark.rule("E3")
@pytest.mark.parametrize(("dead", "margin"), [("han", 1), ("chen", 2)])
def test_a_part_that_will_never_be_rolled_is_taken_out_and_what_was_rolled_counts(dead: str, margin: int):
    table = checks.diving()
    table.do(checks.aid("chen"))
    other = "han" if dead == "chen" else "chen"
    table.do(checks.roll(other), dice=loaded(*[2] * (margin + 1)))
    assert table.refused(checks.adjust(remove=dead)).code is Code.ROLL_STANDS

    checks.kill(table, dead)

    assert table.refused(checks.withdraw()).code is Code.ROLL_STANDS
    assert table.refused(checks.adjust(remove=other)).code is Code.ROLL_STANDS
    changed, result = table.do(checks.adjust(remove=dead))
    assert isinstance(changed, CheckAdjusted)
    assert [part.character_id for part in changed.check.parts] == [other]
    assert result == checks.resolved(Outcome.FAIL, 2, margin=margin)


@pytest.mark.rule("E3")
def test_a_contest_that_its_own_side_can_never_roll_is_withdrawn():
    table = checks.diving()
    table.do(checks.oppose("chen"))
    table.do(checks.roll("chen"), dice=loaded(2, 2))
    checks.kill(table, "han")

    assert table.refused(checks.adjust(remove="han")).code is Code.LEADER_STAYS
    assert table.do(checks.withdraw()) == [CheckWithdrawn(check_id="dive")]


@pytest.mark.rule("E3")
def test_a_contest_whose_other_side_can_never_be_rolled_goes_on_without_it():
    table = checks.diving()
    table.do(checks.oppose("chen"))
    table.do(checks.roll("han"), dice=loaded(2, 2, 5))
    checks.kill(table, "chen")

    assert table.do(checks.adjust(remove="chen"))[-1] == checks.resolved(Outcome.SUCCESS, 5)


def test_a_helper_who_died_is_taken_out_before_the_roll():
    table = checks.diving()
    table.do(checks.aid("chen"))
    checks.kill(table, "chen")

    table.do(checks.adjust(remove="chen"))

    assert table.do(checks.roll("han"), dice=loaded(2, 2, 2))[-1] == checks.resolved(Outcome.FAIL, 2, margin=2)


def test_the_gm_rolls_for_a_player_who_has_left():
    table = checks.diving(by=ANN)
    table.do({"type": "leave_seat"}, by=ANN)

    assert table.do(checks.roll(), dice=loaded(2, 2, 2))[-1] == checks.resolved(Outcome.FAIL, 2, margin=2)


def test_the_id_of_a_check_is_used_once():
    table = checks.seated()
    checks.rolled_out(table, checks.propose(), 2, 2, 2)

    assert table.refused(checks.propose()).code is Code.ID_TAKEN
    assert table.refused(checks.propose(id="check-1")).code is Code.ID_RESERVED
    assert table.refused(checks.propose(id="gm-dive")).code is Code.ID_RESERVED


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
    table = checks.seated()
    table.do(checks.propose())

    assert table.refused(checks.adjust(**effects)).code is Code.EFFECTS_ALIKE


@pytest.mark.rule("C18")
@pytest.mark.parametrize("effects", [["🔥", "💧"], ["कि", "की"], ["Fall 1", "Fall 2"]])
def test_effects_that_look_different_are_different(effects: list[str]):
    table = checks.seated()
    table.do(checks.propose())

    [adjusted] = table.do(checks.adjust(stunts=effects))

    assert isinstance(adjusted, CheckAdjusted)
    assert adjusted.check.stunts == tuple(effects)


@pytest.mark.rule("E3")
def test_a_part_that_will_never_be_rolled_is_taken_out_alone():
    table = checks.diving()
    table.do(checks.aid("chen"))
    table.do(checks.roll("han"), dice=loaded(2, 2, 5))
    checks.kill(table, "chen")

    assert table.refused(checks.adjust(remove="chen", penalty=1)).code is Code.ROLL_STANDS
