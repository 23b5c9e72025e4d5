"""Checks until they are rolled: proposed, adjusted, helped, opposed, withdrawn."""

from typing import Any

import pytest
from pydantic import ValidationError

from dreadclock.rules.check import Outcome
from dreadclock.wire.errors import Code
from dreadclock.wire.events import CheckProposed, HelpJoined, OppositionJoined
from dreadclock.wire.things import CheckStatus
from kit.families import checks
from kit.families.totals import crisis, with_characters
from kit.tables import ANN, BO, GM, WATCHER, command_of, loaded

WAITS, READY = CheckStatus.PROPOSED, CheckStatus.READY


@pytest.mark.rule("C-example", "C-roll", "C-modifiers", "E1")
def test_the_door_comes_down_and_han_slips_under_it():
    table = checks.seated(check_approval="gm", physical_dice="everyone")
    agile = checks.part(score=4, attribute="agility")

    first = table.do(checks.propose(score=None, attribute="agility", purpose="slip under the door"), by=ANN)
    second = checks.adjusted(table.do(checks.adjust(penalty=1, approve=True)))
    third = table.do(checks.roll(faces=(1, 4, 5)), by=ANN)

    assert first == [
        checks.proposed(
            agile, odds=checks.plain_odds(4), status=WAITS, purpose="slip under the door", made_by="player-1"
        )
    ]
    hindered = agile.model_copy(update={"penalty": 1})
    assert (second.status, second.parts, second.odds) == (READY, (hindered,), checks.plain_odds(3))
    dice = checks.shown(1, 4, 5, outcome=Outcome.SUCCESS, physical=True)
    assert third == [checks.rolled(hindered, dice), checks.resolved(Outcome.SUCCESS, 5)]


# Proposals


def test_a_check_is_proposed_with_a_score_and_everything_that_goes_with_it():
    table = checks.seated()
    order = checks.propose(
        score=3, bonus=2, penalty=1, claim=False, purpose="climb", contest=True, venture=checks.venture(2)
    )

    [event] = table.do({**order, "id": None, "note": "Please."}, by=ANN)

    assert isinstance(event, CheckProposed)
    check = event.check
    assert (check.id, check.seat_id, check.purpose, check.contest) == ("check-1", "player-1", "climb", True)
    [own] = check.parts
    assert (own.score, own.bonus, own.penalty, own.claim) == (3, 2, 1, False)
    assert own.venture is not None
    assert (own.venture.level, own.venture.beneficiary) == (2, "han")
    assert event.note == "Please."
    assert list(table.view_as(WATCHER).checks) == ["check-1"]


@pytest.mark.parametrize(
    "order", [checks.propose(), checks.aid("han"), checks.oppose("han")], ids=lambda order: order["type"]
)
@pytest.mark.parametrize("fields", [{"score": 1, "attribute": "agility"}, {"score": None}], ids=["both", "neither"])
def test_a_part_has_a_score_or_an_attribute_one_of_the_two(order: dict[str, Any], fields: dict[str, Any]):
    table = checks.seated()
    if order["type"] != "propose_check":
        table.do(checks.propose("guard"))

    assert table.refused({**order, **fields}).code is Code.SCORE_NEEDED


def test_an_attribute_is_one_that_the_character_has():
    refused = checks.seated().refused(checks.propose(score=None, attribute="charm"), by=ANN)

    assert (refused.code, refused.details) == (Code.NOT_ON_SHEET, {"id": "han", "kind": "attribute", "name": "charm"})


def test_what_is_not_there_is_unknown():
    table = checks.seated()

    for order in (
        checks.propose("eve"),
        checks.propose(venture=checks.venture(beneficiary="eve")),
        checks.aid("han"),
        checks.oppose("han"),
        checks.adjust(),
    ):
        assert table.refused(order).code is Code.UNKNOWN


@pytest.mark.parametrize("level", [0, 4, -1])
@pytest.mark.rule("C-venture")
def test_a_venture_has_level_1_to_3(level: int):
    for good in (1, 2, 3):
        command_of(checks.propose(venture=checks.venture(good)))
    with pytest.raises(ValidationError):
        command_of(checks.propose(venture=checks.venture(level)))


