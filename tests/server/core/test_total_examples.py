"""The worked examples of totals and pushes, with physical dice."""

import pytest

from dreadclock.rules.total import CrisisKind
from dreadclock.wire.events import (
    CrisisDue,
    CrisisSuffered,
    TotalFailure,
)
from dreadclock.wire.things import CharacterStatus, Crisis
from kit.families.totals import (
    ada,
    at_table,
    failed,
    order,
    propose,
    push_to,
    require,
    roll_of,
)
from kit.tables import ANN


@pytest.mark.rule("D-example", "D-total")
def test_the_wall():
    table = at_table(physical_dice="everyone")
    table.do(propose("wall", "Strength", purpose="Climb the wall"), by=ANN)

    assert table.do({**order("roll_total", "wall"), "faces": [3, 4]}, by=ANN) == [
        roll_of(3, 4, total_id="wall", physical=True)
    ]
    assert table.view.totals["wall"].total == 7


@pytest.mark.rule("D-example", "D1", "D3", "D4", "D5", "D6")
def test_the_tornado():
    table = at_table(physical_dice="everyone")
    car = {"name": "Car", "quality": 1}
    table.do(propose("storm", "Precision", tool=car, special="Delivery driver"), by=ANN)
    table.do(require(14, "storm", secret=True))

    first = table.do({**order("roll_total", "storm"), "faces": [2, 4, 4, 4, 5]}, by=ANN)
    table.do(order("offer_push", "storm"))
    second = table.do({**order("push_luck", "storm"), "faces": [1]}, by=ANN)
    table.do(order("offer_push", "storm"))
    third = table.do({**order("push_luck", "storm"), "faces": [5]}, by=ANN)
    text = "A leg that broke badly and will always limp"
    fourth = table.do(order("describe_crisis", "storm", kind="physical", description=text))

    assert first == [roll_of(2, 4, 4, 4, 5, total_id="storm", enough=False, physical=True)]
    assert second == [push_to(1, 2, 4, 5, face=1, total_id="storm", physical=True)]
    assert third == [
        push_to(1, 2, 4, 5, face=5, total_id="storm", crisis=True, physical=True),
        failed("storm", TotalFailure.CRISIS),
        CrisisDue(character_id="ada", total_id="storm"),
    ]
    crisis = Crisis(total_id="storm", kind=CrisisKind.PHYSICAL, box=1, description=text)
    assert fourth == [CrisisSuffered(character_id="ada", crisis=crisis)]
    assert table.view.totals["storm"].total == 12
    assert (ada(table).crises, ada(table).status) == ((crisis,), CharacterStatus.IN_PLAY)
