"""Situations within races, prepared ones, and scenes that are set aside. Rulings B19 and B20."""

from collections.abc import Mapping

import pytest

from dreadclock.wire.base import Channel, Visibility
from dreadclock.wire.errors import Code
from dreadclock.wire.events import Cause, MadePublic, Revealed, RoundEnded, SceneTurnEnded, SituationBegun
from dreadclock.wire.things import SituationStatus
from kit.evenings.audited import BOTH, PUBLIC, rules_broken
from kit.families.races import RACE, ROUND, STANDARD, amend, effort, opened, overcome, racing, rule, threat_at
from kit.tables import ANN, CLERK, WATCHER, Order, Table, loaded

FIGHT = {**STANDARD, "id": "fight", "within": "run"}
READY = {**STANDARD, "id": "gm-den", "prepared": True}
READY_RACE = {**RACE, "id": "gm-chase", "prepared": True}
ASIDE = {"type": "set_scene_aside", "scene_id": "bomb"}
TAKEN_UP = {"type": "take_up_scene", "scene_id": "bomb"}


def begin(situation_id: str, **more: object) -> dict[str, object]:
    return {"type": "begin_situation", "situation_id": situation_id, **more}


def faults(table: Table) -> list[str]:
    """Say what the verifier finds against the rules, with and without the gm's channel."""
    return [fault for channels in (PUBLIC, BOTH) for fault in rules_broken(table.texts, channels)]


def in_scene(visibility: str) -> tuple[Table, str]:
    """Open a scene, and return its id, too."""
    table = Table()
    scene_id = "gm-bomb" if visibility == "gm" else "bomb"
    table.do({"type": "open_scene", "id": scene_id, "name": "Heist", "clock": 5, "visibility": visibility})
    return table, scene_id


# Within a race


@pytest.mark.rule("B19")
@pytest.mark.parametrize("secret", [False, True])
def test_the_rounds_of_a_situation_within_a_race_tick_its_threat_and_a_hidden_one_is_not_named(secret: bool):
    table = racing()
    fight = {**FIGHT, "id": "gm-fight", "visibility": "gm"} if secret else FIGHT
    table.do(fight)

    events = table.do({"type": "end_round", "situation_id": fight["id"]})

    cause = Cause.HIDDEN if secret else Cause.ROUND
    assert events == [RoundEnded(situation_id=str(fight["id"]), round=1), threat_at(14, cause)]
    assert faults(table) == []


@pytest.mark.rule("B19")
def test_a_race_that_is_over_is_no_longer_ticked_from_within():
    table = racing()
    table.do(FIGHT)
    table.do({"type": "resolve_situation", "situation_id": "run", "how": "They are out."})

    assert table.do({**ROUND, "situation_id": "fight"}) == [RoundEnded(situation_id="fight", round=1)]
    assert faults(table) == []


@pytest.mark.rule("B19")
def test_a_race_that_a_fight_within_it_lost_leaves_the_fight_under_way():
    table = racing(threat=1)
    table.do(FIGHT)

    table.do({**ROUND, "situation_id": "fight"})

    stands = {each.id: each.status for each in table.view.situations.values()}
    assert stands == {"run": SituationStatus.FAILED, "fight": SituationStatus.OPEN}
    assert faults(table) == []


