"""Sheets that players change, what the gm approves, and the party that a race is measured by. Ruling B18."""

from typing import Any

import pytest

from dreadclock.rules.clocks import Difficulty
from dreadclock.wire import events as e
from dreadclock.wire.errors import Code
from dreadclock.wire.things import Character, Sheet, SheetChange, SheetPart
from kit.families.races import RACE, STANDARD, opened
from kit.tables import ANN, BO, GM, ORACLE, Table

pytestmark = pytest.mark.rule("B18")
ADA = {"type": "add_character", "id": "ada", "name": "Ada", "level": 3, "attributes": {"Agility": 2}}
APPROVE = {"type": "approve_sheet", "character_id": "ada"}
LEVEL_5 = (SheetChange(what=SheetPart.LEVEL, was=3, now=5),)


def write(**fields: Any) -> dict[str, Any]:
    return {"type": "update_character", "character_id": "ada", **fields}


def joined(by: Any = GM, **policy: Any) -> Table:
    """Open a scene for Ada, who is Ann's, brought in by the gm or by Ann herself."""
    table = opened(**policy)
    table.do({**ADA, "owner": ANN.seat_id}, by=by)
    return table


def of_ada(table: Table) -> Character:
    return table.view.characters["ada"]


def difficulty(table: Table, level: int = 3, **fields: Any) -> Difficulty | None:
    """Start a race and return how hard it is by the levels of its party."""
    [event] = table.do({**RACE, "id": None, "level": level, **fields})
    assert isinstance(event, e.SituationStarted)
    return event.situation.difficulty


def test_a_players_changes_wait_for_the_gm_unless_the_policy_says_otherwise():
    table = joined()
    wanted = Sheet(level=5, attributes={"Agility": 4, "Charm": 1})

    events = table.do(write(name="Adah", level=5), by=ANN)
    more = table.do(write(attributes={"Agility": 4, "Charm": 1}), by=ANN)

    assert isinstance(events[0], e.CharacterUpdated)
    assert (events[0].character.name, events[0].changed) == ("Adah", None)
    assert events[1:] == [
        e.SheetProposed(character_id="ada", proposed=Sheet(level=5, attributes={"Agility": 2}), changed=LEVEL_5)
    ]
    changes = (
        *LEVEL_5,
        SheetChange(what=SheetPart.ATTRIBUTE, name="Agility", was=2, now=4),
        SheetChange(what=SheetPart.ATTRIBUTE, name="Charm", now=1),
    )
    assert more == [e.SheetProposed(character_id="ada", proposed=wanted, changed=changes)]
    assert (of_ada(table).level, of_ada(table).attributes) == (3, {"Agility": 2})
    [approved] = table.do({**APPROVE, "expect": {"level": 5, "attributes": {"Agility": 4, "Charm": 1}}})
    assert approved == e.SheetApproved(character=of_ada(table), changed=changes)
    assert (of_ada(table).sheet, of_ada(table).proposed) == (wanted, None)


def test_a_player_takes_her_wish_back_and_the_gm_refuses_one():
    table = joined()
    table.do(write(level=5), by=ANN)

    assert table.do(write(level=3), by=ANN) == [e.SheetProposed(character_id="ada")]
    table.do(write(level=9, reflex=2), by=ANN)
    assert table.do(write(level=9), by=ANN) == []
    assert table.do({**APPROVE, "approve": False}) == [e.SheetRefused(character=of_ada(table))]
    assert (of_ada(table).sheet, of_ada(table).proposed) == (Sheet(level=3, attributes={"Agility": 2}), None)


def test_the_gm_approves_what_she_saw_and_nothing_else():
    table = joined()
    table.do(write(level=4), by=ANN)
    seen = {"level": 4, "attributes": {"Agility": 2}}
    table.do(write(level=9), by=ANN)

    assert table.refused({**APPROVE, "expect": seen}).code is Code.CHANGED
    assert table.do({**APPROVE, "expect": {**seen, "level": 9}})


def test_what_the_gm_writes_herself_is_approved_and_stays_when_she_approves_a_wish():
    table = joined()
    table.do(write(level=5), by=ANN)

    table.do(write(attributes={"Agility": 6}))
    table.do(APPROVE)

    assert of_ada(table).sheet == Sheet(level=5, attributes={"Agility": 6})
    table.do(write(reflex=1), by=ANN)
    table.do(write(reflex=1))
    assert of_ada(table).proposed is None


