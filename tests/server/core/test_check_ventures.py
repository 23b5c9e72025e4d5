"""What ventures that came off are worth: dice for a later check or a damage roll."""

from typing import Any

import pytest

from dreadclock.rules.check import Outcome
from dreadclock.rules.total import CrisisKind
from dreadclock.wire.errors import Code
from dreadclock.wire.events import CrisisSuffered, DiceRolled
from dreadclock.wire.things import Crisis, Roll, RollPurpose
from kit.families import checks
from kit.families.checks import bonus, kill, paid, propose, reward, rolled_out, seated
from kit.tables import ANN, BO, loaded

pytestmark = pytest.mark.rule("C-venture")


@pytest.mark.rule("C8")
@pytest.mark.parametrize("level", [1, 2, 3])
def test_c8_a_venture_that_comes_off_gives_as_many_dice_as_its_level(level: int):
    table = checks.seated()
    table.do(checks.propose(score=4, venture=checks.venture(level)), by=ANN)

    events = table.do(checks.roll(), by=ANN, dice=loaded(5, 5, 5, 4))

    remaining = (5, 5, 5, 4)[level:]
    margin = remaining.count(remaining[0]) - 1
    declared = checks.part(score=4, venture=checks.ventured(level))
    assert events == [
        checks.rolled(declared, checks.shown(5, 5, 5, 4, remaining=remaining, removed=level, outcome=checks.SUCCESS)),
        checks.resolved(checks.SUCCESS, remaining[0], margin),
        checks.earned("han", bonus(level)),
    ]
    assert table.view.characters["han"].bonuses == (bonus(level),)


def test_a_venture_comes_off_with_a_triumph_too():
    table = checks.seated()
    table.do(checks.propose(score=2, venture=checks.venture()))

    events = table.do(checks.roll(), dice=loaded(6, 6, 6, 1, 2))

    assert events[1].result.acting.outcome is checks.TRIUMPH  # type: ignore[union-attr]
    assert events[-1] == checks.earned("han", bonus())


@pytest.mark.parametrize(("faces", "outcome"), [((5, 3), checks.FAIL), ((3, 1), checks.FUMBLE)], ids=str)
def test_a_venture_on_a_check_that_fails_is_lost(faces: tuple[int, ...], outcome: Outcome):
    table = checks.seated()

    events = checks.rolled_out(table, checks.propose(score=2, venture=checks.venture()), *faces)

    assert checks.roll_of(events).outcome is outcome
    assert table.view.characters["han"].bonuses == ()


@pytest.mark.rule("C-cooperation")
def test_a_venture_comes_off_when_the_pooled_dice_succeed():
    table = checks.seated()
    table.do(checks.propose(score=2, venture=checks.venture()))
    table.do(checks.aid("chen", 1))
    table.do(checks.roll("chen"), dice=loaded(5))

    events = table.do(checks.roll("han"), dice=loaded(5, 3))

    assert checks.roll_of(events).outcome is checks.FAIL
    assert events[1:] == [checks.resolved(checks.SUCCESS, 5), checks.earned("han", bonus())]


@pytest.mark.rule("C25", "C14", "C19")
def test_c25_a_leader_who_fumbles_herself_earns_her_venture_when_her_helpers_win():
    table = checks.seated()
    table.do(checks.propose(score=1, venture=checks.venture(1)), by=ANN)
    table.do(checks.aid("chen", 1), by=BO)
    table.do(checks.roll("han"), by=ANN, dice=loaded(6, 1))  # the venture takes the six

    events = table.do(checks.roll("chen"), by=BO, dice=loaded(5))

    assert [event.type for event in events] == [
        *("check_rolled", "check_resolved", "interference_gained", "interference_gained", "venture_earned")
    ]
    assert table.view.checks["dive"].parts[0].roll.outcome is checks.FUMBLE  # type: ignore[union-attr]
    assert [each.dice for each in table.view.characters["han"].bonuses] == [1]


def test_a_venture_may_be_for_somebody_else():
    table = checks.seated()

    events = checks.rolled_out(table, checks.propose(score=2, venture=checks.venture(1, beneficiary="chen")), 5, 5)

    assert events[-1] == checks.earned("chen", bonus())
    assert table.view.characters["han"].bonuses == ()


def test_the_dice_go_into_the_beneficiarys_next_check_and_are_gone():
    table = checks.seated()
    waiting = checks.reward(table, "han", 2)

    assert checks.rolled_out(table, checks.propose(score=1, claim=True), 4, 3, 2) == [
        checks.paid("han", "dive", waiting),
        checks.rolled(
            checks.part(score=1, claims=(waiting.key,)), checks.shown(4, 3, 2, outcome=checks.SUCCESS, paid=2)
        ),
        checks.resolved(checks.SUCCESS, 4),
    ]
    assert checks.roll_of(checks.rolled_out(table, checks.propose(score=1, id="leap", claim=True), 4)).paid == 0


