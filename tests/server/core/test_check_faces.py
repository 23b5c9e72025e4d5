"""Checks rolled with physical dice, whose faces are typed in. Ruling E1."""

from typing import Any

import pytest

from dreadclock.rules.check import Outcome
from dreadclock.rules.contest import DecidedBy, Side
from dreadclock.wire.errors import Code
from dreadclock.wire.events import CheckRolled
from kit.families import checks
from kit.tables import ANN, BO, GM, WATCHER, Table, loaded

pytestmark = pytest.mark.rule("E1")

FAIL, SUCCESS = Outcome.FAIL, Outcome.SUCCESS


def diving(score: int | None = 3, physical: str = "everyone", **more: Any) -> Table:
    table = checks.seated(physical_dice=physical)
    table.do(checks.propose(score=score, **more))
    return table


def test_faces_that_are_typed_in_are_marked_for_everyone_forever():
    table = diving()

    events = table.do(checks.roll(faces=(2, 6, 3, 4)), by=ANN)
    table.do(checks.update("han", name="Han Solo"))

    dice = checks.shown(2, 6, 3, 4, pool=3, outcome=SUCCESS, physical=True)
    assert events == [checks.rolled(checks.part(), dice), checks.resolved(SUCCESS, 6)]
    assert table.view_as(WATCHER).checks["dive"].parts[0].roll == dice


def test_dice_that_the_server_rolled_are_not():
    table = diving()

    [event, _] = table.do(checks.roll(), by=ANN, dice=loaded(2, 2, 2))

    assert event == checks.rolled(checks.part(), checks.shown(2, 2, 2, outcome=FAIL, physical=False))


@pytest.mark.parametrize(("policy", "seat"), [("off", GM), ("off", ANN), ("gm", ANN)], ids=str)
def test_whom_the_policy_does_not_name_types_in_no_faces(policy: str, seat: Any):
    for score, faces in ((3, (1, 2, 3)), (0, ())):
        refused = diving(score, policy).refused(checks.roll(faces=faces), by=seat)
        allowed = "nobody" if policy == "off" else "only the gm"
        assert (refused.code, refused.details) == (Code.PHYSICAL_DICE_OFF, {"allowed": allowed})


def test_the_gm_types_in_faces_where_only_she_may():
    assert diving(physical="gm").do(checks.roll(faces=(1, 2, 3)), by=GM)


@pytest.mark.parametrize(
    ("faces", "needed"),
    [((), 3), ((2, 2), 3), ((6,), 4), ((6, 2, 6), 5), ((6, 2, 2, 6), 5), ((2, 2, 2, 2), 3), ((6, 2, 2, 3, 3), 4)],
    ids=str,
)
def test_too_few_and_too_many_faces_are_refused_with_how_many_are_needed_and_why(faces: tuple[int, ...], needed: int):
    assert diving().refusal(checks.roll(faces=faces), by=ANN) == (
        Code.WRONG_FACES,
        {"needed": needed, "given": len(faces), "why": "3 at first, one more for each 6"},
    )


@pytest.mark.rule("C-momentum")
def test_with_momentum_every_1_takes_another_face():
    table = diving(1)
    checks.charm(table)

    assert table.refused(checks.roll(faces=(1,)), by=ANN).details == {
        "needed": 2,
        "given": 1,
        "why": "1 at first, one more for each 6, and each 1 is rolled again",
    }
    assert table.do(checks.roll(faces=(1, 4)), by=ANN)[-1] == checks.resolved(SUCCESS, 4)


@pytest.mark.rule("C-interference")
def test_under_interference_a_6_takes_no_other_face():
    table = diving(1)
    checks.jinx(table)

    refused = table.refused(checks.roll(faces=(6, 2)), by=ANN)

    assert refused.details == {"needed": 1, "given": 2, "why": "1 at first"}
    assert table.do(checks.roll(faces=(6,)), by=ANN)[-1] == checks.resolved(SUCCESS, 6)


@pytest.mark.rule("C-venture")
def test_the_dice_of_a_venture_take_faces_too():
    table = checks.seated(physical_dice="everyone")
    checks.reward(table, "han", 2)
    table.do(checks.propose(score=1, claim=True))

    assert table.refused(checks.roll(faces=(2,)), by=ANN).details["needed"] == 3
    assert table.do(checks.roll(faces=(2, 2, 3)), by=ANN)[-1] == checks.resolved(FAIL, 3)


def test_a_check_without_dice_takes_no_faces():
    table = diving(0)

    assert table.refused(checks.roll(faces=(1,)), by=ANN).details["needed"] == 0
    assert table.do(checks.roll(faces=()), by=ANN)[1:] == [checks.resolved(Outcome.FUMBLE, None), checks.interference()]


@pytest.mark.rule("E2")
def test_no_more_than_200_faces_are_typed_in():
    table = diving(60)

    assert table.refused(checks.roll(faces=(6,) * 201), by=ANN).details["needed"] == 200
    [event, *_] = table.do(checks.roll(faces=(6,) * 200), by=ANN)
    assert isinstance(event, CheckRolled)
    assert event.part.roll is not None
    assert event.part.roll.capped


def test_one_part_may_be_physical_and_another_not():
    table = diving()
    table.do(checks.aid("chen"))

    [first] = table.do(checks.roll(faces=(2, 2, 2)), by=ANN)
    [second, _] = table.do(checks.roll(), by=BO, dice=loaded(3, 3))

    assert first == checks.rolled(checks.part(), checks.shown(2, 2, 2, outcome=FAIL, physical=True))
    assert second == checks.rolled(checks.part("chen", 2), checks.shown(3, 3, outcome=FAIL))


@pytest.mark.rule("C-example", "C-contest")
def test_chen_dodges_hans_kick():
    table = diving(score=None, attribute="combat")
    table.do(checks.oppose("chen", None, attribute="agility"), by=BO)

    first = table.do(checks.roll(faces=(2, 4, 5)), by=ANN)
    second = table.do(checks.roll(faces=(1, 6, 2)), by=BO)

    han = checks.part(score=3, attribute="combat")
    chen = checks.part("chen", 2, attribute="agility", side=Side.OPPOSING)
    assert first == [checks.rolled(han, checks.shown(2, 4, 5, outcome=SUCCESS, physical=True))]
    assert second == [
        checks.rolled(chen, checks.shown(1, 6, 2, pool=2, outcome=SUCCESS, physical=True)),
        checks.contested(checks.side(SUCCESS, 5), checks.side(SUCCESS, 6), Side.OPPOSING, DecidedBy.HIGHEST),
    ]
