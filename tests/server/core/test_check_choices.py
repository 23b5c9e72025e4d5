"""Effects to choose instead of momentum and interference. Rulings C18 and C22."""

from typing import Any

import pytest

from dreadclock.wire.errors import Code
from dreadclock.wire.events import DiceRolled
from kit.families.checks import (
    FALL,
    FALLING,
    FUMBLE,
    PLAIN_ROLL,
    SLIDE,
    SUCCESS,
    TRIUMPH,
    adjust,
    aid,
    choose,
    chosen,
    finish,
    holds,
    interference,
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
)
from kit.tables import ANN, BO, loaded

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
