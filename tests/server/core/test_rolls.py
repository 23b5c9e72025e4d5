"""Plain rolls, physical dice and the lanes that rolls come from."""

import pytest

from dreadclock.rules.ledger import LANE_LENGTH
from dreadclock.wire.base import Channel, RollProof, Visibility
from dreadclock.wire.errors import Code
from dreadclock.wire.events import CountdownRolled, DiceRolled, LaneOpened, TurnEnded
from dreadclock.wire.things import Lane, Roll, RollPurpose
from dreadclock_server.core.draft import Actor
from kit.tables import ANN, BO, CLERK, GM, KEY, WATCHER, Table, loaded

ROLL = {"type": "roll_dice", "pool": 3}
BOUND = {"type": "start_countdown", "name": "C", "pool": 1, "bound_to": "turn"}


def used_up(table: Table, label: str, used: int = LANE_LENGTH, channel: Channel = Channel.PUBLIC) -> None:
    """Pretend that so many rolls of a lane were made."""
    part = table.view.channels[channel]
    lanes = {**part.lanes, label: part.lanes[label].model_copy(update={"used": used})}
    channels = {**table.view.channels, channel: part.model_copy(update={"lanes": lanes})}
    object.__setattr__(table.room, "view", table.view.model_copy(update={"channels": channels}))


def proof_in(table: Table, order: dict[str, object], by: Actor = GM, *faces: int) -> RollProof:
    rolled = table.write(order, by=by, dice=loaded(*faces))[-1].event
    assert isinstance(rolled, DiceRolled)
    assert rolled.roll.proof is not None
    return rolled.roll.proof


def test_a_plain_roll_shows_its_faces_to_everyone():
    table = Table()
    table.do({"type": "add_character", "id": "ada", "name": "Ada"}, by=ANN)

    events = table.do({**ROLL, "name": "Axe", "purpose": "damage", "character_id": "ada"}, by=ANN, dice=loaded(6, 2, 4))

    roll = Roll(
        id="roll-1", seat_id=ANN.seat_id, faces=(6, 2, 4), name="Axe", character_id="ada", purpose=RollPurpose.DAMAGE
    )
    assert events == [DiceRolled(roll=roll)]
    assert list(table.view_as(WATCHER).rolls) == ["roll-1"]


def test_of_rolls_the_latest_32_are_remembered():
    table = Table()
    for _ in range(40):
        table.do({"type": "roll_dice", "pool": 1}, dice=loaded(1))

    assert list(table.view.rolls) == [f"roll-{number}" for number in range(9, 41)]


# Lanes


def test_each_roll_takes_the_next_slot_of_the_senders_lane_and_shows_its_key():
    table = Table()

    assert proof_in(table, ROLL, ANN, 1, 1, 1) == RollProof(lane="seat/player-1/0", n=1, key=KEY, witnesses=0)
    assert proof_in(table, ROLL, ANN, 1, 1, 1) == RollProof(lane="seat/player-1/0", n=2, key=KEY, witnesses=0)
    assert proof_in(table, ROLL, BO, 1, 1, 1) == RollProof(lane="seat/player-2/0", n=1, key=KEY, witnesses=0)
    assert table.view.public.lanes["seat/player-1/0"].used == 2


def test_a_used_up_lane_is_followed_by_the_seats_next():
    table = Table()
    used_up(table, "seat/player-1/0")

    opened, _ = table.do(ROLL, by=ANN, dice=loaded(1, 1, 1))

    assert opened == LaneOpened(lane=Lane(label="seat/player-1/1", seat_id=ANN.seat_id, key=KEY))
    assert "seat/player-1/0" not in table.view.public.lanes
    assert proof_in(table, ROLL, ANN, 1, 1, 1).lane == "seat/player-1/1"


def test_one_command_stays_in_its_slot_even_if_that_is_the_last_of_its_lane():
    table = Table()
    table.do(BOUND)
    table.do(BOUND)
    used_up(table, "seat/integration-5/0", LANE_LENGTH - 1)

    events = [record.event for record in table.write({"type": "end_turn"}, by=CLERK, dice=loaded(1, 2))]

    assert [type(event) for event in events] == [CountdownRolled, CountdownRolled, TurnEnded]
    assert isinstance(events[1], CountdownRolled)
    assert events[1].proof == RollProof(lane="seat/integration-5/0", n=LANE_LENGTH, start=1)


def test_a_hidden_countdown_whose_lane_is_used_up_is_rolled_no_more_and_does_not_stop_the_turn():
    table = Table()
    table.do({**BOUND, "id": "gm-x", "visibility": "gm"})
    used_up(table, "thing/countdown/gm-x", channel=Channel.GM)

    assert table.do({"type": "end_turn"}, by=CLERK) == [TurnEnded(turn=1)]
    assert table.refused({"type": "roll_countdown", "countdown_id": "gm-x"}).code is Code.LANE_USED_UP


# E1: physical dice


TYPED = {**ROLL, "faces": [6, 2, 4]}


@pytest.mark.rule("E1")
@pytest.mark.parametrize(
    ("policy", "gm_may", "player_may"), [("off", False, False), ("gm", True, False), ("everyone", True, True)]
)
def test_e1_faces_are_typed_in_by_those_whom_the_policy_lets(policy: str, gm_may: bool, player_may: bool):
    table = Table(physical_dice=policy)

    for seat, may in ((GM, gm_may), (ANN, player_may)):
        if may:
            assert table.do(TYPED, by=seat)
        else:
            assert table.refused(TYPED, by=seat).code is Code.PHYSICAL_DICE_OFF


