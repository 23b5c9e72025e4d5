"""Rolling checks: whose part is rolled, with which dice, and what they come to."""

from typing import Any

import pytest

from dreadclock.rules.check import Outcome
from dreadclock.wire.errors import Code
from dreadclock.wire.events import CheckResolved, CheckRolled, Event
from dreadclock.wire.things import CheckStatus, Part
from kit.families import checks
from kit.families.checks import rolled
from kit.tables import ANN, BO, GM, WATCHER, Table, loaded


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
