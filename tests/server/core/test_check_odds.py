"""The odds that ride along with checks, against arithmetic of their own."""

from fractions import Fraction
from typing import Any, TypeGuard

import pytest

from dreadclock.wire.events import CheckAdjusted, CheckOddsChanged, CheckProposed, HelpJoined, OppositionJoined
from dreadclock.wire.families.checks import check_odds
from dreadclock.wire.things import CheckOdds
from kit.families import checks
from kit.families.checks import odds
from kit.tables import Table

pytestmark = pytest.mark.rule("C-odds")


def odds_after(table: Table, order: dict[str, Any]) -> CheckOdds | None:
    [event] = table.do(order)
    assert isinstance(event, CheckProposed | CheckAdjusted | HelpJoined | OppositionJoined)
    return event.check.odds if isinstance(event, CheckProposed | CheckAdjusted) else event.odds


def text(chance: Fraction) -> str:
    return f"{chance.numerator}/{chance.denominator}"


def test_odds_of_one_die_in_numbers():
    one = odds("1/6", "1/3", "17/36", "1/36")

    assert odds_after(checks.seated(), checks.propose(score=1)) == one == checks.plain_odds(1)


def test_odds_move_with_every_adjustment():
    table = checks.seated()
    table.do(checks.propose(score=3))

    assert odds_after(table, checks.adjust(bonus=2)) == checks.plain_odds(5)
    assert odds_after(table, checks.adjust(penalty=1)) == checks.plain_odds(4)
    assert odds_after(table, checks.adjust(score=1)) == checks.plain_odds(2)


@pytest.mark.rule("C4")
def test_odds_of_one_die_that_is_rolled_to_be_taken_away():
    """A 6 and its chain are drawn, their highest is lost: what the last die shows stands, if a 6 came first."""
    first_is_6 = Fraction(1, 6)
    table = checks.seated()

    # Without a 6 no die remains; after one 6 the last die stands, 1 to 5; after k sixes k - 1 of them do too.
    fumble = 1 - first_is_6 + first_is_6 * Fraction(1, 6)
    fail, triumph = first_is_6 * Fraction(2, 6), first_is_6 * Fraction(1, 6) * Fraction(1, 6)
    chances = (fumble, fail, 1 - fumble - fail - triumph, triumph)

    assert odds_after(table, checks.propose(score=1, penalty=1)) == odds(*map(text, chances))
    assert odds_after(table, checks.propose(score=1, venture=checks.venture(1), id="leap")) == odds(*map(text, chances))


def test_odds_know_momentum_and_interference():
    table = checks.seated()
    checks.charm(table, "han")
    checks.jinx(table, "chen")
    n = 3
    triumph = 1 - Fraction(4, 5) ** n * (1 + Fraction(n, 5))
    fail = Fraction(2, 5) ** n
    charmed = odds("0/1", text(fail), text(1 - fail - triumph), text(triumph))
    doubled = 1 - Fraction(5, 6) ** 2 - 2 * Fraction(1, 6) * Fraction(5, 6)
    jinxed = odds("1/36", text(Fraction(1, 4) - Fraction(1, 36)), text(Fraction(3, 4) - doubled), text(doubled))

    assert odds_after(table, checks.propose("han", 3)) == charmed
    assert odds_after(table, checks.propose("chen", 2, id="leap")) == jinxed


@pytest.mark.rule("C18")
def test_odds_know_what_becomes_of_choices_that_are_not_made():
    table = checks.seated()
    checks.tempt(table)
    charmed = odds("0/1", "2/5", "14/25", "1/25")

    assert odds_after(table, checks.propose(score=1)) == charmed
    checks.trip(table, "chen")
    assert odds_after(table, checks.propose("chen", 1, id="leap")) == checks.plain_odds(1)


@pytest.mark.rule("C-venture", "C8")
def test_odds_count_the_dice_that_wait_if_they_are_claimed():
    table = checks.seated()
    checks.reward(table, "han", 2)

    assert odds_after(table, checks.propose(score=1, claim=True)) == checks.plain_odds(3)
    assert odds_after(table, checks.propose(score=1, claim=False, id="leap")) == checks.plain_odds(1)
    assert odds_after(table, checks.propose("chen", score=1, claim=True, id="jump")) == checks.plain_odds(1)


@pytest.mark.rule("E2", "C-venture")
def test_odds_count_no_dice_beyond_the_60_of_a_pool():
    table = checks.seated()
    checks.reward(table, "han", 3)

    assert odds_after(table, checks.propose(score=59, claim=True)) == checks.plain_odds(60)


@pytest.mark.rule("C-cooperation", "C12")
def test_odds_of_pooled_dice_and_of_a_fumble_among_them():
    table = checks.seated()
    table.do(checks.propose(score=1))

    pooled = odds_after(table, checks.aid("chen", 2))

    plain, either = checks.plain_odds(3), 1 - (1 - Fraction(1, 6)) * (1 - Fraction(1, 36))
    assert pooled == plain.model_copy(update={"interference": text(either)})