@pytest.mark.rule("E2")
def test_e2_a_check_starts_with_at_most_60_dice():
    table = checks.seated()

    refused = table.refused(checks.propose(score=60, bonus=1), by=ANN)
    [event] = table.do(checks.propose(score=60, bonus=1, penalty=1), by=ANN)

    assert (refused.code, refused.details) == (
        Code.POOL_OUT_OF_RANGE,
        {"sum": "60 + 1 - 0 = 61", "least": 0, "most": 60},
    )
    assert isinstance(event, CheckProposed)
    assert event.check.odds == checks.plain_odds(60)
    assert table.refused(checks.adjust(penalty=0)).code is Code.POOL_OUT_OF_RANGE
    assert table.refused(checks.aid("chen", 60, bonus=1)).code is Code.POOL_OUT_OF_RANGE
    with pytest.raises(ValidationError):
        command_of(checks.propose(score=61))


# Dead, retired, or with a crisis that waits


@pytest.mark.rule("D6", "D7")
@pytest.mark.parametrize(("befall", "code"), [(checks.kill, Code.OUT_OF_PLAY), (checks.hurt, Code.CRISIS_WAITS)])
def test_who_cannot_roll_makes_no_check_and_joins_none(befall: Any, code: Code):
    table = checks.seated()
    table.do(checks.propose("guard"))
    table.do(checks.propose(id="leap"))
    befall(table, "han")

    for order in (checks.propose(id="jump"), checks.aid("han"), checks.oppose("han"), checks.roll(check="leap")):
        assert table.refused(order, by=ANN).code is code


@pytest.mark.rule("D7")
def test_whom_three_crises_killed_in_the_middle_of_a_check_leaves_it_to_the_others():
    table = with_characters(checks.seated())
    table.do(checks.propose("ada", 1))
    table.do(checks.aid("han", 1))
    table.do(checks.roll("han"), dice=loaded(2))
    for number in range(3):
        crisis(table, f"push-{number}", crisis="physical")

    assert table.view.characters["ada"].status == "dead"
    for order in (checks.roll("ada"), checks.propose("ada", 1, id="leap")):
        assert table.refused(order, by=ANN).code is Code.OUT_OF_PLAY
    assert table.refused(checks.withdraw(), by=ANN).code is Code.ROLL_STANDS
    assert table.do(checks.adjust(remove="ada"))[-1] == checks.resolved(Outcome.FAIL, 2)


def test_a_venture_is_for_somebody_in_play():
    table = checks.seated()
    checks.kill(table, "chen")

    assert table.refused(checks.propose(venture=checks.venture(beneficiary="chen")), by=ANN).code is Code.OUT_OF_PLAY


# Approval


def test_a_players_check_waits_for_the_gm_if_the_policy_says_so():
    table = checks.diving(by=ANN, check_approval="gm")

    refused = [table.refused(checks.roll("han"), by=seat) for seat in (ANN, GM)]

    assert [(each.code, each.details) for each in refused] == [(Code.NOT_APPROVED, {"kind": "check", "id": "dive"})] * 2
    assert checks.adjusted(table.do(checks.adjust(approve=True))).status is READY
    assert table.do(checks.roll(), by=ANN, dice=loaded(2, 2, 2))


def test_the_gms_own_check_waits_for_nobody():
    assert checks.diving(check_approval="gm").view.checks["dive"].status is READY


def test_an_open_policy_lets_players_roll_at_once():
    table = checks.diving(by=ANN)

    joined = table.do(checks.aid("chen"), by=BO)

    assert isinstance(joined[0], HelpJoined)
    assert joined[0].status is READY


def test_an_approval_may_be_taken_back():
    table = checks.diving(by=ANN, check_approval="gm")
    table.do(checks.adjust(approve=True))

    assert checks.adjusted(table.do(checks.adjust(approve=False))).status is WAITS
    assert table.refused(checks.roll(), by=ANN).code is Code.NOT_APPROVED


@pytest.mark.parametrize("order", [checks.aid("chen"), checks.oppose("chen")], ids=lambda order: order["type"])
def test_what_a_player_adds_sends_an_approved_check_back_to_wait(order: dict[str, Any]):
    table = checks.diving(by=ANN, check_approval="gm")
    table.do(checks.adjust(approve=True))

    [event] = table.do(order, by=BO)

    assert isinstance(event, HelpJoined | OppositionJoined)
    assert event.status is WAITS
    assert table.view.checks["dive"].status is WAITS


@pytest.mark.parametrize("approved", [True, False])
@pytest.mark.parametrize("order", [checks.aid("guard"), checks.oppose("guard")], ids=lambda order: order["type"])
def test_what_the_gm_adds_leaves_the_approval_as_it_is(approved: bool, order: dict[str, Any]):
    table = checks.diving(by=ANN, check_approval="gm")
    table.do(checks.adjust(approve=approved, penalty=1))

    table.do(order)

    assert table.view.checks["dive"].status is (READY if approved else WAITS)
