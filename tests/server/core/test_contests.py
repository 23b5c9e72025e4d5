"""Contests: what decides them, and what winning is worth."""

from typing import Any

import pytest

from dreadclock.rules.contest import DecidedBy, Side
from dreadclock.wire.events import CheckResolved
from dreadclock.wire.things import CheckResult, EffectKind
from kit.families import checks
from kit.families.checks import bonus as dice_of
from kit.tables import ANN, BO, Table, loaded

pytestmark = pytest.mark.rule("C-contest")

ACTING = Side.ACTING
Rolls = tuple[int, ...]


def kicking(score: int = 2, opposed: int = 2, **more: Any) -> Table:
    """Oppose Han's check with Chen's."""
    table = checks.seated()
    table.do(checks.propose(score=score, **more))
    table.do(checks.oppose("chen", opposed))
    return table


def finish(table: Table, han: Rolls, chen: Rolls, *deals: int) -> list[Any]:
    """Roll both parts, and return what comes after the last roll."""
    table.do(checks.roll("han"), dice=loaded(*han))
    return table.do(checks.roll("chen"), dice=loaded(*chen, *deals))[1:]


def result_of(events: list[Any]) -> CheckResult:
    [event] = [each for each in events if isinstance(each, CheckResolved)]
    return event.result


def test_each_side_is_graded_for_itself_and_a_failure_that_wins_stays_one():
    table = kicking(venture=checks.venture())

    assert finish(table, (3, 3), (2, 1)) == [
        checks.contested(checks.side(checks.FAIL, 3), checks.side(checks.FAIL, 2), ACTING, DecidedBy.HIGHEST)
    ]
    assert table.view.characters["han"].bonuses == ()


@pytest.mark.rule("C-venture")
def test_a_venture_comes_off_only_with_a_success_that_wins():
    lost, won = (kicking(3, venture=checks.venture()) for _ in range(2))

    assert finish(lost, (5, 5, 4), (6, 2, 2)) == [
        checks.contested(
            checks.side(checks.SUCCESS, 5), checks.side(checks.SUCCESS, 6), checks.OPPOSING, DecidedBy.HIGHEST
        )
    ]
    assert finish(won, (5, 5, 4), (4, 2)) == [
        checks.contested(checks.side(checks.SUCCESS, 5), checks.side(checks.SUCCESS, 4), ACTING, DecidedBy.HIGHEST),
        checks.earned("han", dice_of(1)),
    ]


@pytest.mark.rule("C-venture")
def test_the_venture_of_the_opposition_comes_off_when_the_opposition_wins():
    table = checks.seated()
    table.do(checks.propose(score=2))
    table.do(checks.oppose("chen", 2, venture=checks.venture(1, beneficiary="guard")))

    assert finish(table, (4, 4), (5, 5)) == [
        checks.contested(
            checks.side(checks.SUCCESS, 4, 1), checks.side(checks.SUCCESS, 5), checks.OPPOSING, DecidedBy.HIGHEST
        ),
        checks.earned("guard", dice_of(1, declarer="chen", number=2)),
    ]
    chen = table.view.checks["dive"].parts[1]
    assert chen.venture == checks.ventured(1, beneficiary="guard")


@pytest.mark.rule("C17")
@pytest.mark.parametrize(("deals", "winner"), [((3, 5), checks.OPPOSING), ((4, 4, 1, 1, 6, 2), ACTING)], ids=str)
def test_c17_equal_reflex_is_dealt_until_the_dice_differ(deals: Rolls, winner: Side):
    table = kicking(1, 1)
    table.do(checks.update("chen", reflex=4))

    assert finish(table, (5,), (5,), *deals) == [
        checks.contested(checks.side(checks.SUCCESS, 5), checks.side(checks.SUCCESS, 5), winner, DecidedBy.DEAL, deals)
    ]


@pytest.mark.rule("C17")
@pytest.mark.parametrize("missing", ["han", "guard"])
def test_c17_a_reflex_that_is_missing_is_dealt_on_either_side(missing: str):
    other = "guard" if missing == "han" else "han"
    table = checks.seated()
    table.do(checks.propose(missing, 1))
    table.do(checks.oppose(other, 1))
    table.do(checks.roll(missing), dice=loaded(5))

    result = result_of(table.do(checks.roll(other), dice=loaded(5, 1, 2)))

    assert (result.winner, result.decided_by, result.deals) == (checks.OPPOSING, DecidedBy.DEAL, (1, 2))


