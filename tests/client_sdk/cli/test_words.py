"""Events in plain words."""

from __future__ import annotations

from typing import get_args

import pytest

from dreadclock.cli.words import QUIET, SENTENCES, sentence, started_id, told
from dreadclock.rules.clocks import RaceOutcome
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Kind, Visibility
from dreadclock.wire.things import (
    CheckApproval,
    ClockKind,
    HiddenRoll,
    Lane,
    PhysicalDice,
    Policy,
    Roll,
    SceneStatus,
    Sealed,
    Things,
)
from kit import scenery, told_checks, told_totals
from kit.scenery import full_room, record, rolled

ROLL = Roll(id="roll-1", seat_id="gm", faces=(6, 1))
REVEALED = scenery.SEALED.model_copy(
    update={
        "pool": 1,
        "visibility": Visibility.PUBLIC,
        "hidden_rolls": (HiddenRoll(faces=(6, 5, 1, 6), removed=3), HiddenRoll(faces=(2,), removed=0)),
    }
)
POLICY = Policy(physical_dice=PhysicalDice.EVERYONE, check_approval=CheckApproval.OPEN, player_countdowns=False)

TOLD: list[tuple[e.Event, str]] = [
    (e.RoomOpened(title="Vault", policy=Policy()), 'The room "Vault" is open.'),
    (e.RoomClosed(), "Mara closed the room."),
    (
        e.PolicySet(policy=POLICY),
        (
            "Mara changed the house rules: "
            "physical dice are for everyone, checks need nobody's word, players may not start countdowns."
        ),
    ),
    (e.SeatJoined(seat=scenery.ROOK), "Rook has a seat as player."),
    (e.SeatRenamed(seat_id="player-1", name="Crow"), "Rook is called Crow now."),
    (e.SeatRemoved(seat_id="player-9", reason=e.Departure.LEFT), "Player 9 left the table."),
    (e.SeatRemoved(seat_id="player-9", reason=e.Departure.REMOVED), "Player 9 was sent away from the table."),
    (e.CharacterAdded(character=scenery.CHARACTER), "Raven came into play (of Rook)."),
    (e.CharacterUpdated(character=scenery.CHARACTER), "Raven changed."),
    (e.LaneOpened(lane=Lane(label="seat/gm/0", key="A" * 43)), "The dice lane seat/gm/0 is fixed."),
    (e.DiceRolled(roll=ROLL), "Mara rolled 2 dice: 6 1."),
    (
        e.DiceRolled(roll=ROLL.model_copy(update={"name": "luck", "faces": (3,), "physical": True})),
        'Mara rolled 1 die for "luck" of their own: 3.',
    ),
    (
        e.SealedStarted(thing=Sealed(kind=Kind.COUNTDOWN, id="below", name="What wakes")),
        'There is a sealed countdown now: "What wakes".',
    ),
    (
        e.SealedChanged(kind=Kind.COUNTDOWN, id="below", name="What wakes"),
        'Something happened to the sealed countdown "What wakes".',
    ),
    (
        e.Revealed(kind=Kind.COUNTDOWN, id="below", things=Things(countdowns=(REVEALED,))),
        'The countdown "What wakes" is revealed: 1 die left after 6 5 1 6 / 2.',
    ),
    (
        e.Revealed(kind=Kind.CLOCK, id="water", things=Things(clocks=(scenery.WATER,))),
        'The clock "Water" is revealed: it stands at 3 of 8.',
    ),
    (e.Revealed(kind=Kind.ROLL, id="roll-1", things=Things(rolls=(ROLL,))), 'The roll "roll-1" is revealed: 6 1.'),
    (
        e.Revealed(kind=Kind.SCENE, id="vault", things=Things(scenes=(scenery.SCENE,))),
        'The scene "Out of the vault" is revealed.',
    ),
    (e.MadePublic(kind=Kind.ROLL, id="roll-1"), "The roll roll-1 is no secret any more."),
    (e.Cancelled(kind=Kind.CLOCK, id="rain", reason="a slip"), "Mara took the clock rain back: a slip."),
    (e.CountdownStarted(countdown=scenery.FEVER), '"Fever" counts down: 4 dice, fast (of Sparks).'),
    (rolled(4, 1, 6, 2, remaining=2), 'Mara rolled "Fever": 4 1 6 2; 2 dice out, 2 dice left.'),
    (
        rolled(4, remaining=0).model_copy(update={"physical": True}),
        'Mara rolled "Fever" with dice of their own: 4; 1 die out, no dice left.',
    ),
    (e.StageReached(countdown_id="fever", at=2, effect="blind!"), '"Fever" is down to 2: blind!'),
    (e.StageLeft(countdown_id="fever", at=2), '"Fever" is above 2 again.'),
    (e.CountdownStabilized(countdown_id="fever"), '"Fever" is stabilized.'),
    (e.CountdownResumed(countdown_id="fever"), '"Fever" runs again.'),
    (
        e.CountdownReplenished(countdown_id="fever", added=1, remaining=5),
        '"Fever" got 1 more die and has 5 dice now.',
    ),
    (e.CountdownExpired(countdown_id="fever", ending="Death."), '"Fever" is over: Death.'),
    (e.CountdownExpired(countdown_id="fever"), '"Fever" is over.'),
    (e.CountdownCancelled(countdown_id="fever", reason="healed"), 'Mara cancelled "Fever": healed.'),
    (e.TurnEnded(turn=3), "Turn 3 is over."),
    (
        e.SceneOpened(scene=scenery.SCENE, clock=scenery.SCENE_CLOCK),
        'The scene "Out of the vault" opens with a clock of 5.',
    ),
    (
        e.SituationStarted(situation=scenery.RACE, clock=scenery.RACE_CLOCK, threat=scenery.THREAT),
        'The race "The way out" begins with a clock of 3, level 3, normal, against a threat of 15.',
    ),
    (
        e.ChallengeAdded(challenge=scenery.DOOR, clock=scenery.DOOR_CLOCK),
        'A barrier stands in the way: "Outer door" (1).',
    ),
    (e.ClockStarted(clock=scenery.WATER), 'The clock "Water" starts at 3 of 8.'),
    (
        e.ClockTicked(clock_id="vault-threat", kind=ClockKind.THREAT, cause=e.Cause.ROUND, value=14),
        'The threat of "Out of the vault" stands at 14 after the end of a round.',
    ),
    (
        e.ClockTicked(clock_id="vault-clock", kind=ClockKind.SCENE, cause=e.Cause.REST, value=4),
        'The scene clock of "Out of the vault" stands at 4 after a rest.',
    ),
    (
        e.ClockTicked(clock_id="unseen", kind=ClockKind.FREE, cause=e.Cause.TICK, value=4),
        "The clock unseen stands at 4 after a tick.",
    ),
    (
        e.ClockAmended(clock_id="water", kind=ClockKind.FREE, value=2, reason="a slip"),
        'Mara set the clock "Water" to 2: a slip.',
    ),
    (e.EffortMade(effort=scenery.EFFORT), 'Mara makes an effort against "Outer door".'),
    (
        e.EffortRuled(effort_id="shove", challenge_id="door", success=True, amount=2),
        'The effort against "Outer door" succeeds and takes off 2.',
    ),
    (
        e.EffortRuled(effort_id="shove", challenge_id="door", success=False, amount=0),
        'The effort against "Outer door" fails.',
    ),
    (e.ChallengeOvercome(challenge_id="door"), '"Outer door" is overcome.'),
    (e.SituationWon(situation_id="run"), '"The way out" is won.'),
    (e.SituationResolved(situation_id="run", how="a bribe"), '"The way out" is resolved: a bribe.'),
    (
        e.SituationFailed(situation_id="run", reason=e.SituationFailure.THREAT),
        '"The way out" is lost: the threat has run out.',
    ),
    (e.SituationClosed(situation_id="run"), '"The way out" is over with its scene.'),
    (
        e.Revealed(kind=Kind.SITUATION, id="run", things=Things(situations=(scenery.RACE,))),
        'The situation "The way out" is revealed.',
    ),
    (e.RoundEnded(situation_id="run", round=2), 'Round 2 of "The way out" is over.'),
    (
        e.RaceEnded(situation_id="run", outcome=RaceOutcome.PARTIAL_SUCCESS, situation=1, threat=6, scene=4),
        'The race "The way out" ends as a partial success: scene 4, threat 6.',
    ),
    (e.SceneEnded(scene_id="vault", outcome=SceneStatus.SUCCESS), 'The scene "Out of the vault" ends as a success.'),
    (
        e.SceneEnded(scene_id="vault", outcome=SceneStatus.UNFINISHED),
        'The scene "Out of the vault" ends as unfinished.',
    ),
    (e.ComplicationIntroduced(situation_id="run", text="Fire"), 'A complication in "The way out": Fire.'),
]


