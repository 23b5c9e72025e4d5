"""Numbers required that only the gm knows. Rulings D4 and E4."""

from typing import Any

import pytest

from dreadclock.rules.total import CrisisKind
from dreadclock.wire.base import Channel
from dreadclock.wire.errors import Code
from dreadclock.wire.events import PushOffered, RequiredRevealed, RequiredSet, SecretSet, TotalAdjusted
from dreadclock.wire.things import SecretRequired, TotalStatus
from kit.families import totals
from kit.families.races import racing
from kit.tables import ANN, GM, ORACLE, Table, loaded

REVEAL = {"type": "reveal", "thing_id": "leap"}


def hidden(number: int, pool: int = 2, total_id: str = "leap") -> SecretRequired:
    return SecretRequired(total_id=total_id, required=number, odds=totals.odds(pool, number))


def unnamed(**more: Any) -> RequiredSet:
    """Make what everyone hears when a secret number is set."""
    return RequiredSet(
        **{"total_id": "leap", "secret": True, "status": TotalStatus.READY, "odds": totals.odds(2), **more}
    )


@pytest.mark.rule("D4", "E4")
def test_everyone_hears_that_a_number_is_required_and_the_gm_alone_which():
    table = totals.proposed()

    records = table.write(totals.require(11, secret=True, crisis="mental"))

    assert [(each.channel, each.event) for each in records] == [
        (Channel.PUBLIC, unnamed(crisis=CrisisKind.MENTAL)),
        (Channel.GM, SecretSet(secret=hidden(11))),
    ]
    assert table.view_as(ANN).secrets == {}
    assert table.view_as(GM).secrets == table.view_as(ORACLE).secrets == {"leap": hidden(11)}


@pytest.mark.rule("D4", "E4")
@pytest.mark.parametrize(("number", "met"), [(7, True), (8, False)])
def test_of_a_secret_number_only_enough_or_not_enough_is_announced(number: int, met: bool):
    table = totals.proposed()
    table.do(totals.require(number, secret=True))

    events = table.do(totals.order("roll_total"), by=ANN, dice=loaded(3, 4))

    assert events == [totals.roll_of(3, 4, enough=met), *([totals.succeeded()] if met else [])]
    assert table.view.totals["leap"].required is None


@pytest.mark.rule("D6", "E4")
@pytest.mark.parametrize(("number", "met"), [(7, True), (8, False)])
def test_a_secret_number_may_be_named_after_the_roll_too(number: int, met: bool):
    table = totals.rolled(3, 4)

    assert table.do(totals.require(number, secret=True)) == [
        unnamed(status=TotalStatus.ROLLED, enough=met),
        SecretSet(secret=hidden(number)),
        *([totals.succeeded()] if met else []),
    ]


@pytest.mark.rule("E4")
def test_the_note_of_a_secret_number_is_the_gms_alone():
    public, secret = totals.proposed().write(totals.require(11, secret=True, note="The far edge."))

    assert (public.event.note, secret.event.note) == (None, "The far edge.")


def told_in_public(number: int, *, late: bool) -> list[str]:
    """Play a total against a secret number, with all that may be done to it, and return what everyone heard."""
    table = totals.with_characters(racing())
    table.do(totals.propose(effort={"challenge_id": "door"}), by=ANN)
    if not late:
        table.do(totals.require(number, secret=True, note=f"Number {number}."))
    table.do(totals.order("adjust_total", attribute=3, approve=True))
    table.now_ms += 1
    table.do(totals.order("roll_total"), by=ANN, dice=loaded(2, 3, 4))
    if late:
        table.do(totals.require(number, secret=True, crisis="mental"))
    if table.view.totals["leap"].status is not TotalStatus.SUCCEEDED:
        table.do(totals.order("offer_push", description="Vertigo"))
        table.do(totals.order("push_luck"), by=ANN, dice=loaded(1))
        table.do(totals.order("offer_push"))
        table.do(totals.order("push_luck"), by=ANN, dice=loaded(4))
    table.refused(totals.require(1, secret=True))
    table.do({**totals.propose("next"), "character_id": "bea"})
    return table.public()


@pytest.mark.rule("D4", "E4")
@pytest.mark.parametrize("late", [False, True], ids=["before the roll", "after the roll"])
@pytest.mark.parametrize(("one", "other"), [(11, 99), (1, 9)], ids=["both missed", "both met"])
def test_rooms_that_differ_only_in_a_secret_number_tell_everyone_the_same(one: int, other: int, late: bool):
    assert told_in_public(one, late=late) == told_in_public(other, late=late)


@pytest.mark.rule("E4", "D-odds")
def test_the_odds_of_a_push_are_not_fed_by_a_secret_number():
    table = totals.rolled(3, 4, number=8, secret=True)

    assert table.do(totals.order("offer_push")) == [PushOffered(total_id="leap", odds=totals.push_odds("1/3"))]