@pytest.mark.rule("E1")
def test_e1_a_physical_roll_is_marked_and_uses_no_slot():
    table = Table(physical_dice="everyone")

    [event] = table.do(TYPED, by=ANN)

    assert event == DiceRolled(roll=Roll(id="roll-1", seat_id=ANN.seat_id, faces=(6, 2, 4), physical=True))
    assert table.view.public.lanes["seat/player-1/0"].used == 0


@pytest.mark.rule("E1")
def test_e1_a_physical_roll_of_a_countdown_is_marked_too():
    table = Table(physical_dice="gm")
    table.do({"type": "start_countdown", "id": "fever", "name": "Fever", "pool": 2})

    assert table.do({"type": "roll_countdown", "countdown_id": "fever", "faces": [6, 1]}) == [
        CountdownRolled(countdown_id="fever", faces=(6, 1), removed=1, remaining=1, turn=1, physical=True)
    ]


@pytest.mark.rule("E1")
@pytest.mark.parametrize("faces", [[], [1, 2], [1, 2, 3, 4]])
def test_e1_too_few_or_too_many_faces_are_refused_with_how_many_are_needed(faces: list[int]):
    table = Table(physical_dice="everyone")

    assert table.refusal({**ROLL, "faces": faces}) == (
        Code.WRONG_FACES,
        {"needed": 3, "given": len(faces), "why": "one for each die"},
    )


@pytest.mark.rule("E1")
@pytest.mark.parametrize("visibility", ["sealed", "gm"])
def test_e1_a_physical_roll_stays_marked_when_it_comes_to_light(visibility: str):
    table = Table(physical_dice="gm")
    chosen = "gm-fate" if visibility == "gm" else "fate"
    table.do({**TYPED, "id": chosen, "visibility": visibility})

    table.do({"type": "reveal", "thing_id": chosen})

    shown = table.view_as(WATCHER).rolls[chosen]
    assert (shown.faces, shown.physical, shown.proof) == ((6, 2, 4), True, None)


@pytest.mark.rule("E1")
def test_e1_a_roll_with_the_servers_dice_is_never_marked_physical():
    table = Table(physical_dice="everyone")

    [event] = table.do(ROLL, dice=loaded(1, 2, 3))

    assert isinstance(event, DiceRolled)
    assert not event.roll.physical


# E3: a roll stands


@pytest.mark.rule("E3")
def test_e3_no_command_takes_a_roll_back_hides_it_or_puts_another_in_its_place():
    table = Table()
    table.do({**ROLL, "id": "fate"}, dice=loaded(1, 2, 3))
    rolled = table.view.rolls["fate"]

    for order, code in (
        ({"type": "cancel", "thing_id": "fate", "reason": "x"}, Code.UNKNOWN),
        ({"type": "reveal", "thing_id": "fate"}, Code.NOT_HIDDEN),
        ({**ROLL, "id": "fate"}, Code.ID_TAKEN),
        ({**ROLL, "id": "fate", "visibility": "sealed"}, Code.ID_TAKEN),
    ):
        assert table.refused(order).code is code

    assert table.view_as(WATCHER).rolls["fate"] == rolled


# Hidden rolls


@pytest.mark.rule("E4")
@pytest.mark.parametrize("visibility", ["sealed", "gm"])
def test_only_the_gm_rolls_in_secret(visibility: str):
    assert Table().refused({**ROLL, "visibility": visibility}, by=ANN).code is Code.NOT_ALLOWED


@pytest.mark.rule("E4")
def test_a_hidden_roll_uses_a_lane_of_its_own_which_is_closed_at_once():
    table = Table()

    proof = proof_in(table, {**ROLL, "id": "gm-fate", "visibility": "gm"}, GM, 1, 2, 3)

    assert proof == RollProof(lane="thing/roll/gm-fate", n=1, key=KEY, witnesses=0)
    assert "thing/roll/gm-fate" not in table.view.channels[Channel.GM].lanes
    assert table.view.public.lanes["seat/gm/0"].used == 0


def test_sealed_rolls_are_remembered_as_long_as_the_public_knows_that_they_exist():
    table = Table()
    for _ in range(40):
        table.do({"type": "roll_dice", "pool": 1, "visibility": "sealed"}, dice=loaded(1))
        table.do({"type": "roll_dice", "pool": 1, "visibility": "gm"}, dice=loaded(1))

    sealed = [roll.id for roll in table.view.rolls.values() if roll.visibility is Visibility.SEALED]

    assert list(table.view.public.sealed) == sealed == [f"roll-{number}" for number in range(9, 41)]


def test_revealed_rolls_count_among_the_latest_32():
    table = Table()
    for _ in range(40):
        table.do({"type": "roll_dice", "pool": 1}, dice=loaded(1))
    table.do({"type": "roll_dice", "id": "fate", "pool": 1, "visibility": "sealed"}, dice=loaded(1))

    table.do({"type": "reveal", "thing_id": "fate"})

    assert list(table.view.public.rolls) == [*(f"roll-{number}" for number in range(10, 41)), "fate"]
