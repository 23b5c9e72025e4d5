"""Races: how they start, and the worked one from end to end. Rulings B5, B8 and B12."""

import pytest
from pydantic import ValidationError

from dreadclock.rules.clocks import Difficulty, RaceOutcome
from dreadclock.wire.errors import Code
from dreadclock.wire.events import (
    Cause,
    ChallengeOvercome,
    CharacterDied,
    CharacterRetired,
    RaceEnded,
    RoundEnded,
    SituationFailed,
    SituationFailure,
    SituationStarted,
    SituationWon,
)
from dreadclock.wire.things import Clock, ClockKind, Content, Situation, SituationKind
from kit.families.races import (
    RACE,
    ROUND,
    STANDARD,
    challenge_at,
    effort,
    fail,
    made,
    opened,
    overcome,
    race_ended,
    racing,
    rule,
    ruled,
    scene_at,
    situation_at,
    threat_at,
)
from kit.tables import ANN, BO, Table, command_of

# The worked race


@pytest.mark.rule("B-example", "B-scene")
def test_the_worked_race_end_to_end():
    """Seed 002's example: threat 15, situation 3, scene 5, ends as a success with scene 4 and threat 10."""
    table = racing(threat=15, situation=3, scene=5)

    assert table.do(effort("door"), by=ANN) == [made(1, "door", "player-1", "ash"), threat_at(14, Cause.EFFORT)]
    assert table.do(ROUND) == [RoundEnded(situation_id="run", round=1), threat_at(13, Cause.ROUND)]
    assert table.do(rule("effort-1", True)) == [
        ruled(1, "door"),
        challenge_at("door", 0),
        ChallengeOvercome(challenge_id="door"),
        situation_at(2),
    ]
    assert table.do(effort("lock", success=True)) == [
        made(2, "lock"),
        threat_at(12, Cause.EFFORT),
        ruled(2, "lock"),
        challenge_at("lock", 0),
        ChallengeOvercome(challenge_id="lock"),
        situation_at(1),
    ]
    assert table.do(ROUND) == [RoundEnded(situation_id="run", round=2), threat_at(11, Cause.ROUND)]
    assert table.do(ROUND) == [RoundEnded(situation_id="run", round=3), threat_at(10, Cause.ROUND)]
    assert table.do(overcome("turret")) == [
        challenge_at("turret", 0, Cause.RULING),
        ChallengeOvercome(challenge_id="turret"),
        situation_at(0),
        SituationWon(situation_id="run"),
        scene_at(4),
        race_ended(RaceOutcome.SUCCESS, situation=0, threat=10, scene=4),
    ]
    assert table.view.situations["run"].outcome is RaceOutcome.SUCCESS


# Starting


@pytest.mark.rule("B-race", "B-budget")
def test_a_race_starts_with_its_clock_and_the_scenes_threat():
    table = opened()

    events = table.do({**RACE, "difficulty": "hard"})

    assert events == [
        SituationStarted(
            situation=Situation(
                id="run",
                scene_id="bomb",
                name="Run",
                kind=SituationKind.RACE,
                content=Content.EXPLORATION,
                clock_id="run-clock",
                level=3,
                difficulty=Difficulty.HARD,
            ),
            clock=Clock(id="run-clock", kind=ClockKind.SITUATION, name="Run", of="run", size=3, value=3),
            threat=Clock(id="bomb-threat", kind=ClockKind.THREAT, name="Threat: Bomb", of="bomb", size=8, value=8),
        )
    ]
    assert table.view.scenes["bomb"].threat_id == "bomb-threat"


@pytest.mark.rule("B-race")
def test_a_standard_situation_has_no_threat():
    table = opened()

    [event] = table.do(STANDARD)

    assert isinstance(event, SituationStarted)
    assert event.threat is None
    assert table.view.scenes["bomb"].threat_id is None


@pytest.mark.rule("B-budget")
@pytest.mark.parametrize(
    ("level", "difficulty", "threat"),
    [
        *[(level, "hard", start) for level, start in ((1, 8), (3, 8), (4, 12), (6, 12), (7, 16), (9, 16))],
        *[(level, "normal", start) for level, start in ((1, 15), (3, 15), (4, 20), (6, 20), (7, 25), (9, 25))],
        *[(level, "easy", start) for level, start in ((1, 20), (3, 20), (4, 30), (6, 30), (7, 40), (9, 40))],
    ],
)
def test_the_threat_starts_as_level_and_difficulty_say(level: int, difficulty: str, threat: int):
    table = opened()

    table.do({**RACE, "level": level, "difficulty": difficulty})

    assert table.view.clocks["bomb-threat"].value == threat


@pytest.mark.rule("B5", "B-difficulty")
@pytest.mark.parametrize(
    ("party", "difficulty"),
    [
        ([1], "hard"),
        ([2], "hard"),
        ([3], "normal"),
        ([4], "easy"),
        ([5], "easy"),
        ([2, 3], "normal"),
        ([4, 5, 5], "easy"),
    ],
)
def test_b5_the_difficulty_follows_from_the_level_and_the_partys_average_halves_up(party: list[int], difficulty: str):
    table = opened()

    table.do({**RACE, "party_levels": party})

    assert table.view.situations["run"].difficulty == difficulty


