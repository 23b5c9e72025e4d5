"""Characters of the gm's that nobody else knows of, until they act in public or are revealed. C24 and E4."""

from typing import Any

import pytest

from dreadclock.rules.limits import MAX_CHARACTERS
from dreadclock.rules.total import CrisisKind
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Kind, Role, Scope, Visibility
from dreadclock.wire.errors import Code
from dreadclock.wire.things import Character, CharacterStatus, Crisis
from dreadclock_server.core.draft import Actor
from dreadclock_server.core.families.room import JoinSeat
from kit.evenings.audited import BOTH, rules_broken
from kit.tables import ANN, BO, ORACLE, Table, loaded

pytestmark = pytest.mark.rule("C24", "E4")
SEER = Actor("integration-7", Role.INTEGRATION, (Scope.SECRETS, Scope.ROLLS, Scope.CHARACTERS))
SPY = {"type": "add_character", "id": "gm-spy", "name": "The spy", "visibility": "gm"}
IN_PUBLIC: dict[str, dict[str, Any]] = {
    "a check": {"type": "propose_check", "character_id": "gm-spy", "score": 2},
    "help": {"type": "help_check", "check_id": "leap", "character_id": "gm-spy", "score": 2},
    "the other side": {"type": "oppose_check", "check_id": "leap", "character_id": "gm-spy", "score": 2},
    "a total": {"type": "propose_total", "character_id": "gm-spy", "attribute": 2},
    "a roll": {"type": "roll_dice", "character_id": "gm-spy", "pool": 1},
    "an effort": {"type": "attempt_effort", "challenge_id": "door", "character_id": "gm-spy"},
    "an owner": {"type": "update_character", "character_id": "gm-spy", "owner": BO.seat_id},
    "her word": {"type": "reveal", "thing_id": "gm-spy"},
}
IN_SECRET: dict[str, dict[str, Any]] = {
    "a check": {**IN_PUBLIC["a check"], "visibility": "gm"},
    "a sealed check": {**IN_PUBLIC["a check"], "visibility": "sealed"},
    "a roll": {**IN_PUBLIC["a roll"], "visibility": "gm"},
    "a state": {"type": "give_state", "character_id": "gm-spy", "state": "suspicious"},
    "a track": {"type": "set_track", "character_id": "gm-spy", "track": "Hits", "most": 3},
    "a name": {"type": "update_character", "character_id": "gm-spy", "name": "The baker"},
    "its end": {"type": "take_out_of_play", "character_id": "gm-spy", "fate": "dies"},
}


def at_night() -> Table:
    """Open a table with a spy that the gm alone knows of, Ada with a check, and a door to force."""
    table = Table(check_approval="open")
    situation = {"name": "Way out", "kind": "standard", "content": "exploration", "clock": 3}
    table.do(JoinSeat(SEER.role, "Seer", SEER.scopes))
    for order in (
        SPY,
        {"type": "add_character", "id": "ada", "name": "Ada", "owner": ANN.seat_id},
        {"type": "propose_check", "id": "leap", "character_id": "ada", "score": 2},
        {"type": "open_scene", "id": "vault", "name": "Vault", "clock": 8},
        {"type": "start_situation", "id": "run", "scene_id": "vault", **situation},
        {"type": "add_challenge", "id": "door", "situation_id": "run", "name": "Door", "kind": "barrier"},
    ):
        table.do(order)
    return table


def test_a_hidden_character_is_the_gms_alone_to_know_of():
    table = Table()

    assert table.in_channel(Channel.PUBLIC, SPY) == []
    assert table.view.characters["gm-spy"] == Character(id="gm-spy", name="The spy", visibility=Visibility.GM)
    for order in (IN_PUBLIC["a check"], IN_SECRET["a state"], IN_SECRET["its end"]):
        assert table.refused(order, by=ANN).code in (Code.UNKNOWN, Code.NOT_ALLOWED)
    assert table.refused(IN_SECRET["a state"], by=ANN).code is Code.UNKNOWN


@pytest.mark.parametrize("act", IN_PUBLIC)
def test_its_first_public_act_shows_it_to_everyone_first(act: str):
    table = at_night()

    records = table.write(IN_PUBLIC[act], dice=loaded(*([3] if act == "a roll" else [])))

    made_public, revealed, *rest = [each.event for each in records]
    assert made_public == e.MadePublic(kind=Kind.CHARACTER, id="gm-spy")
    assert isinstance(revealed, e.Revealed)
    assert [each.id for each in revealed.things.characters] == ["gm-spy"]
    assert table.view.public.characters["gm-spy"].visibility is Visibility.PUBLIC
    assert bool(rest) == (act != "her word")
    assert {each.channel for each in records[1:]} == {Channel.PUBLIC}


@pytest.mark.parametrize("act", IN_SECRET)
def test_what_happens_to_it_in_secret_leaves_it_hidden(act: str):
    table = at_night()

    records = table.write(IN_SECRET[act], dice=loaded(*([3] if act == "a roll" else [])))

    told = [each.event for each in records if each.channel is Channel.PUBLIC]
    assert all(isinstance(each, e.SealedStarted) for each in told)
    assert "spy" not in str(told)
    assert "gm-spy" not in table.view.public.characters


