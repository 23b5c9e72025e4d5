"""Rolling checks: whose part is rolled, with which dice, and what they come to."""

from typing import Any

import pytest

from dreadclock.rules.check import Outcome
from dreadclock.wire.errors import Code
from dreadclock.wire.events import CheckResolved, CheckRolled, Event
from dreadclock.wire.things import CheckStatus, Part, PartRoll
from kit.families.checks import (
    FAIL,
    FUMBLE,
    SUCCESS,
    TRIUMPH,
    adjust,
    aid,
    charm,
    interference,
    interference_spent,
    jinx,
    momentum,
    momentum_spent,
    oppose,
    part,
    propose,
    resolved,
    roll,
    rolled,
    rolled_out,
    seated,
    shown,
    venture,
)
from kit.tables import ANN, BO, GM, WATCHER, Table, loaded


def roll_of(events: list[Any]) -> PartRoll:
    [event] = [each for each in events if isinstance(each, CheckRolled)]
    assert event.part.roll is not None
    return event.part.roll


def diving(score: int = 3, **more: Any) -> Table:
    table = seated(**more.pop("policy", {}))
    table.do(propose(score=score, **more))
    return table


# Outcomes


@pytest.mark.rule("C-roll", "C-outcome", "C-margin")
@pytest.mark.parametrize(
    ("faces", "outcome", "highest", "margin"),
    [
        ((1, 1, 1), FUMBLE, 1, 2),
        ((2, 1, 1), FAIL, 2, 0),
        ((3, 1, 3), FAIL, 3, 1),
        ((4, 4, 4), SUCCESS, 4, 2),
        ((6, 1, 1, 5), SUCCESS, 6, 0),
        ((6, 5, 6, 1, 5), TRIUMPH, 6, 1),
    ],
    ids=str,
)
def test_the_highest_die_makes_the_outcome(faces: tuple[int, ...], outcome: Outcome, highest: int, margin: int):
    table = diving()

    events = table.do(roll(), by=ANN, dice=loaded(*faces))

    brings: dict[Outcome, list[Event]] = {FUMBLE: [interference()], TRIUMPH: [momentum()]}
    dice = shown(*faces, pool=3, outcome=outcome)
    assert events == [rolled(part(), dice), resolved(outcome, highest, margin), *brings.get(outcome, [])]
    assert table.view_as(WATCHER).checks["dive"].status is CheckStatus.RESOLVED


@pytest.mark.rule("C9")
@pytest.mark.parametrize(
    ("score", "fields", "faces"),
    [(0, {}, ()), (0, {"bonus": 1, "penalty": 1}, ()), (1, {"venture": venture(1)}, (5,))],
    ids=["score 0", "no net bonus", "venture"],
)
def test_c9_a_check_without_a_die_is_a_fumble(score: int, fields: dict[str, Any], faces: tuple[int, ...]):
    table = diving(score, **fields)

    events = table.do(roll(), by=ANN, dice=loaded(*faces))

    assert roll_of(events).remaining == ()
    assert events[1:] == [resolved(FUMBLE, None), interference()]


@pytest.mark.rule("C-interference", "C10")
def test_c10_interference_is_spent_and_a_triumph_under_it_still_gives_momentum():
    table = seated()
    jinx(table)
    table.do(propose(score=3))

    assert table.do(roll(), dice=loaded(6, 2, 6)) == [
        interference_spent(),
        rolled(part(), shown(6, 2, 6, outcome=TRIUMPH, interference=True)),
        resolved(TRIUMPH, 6, margin=1),
        momentum(),
    ]


# Whose roll


def test_a_part_is_rolled_by_its_own_seat_or_the_gm():
    table = diving()
    table.do(aid("chen"))

    assert table.refused(roll("chen"), by=ANN).code is Code.NOT_ALLOWED
    assert table.refused(roll("han"), by=BO).code is Code.NOT_ALLOWED
    assert table.refused(roll(), by=WATCHER).code is Code.NOT_ALLOWED
    assert table.refused(roll("guard"), by=GM).code is Code.NOT_IN_CHECK
    first = table.do(roll(), by=BO, dice=loaded(2, 2))
    assert first == [rolled(part("chen", 2), shown(2, 2, outcome=FAIL))]
    assert table.view.checks["dive"].status is CheckStatus.ROLLING
    assert table.do(roll("han"), by=GM, dice=loaded(2, 2, 2))[-1] == resolved(FAIL, 2, margin=4)


