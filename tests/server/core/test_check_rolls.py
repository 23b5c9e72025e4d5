"""Rolling checks: whose part is rolled, with which dice, and what they come to."""

from typing import Any

import pytest
from pydantic import ValidationError

from dreadclock.rules.check import Outcome
from dreadclock.wire.errors import Code
from dreadclock.wire.events import CheckProposed, CheckResolved, CheckRolled, Event, HelpJoined, OppositionJoined
from dreadclock.wire.things import CheckStatus, Part
from kit.families import checks
from kit.families.checks import rolled
from kit.families.totals import crisis, with_characters
from kit.tables import ANN, BO, GM, WATCHER, Table, command_of, loaded


def diving(score: int = 3, **more: Any) -> Table:
    table = checks.seated(**more.pop("policy", {}))
    table.do(checks.propose(score=score, **more))
    return table


# Outcomes


@pytest.mark.rule("C-roll", "C-outcome", "C-margin")
@pytest.mark.parametrize(
    ("faces", "outcome", "highest", "margin"),
    [
        ((1, 1, 1), checks.FUMBLE, 1, 2),
        ((2, 1, 1), checks.FAIL, 2, 0),
        ((3, 1, 3), checks.FAIL, 3, 1),
        ((4, 4, 4), checks.SUCCESS, 4, 2),
        ((6, 1, 1, 5), checks.SUCCESS, 6, 0),
        ((6, 5, 6, 1, 5), checks.TRIUMPH, 6, 1),
    ],
    ids=str,
)
def test_the_highest_die_makes_the_outcome(faces: tuple[int, ...], outcome: Outcome, highest: int, margin: int):
    table = diving()

    events = table.do(checks.roll(), by=ANN, dice=loaded(*faces))

    brings: dict[Outcome, list[Event]] = {checks.FUMBLE: [checks.interference()], checks.TRIUMPH: [checks.momentum()]}
    dice = checks.shown(*faces, pool=3, outcome=outcome)
    assert events == [rolled(checks.part(), dice), checks.resolved(outcome, highest, margin), *brings.get(outcome, [])]
    assert table.view_as(WATCHER).checks["dive"].status is CheckStatus.RESOLVED


@pytest.mark.rule("C9")
@pytest.mark.parametrize(
    ("score", "fields", "faces"),
    [(0, {}, ()), (0, {"bonus": 1, "penalty": 1}, ()), (1, {"venture": checks.venture(1)}, (5,))],
    ids=["score 0", "no net bonus", "venture"],
)
def test_c9_a_check_without_a_die_is_a_fumble(score: int, fields: dict[str, Any], faces: tuple[int, ...]):
    table = diving(score, **fields)

    events = table.do(checks.roll(), by=ANN, dice=loaded(*faces))

    assert checks.roll_of(events).remaining == ()
    assert events[1:] == [checks.resolved(checks.FUMBLE, None), checks.interference()]


@pytest.mark.rule("C-interference", "C10")
def test_c10_interference_is_spent_and_a_triumph_under_it_still_gives_momentum():
    table = checks.seated()
    checks.jinx(table)
    table.do(checks.propose(score=3))

    assert table.do(checks.roll(), dice=loaded(6, 2, 6)) == [
        checks.interference_spent(),
        rolled(checks.part(), checks.shown(6, 2, 6, outcome=checks.TRIUMPH, interference=True)),
        checks.resolved(checks.TRIUMPH, 6, margin=1),
        checks.momentum(),
    ]


# Whose roll


def test_a_part_is_rolled_by_its_own_seat_or_the_gm():
    table = diving()
    table.do(checks.aid("chen"))

    assert table.refused(checks.roll("chen"), by=ANN).code is Code.NOT_ALLOWED
    assert table.refused(checks.roll("han"), by=BO).code is Code.NOT_ALLOWED
    assert table.refused(checks.roll("guard"), by=GM).code is Code.NOT_IN_CHECK
    first = table.do(checks.roll(), by=BO, dice=loaded(2, 2))
    assert first == [rolled(checks.part("chen", 2), checks.shown(2, 2, outcome=checks.FAIL))]
    assert table.view.checks["dive"].status is CheckStatus.ROLLING
    assert table.do(checks.roll("han"), by=GM, dice=loaded(2, 2, 2))[-1] == checks.resolved(checks.FAIL, 2, margin=4)


def test_the_gm_rolls_the_only_part_whosever_it_is():
    assert parts_rolled(diving().do(checks.roll(), dice=loaded(2, 2, 2))) == [checks.part()]


