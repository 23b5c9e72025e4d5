"""Races: how they start, and the worked one from end to end. Rulings B5, B8 and B12."""

import pytest
from pydantic import ValidationError

from dreadclock.rules.clocks import Difficulty, RaceOutcome
from dreadclock.wire import events as e
from dreadclock.wire.errors import Code
from dreadclock.wire.things import Clock, ClockKind, Content, Situation, SituationKind
from kit.families import races
from kit.tables import ANN, BO, Table, command_of

# The worked race


@pytest.mark.rule("B-example", "B-scene")
def test_the_worked_race_end_to_end():
    """Seed 002's example: threat 15, situation 3, scene 5, ends as a success with scene 4 and threat 10."""
    table = races.racing(threat=15, situation=3, scene=5)

    assert table.do(races.effort("door"), by=ANN) == [
        races.made(1, "door", "player-1", "ash"),
        races.threat_at(14, e.Cause.EFFORT),
    ]
    assert table.do(races.ROUND) == [e.RoundEnded(situation_id="run", round=1), races.threat_at(13, e.Cause.ROUND)]
    assert table.do(races.rule("effort-1", True)) == [
        races.ruled(1, "door"),
        races.challenge_at("door", 0),
        e.ChallengeOvercome(challenge_id="door"),
        races.situation_at(2),
    ]
    assert table.do(races.effort("lock", success=True)) == [
        races.made(2, "lock"),
        races.threat_at(12, e.Cause.EFFORT),
        races.ruled(2, "lock"),
        races.challenge_at("lock", 0),
        e.ChallengeOvercome(challenge_id="lock"),
        races.situation_at(1),
    ]
    assert table.do(races.ROUND) == [e.RoundEnded(situation_id="run", round=2), races.threat_at(11, e.Cause.ROUND)]
    assert table.do(races.ROUND) == [e.RoundEnded(situation_id="run", round=3), races.threat_at(10, e.Cause.ROUND)]
    assert table.do(races.overcome("turret")) == [
        races.challenge_at("turret", 0, e.Cause.RULING),
        e.ChallengeOvercome(challenge_id="turret"),
        races.situation_at(0),
        e.SituationWon(situation_id="run"),
        races.scene_at(4),
        races.race_ended(RaceOutcome.SUCCESS, situation=0, threat=10, scene=4),
    ]
    assert table.view.situations["run"].outcome is RaceOutcome.SUCCESS


# Starting


