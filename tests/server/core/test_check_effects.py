"""What checks bring: momentum and interference, alone and in cooperation, and effects to choose instead."""

from typing import Any

import pytest

from dreadclock.wire.errors import Code
from dreadclock.wire.events import DiceRolled
from kit.families import checks
from kit.families.checks import bonus as dice_of
from kit.families.checks import earned as venture_earned
from kit.tables import ANN, BO, loaded

# Tokens

BOTH_FUMBLED = checks.resolved(checks.FUMBLE, 1, 1)


@pytest.mark.rule("C-momentum")
def test_momentum_is_spent_by_the_next_check_though_no_die_is_rolled_again():
    table = checks.seated()
    checks.charm(table)

    assert checks.rolled_out(table, checks.propose(score=1), 4) == [
        checks.momentum_spent(),
        checks.rolled(checks.part(score=1), checks.shown(4, outcome=checks.SUCCESS, momentum=True)),
        checks.resolved(checks.SUCCESS, 4),
    ]
    assert checks.roll_of(checks.rolled_out(table, checks.propose(score=1, id="leap"), 1)) == checks.shown(
        1, outcome=checks.FUMBLE
    )


@pytest.mark.rule("C-interference")
def test_interference_is_spent_by_the_next_check_though_no_6_is_rolled():
    table = checks.seated()
    checks.jinx(table)

    assert checks.rolled_out(table, checks.propose(score=1), 4)[0] == checks.interference_spent()
    assert checks.roll_of(checks.rolled_out(table, checks.propose(score=1, id="leap"), 6, 2)) == checks.shown(
        6, 2, pool=1, outcome=checks.SUCCESS
    )


@pytest.mark.rule("C-momentum", "C-interference")
def test_a_part_in_somebody_elses_check_is_a_check_of_ones_own():
    table = checks.together()
    checks.charm(table, "chen")

    events = table.do(checks.roll("chen"), dice=loaded(1, 4))

    assert events[0] == checks.momentum_spent("chen")
    assert checks.roll_of(events).momentum


def test_a_plain_roll_spends_nothing():
    table = checks.seated()
    checks.charm(table)

    assert len(table.do(checks.PLAIN_ROLL, dice=loaded(3))) == 1
    assert checks.holds(table) == (True, False)


@pytest.mark.rule("C7")
def test_c7_momentum_and_interference_cancel_whichever_comes_first():
    table = checks.seated()
    for old in ("old", "older"):
        table.do(checks.propose(score=1, id=old))
        table.do(checks.aid("chen", 1, old))
        table.do(checks.roll("han", old), dice=loaded(2))
    checks.charm(table)

    first = table.do(checks.roll("chen", "old"), dice=loaded(1))
    assert checks.holds(table) == (False, False)
    table.do(checks.roll("chen", "older"), dice=loaded(1))  # Han holds interference now
    assert checks.holds(table) == (False, True)

    assert first[2:] == [checks.interference("han", "old", held=False), checks.interference("chen", "old")]


@pytest.mark.rule("C7")
def test_c7_whoever_holds_interference_and_gains_momentum_loses_both():
    table = checks.seated()
    table.do(checks.propose(score=2, id="old"))
    table.do(checks.aid("chen", 1, "old"))
    table.do(checks.roll("han", "old"), dice=loaded(6, 6, 2, 2))
    checks.jinx(table)

    events = table.do(checks.roll("chen", "old"), dice=loaded(2))

    assert events[-1] == checks.momentum("han", "old", held=False)
    assert checks.holds(table) == (False, False)
    assert checks.roll_of(checks.rolled_out(table, checks.propose(score=1), 1)) == checks.shown(
        1, outcome=checks.FUMBLE
    )


@pytest.mark.rule("C11")
def test_c11_momentum_does_not_stack():
    table = checks.seated()
    table.do(checks.propose(score=2, id="old"))
    table.do(checks.aid("chen", 1, "old"))
    table.do(checks.roll("han", "old"), dice=loaded(6, 6, 2, 2))
    checks.charm(table)

    assert table.do(checks.roll("chen", "old"), dice=loaded(2))[-1] == checks.momentum("han", "old")
    assert checks.roll_of(checks.rolled_out(table, checks.propose(score=1), 4)).momentum
    assert not checks.roll_of(checks.rolled_out(table, checks.propose(score=1, id="leap"), 4)).momentum


# Cooperation


@pytest.mark.rule("C-cooperation")
def test_the_dice_of_all_who_help_are_pooled_for_the_highest_each_with_its_own_modifiers():
    table = checks.together(han=2, chen=3, penalty=1, bonus=0)

    assert table.do(checks.roll("han"), dice=loaded(3, 2)) == [
        checks.rolled(checks.part(score=2), checks.shown(3, 2, outcome=checks.FAIL))
    ]
    assert table.do(checks.roll("chen"), dice=loaded(5, 5)) == [
        checks.rolled(checks.part("chen", 3, penalty=1), checks.shown(5, 5, outcome=checks.SUCCESS)),
        checks.resolved(checks.SUCCESS, 5, margin=1),
    ]


