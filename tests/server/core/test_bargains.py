"""Failure at a cost: proposed, answered, and settled."""

from typing import Any

import pytest

from dreadclock.rules.check import Outcome
from dreadclock.wire.errors import Code
from dreadclock.wire.events import CostAnswered, CostProposed, FailureSettled
from dreadclock.wire.things import Cost, CostStage
from kit.families.checks import aid, answer, cast, cost, holds, oppose, propose, roll, rolled_out, seated, settle
from kit.families.races import racing
from kit.tables import ANN, BO, WATCHER, Table, loaded

pytestmark = pytest.mark.rule("C-cost")

PROPOSED, ACCEPTED, REFUSED, COUNTERED, APPLIED, DECLINED = CostStage


def failed() -> Table:
    """Let Han fail."""
    table = seated()
    table.do(propose(), by=ANN)
    table.do(roll(), by=ANN, dice=loaded(3, 2, 1))
    return table


def priced(stage: CostStage, text: str | None = "exhausted", terms: str | None = None) -> Cost:
    return Cost(stage=stage, cost=text, terms=terms)


def settled(cost_of: Cost) -> list[Any]:
    return [FailureSettled(check_id="dive", cost=cost_of)]


@pytest.mark.parametrize(("apply", "stage"), [(True, APPLIED), (False, DECLINED)])
def test_a_cost_that_the_gm_accepts_is_applied_or_not_as_the_player_says(apply: bool, stage: CostStage):
    table = failed()

    assert table.do(cost(), by=ANN) == [CostProposed(check_id="dive", cost=priced(PROPOSED))]
    assert table.do(answer("accept")) == [CostAnswered(check_id="dive", cost=priced(ACCEPTED))]
    assert table.do(settle(apply), by=ANN) == settled(priced(stage))
    assert table.view_as(WATCHER).checks["dive"].cost == priced(stage)


@pytest.mark.parametrize(("apply", "stage"), [(True, APPLIED), (False, DECLINED)])
def test_the_gm_may_name_other_terms_which_the_player_applies_or_not(apply: bool, stage: CostStage):
    table = failed()
    table.do(cost(), by=ANN)

    assert table.do(answer("counter", "lose the rope")) == [
        CostAnswered(check_id="dive", cost=priced(COUNTERED, terms="lose the rope"))
    ]
    assert table.do(settle(apply), by=ANN) == settled(priced(stage, terms="lose the rope"))


@pytest.mark.rule("C20", "E6")
def test_an_opponent_without_a_sheet_pays_in_words_alone():
    table = seated()
    table.do(propose(contest=True))
    table.do({"type": "oppose_check", "check_id": "dive", "name": "Guard", "score": 1})
    guard = table.view.checks["dive"].parts[1].character_id
    for character_id, dice in (("han", loaded(5, 4, 2)), (guard, loaded(2))):
        table.do({**roll(), "character_id": character_id}, dice=dice)

    refusal = table.refusal({**cost(pays=[{"state": "scarred"}]), "character_id": guard})
    assert refusal == (Code.CANNOT_PAY, {"id": guard, "name": "scarred"})
    (told,) = table.do({**cost(), "character_id": guard})
    assert isinstance(told, CostProposed)


@pytest.mark.rule("C20", "E4")
def test_a_hidden_check_costs_nothing_that_everyone_would_see():
    table = seated()
    table.do(propose(id="gm-lie", visibility="gm"))
    table.do({**roll(), "check_id": "gm-lie"}, dice=loaded(3, 2, 1))

    order = {**cost(), "check_id": "gm-lie"}
    assert table.refused({**order, "pays": [{"state": "tired"}]}).code is Code.NOT_AVAILABLE
    table.do(order)


def test_after_a_refusal_another_cost_may_be_proposed():
    table = failed()
    table.do(cost(), by=ANN)

    assert table.do(answer("refuse")) == [CostAnswered(check_id="dive", cost=priced(REFUSED))]
    assert table.refused(settle(True), by=ANN).code is Code.NOT_AGREED
    assert table.do(cost("a broken arm"), by=ANN) == [
        CostProposed(check_id="dive", cost=priced(PROPOSED, "a broken arm"))
    ]


def test_another_cost_takes_the_place_of_the_terms_agreed():
    table = failed()
    table.do(cost(), by=ANN)
    table.do(answer("counter", "lose the rope"))

    table.do(cost("lose the lamp"), by=ANN)

    assert table.refused(settle(True), by=ANN).code is Code.NOT_AGREED
    assert table.do(answer("accept")) == [CostAnswered(check_id="dive", cost=priced(ACCEPTED, "lose the lamp"))]


def test_a_failure_may_be_taken_without_a_word_about_costs():
    assert failed().do(settle(False), by=ANN) == settled(priced(DECLINED, None))


