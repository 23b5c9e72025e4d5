"""Ventures are for the roll that was named: who claims them, and when they lapse. Ruling C19."""

from typing import Any

import pytest

from dreadclock.wire.base import Channel
from dreadclock.wire.errors import Code
from dreadclock.wire.events import CheckOddsChanged
from dreadclock.wire.things import Bonus
from kit.families import checks
from kit.tables import ANN, BO, Table, loaded

pytestmark = pytest.mark.rule("C19")

PLAIN = {"type": "roll_dice", "pool": 1, "character_id": "guard"}


def held(table: Table, character: str = "han") -> tuple[Bonus, ...]:
    return table.view.characters[character].bonuses


def test_what_is_not_claimed_is_not_paid_and_lies_ready_until_it_is():
    table = checks.seated()
    waiting = checks.reward(table, "han", 2)

    assert checks.roll_of(checks.rolled_out(table, checks.propose(score=1, claims=[]), 4)).pool == 1
    assert held(table) == (waiting,)
    table.do(checks.propose(score=1, id="leap", claims=[waiting.key]), by=ANN)
    assert table.view.checks["leap"].odds == checks.plain_odds(3)
    assert table.do(checks.roll("han", "leap"), by=ANN, dice=loaded(4, 4, 4))[0] == checks.paid("han", "leap", waiting)


@pytest.mark.parametrize("join", [checks.aid, checks.oppose], ids=["helper", "defender"])
def test_whoever_helps_or_defends_claims_too(join: Any):
    table = checks.seated()
    waiting = checks.reward(table, "chen", 1)
    table.do(checks.propose(score=1))

    table.do(join("chen", 1, claims=[waiting.key]), by=BO)

    assert table.view.checks["dive"].parts[1].claims == (waiting.key,)
    assert checks.roll_of(table.do(checks.roll("chen"), by=BO, dice=loaded(4, 3))).paid == 1


def test_a_claim_is_shown_before_the_gm_approves_and_she_may_change_it_until_the_dice_fall():
    table = checks.seated(check_approval="gm")
    first, second = checks.reward(table, "han", 2), checks.reward(table, "han", 1, declarer="chen")
    table.do(checks.propose(score=1, claims=[first.key]), by=ANN)
    shown = table.view_as(BO).checks["dive"]
    assert (shown.parts[0].claims, shown.odds) == ((first.key,), checks.plain_odds(3))

    [adjusted] = table.do(checks.adjust(claims=[second.key, first.key], approve=True))
    assert adjusted.check.parts[0] == checks.part(score=1, claims=(first.key, second.key))  # type: ignore[union-attr]
    assert adjusted.check.odds == checks.plain_odds(4)  # type: ignore[union-attr]
    table.do(checks.adjust(claims=[]))
    assert table.view.checks["dive"].odds == checks.plain_odds(1)
    table.do(checks.roll(), by=ANN, dice=loaded(4))
    assert table.refused(checks.adjust(claims=[first.key])).code is Code.ROLL_STANDS
    assert held(table) == (first, second)


def test_nobody_claims_what_is_somebody_elses_or_was_never_there_or_is_for_damage():
    table = checks.seated()
    mine, theirs = checks.reward(table, "han", 1, "damage", declarer="chen"), checks.reward(table, "chen", 1)

    for key in (theirs.key, "dive-v9", mine.key):
        assert table.refusal(checks.propose(claims=[key]), by=ANN) == (Code.NOT_READY, {"venture": key, "id": "han"})
    table.do(checks.propose())
    assert table.refused(checks.adjust(claims=[theirs.key])).code is Code.NOT_READY


def test_nothing_is_claimed_twice_until_the_first_check_is_withdrawn():
    table = checks.seated()
    waiting = checks.reward(table, "han", 1)
    table.do(checks.propose(claims=[waiting.key]))

    refused = table.refused(checks.propose(id="leap", claims=[waiting.key]), by=ANN)
    assert (refused.code, refused.details) == (Code.ALREADY_CLAIMED, {"venture": waiting.key})
    table.do(checks.propose(score=1, id="jump", claim=True))  # claims whatever nobody else has claimed
    assert table.view.checks["jump"].parts[0].claims == ()
    assert table.do(checks.adjust(claims=[waiting.key])) == []
    table.do(checks.withdraw())
    assert table.do(checks.adjust("jump", claims=[waiting.key]))
    assert checks.roll_of(table.do(checks.roll("han", "jump"), dice=loaded(4, 4))).paid == 1
    assert table.refused(checks.propose(id="leap", claims=[waiting.key])).code is Code.NOT_READY


def test_a_hidden_check_claims_nothing():
    table = checks.seated()
    waiting = checks.reward(table, "han", 1)

    refused = table.refused(checks.propose(id="gm-dive", visibility="gm", claims=[waiting.key]))
    assert refused.code is Code.NOT_AVAILABLE
    table.do(checks.propose(visibility="sealed"))
    assert table.refused(checks.adjust(claims=[waiting.key])).code is Code.NOT_AVAILABLE
    assert checks.roll_of(table.do(checks.roll("han"), dice=loaded(4, 4, 4))).paid == 0
    assert held(table) == (waiting,)