def test_the_dice_of_several_ventures_add_up():
    table = checks.seated()
    first = checks.reward(table, "han", 1)
    table.do(checks.propose("chen", 2, id="again", venture=checks.venture(1, beneficiary="han")))
    [*_, second] = table.do(checks.roll("chen", "again"), dice=loaded(5, 5))

    other = bonus(check="again", declarer="chen")
    assert second == checks.earned("han", other, first)
    events = checks.rolled_out(table, checks.propose(score=1, claim=True), 4, 3, 2)
    assert events[0] == checks.paid("han", "dive", first, other)
    assert checks.roll_of(events).pool == 3


@pytest.mark.rule("C-modifiers")
def test_the_dice_of_a_venture_are_a_bonus_and_cancel_a_penalty():
    table = checks.seated()
    checks.reward(table, "han", 1)

    assert checks.roll_of(checks.rolled_out(table, checks.propose(score=1, penalty=1, claim=True), 4)) == checks.shown(
        4, outcome=checks.SUCCESS, paid=1
    )


def test_the_dice_wait_until_the_check_is_rolled_not_only_proposed():
    table = checks.seated()
    waiting = checks.reward(table, "han", 2)

    table.do(checks.propose(score=1, claim=True))
    table.do(checks.adjust(penalty=1))

    assert table.view.characters["han"].bonuses == (waiting,)


def test_helping_in_a_check_takes_the_helpers_dice_along():
    table = checks.seated()
    waiting = checks.reward(table, "chen", 1)
    table.do(checks.propose(score=1))
    table.do(checks.aid("chen", 1, claim=True))

    events = table.do(checks.roll(), by=BO, dice=loaded(4, 4))

    assert events[0] == checks.paid("chen", "dive", waiting)
    assert checks.roll_of(events).pool == 2


def test_a_venture_declared_on_the_check_that_takes_the_dice_is_another():
    table = checks.seated()
    waiting = checks.reward(table, "han", 1)

    events = checks.rolled_out(table, checks.propose(score=1, venture=checks.venture(1), claim=True), 5, 4)

    assert events[0] == checks.paid("han", "dive", waiting)
    assert events[-1] == checks.earned("han", bonus())


@pytest.mark.rule("E2")
def test_e2_dice_beyond_a_pool_of_60_are_lost():
    table = checks.seated()
    checks.reward(table, "han", 3)

    dice = checks.roll_of(checks.rolled_out(table, checks.propose(score=59, claim=True), *[2] * 60))

    assert (dice.pool, dice.paid) == (60, 1)


# Beneficiaries


def test_a_venture_for_somebody_who_dies_before_the_roll_comes_to_nothing():
    table = checks.seated()
    table.do(checks.propose(score=2, venture=checks.venture(1, beneficiary="chen")))
    checks.kill(table, "chen")

    assert table.do(checks.roll(), dice=loaded(5, 5))[1:] == [checks.resolved(checks.SUCCESS, 5)]
    assert table.view.characters["chen"].bonuses == ()


@pytest.mark.rule("E2")
def test_no_more_dice_of_ventures_wait_than_a_roll_may_start_with():
    table = checks.seated()
    for number in range(21):
        hand = f"hand-{number}"
        table.do({"type": "add_character", "id": hand, "name": "A hand"})
        checks.rolled_out(
            table, checks.propose(hand, 4, id=f"c{number}", venture=checks.venture(3, beneficiary="han")), 5, 5, 5, 5
        )

    assert sum(bonus.dice for bonus in table.view.characters["han"].bonuses) == 60


# A character who is changed keeps what waits for her


def test_a_character_that_the_gm_changes_keeps_status_tokens_crises_ventures_and_choices():
    table = checks.seated()
    table.do(checks.propose(score=2, id="old"))
    table.do(checks.aid("chen", 1, "old"))
    table.do(checks.roll("han", "old"), dice=loaded(6, 6, 2, 2))
    checks.tempt(table)
    table.do(checks.roll("chen", "old"), dice=loaded(2))
    checks.reward(table, "han", 2)
    crisis = Crisis(total_id="total-1", kind=CrisisKind.MENTAL, box=1)
    table.happen(CrisisSuffered(character_id="han", crisis=crisis))
    checks.hurt(table, "han")
    checks.kill(table, "han")
    before = table.view.characters["han"]

    table.do(checks.update("han", name="Solo", owner=BO.seat_id, level=5, attributes={}, specials=[], reflex=1))

    after = table.view.characters["han"]
    named = {"name": "Solo", "owner": BO.seat_id, "level": 5, "attributes": {}, "specials": (), "reflex": 1}
    assert after == before.model_copy(update=named)
    assert (before.status, before.crisis_due, before.crises) == ("dead", "total-1", (crisis,))
    assert (before.momentum, len(before.bonuses), len(before.choices)) == (True, 1, 1)


# Ventures for damage: dice for the next plain roll that is marked as damage


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
