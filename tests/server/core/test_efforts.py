"""Challenges, efforts and rounds. Rulings B1, B6, B7, B11, B13, B16 and B17."""

import pytest

from dreadclock.rules.clocks import RaceOutcome
from dreadclock.wire import events as e
from dreadclock.wire.errors import Code
from dreadclock.wire.things import Challenge, ChallengeKind, ChallengeStatus, Clock, ClockKind
from kit.families import races
from kit.tables import ANN, BO, BOT, CLERK, GM, WATCHER

# Challenges and efforts


@pytest.mark.rule("B-challenge")
def test_a_challenge_takes_one_effort_unless_said_otherwise():
    table = races.opened()
    table.do(races.STANDARD)

    events = table.do({"type": "add_challenge", "situation_id": "run", "name": "Door", "kind": "barrier"})

    assert events == [
        e.ChallengeAdded(
            challenge=Challenge(
                id="challenge-1",
                situation_id="run",
                name="Door",
                kind=ChallengeKind.BARRIER,
                clock_id="challenge-1-clock",
            ),
            clock=Clock(
                id="challenge-1-clock", kind=ClockKind.CHALLENGE, name="Door", of="challenge-1", size=1, value=1
            ),
        )
    ]


@pytest.mark.rule("B-challenge", "B-effort", "B-situation")
def test_a_success_takes_its_amount_off_the_challenge():
    table = races.racing(door=5)

    assert table.do(races.effort("door", success=True, amount=3)) == [
        races.made(1, "door"),
        races.threat_at(14, e.Cause.EFFORT),
        races.ruled(1, "door", amount=3),
        races.challenge_at("door", 2),
    ]
    assert table.do(races.effort("door", success=True, amount=99))[2:] == [
        races.ruled(2, "door", amount=99),
        races.challenge_at("door", 0),
        e.ChallengeOvercome(challenge_id="door"),
        races.situation_at(2),
    ]


@pytest.mark.rule("B-threat", "B-effort")
def test_a_failed_effort_ticks_the_threat_all_the_same_and_takes_nothing_off():
    table = races.racing()

    assert table.do(races.effort("door", success=False, amount=3)) == [
        races.made(1, "door"),
        races.threat_at(14, e.Cause.EFFORT),
        races.ruled(1, "door", success=False, amount=0),
    ]


@pytest.mark.rule("B13", "B-effort", "B-threat")
def test_b13_an_effort_that_the_gm_rules_ticks_when_it_is_attempted_not_when_it_is_ruled():
    table = races.racing()

    assert table.do(races.effort("door"), by=ANN) == [
        races.made(1, "door", "player-1", "ash"),
        races.threat_at(14, e.Cause.EFFORT),
    ]
    assert table.do(races.rule("effort-1", False)) == [races.ruled(1, "door", success=False, amount=0)]
    assert table.refused(races.rule("effort-1", True)).code is Code.UNKNOWN


@pytest.mark.rule("B7")
def test_b7_attacks_on_foes_do_not_tick():
    table = races.racing()

    assert table.do(races.effort("turret"), by=ANN) == [races.made(1, "turret", "player-1", "ash")]
    assert table.do(races.rule("effort-1", True))[-1] == races.situation_at(2)


@pytest.mark.rule("B-race")
def test_efforts_in_a_standard_situation_tick_nothing():
    assert races.standing().do(races.effort("door"), by=ANN) == [races.made(1, "door", "player-1", "ash")]


@pytest.mark.rule("B1", "B-outcome")
def test_b1_an_effort_that_empties_the_threat_fails_the_race_even_if_it_would_have_won():
    table = races.racing(threat=1, situation=1)

    assert table.do(races.effort("door", success=True)) == [
        races.made(1, "door"),
        races.threat_at(0, e.Cause.EFFORT),
        e.SituationFailed(situation_id="run", reason=e.SituationFailure.THREAT),
        races.race_ended(RaceOutcome.FAILURE, situation=1, threat=0),
    ]
    assert table.view.efforts == {}
    assert table.view.challenges["door"].status is ChallengeStatus.CLOSED


@pytest.mark.rule("B1")
def test_b1_a_round_that_ends_after_the_situation_was_won_changes_nothing():
    table = races.racing(situation=1)
    table.do(races.overcome("door"))

    assert table.do(races.ROUND) == []
    assert table.view.clocks["bomb-threat"].value == 15


@pytest.mark.rule("B6", "B-threat")
def test_b6_a_round_that_ends_before_the_last_challenge_is_declared_overcome_still_ticks():
    table = races.racing(threat=1, situation=1)

    assert table.do(races.ROUND)[1:] == [
        races.threat_at(0, e.Cause.ROUND),
        e.SituationFailed(situation_id="run", reason=e.SituationFailure.THREAT),
        races.race_ended(RaceOutcome.FAILURE, situation=1, threat=0),
    ]
    assert table.refused(races.overcome("door")).details["status"] == "closed"


