"""Opponents without a sheet, named with their score for one check alone. Ruling E6."""

from typing import Any

import pytest

from dreadclock.rules.contest import DecidedBy, Side
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel
from dreadclock.wire.errors import Code
from dreadclock.wire.families.checks import check_odds
from dreadclock.wire.ids import NAMED_OPPONENT
from dreadclock.wire.things import CheckStatus, Part
from kit.families.checks import adjust, propose, roll, seated
from kit.tables import ANN, Table, loaded

pytestmark = pytest.mark.rule("E6")
DOG: dict[str, Any] = {"type": "oppose_check", "check_id": "dive", "name": "The guard dog", "score": 2}
PART = Part(character_id=NAMED_OPPONENT, name="The guard dog", side=Side.OPPOSING, score=2)


def opposed(**more: Any) -> Table:
    table = seated()
    table.do({**propose(), **more})
    table.do(DOG)
    return table


def test_the_gm_opposes_with_a_name_and_a_score():
    table = seated()
    table.do(propose())

    [joined] = table.do(DOG)

    odds = check_odds(table.view, table.view.checks["dive"])
    assert joined == e.OppositionJoined(check_id="dive", part=PART, status=CheckStatus.READY, odds=odds)
    assert odds is not None
    assert odds.wins is not None


def test_it_rolls_wins_and_leaves_nothing_behind():
    table = opposed()
    before = table.view.characters

    table.do(roll("han"), by=ANN, dice=loaded(2, 3, 3))
    events = table.do(roll(), dice=loaded(1, 5))

    assert [type(each) for each in events] == [e.CheckRolled, e.CheckResolved]
    assert isinstance(events[1], e.CheckResolved)
    assert events[1].result.winner is Side.OPPOSING
    assert table.view.characters == before


def test_its_fumble_and_its_triumph_stay_with_nobody():
    for faces, more in (((1, 1), ()), ((6, 6), (2, 3))):
        table = opposed()
        table.do(roll("han"), by=ANN, dice=loaded(2, 3, 3))
        events = table.do(roll(NAMED_OPPONENT), dice=loaded(*faces, *more))
        assert not [each for each in events if isinstance(each, e.MomentumGained | e.InterferenceGained)]


def test_it_has_no_reflex_so_that_a_tie_is_dealt():
    table = opposed()
    table.do(roll("han"), by=ANN, dice=loaded(2, 3, 5))

    events = table.do(roll(), dice=loaded(1, 5, 2, 4))

    assert isinstance(events[1], e.CheckResolved)
    assert (events[1].result.decided_by, events[1].result.winner) == (DecidedBy.DEAL, Side.OPPOSING)


def test_the_gm_adjusts_it_and_takes_it_out():
    table = opposed()

    [adjusted] = table.do(adjust(character_id=NAMED_OPPONENT, score=4, penalty=1))
    assert isinstance(adjusted, e.CheckAdjusted)
    assert adjusted.check.parts[1] == PART.model_copy(update={"score": 4, "penalty": 1})
    [without] = table.do(adjust(remove=NAMED_OPPONENT, contest=False))
    assert isinstance(without, e.CheckAdjusted)
    assert len(without.check.parts) == 1


@pytest.mark.parametrize("visibility", ["sealed", "gm"])
def test_of_one_in_a_hidden_check_nobody_else_hears(visibility: str):
    table = seated()
    table.do({**propose(), "id": "gm-dive" if visibility == "gm" else "dive", "visibility": visibility})
    order = {**DOG, "check_id": "gm-dive" if visibility == "gm" else "dive"}

    assert "dog" not in str(table.in_channel(Channel.PUBLIC, order))


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"name": None}, Code.OPPONENT_NEEDED),
        ({"character_id": "guard"}, Code.OPPONENT_NEEDED),
        ({"score": None}, Code.SCORE_NEEDED),
        ({"score": None, "attribute": "agility"}, Code.SCORE_NEEDED),
        ({"score": 60, "bonus": 1}, Code.POOL_OUT_OF_RANGE),
        ({"venture": {"level": 1, "what": "A bite"}}, Code.NOT_AVAILABLE),
    ],
)
def test_it_is_nothing_but_a_name_and_a_score(wrong: dict[str, Any], code: Code):
    table = seated()
    table.do(propose())
    assert table.refused({**DOG, **wrong}).code is code


def test_it_is_the_gms_to_name_and_to_roll():
    table = seated()
    table.do(propose())
    assert table.refused(DOG, by=ANN).code is Code.NOT_ALLOWED
    table.do(DOG)
    assert table.refused(roll(NAMED_OPPONENT), by=ANN).code is Code.NOT_ALLOWED