@pytest.mark.rule("C-contest", "C17")
def test_odds_of_a_contest_of_one_die_against_another():
    """They are equal with chance 10/63: (5/6)^2 / 5 without a 6, and the sum of (25/36) / 36^k with k sixes each."""
    table = checks.seated()
    table.do(checks.propose(score=1))

    dealt = odds_after(table, checks.oppose("guard", 1))  # the guard has no reflex
    table.do(checks.adjust(remove="guard"))
    reflex = odds_after(table, checks.oppose("chen", 1))

    one = checks.plain_odds(1)
    assert dealt == one.model_copy(update={"wins": "1/2", "succeeds": text(Fraction(26, 63) - succeeding_ties() / 2)})
    assert reflex == one.model_copy(update={"wins": text(Fraction(1, 2) + Fraction(5, 63)), "succeeds": "26/63"})


def succeeding_ties() -> Fraction:
    """Give the chance of two dice that are equal and 4 or more."""
    return Fraction(2, 36) + Fraction(25, 36) * Fraction(1, 36) / (1 - Fraction(1, 36))


def test_a_contest_has_no_odds_of_its_own_until_it_is_opposed():
    assert odds_after(checks.seated(), checks.propose(contest=True)) == checks.plain_odds(3)


def test_odds_that_would_take_long_are_left_out():
    table = checks.seated()

    assert odds_after(table, checks.propose(score=60)) is not None
    assert odds_after(table, checks.aid("chen", 1)) is None
    assert odds_after(table, checks.adjust(score=39)) is not None


def test_dice_that_are_taken_away_count_among_those_that_take_long():
    table = checks.seated()
    table.do(checks.propose(score=1))

    assert odds_after(table, checks.oppose("chen", 1, penalty=38)) is not None
    assert odds_after(table, checks.adjust(score=1, penalty=39)) is None


def test_so_do_many_parts_of_few_dice():
    table = checks.seated()
    table.do(checks.propose(score=1))
    helpers = [f"hand-{number}" for number in range(8)]
    for helper in helpers:
        table.do({"type": "add_character", "id": helper, "name": "A hand"})

    odds = [odds_after(table, checks.aid(helper, 1)) for helper in helpers]

    assert [each is not None for each in odds] == [True] * 7 + [False]


@pytest.mark.rule("E4")
def test_odds_of_a_hidden_check_know_nothing_that_waits_for_the_character():
    table = checks.seated()
    checks.charm(table)
    checks.reward(table, "han", 3)

    assert odds_after_all(table, checks.propose(score=1, visibility="gm", id="gm-plan")) == checks.plain_odds(1)


def odds_after_all(table: Table, order: dict[str, Any]) -> CheckOdds | None:
    proposals = [event for event in table.do(order) if isinstance(event, CheckProposed)]
    return proposals[0].check.odds


def test_odds_follow_the_reflex_that_a_character_has_when_they_are_worked_out():
    table = checks.seated()
    table.do(checks.propose(score=0))
    table.do(checks.oppose("chen", 0))

    table.do(checks.update("han", reflex=1))

    check = odds_after(table, checks.adjust(stunts=["slide"]))
    assert check is not None
    assert (check.wins, check.succeeds) == ("0/1", "0/1")


@pytest.mark.rule("C-momentum", "C17")
def test_odds_follow_what_comes_between_a_proposal_and_its_roll():
    """A token that a countdown's end gives, a reflex that is written on a sheet: each says what the odds are now."""
    table = checks.seated()
    table.do({"type": "start_clock", "id": "omen", "name": "The omen", "size": 1})
    gift = {"does": "give_token", "thing_id": "han", "token": "momentum"}
    end = {"of": {"kind": "clock", "id": "omen"}, "when": {"when": "end"}, "do": [gift]}
    table.do({"type": "attach_consequence", **end})
    table.do(checks.propose(score=1))

    *_, changed = [each for each in table.do({"type": "tick_clock", "clock_id": "omen"}) if counts(each)]
    assert changed.odds == table.view.checks["dive"].odds == odds("0/1", "2/5", "14/25", "1/25")

    table.do(checks.oppose("chen", 1))
    tied = table.view.checks["dive"].odds
    _, other = table.do(checks.update("han", reflex=1))
    assert isinstance(other, CheckOddsChanged)
    assert other.odds != tied
    assert other.odds == check_odds(table.view, table.view.checks["dive"])
    assert [type(each).__name__ for each in table.do(checks.update("han", level=2))] == ["CharacterUpdated"]


def counts(event: object) -> TypeGuard[CheckOddsChanged]:
    return isinstance(event, CheckOddsChanged)