@pytest.mark.parametrize("act", [*sorted({*IN_PUBLIC} - {"her word", "an owner"}), "a venture for it"])
def test_an_integration_that_sees_it_does_not_show_it(act: str):
    table = at_night()
    venture = {"level": 1, "benefits": "check", "beneficiary": "gm-spy", "what": "a signal"}
    order = IN_PUBLIC.get(act, {"type": "propose_check", "character_id": "ada", "score": 2, "venture": venture})

    refused = table.refused(order, by=SEER)

    assert (refused.code, refused.details["allowed"]) == (Code.NOT_ALLOWED, "the gm")


def test_an_integration_that_sees_a_sealed_check_does_not_show_it_by_withdrawing_it():
    table = at_night()
    for seen in ("sealed", "gm"):
        table.do({**IN_SECRET["a check"], "id": f"{'gm-' * (seen == 'gm')}ear", "visibility": seen})

    assert table.refused({"type": "withdraw_check", "check_id": "ear"}, by=SEER).code is Code.NOT_ALLOWED
    [withdrawn] = table.do({"type": "withdraw_check", "check_id": "gm-ear"}, by=SEER)
    assert isinstance(withdrawn, e.CheckWithdrawn)


@pytest.mark.parametrize("approve", [True, False])
def test_the_referee_takes_what_an_integration_writes_on_its_sheet_and_what_the_gm_says_to_it(approve: bool):
    table = at_night()
    table.do({"type": "update_character", "character_id": "gm-spy", "level": 4}, by=SEER)
    table.do({"type": "approve_sheet", "character_id": "gm-spy", "approve": approve})

    assert rules_broken(table.texts, BOTH) == []


def test_with_a_sealed_check_that_ends_its_character_comes_to_light_before_it():
    table = at_night()
    table.do({**IN_SECRET["a sealed check"], "id": "listen"})

    events = table.in_channel(Channel.PUBLIC, {"type": "roll_check", "check_id": "listen"}, dice=loaded(2, 3))

    assert [each.kind for each in events if isinstance(each, e.Revealed)] == [Kind.CHARACTER, Kind.CHECK]


def test_hidden_characters_count_against_a_cap_of_their_own():
    table = Table()
    for number in range(MAX_CHARACTERS):
        table.do({**SPY, "id": f"gm-spy-{number}a"})

    assert table.refused(SPY).code is Code.TOO_MANY
    assert len(table.do({"type": "add_character", "name": "Ada"})) == 1


@pytest.mark.parametrize(
    ("wrong", "by", "code"),
    [
        ({}, ANN, Code.NOT_ALLOWED),
        ({}, ORACLE, Code.NOT_ALLOWED),
        ({"owner": ANN.seat_id}, None, Code.NOT_THE_GMS),
        ({"id": "spy"}, None, Code.ID_RESERVED),
    ],
)
def test_only_the_gm_hides_a_character_and_only_one_of_her_own(wrong: dict[str, Any], by: Any, code: Code):
    order = {**SPY, **wrong}
    assert (Table().refused(order) if by is None else Table().refused(order, by=by)).code is code


# Earlier crises


@pytest.mark.rule("D9", "D8")
def test_a_character_enters_play_with_earlier_crises_by_the_gms_word():
    table = Table()
    crises = [{"kind": "physical"}, {"kind": "mental", "description": "Fear of water"}, {"kind": "physical"}]

    [added] = table.do({"type": "add_character", "id": "ada", "name": "Ada", "crises": crises})

    assert isinstance(added, e.CharacterAdded)
    assert added.character.crises == (
        Crisis(kind=CrisisKind.PHYSICAL, box=1),
        Crisis(kind=CrisisKind.MENTAL, box=1, description="Fear of water"),
        Crisis(kind=CrisisKind.PHYSICAL, box=2),
    )
    table.do({"type": "propose_total", "id": "fall", "character_id": "ada", "attribute": 1})
    table.do({"type": "set_required", "total_id": "fall", "required": 9})
    table.do({"type": "roll_total", "total_id": "fall"}, dice=loaded(4))
    table.do({"type": "offer_push", "total_id": "fall", "crisis": "physical"})
    table.do({"type": "push_luck", "total_id": "fall"}, dice=loaded(4))
    assert table.view.characters["ada"].status is CharacterStatus.DEAD


@pytest.mark.rule("D9")
@pytest.mark.parametrize(
    ("number", "by", "code"), [(1, ANN, Code.NOT_ALLOWED), (3, None, Code.THIRD_AT_ENTRY)], ids=["player", "third"]
)
def test_nobody_else_brings_crises_along_and_nobody_a_third(number: int, by: Any, code: Code):
    order = {"type": "add_character", "name": "Ada", "crises": [{"kind": "mental"}] * number}
    assert (Table().refused(order) if by is None else Table().refused(order, by=by)).code is code