@pytest.mark.rule("B19")
@pytest.mark.parametrize(
    ("order", "code"),
    [
        ({**FIGHT, "within": "talk"}, Code.NOT_A_RACE),  # no race
        ({**FIGHT, "within": "lost"}, Code.NOT_A_RACE),  # over
        ({**FIGHT, "within": "gm-chase"}, Code.NOT_A_RACE),  # not begun
        ({**FIGHT, "scene_id": "hunt"}, Code.NOT_A_RACE),  # of another scene
        ({**FIGHT, "within": "moon"}, Code.UNKNOWN),
        ({**RACE, "id": "dash", "difficulty": "hard", "within": "run"}, Code.RACE_WITHIN),
    ],
)
def test_a_situation_lies_within_a_race_of_its_scene_that_is_under_way(order: Order, code: Code):
    table = racing()
    table.do({"type": "open_scene", "id": "hunt", "name": "Hunt", "clock": 8})
    table.do({**STANDARD, "id": "talk"})
    table.do({**RACE, "id": "lost", "difficulty": "hard"})
    table.do({"type": "fail_situation", "situation_id": "lost", "reason": "retreated"})
    table.do({**READY_RACE, "difficulty": "hard"})

    assert table.refused(order).code is code


# Prepared


@pytest.mark.rule("B20")
def test_a_prepared_situation_is_the_gms_alone_until_it_begins_and_is_told_with_what_is_in_it():
    table = opened()
    table.do(READY)
    table.do({"type": "add_challenge", "id": "gm-dog", "situation_id": "gm-den", "name": "Dog", "kind": "foe"})
    before = table.public()

    events = table.do(begin("gm-den"))

    assert [type(event) for event in events] == [MadePublic, Revealed, SituationBegun]
    assert not any("gm-den" in text for text in before)
    seen = table.view_as(WATCHER)
    assert seen.situations["gm-den"].status is SituationStatus.OPEN
    assert seen.situations["gm-den"].visibility is Visibility.PUBLIC
    assert set(seen.challenges) == {"gm-dog"}
    assert faults(table) == []


@pytest.mark.rule("B20")
@pytest.mark.parametrize(
    ("said", "when", "threat"),
    [
        ({}, {}, 15),  # the party's level is 3 by now
        ({"difficulty": "hard"}, {}, 8),
        ({"party_levels": [1]}, {}, 8),
        ({"difficulty": "hard"}, {"difficulty": "easy"}, 20),
        ({"difficulty": "hard"}, {"party_levels": [5]}, 20),
    ],
)
def test_a_prepared_race_begins_with_its_threat(said: Mapping[str, object], when: Mapping[str, object], threat: int):
    table = opened()
    table.do({**READY_RACE, **said})
    table.do({"type": "add_character", "name": "Ada", "level": 3, "owner": ANN.seat_id})
    assert table.view.scenes["bomb"].threat_id is None

    table.do(begin("gm-chase", **when))

    assert table.view_as(WATCHER).clocks["bomb-threat"].value == threat
    assert faults(table) == []


@pytest.mark.rule("B20")
@pytest.mark.parametrize("visibility", ["public", "sealed", "gm"])
def test_a_fight_is_prepared_with_the_race_around_it_and_begins_after_it(visibility: str):
    table, scene_id = in_scene(visibility)
    scene = {"scene_id": scene_id}
    table.do({**READY_RACE, **scene, "difficulty": "hard"})
    table.do({**READY, **scene, "within": "gm-chase"})
    assert table.refused(begin("gm-den")).code is Code.NOT_A_RACE

    table.do(begin("gm-chase"))
    table.do(begin("gm-den"))
    table.do({**ROUND, "situation_id": "gm-den"})

    assert {each.visibility for each in table.view.situations.values()} == {Visibility(visibility)}
    assert table.view.clocks[f"{scene_id}-threat"].value == 7
    assert faults(table) == []


