"""Rolling checks: what the dice of one part come to, whoever rolls them."""

from typing import Any

import pytest

from dreadclock.rules.check import Outcome
from dreadclock.wire.events import CheckRolled, Event
from dreadclock.wire.things import CheckStatus, PartRoll
from kit.families.checks import (
    FAIL,
    FUMBLE,
    SUCCESS,
    TRIUMPH,
    charm,
    interference,
    interference_spent,
    jinx,
    momentum,
    momentum_spent,
    part,
    propose,
    resolved,
    roll,
    rolled,
    seated,
    shown,
    venture,
)
from kit.tables import ANN, WATCHER, Table, loaded


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


@pytest.mark.rule("C1")
def test_c1_dice_that_a_6_added_add_dice_too():
    table = diving(1)

    assert table.do(roll(), dice=loaded(6, 6, 6, 2)) == [
        rolled(part(score=1), shown(6, 6, 6, 2, pool=1, outcome=TRIUMPH)),
        resolved(TRIUMPH, 6, margin=2),
        momentum(),
    ]


@pytest.mark.rule("C2", "C3", "C-momentum")
def test_momentum_rolls_each_1_again_on_added_dice_too_and_a_6_then_adds_one():
    table = seated()
    charm(table)
    table.do(propose(score=2))

    events = table.do(roll(), dice=loaded(1, 6, 1, 6, 1, 2, 3))

    # Two dice, then one for each 1 and each 6 among all that were drawn.
    assert roll_of(events).faces == (1, 6, 1, 6, 1, 2, 3)
    assert sorted(roll_of(events).remaining) == [2, 3, 6, 6]
    assert events[0] == momentum_spent()
    assert roll_of(events).momentum
    assert events[2:] == [resolved(TRIUMPH, 6, margin=1), momentum()]


@pytest.mark.rule("C4")
@pytest.mark.parametrize(
    ("score", "penalty", "faces", "remaining", "outcome"),
    [
        (3, 2, (5,), (5,), SUCCESS),  # one die is left to roll
        (2, 2, (5,), (), FUMBLE),
        (2, 2, (6, 4), (4,), SUCCESS),
        (1, 1, (6, 1), (1,), FUMBLE),
        (2, 3, (6, 6, 3), (3,), FAIL),
        (1, 2, (6, 6, 6, 6, 2), (6, 6, 2), TRIUMPH),
        (0, 3, (), (), FUMBLE),
    ],
    ids=str,
)
def test_c4_penalties_beyond_the_last_die_take_the_highest_after_the_roll(
    score: int, penalty: int, faces: tuple[int, ...], remaining: tuple[int, ...], outcome: Outcome
):
    table = diving(score, penalty=penalty)

    dice = roll_of(table.do(roll(), dice=loaded(*faces)))

    removed = max(penalty - score + 1, 0) if score else 0
    pool = 1 if score else 0
    assert dice == shown(*faces, pool=pool, remaining=remaining, removed=removed, outcome=outcome)


@pytest.mark.rule("C5", "C-margin")
def test_c5_triumph_and_margin_look_at_the_dice_that_remain():
    table = diving(2, venture=venture(1))

    dice = roll_of(table.do(roll(), dice=loaded(6, 6, 2, 3)))

    assert (sorted(dice.remaining), dice.outcome, dice.highest, dice.margin) == ([2, 3, 6], SUCCESS, 6, 0)


@pytest.mark.rule("C6", "C-venture")
def test_c6_a_venture_that_leaves_only_1s_is_a_fumble():
    table = diving(2, venture=venture(1))

    events = table.do(roll(), dice=loaded(5, 1))

    assert roll_of(events).remaining == (1,)
    assert events[1:] == [resolved(FUMBLE, 1), interference()]


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


@pytest.mark.rule("C9", "C-modifiers")
def test_c9_a_bonus_makes_up_for_a_score_of_0():
    table = diving(0, bonus=3, penalty=2)

    assert roll_of(table.do(roll(), dice=loaded(4))).pool == 1


@pytest.mark.rule("C15")
def test_c15_a_bonus_cancels_no_venture():
    table = diving(1, bonus=2, venture=venture(2))

    dice = roll_of(table.do(roll(), dice=loaded(5, 4, 2)))

    assert dice == shown(5, 4, 2, remaining=(2,), removed=2, outcome=FAIL)


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
