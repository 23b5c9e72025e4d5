"""Events that no other example tells, with their sentences: what is rare, and what nobody knows a name of."""

from dreadclock.rules.clocks import Difficulty, RaceOutcome
from dreadclock.rules.countdown import Speed
from dreadclock.wire import events as e
from dreadclock.wire.base import HiddenKind, Kind, Role, Visibility
from dreadclock.wire.things import (
    ChallengeKind,
    CheckResult,
    ClockKind,
    CountdownStatus,
    PhysicalDice,
    Policy,
    Roll,
    Sealed,
    Seat,
    SituationKind,
    Things,
)
from kit import scenery, told_checks

OFF = Policy(physical_dice=PhysicalDice.OFF)
LUCK = Roll(id="roll-1", seat_id="gm", faces=(3,), name="luck")
NO_DICE = told_checks.LEADER.model_copy(update={"roll": told_checks.NONE})
OVER = scenery.SEALED.model_copy(update={"status": CountdownStatus.EXPIRED, "pool": 0})
WITH_A_RESULT = told_checks.KICK.model_copy(
    update={"parts": (NO_DICE,), "result": CheckResult(acting=told_checks.WELL), "visibility": Visibility.PUBLIC}
)


def sealed(kind: HiddenKind) -> e.SealedStarted:
    """Start a sealed thing of a kind."""
    return e.SealedStarted(thing=Sealed(kind=kind, id="below", name="What wakes"))


def stirred(kind: HiddenKind) -> e.SealedChanged:
    """Let something happen to a sealed thing of a kind."""
    return e.SealedChanged(kind=kind, id="below", name="What wakes")


def unknown(kind: HiddenKind) -> e.Revealed:
    """Reveal a thing without what is in it."""
    return e.Revealed(kind=kind, id="below", things=Things())


def joined(role: Role) -> e.SeatJoined:
    """Give a seat of a role."""
    return e.SeatJoined(seat=Seat(id=f"{role}-7", role=role, name="Wren"))


