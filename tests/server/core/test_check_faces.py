"""Checks rolled with physical dice, whose faces are typed in. Ruling E1."""

from typing import Any

import pytest
from pydantic import ValidationError

from dreadclock.rules.check import Outcome
from dreadclock.rules.contest import DecidedBy, Side
from dreadclock.wire.errors import Code
from dreadclock.wire.events import CheckResolved, CheckRolled
from kit.families.checks import (
    aid,
    charm,
    contested,
    interference,
    jinx,
    oppose,
    part,
    propose,
    resolved,
    reward,
    roll,
    rolled,
    seated,
    shown,
    side,
    update,
)
from kit.tables import ANN, BO, GM, WATCHER, Table, command_of, loaded

pytestmark = pytest.mark.rule("E1")

FAIL, SUCCESS = Outcome.FAIL, Outcome.SUCCESS


def diving(score: int | None = 3, physical: str = "everyone", **more: Any) -> Table:
    table = seated(physical_dice=physical)
    table.do(propose(score=score, **more))
    return table


def test_faces_that_are_typed_in_are_marked_for_everyone_forever():
    table = diving()

    events = table.do(roll(faces=(2, 6, 3, 4)), by=ANN)
    table.do(update("han", name="Han Solo"))

    dice = shown(2, 6, 3, 4, pool=3, outcome=SUCCESS, physical=True)
    assert events == [rolled(part(), dice), resolved(SUCCESS, 6)]
    assert table.view_as(WATCHER).checks["dive"].parts[0].roll == dice


def test_dice_that_the_server_rolled_are_not():
    table = diving()

    [event, _] = table.do(roll(), by=ANN, dice=loaded(2, 2, 2))

    assert event == rolled(part(), shown(2, 2, 2, outcome=FAIL, physical=False))


@pytest.mark.parametrize(("policy", "seat"), [("off", GM), ("off", ANN), ("gm", ANN)], ids=str)
def test_whom_the_policy_does_not_name_types_in_no_faces(policy: str, seat: Any):
    for score, faces in ((3, (1, 2, 3)), (0, ())):
        refused = diving(score, policy).refused(roll(faces=faces), by=seat)
        allowed = "nobody" if policy == "off" else "only the gm"
        assert (refused.code, refused.details) == (Code.PHYSICAL_DICE_OFF, {"allowed": allowed})


def test_the_gm_types_in_faces_where_only_she_may():
    assert diving(physical="gm").do(roll(faces=(1, 2, 3)), by=GM)


@pytest.mark.parametrize(
    ("faces", "needed"),
    [((), 3), ((2, 2), 3), ((6,), 4), ((6, 2, 6), 5), ((6, 2, 2, 6), 5), ((2, 2, 2, 2), 3), ((6, 2, 2, 3, 3), 4)],
    ids=str,
)
def test_too_few_and_too_many_faces_are_refused_with_how_many_are_needed_and_why(faces: tuple[int, ...], needed: int):
    refused = diving().refused(roll(faces=faces), by=ANN)

    assert (refused.code, refused.details) == (
        Code.WRONG_FACES,
        {"needed": needed, "given": len(faces), "why": "3 at first, one more for each 6"},
    )


@pytest.mark.rule("C-momentum")
def test_with_momentum_every_1_takes_another_face():
    table = diving(1)
    charm(table)

    refused = table.refused(roll(faces=(1,)), by=ANN)

    assert refused.details == {
        "needed": 2,
        "given": 1,
        "why": "1 at first, one more for each 6, and each 1 is rolled again",
    }
    assert table.do(roll(faces=(1, 4)), by=ANN)[-1] == resolved(SUCCESS, 4)


@pytest.mark.rule("C-interference")
def test_under_interference_a_6_takes_no_other_face():
    table = diving(1)
    jinx(table)

    refused = table.refused(roll(faces=(6, 2)), by=ANN)

    assert refused.details == {"needed": 1, "given": 2, "why": "1 at first"}
    assert table.do(roll(faces=(6,)), by=ANN)[-1] == resolved(SUCCESS, 6)


@pytest.mark.rule("C-venture")
def test_the_dice_of_a_venture_take_faces_too():
    table = seated(physical_dice="everyone")
    reward(table, "han", 2)
    table.do(propose(score=1, claim=True))

    assert table.refused(roll(faces=(2,)), by=ANN).details["needed"] == 3
    assert table.do(roll(faces=(2, 2, 3)), by=ANN)[-1] == resolved(FAIL, 3)


def test_a_check_without_dice_takes_no_faces():
    table = diving(0)

    assert table.refused(roll(faces=(1,)), by=ANN).details["needed"] == 0
    assert table.do(roll(faces=()), by=ANN)[1:] == [resolved(Outcome.FUMBLE, None), interference()]


@pytest.mark.parametrize("face", [0, 7, -1])
def test_a_face_is_1_to_6(face: int):
    with pytest.raises(ValidationError):
        command_of(roll(faces=(face, 1, 1)))


@pytest.mark.rule("E2")
def test_no_more_than_200_faces_are_typed_in():
    table = diving(60)

    assert table.refused(roll(faces=(6,) * 201), by=ANN).details["needed"] == 200
    [event, *_] = table.do(roll(faces=(6,) * 200), by=ANN)
    assert isinstance(event, CheckRolled)
    assert event.part.roll is not None
    assert event.part.roll.capped


def test_one_part_may_be_physical_and_another_not():
    table = diving()
    table.do(aid("chen"))

    [first] = table.do(roll(faces=(2, 2, 2)), by=ANN)
    [second, _] = table.do(roll(), by=BO, dice=loaded(3, 3))

    assert first == rolled(part(), shown(2, 2, 2, outcome=FAIL, physical=True))
    assert second == rolled(part("chen", 2), shown(3, 3, outcome=FAIL))


@pytest.mark.rule("C-example", "C-contest")
def test_chen_dodges_hans_kick():
    table = diving(score=None, attribute="combat")
    table.do(oppose("chen", None, attribute="agility"), by=BO)

    first = table.do(roll(faces=(2, 4, 5)), by=ANN)
    second = table.do(roll(faces=(1, 6, 2)), by=BO)

    han = part(score=3, attribute="combat")
    chen = part("chen", 2, attribute="agility", side=Side.OPPOSING)
    assert first == [rolled(han, shown(2, 4, 5, outcome=SUCCESS, physical=True))]
    assert second == [
        rolled(chen, shown(1, 6, 2, pool=2, outcome=SUCCESS, physical=True)),
        contested(side(SUCCESS, 5), side(SUCCESS, 6), Side.OPPOSING, DecidedBy.HIGHEST),
    ]


@pytest.mark.rule("C17")
def test_c17_the_server_deals_even_if_every_part_is_physical():
    table = diving(1)
    table.do(oppose("guard", 1))
    table.do(roll("han", faces=(2,)))

    records = table.write(roll("guard", faces=(2,)), by=GM, dice=loaded(3, 5))

    event = records[-1].event
    assert isinstance(event, CheckResolved)
    assert (event.result.winner, event.result.deals) == (Side.OPPOSING, (3, 5))
    assert event.result.proof is not None
    assert (event.result.proof.lane, event.result.proof.n) == ("seat/gm/0", 1)
    assert table.view.public.lanes["seat/gm/0"].used == 1