def test_nothing_is_applied_that_nobody_agreed_to():
    table = failed()

    assert table.refused(settle(True), by=ANN).code is Code.NOT_AGREED
    table.do(cost(), by=ANN)
    assert table.refusal(settle(True), by=ANN) == (Code.NOT_AGREED, {"id": "dive"})


def test_what_was_proposed_is_answered_once():
    table = failed()

    assert table.refused(answer("accept")).code is Code.NO_COST
    table.do(cost(), by=ANN)
    table.do(answer("refuse"))
    assert table.refused(answer("accept")).code is Code.NO_COST


def test_terms_belong_to_another_offer_and_to_nothing_else():
    table = failed()
    table.do(cost(), by=ANN)

    for order in (answer("counter"), answer("accept", "more"), answer("refuse", "more")):
        assert table.refused(order).code is Code.TERMS_NEEDED


@pytest.mark.parametrize("apply", [True, False])
def test_what_is_settled_is_settled(apply: bool):
    table = failed()
    table.do(cost(), by=ANN)
    table.do(answer("accept"))
    table.do(settle(apply), by=ANN)

    for order in (cost(), answer("accept"), settle(True), settle(False)):
        assert table.refusal(order) == (Code.NOT_FAILED, {"id": "dive"})


@pytest.mark.parametrize("faces", [(4, 1, 1), (6, 6, 1, 1, 1)], ids=[Outcome.SUCCESS, Outcome.TRIUMPH])
def test_what_came_off_has_no_cost(faces: tuple[int, ...]):
    table = seated()
    rolled_out(table, propose(), *faces)

    for order in (cost(), answer("accept"), settle(False)):
        assert table.refused(order).code is Code.NOT_FAILED


def test_a_check_that_is_not_rolled_has_not_failed():
    table = seated()
    table.do(propose())

    for order in (cost(), answer("accept"), settle(False)):
        assert table.refused(order).code is Code.NOT_FAILED
        assert table.refused({**order, "check_id": "other"}).code is Code.UNKNOWN


@pytest.mark.rule("C-contest")
def test_in_a_contest_it_is_the_acting_sides_failure_whoever_wins():
    table = seated()
    table.do(propose(score=1))
    table.do(oppose("chen", 1))
    table.do(roll("han"), dice=loaded(3))
    table.do(roll("chen"), dice=loaded(2))

    assert table.refused(cost(), by=BO).code is Code.NOT_ALLOWED
    assert table.do(cost(), by=ANN) == [CostProposed(check_id="dive", cost=priced(PROPOSED))]


@pytest.mark.rule("C20")
def test_c20_a_fumble_has_a_cost_and_keeps_its_interference():
    table = seated()
    rolled_out(table, propose(), 1, 1, 1)

    agreed(table, ANN)

    assert table.view.checks["dive"].cost == priced(APPLIED)
    assert holds(table) == (False, True)


def agreed(table: Table, seat: Any, **whose: str) -> list[Any]:
    """Let a seat propose a cost, the gm accept it, and the seat apply it."""
    table.do(cost(**whose), by=seat)
    table.do(answer("accept", **whose))
    return table.do(settle(True, **whose), by=seat)


def contest(han: int, chen: int) -> Table:
    table = seated()
    table.do(propose(score=1))
    table.do(oppose("chen", 1))
    table.do(roll("han"), dice=loaded(han))
    table.do(roll("chen"), dice=loaded(chen))
    return table


@pytest.mark.rule("C20")
@pytest.mark.parametrize(
    ("han", "chen", "costs"),
    [(4, 5, "han"), (5, 4, "chen"), (3, 2, "han chen"), (1, 5, "han"), (5, 1, "chen"), (2, 3, "han chen")],
)
def test_c20_whoever_lost_failed_or_fumbled_in_a_contest_may_pay_for_it(han: int, chen: int, costs: str):
    table = contest(han, chen)

    for character, seat in (("han", ANN), ("chen", BO)):
        if character in costs:
            assert agreed(table, seat, character_id=character)
        else:
            assert table.refused(cost(character_id=character), by=seat).code is Code.NOT_FAILED


@pytest.mark.rule("C20")
def test_c20_a_defenders_bargain_is_her_own():
    table = contest(5, 4)
    whose: dict[str, Any] = {"character_id": "chen"}

    assert table.refused(cost(**whose), by=ANN).code is Code.NOT_ALLOWED
    assert table.do(cost(**whose), by=BO) == [CostProposed(check_id="dive", cost=priced(PROPOSED), **whose)]
    assert table.refused(answer("accept")).code is Code.NOT_FAILED  # the leader's, who won
    assert table.do(answer("counter", "an arm", **whose)) == [
        CostAnswered(check_id="dive", cost=priced(COUNTERED, terms="an arm"), **whose)
    ]
    assert table.do(settle(True, **whose), by=BO) == [
        FailureSettled(check_id="dive", cost=priced(APPLIED, terms="an arm"), **whose)
    ]
    check = table.view_as(WATCHER).checks["dive"]
    assert (check.cost, check.parts[1].cost) == (None, priced(APPLIED, terms="an arm"))
    assert table.refused(cost(**whose), by=BO).code is Code.NOT_FAILED
    assert table.refused(cost(character_id="guard")).code is Code.NOT_IN_CHECK