@pytest.mark.rule("E3")
@pytest.mark.parametrize("owner", [None, "gm"])
def test_a_second_click_of_the_gm_rolls_nobody_elses_part(owner: str | None):
    table = diving()
    table.do({"type": "update_character", "character_id": "guard", "name": "Guard", "owner": owner})
    table.do(checks.aid("chen"))
    table.do(checks.aid("guard", 1))

    rolled = table.do(checks.roll(), dice=loaded(2))
    refused = table.refused(checks.roll())

    assert parts_rolled(rolled) == [checks.part("guard", 1)]
    assert (refused.code, refused.details["waiting"]) == (Code.PART_UNSAID, "han, chen")
    assert parts_rolled(table.do(checks.roll("chen"), dice=loaded(2, 2))) == [checks.part("chen", 2)]


def test_whoever_has_two_parts_rolls_them_one_after_the_other():
    table = diving()
    table.do({"type": "update_character", "character_id": "guard", "owner": ANN.seat_id})
    table.do(checks.aid("guard", 1), by=ANN)

    events = [table.do(checks.roll(), by=ANN, dice=loaded(*[2] * dice)) for dice in (3, 1)]

    assert [parts_rolled(each) for each in events] == [[checks.part()], [checks.part("guard", 1)]]


def parts_rolled(events: list[Any]) -> list[Part]:
    rolls = [event for event in events if isinstance(event, CheckRolled)]
    return [each.part.model_copy(update={"roll": None}) for each in rolls]


def test_the_roll_names_the_lane_and_slot_of_whoever_rolled():
    table = diving()

    [record, _] = table.write({**checks.roll(), "note": "Now."}, by=ANN, dice=loaded(6, 2, 2, 2))

    assert isinstance(record.event, CheckRolled)
    assert record.event.note == "Now."
    assert record.event.part.roll is not None
    assert record.event.part.roll.proof is not None
    assert (record.event.part.roll.proof.lane, record.event.part.roll.proof.n) == ("seat/player-1/0", 1)


@pytest.mark.rule("C9")
def test_a_roll_of_no_dice_uses_no_slot_of_the_lane():
    table = diving(0)

    record = table.write(checks.roll(), by=ANN)[0]

    assert isinstance(record.event, CheckRolled)
    assert record.event.part.roll is not None
    assert record.event.part.roll.proof is None
    assert table.view.public.lanes["seat/player-1/0"].used == 0


@pytest.mark.rule("E2")
def test_e2_a_roll_stops_at_200_dice_and_says_so():
    table = diving(60)

    events = table.do(checks.roll(), dice=loaded(*[6] * 200))

    assert checks.roll_of(events) == checks.shown(*[6] * 200, pool=60, outcome=checks.TRIUMPH, capped=True)
    assert isinstance(events[1], CheckResolved)
    assert events[1].result.acting.margin == 199


# A check that waits for its opposition


@pytest.mark.rule("C-contest")
def test_a_contest_waits_for_its_other_side():
    table = diving(contest=True)

    refused = [table.refused(checks.roll("han"), by=seat) for seat in (ANN, GM)]
    table.do(checks.oppose())

    assert [(each.code, each.details) for each in refused] == [(Code.NOT_OPPOSED, {"id": "dive"})] * 2
    assert checks.roll_of(table.do(checks.roll(), by=ANN, dice=loaded(2, 2, 2))).outcome is Outcome.FAIL


def test_two_open_checks_of_a_character_spend_what_waits_as_they_are_rolled():
    table = checks.seated()
    checks.charm(table)
    table.do(checks.propose(score=1))
    table.do(checks.propose(score=1, id="leap"))

    first = table.do(checks.roll(check="leap"), dice=loaded(4))
    second = table.do(checks.roll(check="dive"), dice=loaded(1))

    assert first[0] == checks.momentum_spent(check="leap")
    assert (checks.roll_of(first).momentum, checks.roll_of(second).momentum) == (True, False)
    assert second[1:] == [checks.resolved(checks.FUMBLE, 1), checks.interference()]


def test_momentum_that_comes_after_the_proposal_counts():
    table = diving(1)
    checks.charm(table)
    assert table.do(checks.adjust(stunts=["slide"]))

    assert checks.roll_of(table.do(checks.roll(), dice=loaded(1, 4))).momentum


def test_a_roll_takes_what_the_check_says_at_the_time():
    table = diving(3)
    checks.rolled_out(table, checks.propose("chen", 1, id="other"), 2)
    table.do(checks.adjust(score=1))

    assert checks.roll_of(table.do(checks.roll("han"), dice=loaded(4))).pool == 1


# Checks until they are rolled: proposed, adjusted, helped, opposed, withdrawn


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