@pytest.mark.rule("B20")
@pytest.mark.parametrize(
    ("order", "code"),
    [
        (begin("gm-den"), Code.BEGUN),
        (begin("run"), Code.BEGUN),
        (begin("moon"), Code.UNKNOWN),
        ({"type": "reveal", "thing_id": "gm-chase"}, Code.NOT_BEGUN),
        ({"type": "end_round", "situation_id": "gm-chase"}, Code.NOT_BEGUN),
        ({"type": "resolve_situation", "situation_id": "gm-chase", "how": "So."}, Code.NOT_BEGUN),
        ({"type": "fail_situation", "situation_id": "gm-chase", "reason": "defeated"}, Code.NOT_BEGUN),
        (amend("gm-chase-clock", 1), Code.NOT_BEGUN),
        (amend("gm-wall-clock", 0), Code.NOT_BEGUN),
        (effort("gm-wall"), Code.NOT_BEGUN),
        (overcome("gm-wall"), Code.NOT_BEGUN),
        (
            {"type": "propose_check", "character_id": "ada", "score": 1, "effort": {"challenge_id": "gm-wall"}},
            Code.NOT_BEGUN,
        ),
        ({**READY, "id": "gm-x", "visibility": "sealed"}, Code.NOT_AVAILABLE),
        ({**READY_RACE, "id": "gm-x", "level": None}, Code.LEVEL_NEEDED),
    ],
)
def test_what_is_only_prepared_does_not_go_on_and_begins_once(order: Order, code: Code):
    table = racing()
    table.do({"type": "add_character", "id": "ada", "name": "Ada"}, by=ANN)
    table.do(READY)
    table.do({**READY_RACE, "difficulty": "hard"})
    table.do({"type": "add_challenge", "id": "gm-wall", "situation_id": "gm-chase", "name": "Wall", "kind": "barrier"})
    table.do(begin("gm-den"))

    assert table.refused(order).code is code


@pytest.mark.rule("B20")
def test_what_is_prepared_is_unknown_to_everyone_but_the_gm():
    table = opened()
    table.do(READY)

    assert table.refused({**ROUND, "situation_id": "gm-den"}, by=ANN).code is Code.NOT_ALLOWED
    assert table.refused(begin("gm-den"), by=ANN).code is Code.NOT_ALLOWED
    assert len(table.public()) == len(opened().public())


@pytest.mark.rule("B20")
@pytest.mark.parametrize("visibility", ["public", "sealed", "gm"])
def test_the_end_of_a_scene_shows_nothing_that_was_only_prepared(visibility: str):
    table, scene_id = in_scene(visibility)
    table.do({**READY_RACE, "scene_id": scene_id})

    table.do({"type": "end_scene", "scene_id": scene_id})

    assert not any("gm-chase" in text for text in table.public())
    assert table.view.situations["gm-chase"].status is SituationStatus.CLOSED
    assert faults(table) == []


@pytest.mark.rule("B20")
@pytest.mark.parametrize("visibility", ["sealed", "gm"])
@pytest.mark.parametrize("how", ["reveal", "cancel"])
def test_a_hidden_scene_comes_to_light_without_what_is_hidden_or_prepared_in_its_own_right(visibility: str, how: str):
    table, scene_id = in_scene(visibility)
    inside = {"scene_id": scene_id}
    table.do({**STANDARD, **inside, "id": "gm-hall"})
    table.do({**STANDARD, **inside, "id": "gm-trap", "visibility": "gm"})
    table.do({**READY, **inside})

    table.do({"type": how, "thing_id": scene_id, **({"reason": "a slip"} if how == "cancel" else {})})

    told = "".join(table.public())
    assert "gm-trap" not in told
    assert "gm-den" not in told
    assert ("gm-hall" in told) == (how == "reveal" or visibility == "sealed")
    assert set(table.view.situations) == ({"gm-hall", "gm-trap", "gm-den"} if how == "reveal" else set())
    assert faults(table) == []
    if how == "reveal":
        table.do({"type": "reveal", "thing_id": "gm-trap"})
        table.do(begin("gm-den"))
        seen = table.view_as(WATCHER).situations.values()
        assert {(each.visibility, each.kept_back) for each in seen} == {(Visibility.PUBLIC, False)}
        assert faults(table) == []


