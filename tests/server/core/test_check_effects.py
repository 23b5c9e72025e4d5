"""What checks bring: momentum and interference, alone and in cooperation, and effects to choose instead."""

from typing import Any

import pytest

from dreadclock.wire.errors import Code
from dreadclock.wire.events import DiceRolled
from kit.families.checks import (
    FAIL,
    FALL,
    FALLING,
    FUMBLE,
    PLAIN_ROLL,
    SLIDE,
    SUCCESS,
    TRIUMPH,
    adjust,
    aid,
    charm,
    choose,
    chosen,
    finish,
    holds,
    interference,
    interference_spent,
    jinx,
    kill,
    momentum,
    momentum_spent,
    offered,
    part,
    propose,
    resolved,
    roll,
    roll_of,
    rolled,
    rolled_out,
    seated,
    shown,
    tempt,
    together,
    trip,
    venture,
    ventured,
)
from kit.families.checks import bonus as dice_of
from kit.families.checks import earned as venture_earned
from kit.tables import ANN, BO, loaded

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


# Effects to choose instead


@pytest.mark.rule("C-momentum")
def test_a_stunt_may_be_chosen_instead_of_momentum():
    table = seated()

    assert tempt(table)[1:] == [resolved(TRIUMPH, 6, 1, "feat"), offered("han", SLIDE)]
    assert table.do(choose("slide", check="feat"), by=ANN) == [chosen("slide", SLIDE)]
    assert holds(table) == (False, False)
    assert table.view.characters["han"].choices == ()


@pytest.mark.rule("C-momentum")
def test_momentum_may_be_chosen_though_there_are_stunts():
    table = seated()
    tempt(table)

    assert table.do(choose("momentum", check="feat"), by=ANN) == [chosen("momentum", SLIDE), momentum("han", "feat")]


@pytest.mark.rule("E6")
@pytest.mark.parametrize(("fate", "brings"), [("leaves", [momentum("han", "feat")]), ("retires", [])])
def test_a_choice_is_worth_something_to_who_left_and_nothing_to_who_is_gone_for_good(fate: str, brings: list[Any]):
    table = seated()
    tempt(table)
    table.do({"type": "take_out_of_play", "character_id": "han", "fate": fate})

    assert table.do(choose("momentum", check="feat"), by=ANN) == [chosen("momentum", SLIDE), *brings]


@pytest.mark.rule("C-interference")
@pytest.mark.parametrize(("effect", "brings"), [("fall", []), ("interference", [interference("han", "slip")])])
@pytest.mark.rule("C22")
def test_a_fumble_effect_that_is_marked_so_leaves_interference_to_choose(effect: str, brings: list[Any]):
    table = seated()

    assert trip(table)[1:] == [resolved(FUMBLE, 1, 0, "slip"), offered("han", FALL)]
    assert table.do(choose(effect, check="slip"), by=ANN) == [chosen(effect, FALL), *brings]


def test_an_effect_is_chosen_by_the_characters_owner_or_the_gm_among_those_on_offer():
    table = seated()
    tempt(table)

    assert table.refused(choose("slide", check="feat"), by=BO).code is Code.NOT_ALLOWED
    for effect in ("fly", "interference"):
        refused = table.refused(choose(effect, check="feat"), by=ANN)
        assert (refused.code, refused.details) == (Code.NOT_OFFERED, {"offered": "momentum, slide"})
    for order in (choose("slide", check="other"), choose("slide", "chen", check="feat")):
        assert table.refused(order).code is Code.NO_CHOICE
    assert table.do(choose("slide", check="feat"))
    assert table.refused(choose("slide", check="feat"), by=ANN).code is Code.NO_CHOICE


@pytest.mark.rule("C-cooperation")
def test_only_whoever_fumbled_has_an_effect_to_choose_the_others_get_interference():
    table = together()
    table.do(adjust(**FALLING))
    fall = FALL.model_copy(update={"check_id": "dive"})

    assert finish(table, (5,), (1,)) == [resolved(SUCCESS, 5), interference("han"), offered("chen", fall)]


