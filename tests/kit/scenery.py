"""A room in full swing, as a log that folds to its view: a race, countdowns of all visibilities, a clock."""

from dreadclock.rules.clocks import Difficulty, Direction
from dreadclock.rules.countdown import Speed
from dreadclock.wire import events as e
from dreadclock.wire import things as t
from dreadclock.wire.base import Channel, Kind, Role, Visibility
from dreadclock.wire.records import Record
from kit.table import BOTH, Log

GM, ROOK, SPARKS = (
    t.Seat(id="gm", role=Role.GM, name="Mara"),
    t.Seat(id="player-1", role=Role.PLAYER, name="Rook"),
    t.Seat(id="player-2", role=Role.PLAYER, name="Sparks"),
)
CHARACTER = t.Character(id="raven", name="Raven", owner="player-1")
FEVER = t.Countdown(
    id="fever",
    name="Fever",
    pool=4,
    speed=Speed.FAST,
    stages=(t.Stage(at=2, effect="blind"),),
    ending="death",
    owner="player-2",
    bound_to=t.BoundTo.TURN,
    started=1,
)
SEALED = FEVER.model_copy(update={"id": "below", "name": "What wakes", "visibility": Visibility.SEALED, "owner": None})
HIDDEN = SEALED.model_copy(update={"id": "gm-plan", "name": "The plan", "visibility": Visibility.GM})
WATER = t.Clock(id="water", kind=t.ClockKind.FREE, name="Water", size=8, value=3, direction=Direction.UP)
SCENE = t.Scene(id="vault", name="Out of the vault", clock_id="vault-clock")
RACE = t.Situation(
    id="run",
    scene_id="vault",
    name="The way out",
    kind=t.SituationKind.RACE,
    content=t.Content.EXPLORATION,
    clock_id="run-clock",
    level=3,
    difficulty=Difficulty.NORMAL,
)
DOOR = t.Challenge(
    id="door", situation_id="run", name="Outer door", kind=t.ChallengeKind.BARRIER, clock_id="door-clock"
)
EFFORT = t.Effort(id="shove", challenge_id="door", seat_id="player-1")


def clock(kind: t.ClockKind, of: str, name: str, size: int) -> t.Clock:
    """Make the clock of a thing, full."""
    clock_id = f"{of}-{'threat' if kind is t.ClockKind.THREAT else 'clock'}"
    return t.Clock(id=clock_id, kind=kind, name=name, of=of, size=size, value=size)


SCENE_CLOCK = clock(t.ClockKind.SCENE, "vault", SCENE.name, 5)
THREAT = clock(t.ClockKind.THREAT, "vault", "Threat: Out of the vault", 15)
RACE_CLOCK = clock(t.ClockKind.SITUATION, "run", RACE.name, 3)
DOOR_CLOCK = clock(t.ClockKind.CHALLENGE, "door", DOOR.name, 1)


def full_room(*channels: Channel) -> Log:
    """Write the log of a room in which everything has just begun."""
    log = Log(*(channels or BOTH))
    begun: tuple[e.Event, ...] = (
        e.RoomOpened(title="The flooded vault", policy=t.Policy()),
        *(e.SeatJoined(seat=seat) for seat in (GM, ROOK, SPARKS)),
        e.CharacterAdded(character=CHARACTER),
        e.CountdownStarted(countdown=FEVER),
        e.ClockStarted(clock=WATER),
        e.SceneOpened(scene=SCENE, clock=SCENE_CLOCK),
        e.SituationStarted(situation=RACE, clock=RACE_CLOCK, threat=THREAT),
        e.ChallengeAdded(challenge=DOOR, clock=DOOR_CLOCK),
        e.SealedStarted(thing=t.Sealed(kind=Kind.COUNTDOWN, id=SEALED.id, name=SEALED.name)),
    )
    for event in begun:
        log.write(event)
    if Channel.GM in log.texts:
        for countdown in (SEALED, HIDDEN):
            log.write(e.CountdownStarted(countdown=countdown), Channel.GM)
    return log


def rolled(*faces: int, remaining: int, countdown_id: str = "fever") -> e.CountdownRolled:
    """Make a roll of a countdown."""
    return e.CountdownRolled(
        countdown_id=countdown_id, faces=faces, removed=len(faces) - remaining, remaining=remaining, turn=1
    )


def record(event: e.Event, by: str = "gm") -> Record:
    """Make a record of an event, as if it were the next one; the event may be none that is allowed."""
    return Record.model_construct(channel=Channel.PUBLIC, seq=100, at=1, by=by, event=event)
