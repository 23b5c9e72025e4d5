"""The room, its house rules, seats and characters."""

from typing import Any

import pytest
from pydantic import ValidationError

from dreadclock.rules.limits import REOPEN_MS
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Role, Scope
from dreadclock.wire.errors import Code
from dreadclock.wire.records import canonical
from dreadclock.wire.things import CheckApproval, Lane, PhysicalDice, Policy, Seat, Special
from dreadclock_server.core.families.room import JoinSeat
from kit.tables import ANN, BO, GM, KEY, WATCHER, Table, command_of, loaded

ADD = {"type": "add_character", "id": "ada", "name": "Ada"}


def ada(**fields: object) -> Table:
    table = Table()
    table.do({**ADD, "owner": ANN.seat_id, **fields})
    return table


def update(**fields: object) -> dict[str, object]:
    return {"type": "update_character", "character_id": "ada", **fields}


# The room


@pytest.mark.rule("roles")
def test_a_room_opens_with_its_policy_and_a_gm_whose_dice_are_fixed():
    events = [record.event for record in Table(physical_dice="gm").records[:3]]

    assert events == [
        e.RoomOpened(title="The bomb", policy=Policy(physical_dice=PhysicalDice.GM), edition=2),
        e.SeatJoined(seat=Seat(id="gm", role=Role.GM, name="Gm")),
        e.LaneOpened(lane=Lane(label="seat/gm/0", seat_id="gm", key=KEY)),
    ]


def test_what_is_left_out_of_a_policy_stays_as_it_is():
    table = Table(physical_dice="gm")

    assert table.do({"type": "set_policy", "check_approval": "open"}) == [
        e.PolicySet(policy=Policy(physical_dice=PhysicalDice.GM, check_approval=CheckApproval.OPEN))
    ]
    assert table.do({"type": "set_policy", "player_countdowns": False}) == [
        e.PolicySet(
            policy=Policy(physical_dice=PhysicalDice.GM, check_approval=CheckApproval.OPEN, player_countdowns=False)
        )
    ]


def test_a_policy_that_is_in_force_already_is_an_ack_without_events():
    assert Table().do({"type": "set_policy", "physical_dice": "off"}) == []


@pytest.mark.parametrize("order", [{"type": "set_policy"}, update()], ids=lambda order: order["type"])
def test_a_command_that_names_nothing_to_change_is_refused(order: dict[str, object]):
    assert ada().refused(order).code is Code.NOTHING_TO_CHANGE


def test_in_a_closed_room_nothing_happens_any_more():
    table = Table()

    assert table.do({"type": "close_room"}) == [e.RoomClosed()]
    for order in ({"type": "end_turn"}, {"type": "close_room"}, JoinSeat(Role.PLAYER)):
        assert table.refused(order).code is Code.ROOM_CLOSED


@pytest.mark.rule("F1")
def test_a_closed_room_opens_again_as_it_was_within_30_days():
    table = Table()
    before = table.view.public
    assert table.refused({"type": "reopen_room"}).code is Code.ROOM_OPEN
    table.do({"type": "close_room"})
    table.now_ms += REOPEN_MS

    assert table.do({"type": "reopen_room", "note": "Once more."}) == [e.RoomReopened(note="Once more.")]

    assert table.view.public.model_copy(update={"recent": before.recent}) == before
    table.do({"type": "end_turn"})
    assert table.do({"type": "close_room"}) == [e.RoomClosed()]


@pytest.mark.rule("F1")
def test_a_room_that_was_closed_longer_ago_stays_closed():
    table = Table()
    table.do({"type": "close_room"})
    table.now_ms += REOPEN_MS + 1

    assert table.refusal({"type": "reopen_room"}) == (Code.CLOSED_LONG_AGO, {"days": 30})
    assert table.view.public.closed


# Seats


def test_a_seat_joins_under_a_number_of_its_own_with_its_dice():
    table = Table()

    assert table.do(JoinSeat(Role.PLAYER, "Cy")) == [
        e.SeatJoined(seat=Seat(id="player-7", role=Role.PLAYER, name="Cy")),
        e.LaneOpened(lane=Lane(label="seat/player-7/0", seat_id="player-7", key=KEY)),
    ]


@pytest.mark.rule("roles")
def test_a_spectator_rolls_nothing_and_has_no_dice():
    assert Table().do(JoinSeat(Role.SPECTATOR)) == [
        e.SeatJoined(seat=Seat(id="spectator-7", role=Role.SPECTATOR, name="Spectator 7"))
    ]