@pytest.mark.rule("B20")
def test_what_happens_to_a_situation_that_is_hidden_in_its_own_right_does_not_tell_of_its_sealed_scene():
    table, _ = in_scene("sealed")
    table.do({**STANDARD, "id": "gm-trap", "visibility": "gm"})
    before = len(table.public())

    table.do({**ROUND, "situation_id": "gm-trap"})
    table.do(READY)

    assert len(table.public()) == before
    race = {**RACE, "id": "gm-run", "difficulty": "hard", "visibility": "gm"}
    assert table.refused(race).code is Code.RACE_KEPT_BACK


@pytest.mark.rule("B20")
def test_prepared_situations_count_with_what_only_the_gm_knows_until_they_begin():
    table = opened()
    for i in range(32):
        table.do({**STANDARD, "id": f"s-{i}"})
        table.do({**READY, "id": f"gm-{i}"})

    assert table.refused({**READY, "id": "gm-more"}).details["limit"] == 32
    assert table.refused(begin("gm-0")).details["limit"] == 32


# Set aside


@pytest.mark.rule("B20")
def test_a_scene_is_set_aside_and_taken_up_again():
    table = racing()
    table.do(ASIDE)

    assert table.view_as(WATCHER).scenes["bomb"].aside
    assert table.refused(ASIDE).code is Code.SCENE_ASIDE
    table.do(TAKEN_UP)
    assert not table.view_as(WATCHER).scenes["bomb"].aside
    assert table.refused(TAKEN_UP).code is Code.NOT_ASIDE
    assert table.do(effort("door"))[1:] == [threat_at(14, Cause.EFFORT)]
    assert faults(table) == []


@pytest.mark.rule("B20")
@pytest.mark.parametrize(
    "order",
    [
        ROUND,
        effort("door"),
        overcome("door"),
        rule("kick", True),
        amend("bomb-threat", 1),
        amend("run-clock", 1),
        amend("bomb-clock", 1),
        {"type": "travel", "scene_id": "bomb"},
        {"type": "rest", "scene_id": "bomb"},
        {"type": "end_scene", "scene_id": "bomb"},
        {"type": "resolve_situation", "situation_id": "run", "how": "So."},
        {"type": "fail_situation", "situation_id": "run", "reason": "defeated"},
        {
            "type": "introduce_complication",
            "situation_id": "run",
            "text": "Fog",
            "clock": {"clock_id": "bomb-clock", "by": 1},
        },
        {"type": "add_challenge", "situation_id": "run", "name": "Dog", "kind": "foe"},
        {**STANDARD, "id": "fight"},
        begin("gm-den"),
        {"type": "roll_check", "check_id": "leap"},
        {"type": "roll_total", "total_id": "climb"},
        {"type": "settle_failure", "check_id": "miss", "apply": True},
        {"type": "push_luck", "total_id": "brink"},
        {"type": "set_required", "total_id": "late", "required": 1},
    ],
    ids=lambda order: str(order["type"]),
)
def test_nothing_ticks_in_a_scene_that_is_set_aside(order: Order):
    table = racing(threat=15)
    against = {"effort": {"challenge_id": "door"}, "character_id": "ada"}
    table.do({"type": "add_character", "id": "ada", "name": "Ada"}, by=ANN)
    table.do(READY)
    table.do(effort("door", id="kick"))
    for check_id in ("leap", "miss"):
        table.do({"type": "propose_check", "id": check_id, "score": 1, **against})
    for total_id in ("climb", "brink", "late"):
        table.do({"type": "propose_total", "id": total_id, "attribute": 1, **against})
    table.do({"type": "roll_check", "check_id": "miss"}, dice=loaded(2))
    table.do({"type": "propose_cost", "check_id": "miss", "cost": "A scar"})
    table.do({"type": "answer_cost", "check_id": "miss", "answer": "accept"})
    table.do({"type": "set_required", "total_id": "brink", "required": 9, "crisis": "mental"})
    table.do({"type": "set_required", "total_id": "climb", "required": 9})
    for total_id in ("brink",):
        table.do({"type": "roll_total", "total_id": total_id}, dice=loaded(4))
    table.do({"type": "offer_push", "total_id": "brink"})
    table.do({"type": "adjust_total", "total_id": "late", "attribute": 2})
    table.do({"type": "roll_total", "total_id": "late"}, dice=loaded(4, 2))
    table.do(ASIDE)

    assert table.refused(order).code is Code.SCENE_ASIDE
    assert faults(table) == []


