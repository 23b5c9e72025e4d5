"""How much text the open things of one player or integration have. Ruling E2."""

from collections import deque
from typing import Any

import pytest

from dreadclock.rules.limits import COUNTDOWNS_KEPT, MAX_MADE_TEXT_BYTES, MAX_NAME, MAX_TEXT
from dreadclock.wire.base import Channel, Role, Scope
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.things import Character, Special
from dreadclock_server.core import texts
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.families.room import JoinSeat
from dreadclock_server.core.texts import text_bytes
from kit.evenings.audited import BOTH, PUBLIC, rules_broken
from kit.model import Model
from kit.model.things import Shown
from kit.tables import ANN, BO, GM, Table, command_of

DRAGON = "\U0001f409"  # 4 bytes
STAGES = [{"at": at, "effect": DRAGON * MAX_TEXT} for at in range(1, 25)]
FULL = {"type": "start_countdown", "name": DRAGON * MAX_NAME, "pool": 30, "stages": STAGES}
FULL_BYTES = 4 * (MAX_NAME + 24 * MAX_TEXT)
FIT = MAX_MADE_TEXT_BYTES // FULL_BYTES
HELPER = Actor("integration-7", Role.INTEGRATION, (Scope.COUNTDOWNS, Scope.CHARACTERS, Scope.ROLLS, Scope.ACT_FOR))
BOMB = {"type": "start_countdown", "id": "bomb", "name": "Bomb", "pool": 2}


def filled(by: Actor = ANN) -> Table:
    """Return a table at which a seat made things with all the text that they may have."""
    table = Table(sheets="players", physical_dice="everyone")
    table.do(JoinSeat(HELPER.role, "Helper", HELPER.scopes))
    for number in range(FIT):
        table.do({**FULL, "id": f"full-{number}"}, by=by)
    table.do(rest(MAX_MADE_TEXT_BYTES - FIT * FULL_BYTES), by=by)
    return table