@pytest.mark.rule("roles")
def test_an_integration_keeps_its_scopes():
    [joined, _] = Table().do(JoinSeat(Role.INTEGRATION, "VTT", (Scope.TURNS,)))

    assert isinstance(joined, e.SeatJoined)
    assert joined.seat.scopes == (Scope.TURNS,)


def test_a_seat_may_rename_itself_and_the_gm_anyone():
    table = Table()

    rename = {"type": "rename_seat", "seat_id": ANN.seat_id, "name": "Anna"}
    assert table.do(rename, by=ANN) == [e.SeatRenamed(seat_id=ANN.seat_id, name="Anna")]
    assert table.do(rename, by=GM) == []
    assert table.do({"type": "rename_seat", "seat_id": WATCHER.seat_id, "name": "Eve"}, by=WATCHER)
    assert table.refused({"type": "rename_seat", "seat_id": "player-9", "name": "X"}, by=GM).code is Code.UNKNOWN


@pytest.mark.parametrize(
    "name",
    [
        *("gm", "Gm", "G M", "ＧＭ", "𝐆𝐦", "Ｇ\u200dm", "Mara the Bold", "MARA THE BOLD", "Mara\u00a0the\u2003Bold "),
        *("G\u034fm", "Gm\ufe0f", "G\u041c", "G\u039c", "\u050cm", "\u0262\u1d0d", "M\u0430ra the B\u03bfld"),
    ],
)
def test_nobody_else_goes_by_the_gms_name_however_it_is_written(name: str):
    table = Table()
    table.do({"type": "rename_seat", "seat_id": GM.seat_id, "name": "Mara the Bold"})

    for order in (JoinSeat(Role.PLAYER, name), {"type": "rename_seat", "seat_id": ANN.seat_id, "name": name}):
        assert table.refused(order).sentence == "Only the gm, whose name that is, may do that."
    assert table.do({"type": "rename_seat", "seat_id": GM.seat_id, "name": "GM"})
    assert table.do(JoinSeat(Role.PLAYER, "Gmelin"))


def test_a_removed_seat_does_nothing_any_more_and_its_dice_are_gone():
    table = Table()

    assert table.do({"type": "remove_seat", "seat_id": ANN.seat_id}) == [
        e.SeatRemoved(seat_id=ANN.seat_id, reason=e.Departure.REMOVED)
    ]
    assert ANN.seat_id not in table.view.seats
    assert "seat/player-1/0" not in table.view.public.lanes
    assert table.refused({"type": "roll_dice", "pool": 1}, by=ANN).code is Code.NOT_ALLOWED


def test_a_seat_may_be_given_up_and_its_number_is_not_used_again():
    table = Table()

    assert table.do({"type": "leave_seat"}, by=BO) == [e.SeatRemoved(seat_id=BO.seat_id, reason=e.Departure.LEFT)]
    [joined, _] = table.do(JoinSeat(Role.PLAYER))
    assert isinstance(joined, e.SeatJoined)
    assert joined.seat.id == "player-7"


def test_the_gms_own_seat_stays():
    table = Table()

    assert table.refused({"type": "leave_seat"}).code is Code.GM_STAYS
    assert table.refused({"type": "remove_seat", "seat_id": "gm"}).code is Code.GM_STAYS


def test_what_a_departed_player_owned_is_left_to_the_gm():
    table = Table()
    table.do({"type": "start_countdown", "id": "fever", "name": "Fever", "pool": 1}, by=ANN)
    table.do({"type": "leave_seat"}, by=ANN)

    assert table.do({"type": "roll_countdown", "countdown_id": "fever"}, dice=loaded(1))


def test_a_room_holds_256_seats():
    table = Table()
    for _ in range(249):
        table.do(JoinSeat(Role.SPECTATOR))

    assert table.refused(JoinSeat(Role.SPECTATOR)).code is Code.TOO_MANY


# Characters


def test_a_character_comes_into_play_with_all_that_is_said_of_it():
    table = Table()
    order = {
        **ADD,
        "owner": BO.seat_id,
        "level": 3,
        "attributes": {"Brawn": 4, "Ausdauer": 0},
        "specials": [{"name": "Climber", "starred": True}],
        "reflex": 5,
    }

    [event] = table.do(order)

    assert isinstance(event, e.CharacterAdded)
    assert event.character.attributes == {"Brawn": 4, "Ausdauer": 0}
    assert event.character.specials == (Special(name="Climber", starred=True),)
    assert (event.character.owner, event.character.level, event.character.reflex) == (BO.seat_id, 3, 5)