@pytest.mark.rule("C12", "C13")
def test_a_leader_who_fumbled_and_triumphed_chooses_twice_in_any_order():
    table = together()
    table.do(adjust(stunts=["slide"], **FALLING))
    fall, slide = (one.model_copy(update={"check_id": "dive"}) for one in (FALL, SLIDE))

    events = finish(table, (1,), (6, 6, 2))

    assert events[1:] == [offered("han", fall), interference("chen"), offered("han", slide, fall)]
    refused = table.refused(choose("fly"))
    assert refused.details == {"offered": "interference, fall, momentum, slide"}
    assert table.do(choose("slide")) == [chosen("slide", slide, (fall,))]
    assert table.do(choose("fall")) == [chosen("fall", fall)]


@pytest.mark.rule("C18")
def test_c18_a_choice_not_made_before_the_next_check_is_its_token_and_counts_in_it():
    table = seated()
    tempt(table)

    assert rolled_out(table, propose(score=1), 1, 4) == [
        chosen("momentum", SLIDE),
        momentum("han", "feat"),
        momentum_spent(),
        rolled(part(score=1), shown(1, 4, pool=1, remaining=(4,), outcome=SUCCESS, momentum=True)),
        resolved(SUCCESS, 4),
    ]
    assert table.refused(choose("slide", check="feat")).code is Code.NO_CHOICE


@pytest.mark.rule("C18", "C22")
def test_c18_a_plain_roll_of_the_character_settles_it_too():
    table = seated()
    trip(table)
    other = {**PLAIN_ROLL, "character_id": "chen"}

    assert len(table.do(other, dice=loaded(3))) == 1
    events = table.do(PLAIN_ROLL, by=ANN, dice=loaded(3))

    assert events[0] == chosen("fall", FALL)
    assert isinstance(events[1], DiceRolled)
    assert holds(table) == (False, False)


@pytest.mark.rule("C18")
def test_c18_a_total_that_the_character_rolls_settles_it_too():
    table = seated()
    tempt(table)
    table.do({"type": "propose_total", "id": "climb", "character_id": "han", "attribute": 1})

    events = table.do({"type": "roll_total", "total_id": "climb"}, by=ANN, dice=loaded(3))

    assert events[:2] == [chosen("momentum", SLIDE), momentum("han", "feat")]
    assert holds(table) == (True, False)


@pytest.mark.rule("C18", "C22")
def test_c22_of_choices_of_both_sorts_that_are_not_made_the_fumbles_is_its_first_effect():
    table = seated()
    table.do(propose(score=1, id="slip"))
    table.do(adjust("slip", **FALLING))
    table.do(aid("chen", 1, "slip"))
    table.do(roll("han", "slip"), dice=loaded(1))
    tempt(table)
    table.do(roll("chen", "slip"), dice=loaded(2))

    events = rolled_out(table, propose(score=1), 6, 2)

    assert events[:-2] == [
        chosen("momentum", SLIDE, (FALL,)),
        momentum("han", "feat"),
        chosen("fall", FALL),
        momentum_spent(),
    ]
    assert roll_of(events) == shown(6, 2, pool=1, outcome=SUCCESS, momentum=True)


def test_a_choice_outlives_the_check_that_offered_it():
    table = seated()
    tempt(table)
    for number in range(33):
        rolled_out(table, propose("guard", 1, id=f"c{number}"), 2)
    table.do(propose("guard"))
    assert "feat" not in table.view.checks

    assert table.do(choose("slide", check="feat"), by=ANN) == [chosen("slide", SLIDE)]


def test_a_check_of_somebody_who_died_in_the_middle_comes_to_its_end():
    table = together()
    table.do(roll("han"), dice=loaded(1))
    kill(table, "han")

    events = table.do(roll("chen"), by=BO, dice=loaded(5))

    assert events[1] == resolved(SUCCESS, 5)
    assert table.refused(roll("han")).code is Code.ROLL_STANDS
