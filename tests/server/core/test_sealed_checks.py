"""Sealed checks, and hidden ones that come to light. Ruling E4."""

from typing import Any

import pytest

from dreadclock.wire.base import Kind, Visibility
from dreadclock.wire.errors import Code
from dreadclock.wire.events import CheckWithdrawn, MadePublic, SealedStarted
from dreadclock.wire.things import CheckStatus, Sealed
from kit.families import checks
from kit.families.checks import part
from kit.tables import ANN, BO, KEY, WATCHER, loaded

pytestmark = pytest.mark.rule("E4")


# Sealed checks


def test_of_a_sealed_check_everyone_hears_that_it_is_there_and_that_it_changes():
    table = checks.seated()

    started = table.in_channel(checks.PUBLIC, checks.propose(visibility="sealed", purpose="a trap"))
    changes = [
        table.in_channel(checks.PUBLIC, order)
        for order in (
            checks.adjust(bonus=1),
            checks.aid("chen", 1),
            checks.oppose("guard", 1),
            checks.adjust(remove="chen"),
        )
    ]

    stub = Sealed(kind=Kind.CHECK, id="dive", name="A check", seat_id="gm", lane="thing/check/dive", key=KEY)
    assert started == [SealedStarted(thing=stub)]
    assert changes == [[checks.CHANGED]] * 4
    assert table.view_as(ANN).sealed == {"dive": stub}
    assert "a trap" not in "".join(table.public())


@pytest.mark.parametrize("seat", [ANN, BO], ids=lambda actor: actor.seat_id)
@pytest.mark.parametrize(
    "order",
    [checks.roll(), checks.roll("han"), checks.aid("chen"), checks.withdraw(), checks.cost(), checks.settle(False)],
    ids=lambda order: order["type"],
)
def test_a_sealed_check_is_the_gms_to_handle(seat: Any, order: dict[str, Any]):
    assert checks.sealed().refused(order, by=seat).code is Code.NOT_ALLOWED


def test_a_sealed_check_is_shown_with_everything_when_it_is_over():
    table = checks.sealed(2)
    table.do(checks.aid("chen", 1))
    first = table.in_channel(checks.PUBLIC, checks.roll("han"), dice=loaded(4, 2))

    events = table.in_channel(checks.PUBLIC, checks.roll("chen") | {"note": "Hush."}, dice=loaded(3))

    assert first == [checks.CHANGED]
    assert events[0] == checks.CHANGED
    check = checks.revealed(events)
    assert (check.visibility, check.status, check.purpose) == (Visibility.PUBLIC, CheckStatus.RESOLVED, "a trap")
    assert [each.roll and each.roll.faces for each in check.parts] == [(4, 2), (3,)]
    assert table.view_as(WATCHER).checks["dive"] == check
    assert table.view.public.sealed == {}
    assert table.view.channels[checks.HIDDEN].checks == {}
    assert table.view.channels[checks.HIDDEN].lanes == {}


def test_over_a_sealed_check_that_failed_everyone_sees_the_bargain():
    table = checks.sealed(1)
    table.do(checks.roll(), dice=loaded(3))

    assert table.in_channel(checks.PUBLIC, checks.cost(), by=ANN)
    assert table.in_channel(checks.PUBLIC, checks.answer("accept"))
    assert table.in_channel(checks.PUBLIC, checks.settle(True), by=ANN)


def test_a_sealed_check_that_is_withdrawn_is_shown_before_it_goes():
    table = checks.sealed()

    records = table.write(checks.withdraw())

    assert [record.event.type for record in records if record.channel is checks.PUBLIC] == [
        "revealed",
        "check_withdrawn",
    ]
    assert table.view.public.sealed == {}
    assert table.view.checks == {}
    assert all(part.lanes.keys() <= table.view.public.lanes.keys() for part in table.view.channels.values())


def test_a_gm_check_that_is_withdrawn_goes_without_a_word():
    table = checks.seated()
    table.do(checks.secret())

    assert table.do(checks.withdraw("gm-dive")) == [CheckWithdrawn(check_id="gm-dive")]
    assert table.view.channels[checks.HIDDEN].lanes == {}