def test_attributes_stand_in_the_order_in_which_a_room_that_is_loaded_again_has_them():
    table = Table()

    [added] = table.do({**ADD, "attributes": {"Wits": 1, "Brawn": 4}})
    [updated] = table.do(update(attributes={"Wits": 2, "Brawn": 4}))

    for event in (added, updated):
        assert isinstance(event, e.CharacterAdded | e.CharacterUpdated)
        again = type(event).model_validate_json(canonical(event.model_dump(mode="json", exclude_none=True)))
        assert list(event.character.attributes) == list(again.character.attributes)


def test_a_character_that_a_player_adds_is_her_own():
    table = Table()

    [event] = table.do(ADD, by=ANN)

    assert isinstance(event, e.CharacterAdded)
    assert event.character.owner == ANN.seat_id
    assert table.refused({**ADD, "id": "bea", "owner": BO.seat_id}, by=ANN).code is Code.NOT_ALLOWED


def test_the_gm_changes_anything_of_a_character_and_the_rest_stays():
    table = ada(level=2)

    table.do(update(attributes={"Brawn": 1}, reflex=2, owner=BO.seat_id))

    character = table.view.characters["ada"]
    assert (character.name, character.level, character.reflex, character.owner) == ("Ada", 2, 2, BO.seat_id)
    assert character.attributes == {"Brawn": 1}
    assert table.do(update(level=2)) == []
    assert table.refused(update(owner="player-9")).code is Code.UNKNOWN


@pytest.mark.rule("E2", "B5")
@pytest.mark.parametrize(
    "fields",
    [{"level": 0}, {"level": 10}, {"reflex": 61}, {"attributes": {"Brawn": 61}}, {"attributes": {"\n": 1}}],
    ids=str,
)
def test_e2_scores_and_levels_have_their_bounds(fields: dict[str, object]):
    with pytest.raises(ValidationError):
        command_of({**ADD, **fields})


# Ids


@pytest.mark.parametrize(
    "chosen", ["countdown-7", "clock-1", "roll-12", "character-1", "bomb-clock", "bomb-threat", "gm-roll-0123456789ab"]
)
def test_ids_of_a_form_that_the_server_gives_are_reserved(chosen: str):
    refused = Table().refused({"type": "start_countdown", "id": chosen, "name": "C", "pool": 1})

    assert (refused.code, refused.details["kept_for"]) == (Code.ID_RESERVED, "the server")


def test_ids_of_what_only_the_gm_knows_begin_with_gm_and_no_others_do():
    table = Table()
    order = {"type": "start_countdown", "name": "C", "pool": 1}

    assert table.refused({**order, "id": "gm-x"}).code is Code.ID_RESERVED
    assert table.refused({**order, "id": "gm-x"}, by=ANN).code is Code.ID_RESERVED
    assert table.refused({**order, "id": "x", "visibility": "gm"}).code is Code.ID_RESERVED
    assert table.refused({**order, "id": "gm-x", "visibility": "sealed"}).code is Code.ID_RESERVED


def test_after_4096_chosen_ids_the_server_makes_them():
    table = Table()
    public = table.view.public.model_copy(update={"taken": tuple(f"t{number}" for number in range(4096))})
    channels = {**table.view.channels, Channel.PUBLIC: public}
    object.__setattr__(table.room, "view", table.view.model_copy(update={"channels": channels}))

    assert table.refused({**ADD, "id": "one-more"}).code is Code.TOO_MANY
    assert table.do({"type": "add_character", "name": "A"})


@pytest.mark.rule("roles")
@pytest.mark.parametrize(
    "order",
    [
        {"type": "add_character", "name": "Eve", "owner": WATCHER.seat_id},
        {"type": "update_character", "character_id": "ada", "owner": WATCHER.seat_id},
        {"type": "start_countdown", "name": "Doom", "pool": 1, "owner": WATCHER.seat_id},
        {"type": "start_clock", "name": "Tide", "size": 3, "owner": WATCHER.seat_id},
    ],
    ids=lambda order: str(order["type"]),
)
def test_who_only_looks_on_owns_nothing(order: dict[str, Any]):
    table = Table()
    table.do({"type": "add_character", "id": "ada", "name": "Ada", "owner": ANN.seat_id})

    assert table.refused(order).code is Code.LOOKS_ON
