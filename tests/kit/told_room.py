"""Every event of the room, of countdowns and of scenes with the sentence that tells it."""

from dreadclock.rules.clocks import RaceOutcome
from dreadclock.wire import events as e
from dreadclock.wire.base import Kind, Visibility
from dreadclock.wire.things import (
    Carried,
    CheckApproval,
    ClockKind,
    HiddenRoll,
    Lane,
    Origin,
    PhysicalDice,
    Policy,
    Restored,
    Roll,
    SceneStatus,
    Sealed,
    Things,
)
from kit import scenery
from kit.scenery import rolled

ROLL = Roll(id="roll-1", seat_id="gm", faces=(6, 1))
REVEALED = scenery.SEALED.model_copy(
    update={
        "pool": 1,
        "visibility": Visibility.PUBLIC,
        "hidden_rolls": (HiddenRoll(faces=(6, 5, 1, 6), removed=3), HiddenRoll(faces=(2,), removed=0)),
    }
)
ORIGIN = Origin(room="a" * 26, log_id="0" * 32, seq=120, hash="0" * 64)
POLICY = Policy(physical_dice=PhysicalDice.EVERYONE, check_approval=CheckApproval.OPEN, player_countdowns=False)

TOLD: list[tuple[e.Event, str]] = [
    (e.RoomOpened(title="Vault", policy=Policy()), 'The room "Vault" is open.'),
    (
        e.RoomContinued(origin=ORIGIN, turn=3, carried=Carried()),
        "The evening goes on from the record 120 of another room.",
    ),
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
    (
        e.CommandVoided(first=7, last=8, what="clock_ticked", reason="a slip", restored=Restored(turn=3)),
        "Mara took back a clock's tick (record 7): a slip.",
    ),
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