@pytest.mark.rule("C-cooperation", "C5", "C12")
@pytest.mark.parametrize(
    ("han", "chen", "result"),
    [(1, 5, checks.resolved(checks.SUCCESS, 5)), (5, 1, checks.resolved(checks.SUCCESS, 5)), (1, 1, BOTH_FUMBLED)],
    ids=["leader", "other", "both"],
)
def test_c12_whoever_fumbles_brings_interference_to_all_who_are_in_it(han: int, chen: int, result: Any):
    events = checks.finish(checks.together(), (han,), (chen,))

    assert events == [result, checks.interference("han"), checks.interference("chen")]


@pytest.mark.rule("C13")
def test_c13_sixes_of_different_characters_make_a_triumph_whose_momentum_is_the_leaders():
    assert checks.finish(checks.together(), (6, 2), (6, 3)) == [
        checks.resolved(checks.TRIUMPH, 6, 1),
        checks.momentum("han"),
    ]


@pytest.mark.rule("C7", "C12", "C13")
def test_a_triumph_with_a_fumble_in_it_leaves_the_leader_with_nothing():
    assert checks.finish(checks.together(), (1,), (6, 6, 2)) == [
        checks.resolved(checks.TRIUMPH, 6, 1),
        checks.interference("han"),
        checks.interference("chen"),
        checks.momentum("han", held=False),
    ]


@pytest.mark.rule("C14", "C-venture")
def test_c14_a_venture_takes_the_dice_of_whoever_declared_it():
    table = checks.together(han=2, chen=1, venture=checks.venture())

    table.do(checks.roll("han"), dice=loaded(4, 4))
    events = table.do(checks.roll("chen"), dice=loaded(6, 5))

    risky = checks.part("chen", 1, venture=checks.ventured(beneficiary="chen"))
    assert events == [
        checks.rolled(risky, checks.shown(6, 5, pool=1, remaining=(5,), removed=1, outcome=checks.SUCCESS)),
        checks.resolved(checks.SUCCESS, 5),
        venture_earned("chen", dice_of(1, declarer="chen", number=2)),
    ]


# Effects to choose instead


@pytest.mark.rule("C-momentum")
def test_a_stunt_may_be_chosen_instead_of_momentum():
    table = checks.seated()

    assert checks.tempt(table)[1:] == [
        checks.resolved(checks.TRIUMPH, 6, 1, "feat"),
        checks.offered("han", checks.SLIDE),
    ]
    assert table.do(checks.choose("slide", check="feat"), by=ANN) == [checks.chosen("slide", checks.SLIDE)]
    assert checks.holds(table) == (False, False)
    assert table.view.characters["han"].choices == ()


@pytest.mark.rule("C-momentum")
def test_momentum_may_be_chosen_though_there_are_stunts():
    table = checks.seated()
    checks.tempt(table)

    assert table.do(checks.choose("momentum", check="feat"), by=ANN) == [
        checks.chosen("momentum", checks.SLIDE),
        checks.momentum("han", "feat"),
    ]


@pytest.mark.rule("E6")
@pytest.mark.parametrize(("fate", "brings"), [("leaves", [checks.momentum("han", "feat")]), ("retires", [])])
def test_a_choice_is_worth_something_to_who_left_and_nothing_to_who_is_gone_for_good(fate: str, brings: list[Any]):
    table = checks.seated()
    checks.tempt(table)
    table.do({"type": "take_out_of_play", "character_id": "han", "fate": fate})

    assert table.do(checks.choose("momentum", check="feat"), by=ANN) == [
        checks.chosen("momentum", checks.SLIDE),
        *brings,
    ]


@pytest.mark.rule("C-interference")
@pytest.mark.parametrize(("effect", "brings"), [("fall", []), ("interference", [checks.interference("han", "slip")])])
@pytest.mark.rule("C22")
def test_a_fumble_effect_that_is_marked_so_leaves_interference_to_choose(effect: str, brings: list[Any]):
    table = checks.seated()

    assert checks.trip(table)[1:] == [checks.resolved(checks.FUMBLE, 1, 0, "slip"), checks.offered("han", checks.FALL)]
    assert table.do(checks.choose(effect, check="slip"), by=ANN) == [checks.chosen(effect, checks.FALL), *brings]


def test_an_effect_is_chosen_by_the_characters_owner_or_the_gm_among_those_on_offer():
    table = checks.seated()
    checks.tempt(table)

    assert table.refused(checks.choose("slide", check="feat"), by=BO).code is Code.NOT_ALLOWED
    for effect in ("fly", "interference"):
        refused = table.refused(checks.choose(effect, check="feat"), by=ANN)
        assert (refused.code, refused.details) == (Code.NOT_OFFERED, {"offered": "momentum, slide"})
    for order in (checks.choose("slide", check="other"), checks.choose("slide", "chen", check="feat")):
        assert table.refused(order).code is Code.NO_CHOICE
    assert table.do(checks.choose("slide", check="feat"))
    assert table.refused(checks.choose("slide", check="feat"), by=ANN).code is Code.NO_CHOICE