def rest(count: int) -> dict[str, Any]:
    """Return a command that starts a countdown with so many bytes of text."""
    stages, more = divmod(count - 1, 4 * MAX_TEXT)
    name, ending = "x" * (1 + more % 4), DRAGON * (more // 4) or None
    return {**FULL, "id": "rest", "name": name, "stages": STAGES[:stages], "ending": ending}


def is_too_much(table: Table, order: dict[str, Any], by: Actor) -> bool:
    refused = table.refused(order, by=by)
    said = {"limit": 256, "what": "KiB of text in what one seat made"}
    return (refused.code, refused.details) == (Code.TOO_MANY, said)


@pytest.mark.rule("E2")
@pytest.mark.parametrize("by", [ANN, HELPER], ids=["player", "integration"])
def test_what_one_seat_made_has_at_most_so_much_text(by: Actor):
    table = filled(by)

    assert sum(map(text_bytes, table.view.countdowns.values())) == MAX_MADE_TEXT_BYTES
    assert is_too_much(table, BOMB, by)
    assert [each.made_by for each in table.view.countdowns.values()] == [by.seat_id] * (FIT + 1)
    table.do(BOMB, by=BO)
    table.do({**FULL, "id": "of-the-gm"})
    assert table.view.countdowns["of-the-gm"].made_by is None


@pytest.mark.rule("E2")
@pytest.mark.parametrize(
    "order",
    [
        {"type": "start_clock", "name": "Rain", "size": 4},
        {"type": "add_character", "name": "Ada"},
        {"type": "propose_check", "character_id": "eve", "score": 2, "purpose": "Climb"},
        {"type": "propose_total", "character_id": "eve", "attribute": 2, "purpose": "Climb"},
    ],
    ids=lambda order: order["type"],
)
def test_text_of_every_kind_of_thing_counts(order: dict[str, Any]):
    table = filled()
    table.do({"type": "add_character", "id": "eve", "name": "Eve", "owner": ANN.seat_id})

    assert is_too_much(table, order, ANN)

    table.do({"type": "cancel_countdown", "countdown_id": "full-0"})
    table.do(order, by=ANN)


@pytest.mark.rule("E2")
def test_whoever_writes_into_a_full_makers_things_is_refused_but_for_the_gm():
    table = Table(sheets="players")
    table.do(JoinSeat(HELPER.role, "Helper", HELPER.scopes))
    table.do({"type": "add_character", "id": "ada", "name": "Ada"}, by=ANN)
    for number in range(FIT):
        table.do({**FULL, "id": f"full-{number}"}, by=ANN)
    table.do(rest(MAX_MADE_TEXT_BYTES - FIT * FULL_BYTES - len("Ada")), by=ANN)

    given = {"type": "give_state", "character_id": "ada", "state": "wet"}
    renamed = {"type": "update_character", "character_id": "ada", "name": "Adaline"}
    assert is_too_much(table, given, HELPER)
    assert is_too_much(table, renamed, HELPER)
    table.do({"type": "update_character", "character_id": "ada", "name": "Al"}, by=ANN)
    table.do(given)
    table.do({"type": "drop_state", "character_id": "ada", "state": "wet"}, by=HELPER)
    assert table.view.characters["ada"].made_by == ANN.seat_id


@pytest.mark.rule("E2")
def test_no_roll_is_refused_for_the_text_that_it_leads_to(monkeypatch: pytest.MonkeyPatch):
    table = Table(check_approval="open", physical_dice="everyone")
    table.do({"type": "add_character", "id": "ada", "name": "Ada"}, by=ANN)
    table.do({"type": "propose_check", "id": "climb", "character_id": "ada", "score": 2})
    table.do({"type": "adjust_check", "check_id": "climb", "stunts": ["Fly", "Sing"]})
    monkeypatch.setattr(texts, "MAX_MADE_TEXT_BYTES", 0)

    table.do({"type": "roll_check", "check_id": "climb", "faces": [6, 6, 1, 1]}, by=ANN)

    assert [choice.offered for choice in table.view.characters["ada"].choices] == [("Fly", "Sing")]
    assert table.refused(BOMB, by=ANN).code is Code.TOO_MANY


@pytest.mark.rule("E2")
def test_a_maker_whose_things_the_gm_made_too_large_may_shorten_them():
    table = Table(sheets="players")
    table.do({"type": "add_character", "id": "ada", "name": "Ada"}, by=ANN)
    for number in range(FIT):
        table.do({**FULL, "id": f"full-{number}"}, by=ANN)
    table.do(rest(MAX_MADE_TEXT_BYTES - FIT * FULL_BYTES - len("Ada")), by=ANN)
    table.do({"type": "give_state", "character_id": "ada", "state": "wet through"})

    assert is_too_much(table, {"type": "update_character", "character_id": "ada", "name": "Adaline"}, ANN)
    table.do({"type": "update_character", "character_id": "ada", "name": "Al"}, by=ANN)
    assert is_too_much(table, BOMB, ANN)


@pytest.mark.rule("E2")
@pytest.mark.parametrize(
    ("making", "going_on", "closing"),
    [
        (
            {"type": "start_clock", "id": "long", "name": "Rain on the roof", "size": 2},
            {"type": "tick_clock", "clock_id": "long"},
            {"type": "tick_clock", "clock_id": "long"},
        ),
        (
            {"type": "add_character", "id": "long", "name": "Ada of the lake"},
            {"type": "take_out_of_play", "character_id": "long", "fate": "leaves"},
            {"type": "take_out_of_play", "character_id": "long", "fate": "dies"},
        ),
        (
            {"type": "propose_check", "id": "long", "character_id": "eve", "score": 1, "purpose": "Climb the rock"},
            {"type": "adjust_check", "check_id": "long", "bonus": 1},
            {"type": "roll_check", "check_id": "long", "faces": [4, 4]},
        ),
        (
            {"type": "propose_total", "id": "long", "character_id": "eve", "attribute": 2, "purpose": "Climb the rock"},
            {"type": "roll_total", "total_id": "long", "faces": [3, 4]},
            {"type": "judge_total", "total_id": "long", "enough": True},
        ),
    ],
    ids=lambda order: order["type"],
)
def test_what_is_closed_does_not_count_any_more(
    making: dict[str, Any], going_on: dict[str, Any], closing: dict[str, Any], monkeypatch: pytest.MonkeyPatch
):
    table = Table(sheets="players", check_approval="open", physical_dice="everyone")
    table.do({"type": "add_character", "id": "eve", "name": "Eve", "owner": ANN.seat_id})
    table.do(making, by=ANN)
    monkeypatch.setattr(texts, "MAX_MADE_TEXT_BYTES", 16)

    assert table.refused(BOMB, by=ANN).code is Code.TOO_MANY
    table.do(going_on)
    assert table.refused(BOMB, by=ANN).code is Code.TOO_MANY
    if closing.get("fate") == "dies":
        table.do({"type": "return_to_play", "character_id": "long"})
    table.do(closing)
    table.do(BOMB, by=ANN)


@pytest.mark.rule("E2")
def test_what_is_over_and_remembered_counts_against_twice_as_much():
    table = Table()
    for number in range(2 * MAX_MADE_TEXT_BYTES // FULL_BYTES):
        table.do({**FULL, "id": f"full-{number}"}, by=ANN)
        table.do({"type": "cancel_countdown", "countdown_id": f"full-{number}"})
    assert 1.9 * MAX_MADE_TEXT_BYTES < sum(map(text_bytes, table.view.countdowns.values())) <= 2 * MAX_MADE_TEXT_BYTES

    refused = table.refused({**FULL, "id": "more", "ending": DRAGON * MAX_TEXT}, by=ANN)
    assert (refused.code, refused.details["limit"]) == (Code.TOO_MANY, 512)
    table.do(BOMB, by=ANN)
    table.do({**FULL, "id": "of-bo"}, by=BO)
    for number in range(COUNTDOWNS_KEPT):  # the view forgets what was Ann's
        table.do({**BOMB, "id": f"bomb-{number}"})
        table.do({"type": "cancel_countdown", "countdown_id": f"bomb-{number}"})
    table.do({**FULL, "id": "again"}, by=ANN)
    for channels in (PUBLIC, BOTH):
        assert rules_broken(table.texts, channels) == []


def cancelled(order: dict[str, Any]) -> dict[str, Any]:
    return {"type": "cancel_countdown", "countdown_id": order["id"]}


FILLING = [*({**FULL, "id": f"full-{n}"} for n in range(FIT)), rest(MAX_MADE_TEXT_BYTES - FIT * FULL_BYTES - 3)]
ADA = {"type": "add_character", "id": "ada", "name": "Ada"}
OF_ADA = {"character_id": "ada"}
WIDE = [{**FULL, "id": f"full-{n}"} for n in range(2 * MAX_MADE_TEXT_BYTES // FULL_BYTES)]
SMALL = [{**BOMB, "id": f"bomb-{n}"} for n in range(COUNTDOWNS_KEPT)]
SCRIPTS: dict[str, list[tuple[Actor, dict[str, Any]]]] = {
    "at the start": [(ANN, ADA), *((ANN, each) for each in FILLING), (ANN, BOMB), (BO, BOMB)],
    "later": [
        *((ANN, each) for each in (ADA, *FILLING)),
        (ANN, {"type": "give_state", **OF_ADA, "state": "wet"}),
        (GM, {"type": "give_state", **OF_ADA, "state": "wet"}),
        (ANN, {"type": "update_character", **OF_ADA, "name": "Al"}),
        (ANN, {"type": "update_character", **OF_ADA, "attributes": {"Grit": 3}}),
        (ANN, {"type": "set_track", **OF_ADA, "track": "Hits", "most": 3}),
        (ANN, {"type": "drop_state", **OF_ADA, "state": "wet"}),
        (ANN, {"type": "give_state", **OF_ADA, "state": "x"}),
        (ANN, {"type": "set_track", **OF_ADA, "track": "y", "most": 3}),
        (GM, {"type": "amend_countdown", "countdown_id": "full-0", "stages": STAGES[:9], "reason": "Shorter."}),
        (ANN, {"type": "set_track", **OF_ADA, "track": "Hits", "most": 3}),
    ],
    "over": [
        *((by, order) for each in WIDE for by, order in ((ANN, each), (GM, cancelled(each)))),
        (ANN, {**FULL, "id": "more", "ending": DRAGON * MAX_TEXT}),
        (ANN, BOMB),
        *((GM, order) for each in SMALL for order in (each, cancelled(each))),
        (ANN, {**FULL, "id": "again"}),
    ],
}


@pytest.mark.rule("E2")
@pytest.mark.parametrize(("name", "refused"), [("at the start", 1), ("later", 4), ("over", 1)])
def test_a_second_reading_of_the_rules_refuses_the_same(name: str, refused: int):
    table, model, codes = Table(sheets="players"), Model(), list[Code]()
    model.policy.sheets = "players"
    for actor in (GM, ANN, BO):
        model.join(actor.seat_id, actor.role)
    for actor, order in SCRIPTS[name]:
        try:
            table.do(order, by=actor)
            is_taken = True
        except Refused as refusal:
            codes.append(refusal.code)
            is_taken = False
        ids = deque([order["id"]]) if "id" in order else deque[str]()
        assert model.do(command_of(order), actor.seat_id, (), Shown(ids=ids)) == is_taken, order

    assert codes == [Code.TOO_MANY] * refused


def test_what_earlier_versions_did_not_say_who_made_is_not_counted():
    table = filled()
    view = table.view.public
    unsaid = {key: each.model_copy(update={"made_by": None}) for key, each in view.countdowns.items()}
    before = view.model_copy(update={"countdowns": unsaid})

    after = before.model_copy(update={"countdowns": {**unsaid, "bomb": unsaid["rest"]}})

    assert texts.text_limit_passed(before, after) is None


def test_names_and_texts_count_and_nothing_else():
    ada = Character(
        id="ada",
        name="Ada",
        owner="player-1",
        attributes={"Grit\u00e9": 3},
        specials=(Special(name="Driver"),),
        states=("wet",),
    )

    assert text_bytes(ada) == len("Ada" + "Grit" + "Driver" + "wet") + 2


@pytest.mark.parametrize("channels", [PUBLIC, BOTH])
def test_verify_finds_too_much_text_and_another_maker(channels: tuple[Channel, ...], monkeypatch: pytest.MonkeyPatch):
    table = filled()
    assert rules_broken(table.texts, channels) == []
    monkeypatch.setattr(texts, "MAX_MADE_TEXT_BYTES", MAX_MADE_TEXT_BYTES + 4)
    table.do(BOMB, by=ANN)
    monkeypatch.undo()

    [fault] = rules_broken(table.texts, channels)
    assert "256 KiB of text in what one seat made" in fault
    forged = [*table.texts[:-1], table.texts[-1].replace('"made_by":"player-1"', '"made_by":"player-2"')]
    [fault] = rules_broken(forged, channels)
    assert fault.startswith("countdown_started: ")
