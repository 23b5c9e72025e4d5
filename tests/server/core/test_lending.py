"""Integrations that act for players who lent them their seats."""

import pytest

from dreadclock.wire import events as e
from dreadclock.wire.base import Role, Scope
from dreadclock.wire.errors import Code
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.families.room import JoinSeat
from dreadclock_server.evening.verify import verify
from kit.evenings.audited import BOTH, export_of
from kit.strategies.scripts import LEDGER
from kit.tables import ANN, BO, BOT, ORACLE, Order, Table

PROXY = Actor("integration-7", Role.INTEGRATION, (Scope.ACT_FOR, Scope.COUNTDOWNS))
LEND: Order = {"type": "lend_seat", "to": PROXY.seat_id}
FEVER = {"type": "start_countdown", "id": "fever", "name": "Fever", "pool": 4}
ROLL = {"type": "roll_countdown", "countdown_id": "fever"}
FOR_ANN = {"act_for": ANN.seat_id}


def with_proxy(**policy: object) -> Table:
    table = Table(dice=LEDGER, **policy)
    table.do(JoinSeat(PROXY.role, "Proxy", PROXY.scopes), dice=LEDGER)
    return table


def lent(**policy: object) -> Table:
    table = with_proxy(**policy)
    table.do(LEND, by=ANN)
    return table


@pytest.mark.rule("roles")
def test_a_player_lends_her_seat_and_takes_it_back():
    table = with_proxy()

    assert table.do(LEND, by=ANN) == [e.SeatLent(seat_id=ANN.seat_id, to=PROXY.seat_id)]
    assert table.do(LEND, by=ANN) == []
    assert table.view.seats[ANN.seat_id].lent_to == PROXY.seat_id
    assert table.do({"type": "take_back_seat"}, by=ANN) == [e.SeatTakenBack(seat_id=ANN.seat_id)]
    assert table.do({"type": "take_back_seat"}, by=ANN) == []
    assert table.refused({**ROLL, **FOR_ANN}, by=PROXY).code is Code.NOT_LENT


@pytest.mark.parametrize("to", ["gm", BO.seat_id, BOT.seat_id, ORACLE.seat_id, "integration-99"])
def test_a_seat_is_lent_only_to_an_integration_that_may_act_for_others(to: str):
    assert with_proxy().refused({"type": "lend_seat", "to": to}, by=ANN).code is Code.UNKNOWN


def test_an_integration_that_leaves_gives_all_seats_back():
    table = lent()

    assert [type(event) for event in table.do({"type": "leave_seat"}, by=PROXY)] == [e.SeatRemoved]
    assert table.view.seats[ANN.seat_id].lent_to is None


@pytest.mark.rule("roles")
def test_what_is_done_for_a_player_is_hers_and_rolls_in_the_lane_of_who_does_it():
    table = lent()

    (started,) = table.write({**FEVER, **FOR_ANN}, by=PROXY)
    (rolled,) = table.write({**ROLL, **FOR_ANN}, by=PROXY, dice=LEDGER)
    (plain,) = table.write({"type": "roll_dice", "pool": 2, **FOR_ANN}, by=PROXY, dice=LEDGER)

    assert isinstance(started.event, e.CountdownStarted)
    assert started.event.countdown.owner == ANN.seat_id
    assert {(each.by, each.acted_for) for each in (started, rolled, plain)} == {(PROXY.seat_id, ANN.seat_id)}
    assert isinstance(rolled.event, e.CountdownRolled)
    assert rolled.event.proof is not None
    assert rolled.event.proof.lane == f"seat/{PROXY.seat_id}/0"
    assert isinstance(plain.event, e.DiceRolled)
    assert plain.event.roll.seat_id == ANN.seat_id


@pytest.mark.rule("roles")
def test_who_acts_for_a_player_may_no_more_than_she_though_it_may_more_by_itself():
    table = lent(player_countdowns=False)
    table.do({**FEVER, "owner": BO.seat_id}, by=PROXY)  # by its own scope

    assert table.refused({**ROLL, **FOR_ANN}, by=PROXY, dice=LEDGER).code is Code.NOT_ALLOWED
    assert table.refused({**FEVER, **FOR_ANN, "id": "chill"}, by=PROXY).code is Code.NOT_ALLOWED
    assert len(table.write(ROLL, by=PROXY, dice=LEDGER)) == 1


def test_who_acts_for_a_player_does_not_see_more_than_she():
    table = lent()
    table.do({"type": "start_clock", "id": "gm-doom", "name": "Doom", "size": 3, "visibility": "gm"})

    assert table.refused({"type": "tick_clock", "clock_id": "gm-doom", **FOR_ANN}, by=PROXY).code is Code.UNKNOWN
    assert table.refused({"type": "tick_clock", "clock_id": "gm-dome", **FOR_ANN}, by=PROXY).code is Code.UNKNOWN


