"""What checks bring: momentum and interference, alone and in cooperation, and effects to choose instead."""

import pytest

from kit.families.checks import (
    FAIL,
    FUMBLE,
    PLAIN_ROLL,
    SUCCESS,
    TRIUMPH,
    aid,
    charm,
    finish,
    holds,
    interference,
    interference_spent,
    jinx,
    momentum,
    momentum_spent,
    part,
    propose,
    resolved,
    roll,
    roll_of,
    rolled,
    rolled_out,
    seated,
    shown,
    together,
    venture,
    ventured,
)
from kit.families.checks import bonus as dice_of
from kit.families.checks import earned as venture_earned
from kit.tables import loaded

# Tokens


@pytest.mark.rule("C-momentum")
def test_momentum_is_spent_by_the_next_check_though_no_die_is_rolled_again():
    table = seated()
    charm(table)

    assert rolled_out(table, propose(score=1), 4) == [
        momentum_spent(),
        rolled(part(score=1), shown(4, outcome=SUCCESS, momentum=True)),
        resolved(SUCCESS, 4),
    ]
    assert roll_of(rolled_out(table, propose(score=1, id="leap"), 1)) == shown(1, outcome=FUMBLE)


@pytest.mark.rule("C-interference")
def test_interference_is_spent_by_the_next_check_though_no_6_is_rolled():
    table = seated()
    jinx(table)

    assert rolled_out(table, propose(score=1), 4)[0] == interference_spent()
    assert roll_of(rolled_out(table, propose(score=1, id="leap"), 6, 2)) == shown(6, 2, pool=1, outcome=SUCCESS)


@pytest.mark.rule("C-momentum", "C-interference")
def test_a_part_in_somebody_elses_check_is_a_check_of_ones_own():
    table = together()
    charm(table, "chen")

    events = table.do(roll("chen"), dice=loaded(1, 4))

    assert events[0] == momentum_spent("chen")
    assert roll_of(events).momentum


def test_a_plain_roll_spends_nothing():
    table = seated()
    charm(table)

    assert len(table.do(PLAIN_ROLL, dice=loaded(3))) == 1
    assert holds(table) == (True, False)


@pytest.mark.rule("C7")
def test_c7_momentum_and_interference_cancel_whichever_comes_first():
    table = seated()
    for old in ("old", "older"):
        table.do(propose(score=1, id=old))
        table.do(aid("chen", 1, old))
        table.do(roll("han", old), dice=loaded(2))
    charm(table)

    first = table.do(roll("chen", "old"), dice=loaded(1))
    assert holds(table) == (False, False)
    table.do(roll("chen", "older"), dice=loaded(1))  # Han holds interference now
    assert holds(table) == (False, True)

    assert first[2:] == [interference("han", "old", held=False), interference("chen", "old")]


@pytest.mark.rule("C7")
def test_c7_whoever_holds_interference_and_gains_momentum_loses_both():
    table = seated()
    table.do(propose(score=2, id="old"))
    table.do(aid("chen", 1, "old"))
    table.do(roll("han", "old"), dice=loaded(6, 6, 2, 2))
    jinx(table)

    events = table.do(roll("chen", "old"), dice=loaded(2))

    assert events[-1] == momentum("han", "old", held=False)
    assert holds(table) == (False, False)
    assert roll_of(rolled_out(table, propose(score=1), 1)) == shown(1, outcome=FUMBLE)


@pytest.mark.rule("C11")
def test_c11_momentum_does_not_stack():
    table = seated()
    table.do(propose(score=2, id="old"))
    table.do(aid("chen", 1, "old"))
    table.do(roll("han", "old"), dice=loaded(6, 6, 2, 2))
    charm(table)

    events = table.do(roll("chen", "old"), dice=loaded(2))

    assert events[-1] == momentum("han", "old")
    assert roll_of(rolled_out(table, propose(score=1), 4)).momentum
    assert not roll_of(rolled_out(table, propose(score=1, id="leap"), 4)).momentum


# Cooperation


@pytest.mark.rule("C-cooperation")
def test_the_dice_of_all_who_help_are_pooled_for_the_highest_each_with_its_own_modifiers():
    table = together(han=2, chen=3, penalty=1, bonus=0)

    assert table.do(roll("han"), dice=loaded(3, 2)) == [rolled(part(score=2), shown(3, 2, outcome=FAIL))]
    assert table.do(roll("chen"), dice=loaded(5, 5)) == [
        rolled(part("chen", 3, penalty=1), shown(5, 5, outcome=SUCCESS)),
        resolved(SUCCESS, 5, margin=1),
    ]


@pytest.mark.rule("C-cooperation", "C12")
@pytest.mark.parametrize(("han", "chen"), [((1,), (5,)), ((5,), (1,))], ids=["leader", "other"])
def test_c12_whoever_fumbles_brings_interference_to_all_who_are_in_it(han: tuple[int, ...], chen: tuple[int, ...]):
    assert finish(together(), han, chen) == [resolved(SUCCESS, 5), interference("han"), interference("chen")]


@pytest.mark.rule("C-cooperation", "C5")
def test_a_fumble_of_all_together_brings_interference_once_each():
    assert finish(together(), (1,), (1,)) == [resolved(FUMBLE, 1, 1), interference("han"), interference("chen")]


@pytest.mark.rule("C13")
def test_c13_sixes_of_different_characters_make_a_triumph_whose_momentum_is_the_leaders():
    assert finish(together(), (6, 2), (6, 3)) == [resolved(TRIUMPH, 6, 1), momentum("han")]


@pytest.mark.rule("C7", "C12", "C13")
def test_a_triumph_with_a_fumble_in_it_leaves_the_leader_with_nothing():
    events = finish(together(), (1,), (6, 6, 2))

    assert events == [
        resolved(TRIUMPH, 6, 1),
        interference("han"),
        interference("chen"),
        momentum("han", held=False),
    ]


@pytest.mark.rule("C14", "C-venture")
def test_c14_a_venture_takes_the_dice_of_whoever_declared_it():
    table = together(han=2, chen=1, venture=venture())

    table.do(roll("han"), dice=loaded(4, 4))
    events = table.do(roll("chen"), dice=loaded(6, 5))

    risky = part("chen", 1, venture=ventured(beneficiary="chen"))
    assert events == [
        rolled(risky, shown(6, 5, pool=1, remaining=(5,), removed=1, outcome=SUCCESS)),
        resolved(SUCCESS, 5),
        venture_earned("chen", dice_of(1, declarer="chen", number=2)),
    ]