def test_the_gm_rolls_the_only_part_whosever_it_is():
    assert parts_rolled(diving().do(roll(), dice=loaded(2, 2, 2))) == [part()]


@pytest.mark.rule("E3")
@pytest.mark.parametrize("owner", [None, "gm"])
def test_a_second_click_of_the_gm_rolls_nobody_elses_part(owner: str | None):
    table = diving()
    table.do({"type": "update_character", "character_id": "guard", "name": "Guard", "owner": owner})
    table.do(aid("chen"))
    table.do(aid("guard", 1))

    rolled = table.do(roll(), dice=loaded(2))
    refused = table.refused(roll())

    assert parts_rolled(rolled) == [part("guard", 1)]
    assert (refused.code, refused.details["waiting"]) == (Code.PART_UNSAID, "han, chen")
    assert parts_rolled(table.do(roll("chen"), dice=loaded(2, 2))) == [part("chen", 2)]


def test_whoever_has_two_parts_rolls_them_one_after_the_other():
    table = diving()
    table.do({"type": "update_character", "character_id": "guard", "owner": ANN.seat_id})
    table.do(aid("guard", 1), by=ANN)

    events = [table.do(roll(), by=ANN, dice=loaded(*[2] * dice)) for dice in (3, 1)]

    assert [parts_rolled(each) for each in events] == [[part()], [part("guard", 1)]]


def parts_rolled(events: list[Any]) -> list[Part]:
    rolls = [event for event in events if isinstance(event, CheckRolled)]
    return [each.part.model_copy(update={"roll": None}) for each in rolls]


def test_the_roll_names_the_lane_and_slot_of_whoever_rolled():
    table = diving()

    [record, _] = table.write({**roll(), "note": "Now."}, by=ANN, dice=loaded(6, 2, 2, 2))

    assert isinstance(record.event, CheckRolled)
    assert record.event.note == "Now."
    assert record.event.part.roll is not None
    assert record.event.part.roll.proof is not None
    assert (record.event.part.roll.proof.lane, record.event.part.roll.proof.n) == ("seat/player-1/0", 1)


@pytest.mark.rule("C9")
def test_a_roll_of_no_dice_uses_no_slot_of_the_lane():
    table = diving(0)

    record = table.write(roll(), by=ANN)[0]

    assert isinstance(record.event, CheckRolled)
    assert record.event.part.roll is not None
    assert record.event.part.roll.proof is None
    assert table.view.public.lanes["seat/player-1/0"].used == 0


@pytest.mark.rule("E2")
def test_e2_a_roll_stops_at_200_dice_and_says_so():
    table = diving(60)

    events = table.do(roll(), dice=loaded(*[6] * 200))

    assert roll_of(events) == shown(*[6] * 200, pool=60, outcome=TRIUMPH, capped=True)
    assert isinstance(events[1], CheckResolved)
    assert events[1].result.acting.margin == 199


# A check that waits for its opposition


@pytest.mark.rule("C-contest")
def test_a_contest_waits_for_its_other_side():
    table = diving(contest=True)

    refused = [table.refused(roll("han"), by=seat) for seat in (ANN, GM)]
    table.do(oppose())

    assert [(each.code, each.details) for each in refused] == [(Code.NOT_OPPOSED, {"id": "dive"})] * 2
    assert roll_of(table.do(roll(), by=ANN, dice=loaded(2, 2, 2))).outcome is Outcome.FAIL


def test_two_open_checks_of_a_character_spend_what_waits_as_they_are_rolled():
    table = seated()
    charm(table)
    table.do(propose(score=1))
    table.do(propose(score=1, id="leap"))

    first = table.do(roll(check="leap"), dice=loaded(4))
    second = table.do(roll(check="dive"), dice=loaded(1))

    assert first[0] == momentum_spent(check="leap")
    assert (roll_of(first).momentum, roll_of(second).momentum) == (True, False)
    assert second[1:] == [resolved(FUMBLE, 1), interference()]


def test_momentum_that_comes_after_the_proposal_counts():
    table = diving(1)
    charm(table)
    assert table.do(adjust(stunts=["slide"]))

    assert roll_of(table.do(roll(), dice=loaded(1, 4))).momentum


def test_a_roll_takes_what_the_check_says_at_the_time():
    table = diving(3)
    rolled_out(table, propose("chen", 1, id="other"), 2)
    table.do(adjust(score=1))

    assert roll_of(table.do(roll("han"), dice=loaded(4))).pool == 1