@pytest.mark.rule("C-cooperation")
def test_only_whoever_fumbled_has_an_effect_to_choose_the_others_get_interference():
    table = checks.together()
    table.do(checks.adjust(**checks.FALLING))
    fall = checks.FALL.model_copy(update={"check_id": "dive"})

    assert checks.finish(table, (5,), (1,)) == [
        checks.resolved(checks.SUCCESS, 5),
        checks.interference("han"),
        checks.offered("chen", fall),
    ]


@pytest.mark.rule("C12", "C13")
def test_a_leader_who_fumbled_and_triumphed_chooses_twice_in_any_order():
    table = checks.together()
    table.do(checks.adjust(stunts=["slide"], **checks.FALLING))
    fall, slide = (one.model_copy(update={"check_id": "dive"}) for one in (checks.FALL, checks.SLIDE))

    events = checks.finish(table, (1,), (6, 6, 2))

    assert events[1:] == [checks.offered("han", fall), checks.interference("chen"), checks.offered("han", slide, fall)]
    refused = table.refused(checks.choose("fly"))
    assert refused.details == {"offered": "interference, fall, momentum, slide"}
    assert table.do(checks.choose("slide")) == [checks.chosen("slide", slide, (fall,))]
    assert table.do(checks.choose("fall")) == [checks.chosen("fall", fall)]


@pytest.mark.rule("C18")
def test_c18_a_choice_not_made_before_the_next_check_is_its_token_and_counts_in_it():
    table = checks.seated()
    checks.tempt(table)

    assert checks.rolled_out(table, checks.propose(score=1), 1, 4) == [
        checks.chosen("momentum", checks.SLIDE),
        checks.momentum("han", "feat"),
        checks.momentum_spent(),
        checks.rolled(
            checks.part(score=1), checks.shown(1, 4, pool=1, remaining=(4,), outcome=checks.SUCCESS, momentum=True)
        ),
        checks.resolved(checks.SUCCESS, 4),
    ]
    assert table.refused(checks.choose("slide", check="feat")).code is Code.NO_CHOICE


@pytest.mark.rule("C18", "C22")
def test_c18_a_plain_roll_of_the_character_settles_it_too():
    table = checks.seated()
    checks.trip(table)
    other = {**checks.PLAIN_ROLL, "character_id": "chen"}

    assert len(table.do(other, dice=loaded(3))) == 1
    events = table.do(checks.PLAIN_ROLL, by=ANN, dice=loaded(3))

    assert events[0] == checks.chosen("fall", checks.FALL)
    assert isinstance(events[1], DiceRolled)
    assert checks.holds(table) == (False, False)


@pytest.mark.rule("C18")
def test_c18_a_total_that_the_character_rolls_settles_it_too():
    table = checks.seated()
    checks.tempt(table)
    table.do({"type": "propose_total", "id": "climb", "character_id": "han", "attribute": 1})

    events = table.do({"type": "roll_total", "total_id": "climb"}, by=ANN, dice=loaded(3))

    assert events[:2] == [checks.chosen("momentum", checks.SLIDE), checks.momentum("han", "feat")]
    assert checks.holds(table) == (True, False)


@pytest.mark.rule("C18", "C22")
def test_c22_of_choices_of_both_sorts_that_are_not_made_the_fumbles_is_its_first_effect():
    table = checks.seated()
    table.do(checks.propose(score=1, id="slip"))
    table.do(checks.adjust("slip", **checks.FALLING))
    table.do(checks.aid("chen", 1, "slip"))
    table.do(checks.roll("han", "slip"), dice=loaded(1))
    checks.tempt(table)
    table.do(checks.roll("chen", "slip"), dice=loaded(2))

    events = checks.rolled_out(table, checks.propose(score=1), 6, 2)

    assert events[:-2] == [
        checks.chosen("momentum", checks.SLIDE, (checks.FALL,)),
        checks.momentum("han", "feat"),
        checks.chosen("fall", checks.FALL),
        checks.momentum_spent(),
    ]
    assert checks.roll_of(events) == checks.shown(6, 2, pool=1, outcome=checks.SUCCESS, momentum=True)


def test_a_choice_outlives_the_check_that_offered_it():
    table = checks.seated()
    checks.tempt(table)
    for number in range(33):
        checks.rolled_out(table, checks.propose("guard", 1, id=f"c{number}"), 2)
    table.do(checks.propose("guard"))
    assert "feat" not in table.view.checks

    assert table.do(checks.choose("slide", check="feat"), by=ANN) == [checks.chosen("slide", checks.SLIDE)]


def test_a_check_of_somebody_who_died_in_the_middle_comes_to_its_end():
    table = checks.together()
    table.do(checks.roll("han"), dice=loaded(1))
    checks.kill(table, "han")

    assert table.do(checks.roll("chen"), by=BO, dice=loaded(5))[1] == checks.resolved(checks.SUCCESS, 5)
    assert table.refused(checks.roll("han")).code is Code.ROLL_STANDS