@pytest.mark.rule("C17")
def test_c17_what_is_dealt_is_drawn_on_from_the_last_roll():
    table = kicking(1, 1)
    table.do(checks.update("chen", reflex=4))
    table.do(checks.roll("han"), dice=loaded(5))

    rolls, last = table.write(checks.roll("chen"), by=BO, dice=loaded(5, 1, 2))

    assert isinstance(last.event, CheckResolved)
    proof = last.event.result.proof
    assert proof is not None
    assert (proof.lane, proof.n, proof.start, proof.key) == ("seat/player-2/0", 1, 1, None)
    assert rolls.channel == last.channel
    assert table.view.public.lanes["seat/player-2/0"].used == 1


def test_the_reflex_counts_that_a_character_has_when_the_contest_is_decided():
    table = kicking(1, 1)
    table.do(checks.roll("han"), dice=loaded(5))
    table.do(checks.update("chen", reflex=9))

    result = result_of(table.do(checks.roll("chen"), dice=loaded(5)))

    assert (result.winner, result.decided_by) == (checks.OPPOSING, DecidedBy.REFLEX)


def test_the_parts_may_be_rolled_in_any_order():
    table = kicking()

    assert table.do(checks.roll(), by=BO, dice=loaded(5, 1)) == [
        checks.rolled(checks.part("chen", 2, side=checks.OPPOSING), checks.shown(5, 1, outcome=checks.SUCCESS))
    ]
    assert result_of(table.do(checks.roll(), by=ANN, dice=loaded(4, 4))).winner is checks.OPPOSING


@pytest.mark.rule("C-cooperation")
def test_either_side_may_be_helped_and_its_dice_are_pooled():
    table = kicking()
    table.do(checks.aid("guard", 1, side="opposing"))
    table.do(checks.roll("han"), dice=loaded(5, 4))
    table.do(checks.roll("guard"), dice=loaded(5))

    result = result_of(table.do(checks.roll("chen"), dice=loaded(5, 4)))

    assert (result.opposing, result.winner, result.decided_by) == (
        checks.side(checks.SUCCESS, 5, 1),
        checks.OPPOSING,
        DecidedBy.COUNT,
    )


@pytest.mark.rule("C-cooperation", "C12")
def test_a_fumble_on_one_side_is_no_trouble_of_the_other():
    table = kicking()
    table.do(checks.aid("guard", 1, side="opposing"))
    table.do(checks.roll("guard"), dice=loaded(1))

    events = finish(table, (2, 2), (5, 4))

    assert events[1:] == [checks.interference("chen"), checks.interference("guard")]


@pytest.mark.rule("C-momentum", "C13")
def test_a_triumph_gives_each_sides_leader_momentum_whoever_wins():
    table = kicking()

    events = finish(table, (6, 6, 1, 1), (6, 6, 6, 2, 2))

    assert events[1:] == [checks.momentum("han"), checks.momentum("chen")]


def test_whoever_stays_when_the_leader_of_a_side_is_taken_out_leads_it():
    table = kicking(1, 1)
    table.do(checks.aid("guard", 1, side="opposing"))
    table.do(checks.adjust(remove="chen"))
    table.do(checks.roll("han"), dice=loaded(5))

    events = table.do(checks.roll("guard"), dice=loaded(6, 6, 2))

    assert result_of(events).winner is checks.OPPOSING
    assert events[-1] == checks.momentum("guard")


def test_both_sides_may_choose_from_the_effects_on_offer():
    table = kicking(1, 1)
    table.do(checks.adjust(stunts=["slide"], **checks.FALLING))

    finish(table, (1,), (6, 6, 2))

    offered = {key: character.choices for key, character in table.view.characters.items()}
    assert [(one.instead_of, one.offered) for one in offered["han"]] == [(EffectKind.INTERFERENCE, ("fall",))]
    assert [(one.instead_of, one.offered) for one in offered["chen"]] == [(EffectKind.MOMENTUM, ("slide",))]