@pytest.mark.rule("B20")
@pytest.mark.parametrize("visibility", ["sealed", "gm"])
def test_only_those_who_see_a_hidden_scene_hear_that_it_is_set_aside(visibility: str):
    table, scene_id = in_scene(visibility)

    written = table.write({"type": "set_scene_aside", "scene_id": scene_id})

    heard = [Channel.GM, Channel.PUBLIC] if visibility == "sealed" else [Channel.GM]
    assert [record.channel for record in written] == heard
    assert faults(table) == []


@pytest.mark.rule("B20")
def test_a_scene_that_is_set_aside_can_be_cancelled_and_prepared_further():
    table = opened()
    table.do(ASIDE)
    table.do(READY)
    table.do({"type": "add_challenge", "id": "gm-dog", "situation_id": "gm-den", "name": "Dog", "kind": "foe"})
    assert faults(table) == []

    table.do({"type": "cancel", "thing_id": "bomb", "reason": "a slip"})

    assert (table.view.scenes, table.view.situations) == ({}, {})
    assert faults(table) == []


@pytest.mark.rule("B20")
@pytest.mark.parametrize("order", [ASIDE, {**FIGHT, "within": "run"}, READY])
def test_what_was_set_aside_or_prepared_can_be_taken_back(order: Order):
    table = racing()
    before = table.view
    record = table.write(order)[0]

    table.do({"type": "void_command", "seq": record.seq, "channel": record.channel, "reason": "a slip"})

    for field in ("scenes", "situations", "clocks"):
        assert getattr(table.view, field) == getattr(before, field)
    assert faults(table) == []


@pytest.mark.rule("B19")
def test_a_race_with_a_fight_within_it_cannot_be_taken_back():
    table = opened()
    seq = table.write({**RACE, "difficulty": "hard"})[0].seq
    table.do(FIGHT)

    assert table.refused({"type": "void_command", "seq": seq, "reason": "a slip"}).code is Code.CHANGED_SINCE


# The turn of one scene


@pytest.mark.rule("B19")
@pytest.mark.parametrize(
    ("visibility", "channels"),
    [("public", [Channel.PUBLIC]), ("sealed", [Channel.GM, Channel.PUBLIC]), ("gm", [Channel.GM])],
)
def test_a_turn_ends_for_one_scene_and_of_a_hidden_one_the_gm_alone_hears(visibility: str, channels: list[Channel]):
    table, scene_id = in_scene(visibility)

    written = table.write({"type": "end_turn", "scene_id": scene_id})

    assert [record.channel for record in written] == channels
    assert written[0].event == SceneTurnEnded(scene_id=scene_id, turn=1)
    assert (table.view.turn, table.view.scenes[scene_id].turn) == (1, 2)
    assert faults(table) == []


@pytest.mark.rule("B19")
@pytest.mark.parametrize(
    ("visibility", "before", "code"),
    [
        ("gm", None, Code.UNKNOWN),
        ("sealed", None, Code.NOT_ALLOWED),
        ("public", ASIDE, Code.SCENE_ASIDE),
        ("public", {"type": "end_scene", "scene_id": "bomb"}, Code.ENDED),
    ],
)
def test_whoever_ends_turns_ends_those_of_open_scenes_that_they_see(visibility: str, before: Order | None, code: Code):
    table, scene_id = in_scene(visibility)
    if before is not None:
        table.do(before)

    assert table.refused({"type": "end_turn", "scene_id": scene_id}, by=CLERK).code is code
