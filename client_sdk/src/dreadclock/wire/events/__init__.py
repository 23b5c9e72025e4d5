"""Every event, and the one union that tells them apart by `type`."""

from typing import Annotated

from pydantic import Field, TypeAdapter

from dreadclock.wire.events.base import EventBase
from dreadclock.wire.events.countdowns import (
    CountdownCancelled,
    CountdownExpired,
    CountdownReplenished,
    CountdownResumed,
    CountdownRolled,
    CountdownStabilized,
    CountdownStarted,
    StageLeft,
    StageReached,
    TurnEnded,
)
from dreadclock.wire.events.room import (
    Cancelled,
    CharacterAdded,
    CharacterUpdated,
    Departure,
    DiceRolled,
    LaneOpened,
    MadePublic,
    PolicySet,
    Revealed,
    RoomClosed,
    RoomOpened,
    SealedChanged,
    SealedStarted,
    SeatJoined,
    SeatRemoved,
    SeatRenamed,
)
from dreadclock.wire.events.scenes import (
    Cause,
    ChallengeAdded,
    ChallengeOvercome,
    ClockAmended,
    ClockStarted,
    ClockTicked,
    ComplicationIntroduced,
    EffortMade,
    EffortRuled,
    RaceEnded,
    RoundEnded,
    SceneEnded,
    SceneOpened,
    SituationFailed,
    SituationFailure,
    SituationResolved,
    SituationStarted,
    SituationWon,
)

RoomEvent = (
    RoomOpened | RoomClosed | PolicySet | SeatJoined | SeatRenamed | SeatRemoved | CharacterAdded | CharacterUpdated
)
DiceEvent = LaneOpened | DiceRolled | SealedStarted | SealedChanged | Revealed | MadePublic | Cancelled
CountdownEvent = (
    CountdownStarted
    | CountdownRolled
    | StageReached
    | StageLeft
    | CountdownStabilized
    | CountdownResumed
    | CountdownReplenished
    | CountdownExpired
    | CountdownCancelled
    | TurnEnded
)
SceneEvent = (
    SceneOpened
    | SituationStarted
    | ChallengeAdded
    | ClockStarted
    | ClockTicked
    | ClockAmended
    | EffortMade
    | EffortRuled
    | ChallengeOvercome
    | SituationWon
    | SituationResolved
    | SituationFailed
    | RoundEnded
    | RaceEnded
    | SceneEnded
    | ComplicationIntroduced
)
Event = Annotated[RoomEvent | DiceEvent | CountdownEvent | SceneEvent, Field(discriminator="type")]
EVENT: TypeAdapter[Event] = TypeAdapter(Event)

__all__ = [
    "EVENT",
    "Cancelled",
    "Cause",
    "ChallengeAdded",
    "ChallengeOvercome",
    "CharacterAdded",
    "CharacterUpdated",
    "ClockAmended",
    "ClockStarted",
    "ClockTicked",
    "ComplicationIntroduced",
    "CountdownCancelled",
    "CountdownEvent",
    "CountdownExpired",
    "CountdownReplenished",
    "CountdownResumed",
    "CountdownRolled",
    "CountdownStabilized",
    "CountdownStarted",
    "Departure",
    "DiceEvent",
    "DiceRolled",
    "EffortMade",
    "EffortRuled",
    "Event",
    "EventBase",
    "LaneOpened",
    "MadePublic",
    "PolicySet",
    "RaceEnded",
    "Revealed",
    "RoomClosed",
    "RoomEvent",
    "RoomOpened",
    "RoundEnded",
    "SceneEnded",
    "SceneEvent",
    "SceneOpened",
    "SealedChanged",
    "SealedStarted",
    "SeatJoined",
    "SeatRemoved",
    "SeatRenamed",
    "SituationFailed",
    "SituationFailure",
    "SituationResolved",
    "SituationStarted",
    "SituationWon",
    "StageLeft",
    "StageReached",
    "TurnEnded",
]