@pytest.mark.rule("B-race")
def test_a_round_of_a_standard_situation_is_counted_and_ticks_nothing():
    table = races.standing()

    assert table.do(races.ROUND, by=CLERK) == [e.RoundEnded(situation_id="run", round=1)]
    assert table.do(races.ROUND) == [e.RoundEnded(situation_id="run", round=2)]


@pytest.mark.parametrize(
    "order", [races.effort("door"), races.overcome("door"), races.amend("door-clock", 1)], ids=lambda o: o["type"]
)
def test_nothing_moves_against_an_overcome_challenge(order: dict[str, object]):
    table = races.racing()
    table.do(races.overcome("door"))

    assert table.refusal(order) == (Code.ENDED, {"kind": "challenge", "id": "door", "status": "overcome"})
    assert table.view.clocks["bomb-threat"].value == 15


def test_efforts_that_wait_are_dropped_when_their_challenge_is_overcome():
    table = races.racing()
    table.do(races.effort("door"), by=ANN)
    table.do(races.effort("lock"), by=ANN)

    table.do(races.overcome("door"))

    assert list(table.view.efforts) == ["effort-2"]


@pytest.mark.rule("roles")
def test_only_the_gm_rules_in_the_same_breath():
    assert races.racing().refused(races.effort("door", success=True), by=ANN).code is Code.NOT_ALLOWED


def test_an_effort_is_made_with_ones_own_character():
    table = races.racing()

    assert table.refused(races.effort("door", character_id="eve"), by=ANN).code is Code.UNKNOWN
    assert table.do(races.effort("door", character_id="ash"), by=ANN)[0] == races.made(1, "door", "player-1", "ash")
    assert table.do(races.effort("door", character_id="ash"), by=GM)[0] == races.made(2, "door", "gm", "ash")


@pytest.mark.rule("B17")
def test_b17_nobody_drains_a_threat_without_a_character_in_play_that_may_act():
    table = races.racing()
    table.do({"type": "add_character", "id": "ava", "name": "Ava", "owner": ANN.seat_id})
    with_two = table.refused(races.effort("door"), by=ANN)
    table.happen(e.CharacterDied(character_id="ava"))
    table.happen(e.CharacterDied(character_id="bay"))
    with_none = table.refused(races.effort("door"), by=BO)
    dead = table.refused(races.effort("door", character_id="bay"), by=BO)

    assert (with_two.code, with_two.details) == (Code.CHARACTER_NEEDED, {"own": 2})
    assert (with_none.code, with_none.details) == (Code.CHARACTER_NEEDED, {"own": 0})
    assert (dead.code, dead.details["status"]) == (Code.OUT_OF_PLAY, "dead")
    for outsider in (WATCHER, BOT, CLERK):
        assert table.refused(races.effort("door"), by=outsider).code is Code.NOT_ALLOWED
    assert table.do(races.effort("door"), by=ANN)[0] == races.made(1, "door", "player-1", "ash")
    assert table.do(races.effort("door"))[0] == races.made(2, "door", "gm")
    assert table.view.clocks["bomb-threat"].value == 13


@pytest.mark.rule("B17", "D6")
def test_b17_an_effort_waits_for_the_kind_of_a_crisis():
    table = races.racing()
    table.happen(e.CrisisDue(character_id="ash", total_id="fall"))

    for order in (races.effort("door"), races.effort("door", character_id="ash")):
        assert table.refused(order, by=ANN).code is Code.CRISIS_WAITS
    assert table.refused(races.effort("door", character_id="ash")).code is Code.CRISIS_WAITS


@pytest.mark.rule("B17")
def test_b17_an_integration_acts_for_a_character_of_its_own():
    table = races.racing()
    table.do({"type": "add_character", "id": "golem", "name": "Golem", "owner": BOT.seat_id})

    assert table.do(races.effort("door", character_id="golem"), by=BOT)[0] == races.made(
        1, "door", BOT.seat_id, "golem"
    )


@pytest.mark.rule("B16")
@pytest.mark.parametrize(
    ("start", "stands", "added"), [(3, 3, []), (5, 2, [(5, 3)]), (2, 2, [(3, 3)]), (1, 1, [(2, 2), (3, 3)])]
)
def test_b16_more_challenges_than_points_raise_the_situation(start: int, stands: int, added: list[tuple[int, int]]):
    table = races.opened()
    table.do({**races.STANDARD, "clock": start})
    table.do(races.amend("run-clock", stands))

    events = [event for name in "abc" for event in table.do(challenge(name))]

    raised = [each for each in events if isinstance(each, e.ClockResized)]
    assert [(each.size, each.value) for each in raised] == added
    assert all((each.clock_id, each.cause) == ("run-clock", e.Cause.CHALLENGE) for each in raised)


@pytest.mark.rule("B16")
def test_b16_challenges_that_were_overcome_do_not_count():
    table = races.standing()
    table.do(races.overcome("door"))

    assert len(table.do(challenge("guard"))) == 2
    assert table.view.clocks["run-clock"].value == 3


def challenge(name: str) -> dict[str, object]:
    return {"type": "add_challenge", "id": name, "situation_id": "run", "name": name, "kind": "foe"}
