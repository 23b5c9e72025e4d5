"""Ventures for damage: dice for the next plain roll that is marked as damage."""

from typing import Any

import pytest

from dreadclock.wire.errors import Code
from dreadclock.wire.events import DiceRolled
from dreadclock.wire.things import Roll, RollPurpose
from kit.families import checks
from kit.families.checks import kill, paid, propose, reward, rolled_out, seated
from kit.tables import ANN, loaded

pytestmark = pytest.mark.rule("C-venture")


def damage(pool: int = 2, **more: Any) -> dict[str, Any]:
    return {"type": "roll_dice", "pool": pool, "purpose": "damage", "character_id": "han", **more}


def damage_of(events: list[Any]) -> Roll:
    assert isinstance(events[-1], DiceRolled)
    return events[-1].roll


def test_a_venture_for_damage_is_paid_into_the_next_plain_roll_for_damage():
    table = seated()
    waiting = reward(table, "han", 2, "damage")

    events = table.do({**damage(claims=[waiting.key]), "id": "hit"}, by=ANN, dice=loaded(1, 2, 3, 4))

    hit = Roll(
        id="hit", seat_id=ANN.seat_id, faces=(1, 2, 3, 4), paid=2, character_id="han", purpose=RollPurpose.DAMAGE
    )
    assert events == [paid("han", "hit", waiting), DiceRolled(roll=hit)]
    assert damage_of(table.do(damage(), by=ANN, dice=loaded(1, 2))).paid == 0


@pytest.mark.parametrize(
    "order", [{"purpose": "other"}, {"character_id": "chen"}, {"character_id": None}, {"visibility": "gm"}], ids=str
)
def test_no_other_plain_roll_takes_them(order: dict[str, Any]):
    table = seated()
    waiting = reward(table, "han", 2, "damage")

    assert damage_of(table.do({**damage(), **order}, dice=loaded(1, 2))).paid == 0
    assert table.view.characters["han"].bonuses == (waiting,)


def test_a_roll_for_damage_leaves_dice_for_a_check_alone():
    table = seated()
    check = reward(table, "han", 1)
    hit = reward(table, "han", 2, "damage", declarer="chen")

    events = table.do(damage(1, claims=[hit.key]), dice=loaded(1, 2, 3))

    assert events[0] == paid("han", "roll-1", hit, left=(check,))
    assert checks.roll_of(rolled_out(table, propose(score=1, claim=True), 4, 4)).paid == 1


@pytest.mark.rule("C19")
def test_c19_only_the_ventures_that_damage_claims_go_into_it():
    table = seated()
    hit = reward(table, "han", 2, "damage")
    check = reward(table, "han", 1, declarer="chen")

    assert damage_of(table.do(damage(claims=[]), dice=loaded(1, 2))).paid == 0
    for claims in ([check.key], ["other"], [hit.key, check.key]):
        refused = table.refused(damage(claims=claims))
        assert (refused.code, refused.details["id"]) == (Code.NOT_READY, "han")
    events = table.do(damage(claims=[hit.key]), dice=loaded(1, 2, 3, 4))
    assert (events[0], damage_of(events).paid) == (paid("han", "roll-2", hit, left=(check,)), 2)


@pytest.mark.rule("C19")
@pytest.mark.parametrize("order", [{"visibility": "gm"}, {"character_id": None}], ids=str)
@pytest.mark.parametrize("more", [{"claims": ["reward-damage-v1"]}, {"action": True}], ids=str)
def test_a_roll_of_nobody_or_a_hidden_one_is_no_action_and_claims_nothing(order: dict[str, Any], more: dict[str, Any]):
    table = seated()
    reward(table, "han", 2, "damage")

    assert table.refused({**damage(**more), **order}).code is Code.NOT_AVAILABLE


@pytest.mark.rule("E1")
def test_physical_dice_for_damage_are_as_many_as_the_venture_makes_them():
    table = seated(physical_dice="everyone")
    claims = [reward(table, "han", 2, "damage").key]

    assert table.refused(damage(claims=claims, faces=(1, 2)), by=ANN).details["needed"] == 4
    assert damage_of(table.do(damage(claims=claims, faces=(1, 2, 3, 4)), by=ANN)).physical


@pytest.mark.rule("E2")
def test_e2_a_roll_for_damage_has_at_most_60_dice():
    table = seated()
    waiting = reward(table, "han", 3, "damage")

    rolled_damage = damage_of(table.do(damage(58, claims=[waiting.key]), dice=loaded(*[2] * 60)))

    assert (len(rolled_damage.faces), rolled_damage.paid) == (60, 2)


@pytest.mark.rule("D7")
def test_the_dice_of_the_dead_are_rolled_by_nobody():
    table = seated()
    reward(table, "han", 2, "damage")
    kill(table, "han")

    assert table.refused(damage()).code is Code.OUT_OF_PLAY
