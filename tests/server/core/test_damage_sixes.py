"""Sixes that add dice to damage, in scenes that say so. Ruling C27."""

from typing import Any

import pytest

from dreadclock.wire.base import Channel, Kind
from dreadclock.wire.errors import Code
from dreadclock.wire.events import DiceRolled, EffectsSet
from dreadclock.wire.things import Roll, RollPurpose, StandingEffects
from kit.dice.lanes import dice, opening
from kit.families.checks import paid, reward, seated
from kit.tables import ANN, BO, GM, Table, loaded

pytestmark = pytest.mark.rule("C27")

DAMAGE: dict[str, Any] = {"type": "roll_dice", "id": "hit", "pool": 2, "purpose": "damage"}

BRAWL: dict[str, Any] = {
    "type": "start_situation",
    "id": "brawl",
    "scene_id": "pit",
    "name": "Brawl",
    "kind": "standard",
    "content": "combat",
    "clock": 2,
}


def open_scene(scene_id: str, **fields: Any) -> dict[str, Any]:
    return {"type": "open_scene", "id": scene_id, "name": scene_id, "clock": 8, **fields}


def in_the_pit(**fields: Any) -> Table:
    """Return a table with one open scene, in which sixes add dice."""
    table = Table(physical_dice="everyone")
    table.do(open_scene("pit", sixes_add=True, **fields))
    return table


def rolled(table: Table, *faces: int, **fields: Any) -> Roll:
    event = table.do({**DAMAGE, **fields}, by=fields.pop("by", ANN), dice=loaded(*faces))[-1]
    assert isinstance(event, DiceRolled)
    return event.roll


def added(table: Table, *faces: int, **fields: Any) -> tuple[str | None, int | None]:
    """Return where a roll happened, and how many dice sixes added."""
    roll = rolled(table, *faces, **fields)
    return roll.within_id, roll.added


def test_each_six_of_damage_adds_a_die_and_so_do_added_ones():
    expected = Roll(
        id="hit", seat_id=ANN.seat_id, faces=(6, 2, 6, 6, 1), added=3, purpose=RollPurpose.DAMAGE, within_id="pit"
    )

    assert in_the_pit().do(DAMAGE, by=ANN, dice=loaded(6, 2, 6, 6, 1)) == [DiceRolled(roll=expected)]


def test_off_unless_the_scene_says_so():
    table = Table()
    assert added(table, 6, 6, id="nowhere") == (None, None)

    table.do(open_scene("hall"))

    assert table.view.scenes["hall"].sixes_add is False
    assert added(table, 6, 6) == (None, None)
    assert added(table, 6, 6, id="named", within_id="hall") == ("hall", None)


def test_without_a_six_no_die_is_added():
    assert added(in_the_pit(), 5, 2) == ("pit", None)


@pytest.mark.parametrize("fields", [{"purpose": "other"}, {"visibility": "gm"}, {"visibility": "sealed"}], ids=str)
def test_only_damage_that_everyone_sees(fields: dict[str, Any]):
    table = in_the_pit()
    order = {**DAMAGE, "id": "gm-hit" if fields.get("visibility") == "gm" else "hit", **fields}

    table.do(order, dice=loaded(6, 6))

    rolls = [each for channel in Channel for each in table.view.channels[channel].rolls.values()]
    assert [(each.within_id, each.added, each.faces) for each in rolls] == [(None, None, (6, 6))]
    assert table.refused({**order, "id": None, "within_id": "pit"}).code is Code.NOT_AVAILABLE


@pytest.mark.rule("C21")
def test_where_it_happens_is_found_as_for_a_check():
    table = in_the_pit()
    table.do(BRAWL)
    assert added(table, 6, 1, 2, id="a") == ("brawl", 1)

    table.do(open_scene("hall"))

    assert added(table, 6, 1, id="b") == (None, None), "two scenes are open"
    assert added(table, 6, 1, 2, id="c", within_id="pit") == ("pit", 1)
    assert added(table, 6, 1, 2, id="d", within_id="brawl") == ("brawl", 1)
    assert added(table, 6, 1, id="e", within_id="hall") == ("hall", None)


def test_a_place_that_is_over_or_that_not_everyone_sees_is_refused():
    table = in_the_pit()
    table.do({"type": "end_scene", "scene_id": "pit"})
    table.do(open_scene("gm-den", visibility="gm", sixes_add=True))

    assert table.refused({**DAMAGE, "within_id": "pit"}, by=ANN).code is Code.ENDED
    for unknown in ("gm-den", "nowhere"):
        assert table.refused({**DAMAGE, "within_id": unknown}, by=GM).code is Code.UNKNOWN
    assert added(table, 6, 6) == (None, None)