@pytest.mark.parametrize(("event", "told"), TOLD, ids=[event.type for event, _ in TOLD])
def test_an_event_is_told_in_one_sentence(event: e.Event, told: str) -> None:
    assert sentence(record(event), full_room().view) == told


def test_every_event_there_is_has_a_sentence_and_an_example() -> None:
    union, _ = get_args(e.Event)
    types = {event.model_fields["type"].default for event in get_args(union)}

    assert set(SENTENCES) == types
    assert {event.type for event, _ in (*TOLD, *told_checks.TOLD, *told_totals.TOLD)} == types
    assert types > QUIET


@pytest.mark.parametrize("cause", list(e.Cause))
def test_every_cause_of_a_tick_has_its_words(cause: e.Cause) -> None:
    tick = e.ClockTicked(clock_id="water", kind=ClockKind.FREE, cause=cause, value=1)

    assert sentence(record(tick), full_room().view).startswith('The clock "Water" stands at 1 after ')


@pytest.mark.parametrize("reason", list(e.SituationFailure))
def test_every_way_to_fail_has_its_words(reason: e.SituationFailure) -> None:
    failed = e.SituationFailed(situation_id="run", reason=reason)

    assert sentence(record(failed), full_room().view).startswith('"The way out" is lost: ')


def test_a_note_follows_its_event() -> None:
    told = sentence(record(e.TurnEnded(turn=1, note="At last.")), full_room().view)

    assert told == 'Turn 1 is over. "At last."'


