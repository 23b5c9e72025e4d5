"""Totals that the gm judges without a number, and pushes that she offers several of at once. Ruling D10."""

from typing import Any

import pytest

from dreadclock.wire import events as e
from dreadclock.wire.errors import Code
from dreadclock.wire.families.pushes import push_odds
from dreadclock.wire.things import TotalStatus
from kit.families.totals import at_table, order
from kit.tables import ANN, Table, loaded

pytestmark = pytest.mark.rule("D10")


def judge(total_id: str = "fall", *, enough: bool = False) -> dict[str, Any]:
    return {**order("judge_total", total_id), "enough": enough}


def unnumbered(*faces: int) -> Table:
    """Let Ada roll a total of which no number is required."""
    table = at_table()
    table.do({"type": "propose_total", "id": "fall", "character_id": "ada", "attribute": len(faces)})
    table.do(order("roll_total", "fall"), dice=loaded(*faces))
    return table


def numbered(required: int, *faces: int, secret: bool = False) -> Table:
    """Let Ada roll a total of which a number is required."""
    table = at_table()
    table.do({"type": "propose_total", "id": "fall", "character_id": "ada", "attribute": len(faces)})
    table.do({**order("set_required", "fall"), "required": required, "secret": secret})
    table.do(order("roll_total", "fall"), dice=loaded(*faces))
    return table


def push(table: Table, face: int) -> list[e.Event]:
    return table.do(order("push_luck", "fall"), dice=loaded(face))


def test_the_gm_says_that_a_total_is_enough():
    table = unnumbered(3, 5)

    assert table.do(judge(enough=True)) == [
        e.TotalJudged(total_id="fall", enough=True),
        e.TotalSucceeded(total_id="fall"),
    ]


def test_after_not_enough_each_push_is_offered_and_judged_anew():
    table = unnumbered(3, 5)

    assert table.do(judge()) == [e.TotalJudged(total_id="fall", enough=False)]
    table.do(order("offer_push", "fall"))
    [pushed] = push(table, 1)

    assert isinstance(pushed, e.LuckPushed)
    assert (pushed.push.enough, pushed.until) == (None, 0)
    assert table.view.totals["fall"].status is TotalStatus.ROLLED
    assert table.refused(order("offer_push", "fall")).code is Code.NOT_MISSED
    assert table.do(judge())[0] == e.TotalJudged(total_id="fall", enough=False)
    assert len(table.do(order("offer_push", "fall"))) == 1


def test_a_push_without_a_number_may_be_a_crisis_as_any_other():
    table = unnumbered(3, 5)
    table.do(judge())
    table.do({**order("offer_push", "fall"), "crisis": "mental"})

    pushed, *others = push(table, 3)

    assert isinstance(pushed, e.LuckPushed)
    assert pushed.push.enough is False
    assert [type(each) for each in others] == [e.TotalFailed, e.CrisisSuffered]


@pytest.mark.parametrize("secret", [False, True], ids=["open", "secret"])
def test_with_a_number_several_pushes_are_offered_at_once(secret: bool):
    table = numbered(12, 3, 5, secret=secret)
    seen = None if secret else 12

    [offered] = table.do({**order("offer_push", "fall"), "until": 3})
    assert isinstance(offered, e.PushOffered)
    assert offered.until == 3

    [first] = push(table, 1)
    assert isinstance(first, e.LuckPushed)
    assert (first.until, first.odds) == (2, push_odds((1, 3, 5), seen))
    assert table.view.totals["fall"].until == 2
    assert [type(each) for each in push(table, 6)] == [e.LuckPushed, e.TotalSucceeded]
    assert table.view.totals["fall"].until == 0


def test_after_the_last_of_them_another_must_be_offered():
    table = numbered(20, 3)
    table.do({**order("offer_push", "fall"), "until": 2})
    (first,), (last,) = push(table, 1), push(table, 2)

    assert isinstance(first, e.LuckPushed)
    assert isinstance(last, e.LuckPushed)
    assert (first.until, first.odds) == (1, push_odds((1, 3), 20))
    assert (last.until, last.odds) == (0, None)
    assert table.refused(order("push_luck", "fall")).code is Code.NO_OFFER


def test_the_player_leaves_it_between_two_of_them():
    table = numbered(20, 3)
    table.do({**order("offer_push", "fall"), "until": 2})
    push(table, 1)

    assert table.do(order("stop_pushing", "fall"), by=ANN) == [
        e.TotalFailed(total_id="fall", reason=e.TotalFailure.STOPPED)
    ]


def test_what_cannot_be_judged_or_offered_so_is_refused():
    assert numbered(12, 3).refused(judge(enough=True)).code is Code.REQUIRED_STANDS
    table = unnumbered(3)
    table.do(judge())
    assert table.refused({**order("offer_push", "fall"), "until": 2}).code is Code.NUMBER_NEEDED
    assert table.refused({**order("set_required", "fall"), "required": 2}).code is Code.REQUIRED_STANDS
    fresh = at_table()
    fresh.do({"type": "propose_total", "id": "fall", "character_id": "ada", "attribute": 2})
    assert fresh.refused(judge()).code is Code.NOT_ROLLED


@pytest.mark.parametrize("until", [0, 7])
def test_a_count_of_pushes_is_from_1_to_6(until: int):
    with pytest.raises(ValueError, match="until"):
        numbered(12, 3).do({**order("offer_push", "fall"), "until": until})


@pytest.mark.parametrize(("face", "until"), [(1, 2), (5, 0), (3, 0)], ids=["not enough", "enough", "crisis"])
def test_further_pushes_stay_offered_only_after_a_push_that_is_not_enough(face: int, until: int):
    table = numbered(8, 3)
    table.do({**order("offer_push", "fall"), "until": 3})

    pushed, *_ = push(table, face)

    assert isinstance(pushed, e.LuckPushed)
    assert pushed.until == until