TOLD: list[tuple[e.Event, str, str]] = [  # with the seat it is of
    (
        e.PolicySet(policy=OFF),
        "spectator-3",
        (
            "Spectator 3 changed the house rules: physical dice are off, checks need the gm's word, "
            "players may start countdowns."
        ),
    ),
    (
        e.PolicySet(policy=OFF.model_copy(update={"physical_dice": PhysicalDice.GM})),
        "integration-4",
        (
            "Integration 4 changed the house rules: physical dice are for gm, checks need the gm's word, "
            "players may start countdowns."
        ),
    ),
    (e.RoomClosed(), "ghost-1", "Ghost 1 closed the room."),
    (joined(Role.GM), "gm", "Wren has a seat as gm."),
    (joined(Role.SPECTATOR), "gm", "Wren has a seat as spectator."),
    (joined(Role.INTEGRATION), "gm", "Wren has a seat as integration."),
    (sealed(Kind.CLOCK), "gm", 'There is a sealed clock now: "What wakes".'),
    (sealed(Kind.SCENE), "gm", 'There is a sealed scene now: "What wakes".'),
    (sealed(Kind.SITUATION), "gm", 'There is a sealed situation now: "What wakes".'),
    (sealed(Kind.ROLL), "gm", 'There is a sealed roll now: "What wakes".'),
    (sealed(Kind.CHECK), "gm", 'There is a sealed check now: "What wakes".'),
    (stirred(Kind.CLOCK), "gm", 'Something happened to the sealed clock "What wakes".'),
    (stirred(Kind.SCENE), "gm", 'Something happened to the sealed scene "What wakes".'),
    (stirred(Kind.SITUATION), "gm", 'Something happened to the sealed situation "What wakes".'),
    (stirred(Kind.ROLL), "gm", 'Something happened to the sealed roll "What wakes".'),
    (stirred(Kind.CHECK), "gm", 'Something happened to the sealed check "What wakes".'),
    (unknown(Kind.CLOCK), "gm", "The clock below is revealed."),
    (unknown(Kind.CHECK), "gm", "The check below is revealed."),
    (e.Revealed(kind=Kind.ROLL, id="roll-1", things=Things(rolls=(LUCK,))), "gm", 'The roll "luck" is revealed: 3.'),
    (
        e.Revealed(kind=Kind.COUNTDOWN, id="below", things=Things(countdowns=(OVER,))),
        "gm",
        'The countdown "What wakes" is revealed: it is over.',
    ),
    (
        e.Revealed(kind=Kind.CHECK, id="kick", things=Things(checks=(WITH_A_RESULT,))),
        "gm",
        "The check kick is revealed: no dice, a success with 5 (margin 1).",
    ),
    (
        e.Cancelled(kind=Kind.SCENE, id="vault", reason="a slip"),
        "gm",
        ('Mara took the scene "Out of the vault" back: a slip.'),
    ),
    (
        e.Cancelled(kind=Kind.SITUATION, id="run", reason="a slip"),
        "gm",
        ('Mara took the situation "The way out" back: a slip.'),
    ),
    (
        e.Cancelled(kind=Kind.CHALLENGE, id="door", reason="a slip"),
        "gm",
        ('Mara took the challenge "Outer door" back: a slip.'),
    ),
    (
        e.CountdownStarted(countdown=scenery.FEVER.model_copy(update={"speed": Speed.MEDIUM, "owner": None})),
        "gm",
        '"Fever" counts down: 4 dice, medium.',
    ),
    (
        e.CountdownStarted(countdown=scenery.FEVER.model_copy(update={"speed": Speed.SLOW, "owner": "player-8"})),
        "gm",
        '"Fever" counts down: 4 dice, slow (of Player 8).',
    ),
    (scenery.rolled(6, 2, remaining=1), "player-1", 'Rook rolled "Fever": 6 2; 1 die out, 1 die left.'),
    (
        e.CountdownReplenished(countdown_id="gone", added=2, remaining=3),
        "gm",
        '"gone" got 2 more dice and has 3 dice now.',
    ),
    (e.CountdownCancelled(countdown_id="fever"), "gm", 'Mara cancelled "Fever".'),
    (
        e.SituationStarted(
            situation=scenery.RACE.model_copy(update={"difficulty": Difficulty.EASY}),
            clock=scenery.RACE_CLOCK,
            threat=scenery.THREAT,
        ),
        "gm",
        'The race "The way out" begins with a clock of 3, level 3, easy, against a threat of 15.',
    ),
    (
        e.SituationStarted(
            situation=scenery.RACE.model_copy(update={"difficulty": Difficulty.HARD}),
            clock=scenery.RACE_CLOCK,
            threat=scenery.THREAT,
        ),
        "gm",
        'The race "The way out" begins with a clock of 3, level 3, hard, against a threat of 15.',
    ),
    (
        e.SituationStarted(
            situation=scenery.RACE.model_copy(update={"kind": SituationKind.STANDARD}), clock=scenery.RACE_CLOCK
        ),
        "gm",
        'The situation "The way out" begins with a clock of 3.',
    ),
    *(
        (
            e.ChallengeAdded(challenge=scenery.DOOR.model_copy(update={"kind": kind}), clock=scenery.DOOR_CLOCK),
            "gm",
            f'A {kind} stands in the way: "Outer door" (1).',
        )
        for kind in (ChallengeKind.PUZZLE, ChallengeKind.FOE)
    ),
    *(
        (
            e.ClockTicked(clock_id=clock_id, kind=kind, cause=cause, value=1),
            "gm",
            f"The {clock} stands at 1 after {why}.",
        )
        for clock_id, kind, clock, cause, why in (
            ("run-clock", ClockKind.SITUATION, 'situation clock of "The way out"', e.Cause.EFFORT, "an effort"),
            ("door-clock", ClockKind.CHALLENGE, 'clock of "Outer door"', e.Cause.CHALLENGE, "an overcome challenge"),
            ("water", ClockKind.FREE, 'clock "Water"', e.Cause.SITUATION, "a situation that ended well"),
            ("water", ClockKind.FREE, 'clock "Water"', e.Cause.TRAVEL, "a journey"),
            ("water", ClockKind.FREE, 'clock "Water"', e.Cause.RULING, "the gm's word"),
            ("water", ClockKind.FREE, 'clock "Water"', e.Cause.COMPLICATION, "a complication"),
            ("water", ClockKind.FREE, 'clock "Water"', e.Cause.HIDDEN, "something unseen"),
        )
    ),
    (
        e.SituationFailed(situation_id="run", reason=e.SituationFailure.DEFEATED),
        "gm",
        '"The way out" is lost: everyone is defeated.',
    ),
    (
        e.SituationFailed(situation_id="run", reason=e.SituationFailure.RETREATED),
        "gm",
        '"The way out" is lost: everyone is in retreat.',
    ),
    (
        e.RaceEnded(situation_id="run", outcome=RaceOutcome.FAILURE, situation=1, threat=0, scene=4),
        "gm",
        'The race "The way out" ends as a failure: scene 4, threat 0.',
    ),
    (
        e.RaceEnded(situation_id="run", outcome=RaceOutcome.SUCCESS, situation=0, threat=1, scene=4),
        "gm",
        'The race "The way out" ends as a success: scene 4, threat 1.',
    ),
]