def test_who_acts_is_named_even_if_the_seat_is_gone() -> None:
    view = full_room().view

    assert sentence(record(e.RoomClosed(), by="player-1"), view) == "Rook closed the room."
    assert sentence(record(e.RoomClosed(), by="player-9"), view) == "Player 9 closed the room."


def test_an_event_of_a_later_version_is_told_as_unknown() -> None:
    later = e.TurnEnded.model_construct(type="moon_rose", turn=1)  # type: ignore[arg-type]

    told = sentence(record(later), full_room().view)

    assert told == "Something happened that this version has no words for: moon_rose."


def test_text_of_others_cannot_steer_the_terminal_or_fill_in_a_template() -> None:
    rude = e.StageReached.model_construct(countdown_id="fever", at=2, effect="\x1b[2J{w.by}\r\n\u202eno\x07", note=None)

    told = sentence(record(rude), full_room().view)

    assert told == '"Fever" is down to 2: \ufffd[2J{w.by} \ufffdno\ufffd.'


# Beside the sentence


def test_what_only_the_gm_is_told_is_marked() -> None:
    event = e.TurnEnded(turn=1)
    secret = record(event).model_copy(update={"channel": Channel.GM})

    assert told(record(event), full_room().view) == "Turn 1 is over."
    assert told(secret, full_room().view) == "(to the gm alone) Turn 1 is over."


@pytest.mark.parametrize(
    ("event", "thing_id"),
    [
        (e.CharacterAdded(character=scenery.CHARACTER), "raven"),
        (e.CountdownStarted(countdown=scenery.FEVER), "fever"),
        (e.SceneOpened(scene=scenery.SCENE, clock=scenery.SCENE_CLOCK), "vault"),
        (e.SituationStarted(situation=scenery.RACE, clock=scenery.RACE_CLOCK), "run"),
        (e.ChallengeAdded(challenge=scenery.DOOR, clock=scenery.DOOR_CLOCK), "door"),
        (e.ClockStarted(clock=scenery.WATER), "water"),
        (e.EffortMade(effort=scenery.EFFORT), "shove"),
        (e.CheckProposed(check=told_checks.DIVE), "dive"),
        (e.TotalProposed(total=told_totals.TOTAL), "drive"),
        (e.SeatJoined(seat=scenery.ROOK), "player-1"),
        (e.DiceRolled(roll=ROLL.model_copy(update={"visibility": Visibility.GM})), "roll-1"),
        (e.DiceRolled(roll=ROLL), None),
        (e.TurnEnded(turn=1), None),
        (e.CheckAdjusted(check=told_checks.DIVE), None),
    ],
)
def test_what_an_event_starts_has_an_id_that_commands_can_name(event: e.Event, thing_id: str | None) -> None:
    assert started_id(event) == thing_id