def test_dice_of_ventures_explode_too():
    table = seated()
    table.do(open_scene("pit", sixes_add=True))
    waiting = reward(table, "han", 2, "damage")

    hit = {**DAMAGE, "pool": 1, "character_id": "han", "claims": [waiting.key]}
    events = table.do(hit, by=ANN, dice=loaded(1, 2, 6, 4))

    assert events[0] == paid("han", "hit", waiting)
    assert isinstance(events[1], DiceRolled)
    assert (events[1].roll.paid, events[1].roll.added, events[1].roll.faces) == (2, 1, (1, 2, 6, 4))


@pytest.mark.rule("E2")
def test_a_roll_stops_at_200_dice():
    roll = rolled(in_the_pit(), *(6,) * 200, pool=60)

    assert (len(roll.faces), roll.added) == (200, 140)


@pytest.mark.rule("E1")
def test_dice_on_a_table_are_as_many_as_sixes_ask_for():
    table = in_the_pit()
    short = table.refused({**DAMAGE, "faces": [6, 2]}, by=ANN)

    assert short.code is Code.WRONG_FACES
    assert (short.details["needed"], short.details["why"]) == (3, "2 at first, one more for each 6")
    assert table.refused({**DAMAGE, "faces": [5, 2, 1]}, by=ANN).code is Code.WRONG_FACES
    assert added(table, faces=[6, 2, 5]) == ("pit", 1)


def test_the_gm_turns_it_on_and_off_and_everyone_is_told():
    table = Table()
    table.do(open_scene("pit"))
    on, off = ({"type": "set_effects", "thing_id": "pit", "sixes_add": each} for each in (True, False))

    def told(sixes_add: bool) -> list[EffectsSet]:
        return [EffectsSet(kind=Kind.SCENE, id="pit", effects=StandingEffects(), sixes_add=sixes_add)]

    assert table.do(on) == told(True)
    assert added(table, 6, 1, 2, id="a") == ("pit", 1)
    assert table.do(on) == []
    assert table.do(off) == told(False)
    assert added(table, 6, 1, id="b") == (None, None)


def test_other_effects_of_the_scene_stay_as_they_are():
    table = in_the_pit()
    table.do({"type": "set_effects", "thing_id": "pit", "stunts": ["Swing"]})
    assert table.view.scenes["pit"].sixes_add

    table.do({"type": "set_effects", "thing_id": "pit", "sixes_add": False})
    assert table.view.scenes["pit"].effects == StandingEffects(stunts=("Swing",))


def test_only_the_gm_says_so_and_only_of_a_scene():
    table = in_the_pit()
    table.do({"type": "add_character", "id": "ada", "name": "Ada"})
    off = {"type": "set_effects", "sixes_add": False}

    assert table.refused({**off, "thing_id": "pit"}, by=BO).code is Code.NOT_ALLOWED
    assert table.refused({**off, "thing_id": "ada"}).code is Code.NOT_AVAILABLE


def test_taking_the_switch_back_puts_it_where_it_was():
    table = in_the_pit()
    table.do({"type": "set_effects", "thing_id": "pit", "sixes_add": False})

    table.do({"type": "void_command", "seq": table.records[-1].seq, "reason": "slip"})

    assert table.view.scenes["pit"].sixes_add


@pytest.mark.parametrize("within_id", ["pit", "brawl", None])
@pytest.mark.parametrize("sixes_add", [False, True])
def test_a_token_is_not_shown_for_a_scene_that_changed_since_it_was_seen(within_id: str | None, sixes_add: bool):
    table = in_the_pit()
    table.do(BRAWL)
    table.write(opening(), by=ANN)
    seen = table.records[-1].seq
    table.do({"type": "set_effects", "thing_id": "pit", "stunts": ["Swing"], "sixes_add": sixes_add})
    order = {**DAMAGE, "within_id": within_id}

    refused = table.refused({**order, "dice": dice(1, "seat/player-1/1", seen=seen)}, by=ANN)

    assert (refused.code, refused.details["id"]) == (Code.CHANGED, "pit")
    assert table.do(
        {**order, "purpose": "other", "within_id": None, "dice": dice(1, "seat/player-1/1", seen=seen)},
        by=ANN,
        dice=loaded(1, 2),
    )