@pytest.mark.rule("E4", "D-odds")
def test_an_adjusted_pool_gives_the_gm_alone_the_odds_of_her_number_anew():
    table = totals.proposed()
    table.do(totals.require(11, secret=True))

    adjusted, secret = table.do(totals.order("adjust_total", attribute=4))
    approved = table.do(totals.order("adjust_total", approve=False))

    assert isinstance(adjusted, TotalAdjusted)
    assert (adjusted.total.odds, adjusted.total.required) == (totals.odds(4), None)
    assert secret == SecretSet(secret=hidden(11, pool=4))
    assert len(approved) == 1


def test_a_number_may_be_named_openly_after_it_was_secret_and_the_other_way_round():
    opened, closed = totals.proposed(), totals.proposed()
    opened.do(totals.require(99, secret=True))
    opened.do(totals.require(7))
    closed.do(totals.require(7))
    closed.do(totals.require(99, secret=True))

    for table, met in ((opened, True), (closed, False)):
        assert table.do(totals.order("roll_total"), by=ANN, dice=loaded(3, 4))[0] == totals.roll_of(3, 4, enough=met)
    assert closed.view.totals["leap"].required is None


# Revealing


@pytest.mark.rule("E4")
def test_the_gm_reveals_a_secret_number_with_its_odds():
    table = totals.proposed()
    table.do(totals.require(11, secret=True))

    assert table.do(REVEAL) == [RequiredRevealed(total_id="leap", required=11, odds=totals.odds(2, 11))]
    total = table.view.totals["leap"]
    assert (total.required, total.secret, total.odds) == (11, False, totals.odds(2, 11))
    assert table.do(totals.order("roll_total"), by=ANN, dice=loaded(5, 6))[-1] == totals.succeeded()


@pytest.mark.rule("E4", "D-odds")
def test_a_number_revealed_while_a_push_is_on_offer_opens_the_odds_of_the_push():
    table = totals.rolled(3, 4, number=12, secret=True)
    table.do(totals.order("offer_push"))

    (event,) = table.do(REVEAL)

    opened = totals.push_odds("1/3", "1/3", "25/54")
    assert event == RequiredRevealed(total_id="leap", required=12, odds=totals.odds(2, 12), push_odds=opened)
    assert table.view.totals["leap"].push_odds == opened
    assert table.do(totals.order("push_luck"), by=ANN, dice=loaded(5)) == [
        totals.push_to(3, 4, 5, face=5, enough=True),
        totals.succeeded(),
    ]


@pytest.mark.rule("E4")
@pytest.mark.parametrize("number", [1, 99], ids=["met", "missed"])
def test_a_secret_number_may_be_revealed_when_all_is_over(number: int):
    table = totals.rolled(3, 4, number=number, secret=True)
    if number == 99:
        table.do(totals.order("stop_pushing"))

    assert table.do(REVEAL) == [RequiredRevealed(total_id="leap", required=number, odds=totals.odds(2, number))]


def test_what_is_open_needs_no_revealing():
    bare, known, shown = totals.proposed(), totals.rolled(3, 4, number=9), totals.proposed()
    shown.do(totals.require(9, secret=True))
    shown.do(REVEAL)

    for table in (bare, known, shown):
        assert table.refusal(REVEAL) == (Code.NOT_HIDDEN, {"id": "leap"})


def test_a_number_is_revealed_by_the_gm_alone_and_while_its_total_is_there():
    table = totals.proposed()
    table.do(totals.require(9, secret=True))

    assert table.refused(REVEAL, by=ANN).code is Code.NOT_ALLOWED
    table.do(totals.order("withdraw_total"))
    assert table.refused(REVEAL).code is Code.UNKNOWN


# Keeping


def test_a_secret_number_is_kept_however_many_other_totals_follow():
    table = totals.proposed()
    table.do(totals.require(7, secret=True))

    for number in range(140):
        table.do({**totals.propose(f"past-{number}", 1), "character_id": "bea"})
        table.do(totals.require(1, f"past-{number}", secret=True))
        table.do(totals.order("withdraw_total", f"past-{number}"))

    assert list(table.view.secrets) == ["leap", "past-139"]
    assert table.do(totals.order("roll_total"), by=ANN, dice=loaded(3, 4)) == [
        totals.roll_of(3, 4, enough=True),
        totals.succeeded(),
    ]


def test_numbers_that_nobody_needs_any_more_are_forgotten_with_the_next_one():
    table: Table = totals.at_table()
    for total_id in ("shown", "gone", "here"):
        totals.proposed(total_id, table=table)
        table.do(totals.require(9, total_id, secret=True))
    table.do({"type": "reveal", "thing_id": "shown"})
    table.do(totals.order("withdraw_total", "gone"))
    totals.finished(table, 1)

    totals.proposed(table=table)
    events = table.do(totals.require(8, secret=True))

    assert events[1] == SecretSet(secret=hidden(8), forgotten=("shown", "gone"))
    assert list(table.view.secrets) == ["here", "leap"]