PAYS: list[dict[str, Any]] = [{"state": "exhausted"}, {"track": "wits", "by": -2}]


def with_wits(table: Table, character: str = "chen") -> Table:
    table.do({"type": "set_track", "character_id": character, "track": "wits", "most": 3})
    return table


@pytest.mark.rule("C20")
def test_c20_a_cost_is_paid_in_states_and_tracks_when_it_is_applied_and_never_before():
    table = with_wits(contest(5, 4))
    whose = {"character_id": "chen"}

    [proposed] = table.do(cost(pays=PAYS, **whose), by=BO)
    table.do(answer("accept", **whose))
    assert [payment.state for payment in proposed.cost.pays] == ["exhausted", None]  # type: ignore[union-attr]
    before = table.view.characters["chen"]
    events = table.do(settle(True, **whose), by=BO)

    assert [event.type for event in events] == ["failure_settled", "state_gained", "track_moved"]
    after = table.view.characters["chen"]
    assert (before.states, before.tracks["wits"].value) == ((), 3)
    assert (after.states, after.tracks["wits"].value) == (("exhausted",), 1)


@pytest.mark.rule("C20")
def test_c20_other_terms_are_paid_as_the_gm_says_and_a_failure_that_is_taken_costs_nothing():
    table = with_wits(failed(), "han")
    table.do(cost(pays=PAYS), by=ANN)
    table.do(answer("counter", "a scar", pays=[{"state": "scarred"}]))
    table.do(settle(True), by=ANN)
    assert table.view.characters["han"].states == ("scarred",)

    other = failed()
    other.do(cost(pays=PAYS[:1]), by=ANN)
    other.do(answer("accept"))
    other.do(settle(False), by=ANN)
    assert other.view.characters["han"].states == ()


@pytest.mark.rule("C20")
@pytest.mark.parametrize(
    "pays",
    [
        [{"track": "wits", "by": -4}],
        [{"track": "wits", "by": -2}, {"track": "wits", "by": -2}],
        [{"track": "luck", "by": 1}],
        [{"track": "wits"}],
        [{"state": "tired"}],
        [{"state": "sore"}, {"state": "sore"}],
        [{"state": "sore", "track": "wits", "by": -1}],
        [{}],
    ],
    ids=str,
)
def test_c20_nobody_pays_with_what_is_not_there(pays: list[dict[str, Any]]):
    table = with_wits(failed(), "han")
    table.do({"type": "give_state", "character_id": "han", "state": "tired"})

    assert table.refused(cost(pays=pays), by=ANN).code is Code.CANNOT_PAY
    table.do(cost(pays=PAYS), by=ANN)
    assert table.refused(answer("counter", "more", pays=pays)).code is Code.CANNOT_PAY
    assert table.refused(answer("accept", pays=PAYS)).code is Code.TERMS_NEEDED
    table.do(answer("accept"))
    table.do({"type": "move_track", "character_id": "han", "track": "wits", "by": -2})
    assert table.refusal(settle(True), by=ANN) == (Code.CANNOT_PAY, {"id": "han", "name": "wits"})


@pytest.mark.rule("C20")
def test_c20_a_helper_whose_own_dice_failed_may_pay_though_the_leader_came_through():
    table = seated()
    table.do(propose(score=1))
    table.do(aid("chen", 1))
    table.do(aid("guard", 1))
    for character, face in (("han", 5), ("chen", 2), ("guard", 4)):
        table.do(roll(character), dice=loaded(face))

    assert agreed(table, BO, character_id="chen")
    for character in ("han", "guard"):
        assert table.refused(cost(character_id=character)).code is Code.NOT_FAILED


@pytest.mark.rule("C20")
def test_c20_the_effort_of_a_side_succeeds_with_its_first_cost_alone():
    table = cast(racing(door=3))
    table.do(propose(score=1, effort={"challenge_id": "door"}))
    table.do(aid("chen", 1))
    table.do(roll("han"), dice=loaded(2))
    table.do(roll("chen"), dice=loaded(3))

    ticked = [event.type for event in agreed(table, BO, character_id="chen")]

    assert ticked == ["failure_settled", "clock_ticked"]
    assert [event.type for event in agreed(table, ANN)] == ["failure_settled"]