def test_a_sealed_check_with_a_part_that_will_never_be_rolled_comes_to_light_without_it():
    table = checks.sealed(1)
    table.do(checks.aid("chen", 1))
    table.do(checks.roll("han"), dice=loaded(4))
    checks.kill(table, "chen")

    table.do(checks.adjust(remove="chen"))

    assert table.view.public.sealed == {}
    assert table.view.public.checks["dive"].status is CheckStatus.RESOLVED


# Reveals


@pytest.mark.parametrize("visibility", ["sealed", "gm"])
def test_a_check_that_is_revealed_before_its_roll_is_like_any_other(visibility: str):
    table = checks.seated()
    checks.charm(table)
    chosen = "gm-dive" if visibility == "gm" else "dive"
    table.do(checks.propose(score=1, visibility=visibility) | {"id": chosen})

    shown_to_all = checks.revealed(table.do(checks.reveal(chosen)))
    events = table.do(checks.roll(check=chosen), by=ANN, dice=loaded(1, 6, 6, 2))

    assert shown_to_all.visibility is Visibility.PUBLIC
    assert events[0] == checks.momentum_spent(check=chosen)
    assert events[-1] == checks.momentum(check=chosen)
    assert table.view.public.lanes["seat/player-1/0"].used == 1


def test_a_check_that_is_revealed_after_its_roll_comes_with_all_that_it_came_to():
    table = checks.seated()
    table.do(checks.secret(1))
    table.do(checks.roll(check="gm-dive"), dice=loaded(3))

    records = table.write(checks.reveal("gm-dive"))

    assert [record.channel for record in records] == [checks.HIDDEN, checks.PUBLIC]
    assert records[0].event == MadePublic(kind=Kind.CHECK, id="gm-dive")
    check = checks.revealed([record.event for record in records])
    assert check.result is not None
    assert check.result.acting.outcome is checks.FAIL
    assert table.do(checks.cost(check="gm-dive"), by=ANN)
    assert table.refused(checks.reveal("gm-dive")).code is Code.NOT_HIDDEN
    assert table.refused(checks.secret()).code is Code.ID_TAKEN


def test_a_check_that_is_revealed_between_two_parts_goes_on_in_public():
    table = checks.seated()
    table.do(checks.secret(1))
    table.do(checks.aid("chen", 1, "gm-dive"))
    table.do(checks.roll("han", "gm-dive"), dice=loaded(4))

    table.do(checks.reveal("gm-dive"))
    events = table.in_channel(checks.PUBLIC, checks.roll("chen", "gm-dive"), by=BO, dice=loaded(1))

    assert events == [
        checks.rolled(part("chen", 1), checks.shown(1, outcome=checks.FUMBLE), "gm-dive"),
        checks.resolved(checks.SUCCESS, 4, check="gm-dive"),
        checks.interference("han", "gm-dive"),
        checks.interference("chen", "gm-dive"),
    ]


def test_what_a_hidden_check_is_about_may_happen_to_its_character_meanwhile():
    table = checks.seated()
    table.do(checks.secret(1))
    checks.kill(table, "han")

    assert table.refused(checks.roll(check="gm-dive")).code is Code.OUT_OF_PLAY
    assert table.do(checks.withdraw("gm-dive"))


def test_hidden_checks_that_are_over_are_remembered_up_to_32():
    table = checks.seated()
    for number in range(34):
        table.do(checks.secret(1) | {"id": f"gm-{number}"})
        table.do(checks.roll(check=f"gm-{number}"), dice=loaded(2))

    table.do(checks.secret(1))

    assert list(table.view.channels[checks.HIDDEN].checks) == [*(f"gm-{n}" for n in range(2, 34)), "gm-dive"]


def test_checks_that_came_to_light_count_among_the_32_that_are_remembered():
    table = checks.seated()
    for number in range(40):
        table.do(checks.propose(score=1, visibility="sealed") | {"id": f"c{number}"})
        table.do(checks.roll(check=f"c{number}"), dice=loaded(2))

    assert len(table.view.public.checks) <= 33