# When they lapse


def test_they_lapse_when_a_check_that_the_declarer_leads_is_over_and_others_count_on_them_no_more():
    table = checks.seated()
    waiting = checks.reward(table, "han", 2)
    table.do(checks.propose(score=1, id="leap", claims=[waiting.key]))
    table.do(checks.propose("guard", 1))

    events = table.do(checks.roll("guard"), dice=loaded(4))

    left = CheckOddsChanged(check_id="leap", parts=(checks.part(score=1),), odds=checks.plain_odds(1))
    assert events[2:] == [checks.lapsed("han", waiting), left]
    assert table.view.checks["leap"].odds == checks.plain_odds(1)
    assert checks.roll_of(table.do(checks.roll("han", "leap"), dice=loaded(4))).paid == 0
    assert table.refused(checks.propose(claims=[waiting.key])).code is Code.NOT_READY


@pytest.mark.parametrize("join", [checks.aid, checks.oppose], ids=["helps", "defends"])
def test_helping_and_defending_are_no_actions(join: Any):
    table = checks.seated()
    waiting = checks.reward(table, "han", 2)
    table.do(checks.propose("chen", 1))
    table.do(join("guard", 1))
    table.do(checks.roll("guard"), dice=loaded(3))
    table.do(checks.roll("chen"), dice=loaded(4))

    assert held(table) == (waiting,)


@pytest.mark.parametrize("required", [3, 6])
def test_a_total_that_is_over_is_an_action(required: int):
    table = checks.seated()
    waiting = checks.reward(table, "han", 2)
    table.do({"type": "propose_total", "id": "climb", "character_id": "guard", "attribute": 1})
    table.do({"type": "set_required", "total_id": "climb", "required": required})

    table.do({"type": "roll_total", "total_id": "climb"}, dice=loaded(4))
    if required > 4:
        assert held(table) == (waiting,)  # it may yet be pushed
        table.do({"type": "stop_pushing", "total_id": "climb"})

    assert held(table) == ()


@pytest.mark.parametrize("action", [True, False])
def test_a_plain_roll_is_an_action_only_where_it_is_marked_as_one(action: bool):
    table = checks.seated()
    waiting = checks.reward(table, "han", 2)

    events = table.do({**PLAIN, "action": action}, dice=loaded(4))

    assert events[1:] == [checks.lapsed("han", waiting)] * action
    assert table.view.rolls["roll-1"].action is action


def test_a_plain_roll_that_takes_a_venture_is_paid_before_it_lapses():
    table = checks.seated()
    table.do(checks.propose(score=4, venture=checks.venture(2, "damage")))
    table.do(checks.roll(), dice=loaded(5, 5, 5, 5))
    hit = {"type": "roll_dice", "pool": 1, "purpose": "damage", "character_id": "han", "action": True}

    events = table.do({**hit, "claims": ["dive-v1"]}, by=ANN, dice=loaded(1, 2, 3))

    assert [event.type for event in events] == ["venture_paid", "dice_rolled"]


# One for each declarer and named roll


@pytest.mark.parametrize(
    ("told", "replaces"),
    [({}, True), ({"what": "A Feint!"}, True), ({"what": "a kick"}, False), ({"benefits": "damage"}, False)],
    ids=str,
)
def test_a_new_venture_for_the_same_roll_replaces_the_one_that_waits(told: dict[str, Any], replaces: bool):
    table = checks.seated()
    old = checks.reward(table, "han", 2)
    table.do(checks.propose("chen", 1))

    table.do(
        checks.oppose("guard", 4, venture={**checks.venture(1, beneficiary="han"), **told})
    )  # defending is no action
    table.do(checks.roll("chen"), dice=loaded(4))
    events = table.do(checks.roll("guard"), dice=loaded(5, 5, 4, 4))[2:]

    new = table.view.characters["han"].bonuses[-1]
    assert new.key == "dive-v2"
    kept = () if replaces else (old,)
    assert events == [*([checks.lapsed("han", old)] * replaces), checks.earned("han", new, *kept)]


def test_somebody_elses_venture_for_the_same_roll_waits_beside_it():
    table = checks.seated()
    old, new = checks.reward(table, "han", 2), checks.reward(table, "han", 1, "check", "chen")

    assert held(table) == (old, new)
    assert new == checks.bonus(1, check="reward-check-chen", declarer="chen")


@pytest.mark.rule("E3")
def test_taking_back_a_withdrawal_claims_nothing_that_was_claimed_since():
    table = checks.seated()
    waiting = checks.reward(table, "han", 1)
    table.do(checks.propose(claims=[waiting.key]))
    table.do(checks.withdraw())
    withdrawn = table.room.seq(Channel.PUBLIC)
    void = {"type": "void_command", "seq": withdrawn, "reason": "a slip"}
    table.do(checks.propose(id="leap", claims=[waiting.key]))

    assert table.refused(void).code is Code.CHANGED_SINCE
    table.do(checks.withdraw("leap"))
    assert table.do(void)
    assert table.view.checks["dive"].parts[0].claims == (waiting.key,)