@pytest.mark.rule("B-race", "B-budget")
def test_a_race_starts_with_its_clock_and_the_scenes_threat():
    table = races.opened()

    assert table.do({**races.RACE, "difficulty": "hard"}) == [
        e.SituationStarted(
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
    table = races.opened()

    [event] = table.do(races.STANDARD)

    assert isinstance(event, e.SituationStarted)
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
    table = races.opened()

    table.do({**races.RACE, "level": level, "difficulty": difficulty})

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
    table = races.opened()

    table.do({**races.RACE, "party_levels": party})

    assert table.view.situations["run"].difficulty == difficulty


@pytest.mark.rule("B5")
@pytest.mark.rule("B18", "E4")
@pytest.mark.parametrize("prepared", [False, True])
def test_a_party_names_nobody_who_is_hidden(prepared: bool):
    table = races.opened()
    table.do({"type": "add_character", "id": "gm-ghost", "name": "Ghost", "visibility": "gm"})

    order = {**races.RACE, "id": "gm-hunt"} if prepared else races.RACE
    assert table.refused({**order, "party": ["gm-ghost"], "prepared": prepared}).code is Code.NAMES_HIDDEN


@pytest.mark.parametrize(("level", "party", "modifier"), [(6, 3, "+3"), (3, 6, "-3"), (9, 1, "+8")])
def test_b5_modifiers_beyond_2_are_refused(level: int, party: int, modifier: str):
    refused = races.opened().refused({**races.RACE, "level": level, "party_levels": [party]})

    assert refused.code is Code.MODIFIER_TOO_LARGE
    assert refused.details == {"level": level, "modifier": modifier, "party": party}


@pytest.mark.rule("B5")
def test_b5_unless_the_gm_names_the_difficulty_herself():
    table = races.opened()

    table.do({**races.RACE, "level": 9, "party_levels": [1], "difficulty": "easy"})

    assert table.view.clocks["bomb-threat"].value == 40


@pytest.mark.rule("B5")
@pytest.mark.parametrize("level", [0, 10])
def test_b5_levels_outside_1_to_9_are_refused(level: int):
    for order in ({**races.RACE, "level": level}, {**races.RACE, "party_levels": [level]}):
        with pytest.raises(ValidationError):
            command_of(order)


def test_a_race_without_a_level_is_refused():
    assert races.opened().refused({**races.RACE, "level": None, "difficulty": "hard"}).code is Code.LEVEL_NEEDED


@pytest.mark.rule("B12")
def test_b12_the_party_is_the_characters_of_the_players_in_play():
    table = races.opened()
    assert table.refused(races.RACE).code is Code.PARTY_UNKNOWN
    table.do({"type": "add_character", "name": "Ape", "level": 9})
    assert table.refused(races.RACE).code is Code.PARTY_UNKNOWN
    table.do({"type": "add_character", "name": "Zed", "level": 9, "owner": BO.seat_id})
    table.do({"type": "leave_seat"}, by=BO)
    for name, level in (("Ada", 1), ("Bea", 2)):
        table.do({"type": "add_character", "name": name, "level": level, "owner": ANN.seat_id})

    table.do(races.RACE)

    assert table.view.situations["run"].difficulty is Difficulty.HARD


@pytest.mark.rule("B12")
def test_b12_who_is_dead_or_retired_is_not_in_play():
    table = races.opened()
    for character_id, level in (("ada", 2), ("bea", 9), ("cleo", 9)):
        table.do({"type": "add_character", "id": character_id, "name": "A", "level": level, "owner": ANN.seat_id})
    table.happen(e.CharacterDied(character_id="bea"))
    table.happen(e.CharacterRetired(character_id="cleo"))

    table.do(races.RACE)

    assert table.view.situations["run"].difficulty is Difficulty.HARD


@pytest.mark.rule("B8")
def test_b8_a_second_race_shares_what_is_left_of_the_threat():
    table = races.racing()
    table.do(races.ROUND)
    table.do(races.fail())

    [event] = table.do({**races.RACE, "id": "chase", "level": 9, "difficulty": "easy"})

    assert isinstance(event, e.SituationStarted)
    assert event.threat is not None
    assert (event.threat.size, event.threat.value) == (15, 14)


@pytest.mark.rule("B8")
def test_b8_no_race_starts_where_the_threat_is_spent():
    table = races.racing(threat=1)
    table.do(races.ROUND)

    assert table.refused({**races.RACE, "id": "chase", "difficulty": "easy"}).code is Code.THREAT_SPENT
    assert table.do({**races.STANDARD, "id": "chase"})


@pytest.mark.rule("B8")
def test_two_races_of_a_scene_tick_and_lose_the_same_threat():
    table = races.racing(threat=2)
    table.do({**races.RACE, "id": "chase", "difficulty": "easy"})

    assert table.do({**races.ROUND, "situation_id": "chase"})[-1] == races.threat_at(1, e.Cause.ROUND)
    assert table.do(races.ROUND) == [
        e.RoundEnded(situation_id="run", round=1),
        races.threat_at(0, e.Cause.ROUND),
        e.SituationFailed(situation_id="run", reason=e.SituationFailure.THREAT),
        races.race_ended(RaceOutcome.FAILURE, situation=3, threat=0),
        e.SituationFailed(situation_id="chase", reason=e.SituationFailure.THREAT),
        e.RaceEnded(situation_id="chase", outcome=RaceOutcome.FAILURE, situation=3, threat=0, scene=5),
    ]


def test_nothing_starts_in_a_scene_that_is_not_there():
    assert Table().refused(races.RACE).code is Code.UNKNOWN