@pytest.mark.rule("roles")
def test_a_scope_lets_an_integration_do_for_everybody_what_it_names_but_keep_no_secrets():
    table = with_proxy()

    assert table.refused({**FEVER, "visibility": "gm"}, by=PROXY).code is Code.NOT_ALLOWED
    (started,) = table.do({**FEVER, "replenishable": True, "stabilizable": True}, by=PROXY)
    assert isinstance(started, e.CountdownStarted)
    assert started.countdown.owner is None
    for care in ("stabilize", "resume"):
        table.do({"type": f"{care}_countdown", "countdown_id": "fever"}, by=PROXY)
    table.do({"type": "replenish_countdown", "countdown_id": "fever", "dice": 1}, by=PROXY)
    assert table.refused({"type": "start_clock", "name": "Tide", "size": 4}, by=PROXY).code is Code.NOT_ALLOWED


@pytest.mark.rule("A11")
@pytest.mark.parametrize(("care", "code"), [("gm", Code.NOT_ALLOWED), ("owner", None)])
def test_an_integration_without_a_scope_cares_for_its_own_countdown_as_the_policy_has_it(care: str, code: Code | None):
    table = Table(care=care)
    table.do({**FEVER, "owner": BOT.seat_id, "stabilizable": True})
    stabilize = {"type": "stabilize_countdown", "countdown_id": "fever"}

    if code is None:
        assert table.do(stabilize, by=BOT)
    else:
        assert table.refused(stabilize, by=BOT).code is code
    assert verify(export_of(table.texts, *BOTH)).sound


@pytest.mark.parametrize(("scopes", "rolled"), [((), "own"), ((Scope.ROLLS,), "foe")])
def test_an_integration_rolls_for_whom_it_may_if_it_does_not_say(scopes: tuple[Scope, ...], rolled: str):
    table = Table(dice=LEDGER, check_approval="open")
    for who, owner in (("foe", None), ("own", BOT.seat_id)):
        table.do({"type": "add_character", "id": who, "name": who, "owner": owner})
    table.do({"type": "propose_check", "id": "leap", "character_id": "foe", "score": 2})
    table.do({"type": "help_check", "check_id": "leap", "character_id": "own", "score": 2})
    roll = {"type": "roll_check", "check_id": "leap"}

    table.write(roll, by=Actor(BOT.seat_id, BOT.role, scopes), dice=LEDGER)

    assert [part.character_id for part in table.view.checks["leap"].parts if part.roll] == [rolled]


def test_an_integration_that_moves_clocks_does_not_move_them_back():
    table = Table()
    maker = Actor(BOT.seat_id, BOT.role, (Scope.CLOCKS,))
    table.do({"type": "start_clock", "id": "tide", "name": "Tide", "size": 4}, by=maker)

    (ticked,) = table.do({"type": "tick_clock", "clock_id": "tide", "by": 2}, by=maker)
    assert isinstance(ticked, e.ClockTicked)
    assert table.refused({"type": "tick_clock", "clock_id": "tide", "back": True}, by=maker).code is Code.NOT_ALLOWED


FORGED = {
    "a player who lent nothing": ('"acted_for":"player-1"', '"acted_for":"player-2"', "is not lent to you"),
    "nobody": ('"acted_for":"player-1",', "", "Only the gm or the owner"),
    "another integration": ('"by":"integration-7"', '"by":"integration-4"', "is not lent to you"),
}


@pytest.mark.parametrize("forged", FORGED)
def test_verify_says_when_somebody_acted_for_another_who_may_not(forged: str):
    table = lent()
    table.do({"type": "start_clock", "id": "tide", "name": "Tide", "size": 4}, by=ANN)
    table.do({"type": "tick_clock", "clock_id": "tide", **FOR_ANN}, by=PROXY)
    before, after, said = FORGED[forged]

    assert verify(export_of(table.texts, *BOTH)).sound
    lied = [*table.texts[:-1], table.texts[-1].replace(before, after)]

    assert lied != table.texts
    assert said in str([str(each) for each in verify(export_of(lied, *BOTH)).faults])


def test_verify_says_when_a_seat_is_lent_from_its_beginning():
    texts = with_proxy().texts
    place = next(place for place, text in enumerate(texts) if '"id":"player-1"' in text and "seat_joined" in text)
    texts[place] = texts[place].replace('"id":"player-1",', '"id":"player-1","lent_to":"integration-7",')

    faults = [str(fault) for fault in verify(export_of(texts, *BOTH)).faults]
    assert "its seat.lent_to is integration-7 where absent follows" in str(faults)
