"""Every event, and the one union that tells them apart by `type`."""

from typing import Annotated

from pydantic import Field, TypeAdapter

from dreadclock.wire.events.base import EventBase
from dreadclock.wire.events.checks import (
    CheckAdjusted,
    CheckProposed,
    CheckResolved,
    CheckRolled,
    CheckWithdrawn,
    CostAnswered,
    CostProposed,
    EffectChosen,
    EffectsOffered,
    FailureSettled,
    HelpJoined,
    InterferenceGained,
    InterferenceSpent,
    MomentumGained,
    MomentumSpent,
    OppositionJoined,
    TokenEvent,
    VentureEarned,
    VentureLapsed,
    VenturePaid,
)
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
    CommandVoided,
    Departure,
    DiceRolled,
    LaneOpened,
    MadePublic,
    PolicySet,
    Revealed,
    RoomClosed,
    RoomContinued,
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
    SituationClosed,
    SituationFailed,
    SituationFailure,
    SituationResolved,
    SituationStarted,
    SituationWon,
)
from dreadclock.wire.events.totals import (
    CharacterDied,
    CharacterRetired,
    CrisisDescribed,
    CrisisDue,
    CrisisSuffered,
    LuckPushed,
    PushOffered,
    RequiredRevealed,
    RequiredSet,
    SecretSet,
    TotalAdjusted,
    TotalFailed,
    TotalFailure,
    TotalProposed,
    TotalRolled,
    TotalSucceeded,
    TotalWithdrawn,
)

RoomEvent = (
    RoomOpened
    | RoomContinued
    | RoomClosed
    | PolicySet
    | SeatJoined
    | SeatRenamed
    | SeatRemoved
    | CharacterAdded
    | CharacterUpdated
    | CommandVoided
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
    | SituationClosed
    | RoundEnded
    | RaceEnded
    | SceneEnded
    | ComplicationIntroduced
)
CheckEvent = (
    CheckProposed
    | CheckAdjusted
    | HelpJoined
    | OppositionJoined
    | CheckRolled
    | CheckResolved
    | CheckWithdrawn
    | EffectsOffered
    | EffectChosen
    | MomentumGained
    | MomentumSpent
    | InterferenceGained
    | InterferenceSpent
    | VentureEarned
    | VenturePaid
    | VentureLapsed
    | CostProposed
    | CostAnswered
    | FailureSettled
)
TotalEvent = (
    TotalProposed
    | TotalAdjusted
    | TotalWithdrawn
    | RequiredSet
    | SecretSet
    | RequiredRevealed
    | TotalRolled
    | PushOffered
    | LuckPushed
    | TotalSucceeded
    | TotalFailed
    | CrisisDue
    | CrisisSuffered
    | CrisisDescribed
    | CharacterDied
    | CharacterRetired
)
Event = Annotated[
    RoomEvent | DiceEvent | CountdownEvent | SceneEvent | CheckEvent | TotalEvent, Field(discriminator="type")
]
EVENT: TypeAdapter[Event] = TypeAdapter(Event)

__all__ = [
    "EVENT",
    "Cancelled",
    "Cause",
    "ChallengeAdded",
    "ChallengeOvercome",
    "CharacterAdded",
    "CharacterDied",
    "CharacterRetired",
    "CharacterUpdated",
    "CheckAdjusted",
    "CheckEvent",
    "CheckProposed",
    "CheckResolved",
    "CheckRolled",
    "CheckWithdrawn",
    "ClockAmended",
    "ClockStarted",
    "ClockTicked",
    "CommandVoided",
    "ComplicationIntroduced",
    "CostAnswered",
    "CostProposed",
    "CountdownCancelled",
    "CountdownEvent",
    "CountdownExpired",
    "CountdownReplenished",
    "CountdownResumed",
    "CountdownRolled",
    "CountdownStabilized",
    "CountdownStarted",
    "CrisisDescribed",
    "CrisisDue",
    "CrisisSuffered",
    "Departure",
    "DiceEvent",
    "DiceRolled",
    "EffectChosen",
    "EffectsOffered",
    "EffortMade",
    "EffortRuled",
    "Event",
    "EventBase",
    "FailureSettled",
    "HelpJoined",
    "InterferenceGained",
    "InterferenceSpent",
    "LaneOpened",
    "LuckPushed",
    "MadePublic",
    "MomentumGained",
    "MomentumSpent",
    "OppositionJoined",
    "PolicySet",
    "PushOffered",
    "RaceEnded",
    "RequiredRevealed",
    "RequiredSet",
    "Revealed",
    "RoomClosed",
    "RoomContinued",
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
    "SecretSet",
    "SituationClosed",
    "SituationFailed",
    "SituationFailure",
    "SituationResolved",
    "SituationStarted",
    "SituationWon",
    "StageLeft",
    "StageReached",
    "TokenEvent",
    "TotalAdjusted",
    "TotalEvent",
    "TotalFailed",
    "TotalFailure",
    "TotalProposed",
    "TotalRolled",
    "TotalSucceeded",
    "TotalWithdrawn",
    "TurnEnded",
    "VentureEarned",
    "VentureLapsed",
    "VenturePaid",
]