@pytest.mark.rule("B5")
@pytest.mark.rule("B18", "E4")
@pytest.mark.parametrize("prepared", [False, True])
def test_a_party_names_nobody_who_is_hidden(prepared: bool):
    table = opened()
    table.do({"type": "add_character", "id": "gm-ghost", "name": "Ghost", "visibility": "gm"})

    order = {**RACE, "id": "gm-hunt"} if prepared else RACE
    assert table.refused({**order, "party": ["gm-ghost"], "prepared": prepared}).code is Code.NAMES_HIDDEN


@pytest.mark.parametrize(("level", "party", "modifier"), [(6, 3, "+3"), (3, 6, "-3"), (9, 1, "+8")])
def test_b5_modifiers_beyond_2_are_refused(level: int, party: int, modifier: str):
    refused = opened().refused({**RACE, "level": level, "party_levels": [party]})

    assert refused.code is Code.MODIFIER_TOO_LARGE
    assert refused.details == {"level": level, "modifier": modifier, "party": party}


@pytest.mark.rule("B5")
def test_b5_unless_the_gm_names_the_difficulty_herself():
    table = opened()

    table.do({**RACE, "level": 9, "party_levels": [1], "difficulty": "easy"})

    assert table.view.clocks["bomb-threat"].value == 40


@pytest.mark.rule("B5")
@pytest.mark.parametrize("level", [0, 10])
def test_b5_levels_outside_1_to_9_are_refused(level: int):
    for order in ({**RACE, "level": level}, {**RACE, "party_levels": [level]}):
        with pytest.raises(ValidationError):
            command_of(order)


def test_a_race_without_a_level_is_refused():
    assert opened().refused({**RACE, "level": None, "difficulty": "hard"}).code is Code.LEVEL_NEEDED


@pytest.mark.rule("B12")
def test_b12_the_party_is_the_characters_of_the_players_in_play():
    table = opened()
    assert table.refused(RACE).code is Code.PARTY_UNKNOWN
    table.do({"type": "add_character", "name": "Ape", "level": 9})
    assert table.refused(RACE).code is Code.PARTY_UNKNOWN
    table.do({"type": "add_character", "name": "Zed", "level": 9, "owner": BO.seat_id})
    table.do({"type": "leave_seat"}, by=BO)
    for name, level in (("Ada", 1), ("Bea", 2)):
        table.do({"type": "add_character", "name": name, "level": level, "owner": ANN.seat_id})

    table.do(RACE)

    assert table.view.situations["run"].difficulty is Difficulty.HARD


@pytest.mark.rule("B12")
def test_b12_who_is_dead_or_retired_is_not_in_play():
    table = opened()
    for character_id, level in (("ada", 2), ("bea", 9), ("cleo", 9)):
        table.do({"type": "add_character", "id": character_id, "name": "A", "level": level, "owner": ANN.seat_id})
    table.happen(CharacterDied(character_id="bea"))
    table.happen(CharacterRetired(character_id="cleo"))

    table.do(RACE)

    assert table.view.situations["run"].difficulty is Difficulty.HARD


@pytest.mark.rule("B8")
def test_b8_a_second_race_shares_what_is_left_of_the_threat():
    table = racing()
    table.do(ROUND)
    table.do(fail())

    [event] = table.do({**RACE, "id": "chase", "level": 9, "difficulty": "easy"})

    assert isinstance(event, SituationStarted)
    assert event.threat is not None
    assert (event.threat.size, event.threat.value) == (15, 14)


@pytest.mark.rule("B8")
def test_b8_no_race_starts_where_the_threat_is_spent():
    table = racing(threat=1)
    table.do(ROUND)

    assert table.refused({**RACE, "id": "chase", "difficulty": "easy"}).code is Code.THREAT_SPENT
    assert table.do({**STANDARD, "id": "chase"})


@pytest.mark.rule("B8")
def test_two_races_of_a_scene_tick_and_lose_the_same_threat():
    table = racing(threat=2)
    table.do({**RACE, "id": "chase", "difficulty": "easy"})

    assert table.do({**ROUND, "situation_id": "chase"})[-1] == threat_at(1, Cause.ROUND)
    assert table.do(ROUND) == [
        RoundEnded(situation_id="run", round=1),
        threat_at(0, Cause.ROUND),
        SituationFailed(situation_id="run", reason=SituationFailure.THREAT),
        race_ended(RaceOutcome.FAILURE, situation=3, threat=0),
        SituationFailed(situation_id="chase", reason=SituationFailure.THREAT),
        RaceEnded(situation_id="chase", outcome=RaceOutcome.FAILURE, situation=3, threat=0, scene=5),
    ]


@pytest.mark.rule("E2")
def test_e2_a_room_holds_32_open_situations():
    table = opened()
    for number in range(32):
        table.do({**STANDARD, "id": f"s{number}"})

    refused = table.refused({**STANDARD, "id": "one-more"})
    table.do({"type": "fail_situation", "situation_id": "s0", "reason": "retreated"})

    assert (refused.code, refused.details["limit"]) == (Code.TOO_MANY, 32)
    assert table.do({**STANDARD, "id": "one-more"})


def test_nothing_starts_in_a_scene_that_is_not_there():
    assert Table().refused(RACE).code is Code.UNKNOWN
