"""A room whose dice secret is missing: nothing is rolled with other dice instead, and all else goes on."""

import pytest
from hypothesis import given

from dreadclock.wire import events as e
from dreadclock.wire.base import Role
from dreadclock.wire.errors import Code
from dreadclock.wire.fold import proof_of
from dreadclock_server.core.families.room import JoinSeat
from dreadclock_server.dice import Ledger
from kit.evenings.prepared import secret_evening
from kit.examples import examples
from kit.strategies.scripts import LEDGER, Outcome, Script, play, scripts
from kit.tables import ANN, ROOM, Order, Table, loaded

LOST = Ledger(ROOM, None)
ROLLS = (e.DiceRolled, e.CountdownRolled, e.CheckRolled, e.CheckResolved, e.TotalRolled, e.LuckPushed)


def needs_dice(event: e.Event) -> bool:
    """Tell whether an event shows what follows from the room's secret."""
    return isinstance(event, e.LaneOpened) or (isinstance(event, ROLLS) and proof_of(event) is not None)


def played(outcome: Outcome) -> object:
    return outcome.refused.code if outcome.refused else [each.text for each in outcome.written]


@examples(80)
@given(scripts())
def test_exactly_what_needs_the_secret_is_refused(script: Script):
    room = secret_evening()
    for step in script:
        [kept], [lost] = play(room, [step], LEDGER), play(room, [step], LOST)
        if any(needs_dice(each.event) for each in kept.written):
            assert played(lost) is Code.DICE_LOST
        else:
            assert played(lost) in (played(kept), Code.DICE_LOST if kept.refused else None)
        room = kept.room


@pytest.mark.parametrize("role", [Role.PLAYER, Role.SPECTATOR, Role.INTEGRATION])
def test_people_still_come_and_go(role: Role):
    table = Table()

    events = table.do(JoinSeat(role, "Cyd"), dice=LOST)
    seat_id = f"{role}-7"

    assert [type(event) for event in events] == [e.SeatJoined]
    assert [type(event) for event in table.do({"type": "remove_seat", "seat_id": seat_id}, dice=LOST)] == [
        e.SeatRemoved
    ]


def test_who_came_meanwhile_rolls_in_a_first_lane_once_the_secret_is_back():
    table = Table()
    table.do({"type": "remove_seat", "seat_id": ANN.seat_id}, dice=LOST)
    table.do(JoinSeat(Role.PLAYER, "Cyd"), dice=LOST)
    roll: Order = {"type": "roll_dice", "pool": 1}
    cyd = type(ANN)("player-7", Role.PLAYER)

    assert table.refused(roll, by=cyd, dice=LOST).code is Code.DICE_LOST
    assert [type(event) for event in table.do(roll, by=cyd, dice=loaded(4))] == [e.LaneOpened, e.DiceRolled]
    assert table.view.public.lanes["seat/player-7/0"].used == 1


def test_dice_of_ones_own_need_no_secret():
    table = Table(physical_dice="everyone")

    assert table.do({"type": "roll_dice", "pool": 2, "faces": [1, 6]}, by=ANN, dice=LOST)