def test_where_players_write_their_sheets_everyone_is_told_what_changed():
    table = joined(sheets="players")

    [event] = table.do(write(level=5, specials=[{"name": "Driver", "starred": True}]), by=ANN)

    special = SheetChange(what=SheetPart.SPECIAL, name="Driver", now=2)
    assert event == e.CharacterUpdated(character=of_ada(table), changed=(*LEVEL_5, special))
    assert (of_ada(table).level, of_ada(table).approved_level) == (5, 3)


def test_a_level_that_is_not_approved_does_not_count_for_a_race():
    table = joined(sheets="players")
    table.do(write(level=5), by=ANN)

    unapproved = difficulty(table)
    table.do(write(level=6), by=ANN)
    still_unapproved = difficulty(table)
    table.do(APPROVE)

    assert (unapproved, still_unapproved) == (Difficulty.NORMAL, Difficulty.NORMAL)
    assert difficulty(table, level=7) is Difficulty.HARD


@pytest.mark.parametrize("order", [{**APPROVE, "approve": False}, write(level=3)])
def test_a_level_is_as_it_was_approved_when_it_is_refused_or_set_again(order: dict[str, Any]):
    table = joined(sheets="players")
    table.do(write(level=5), by=ANN)

    table.do(order)

    assert (of_ada(table).level, of_ada(table).approved_level) == (3, None)


@pytest.mark.parametrize("sheets", ["gm", "players"])
def test_a_newcomer_does_not_count_for_a_race_before_the_gm_approves(sheets: str):
    table = joined(by=ANN, sheets=sheets)

    assert of_ada(table).newcomer
    assert table.refused(RACE).code is Code.PARTY_UNKNOWN
    assert table.refused({**RACE, "party": ["ada"]}).code is Code.PARTY_UNKNOWN
    assert table.refused({**APPROVE, "approve": False}).code is Code.NOTHING_WAITS
    table.do(APPROVE)
    assert difficulty(table) is Difficulty.NORMAL


def test_a_race_is_measured_by_the_party_that_it_names():
    table = joined()
    table.do({**ADA, "id": "bo", "level": 5, "owner": BO.seat_id})
    table.do({**ADA, "id": "ally", "level": 1})

    assert difficulty(table) is Difficulty.EASY
    assert difficulty(table, party=["ada"]) is Difficulty.NORMAL
    assert difficulty(table, party=["ada", "ally"]) is Difficulty.HARD
    assert [each.party for each in table.view.situations.values()] == [None, ("ada",), ("ada", "ally")]


@pytest.mark.parametrize("start", [STANDARD, {**RACE, "difficulty": "hard"}])
def test_a_party_of_strangers_or_of_those_out_of_play_is_refused(start: dict[str, Any]):
    table = joined()
    table.do({**ADA, "id": "bo", "owner": BO.seat_id})
    table.happen(e.CharacterDied(character_id="bo"))

    assert table.refused({**start, "party": ["nobody"]}).code is Code.UNKNOWN
    assert table.refused({**start, "party": ["ada", "bo"]}).code is Code.OUT_OF_PLAY
    assert table.refused({**start, "party": ["ada", "ada"]}).details == {"id": "ada"}


@pytest.mark.rule("roles")
def test_bad_wishes_for_sheets_are_refused():
    table = joined()

    assert table.refused(APPROVE).code is Code.NOTHING_WAITS
    assert table.refused(APPROVE, by=ORACLE).code is Code.NOT_ALLOWED
    assert table.refused(write(level=9, owner=BO.seat_id), by=ANN).code is Code.NOT_ALLOWED


def test_a_newcomer_that_a_party_names_is_not_taken_back():
    table = opened()
    [added] = table.write({**ADA, "owner": ANN.seat_id}, by=GM)
    table.do({**STANDARD, "party": ["ada"]})

    assert table.refused({"type": "void_command", "seq": added.seq, "reason": "a slip"}).code is Code.CHANGED_SINCE


def test_a_prepared_race_is_measured_by_its_party_as_that_is_when_it_begins():
    table = joined()
    table.do({**ADA, "id": "bo", "level": 9, "owner": BO.seat_id})
    table.do({**RACE, "id": "gm-run", "prepared": True, "party": ["ada", "bo"]})
    table.happen(e.CharacterDied(character_id="bo"))

    table.do({"type": "begin_situation", "situation_id": "gm-run"})

    assert table.view.situations["gm-run"].difficulty is Difficulty.NORMAL
