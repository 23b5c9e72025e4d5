"""Every event, and the one union that tells them apart by `type`. Each family's file holds its own."""

from typing import Annotated

from pydantic import Field, TypeAdapter

from dreadclock.wire.families import *

Event = Annotated[
    RoomEvent
    | CharacterEvent
    | CorrectionEvent
    | ContinuingEvent
    | DiceEvent
    | SecretEvent
    | CountdownEvent
    | SceneEvent
    | SituationEvent
    | ChallengeEvent
    | ClockEvent
    | CheckEvent
    | CheckPartEvent
    | CheckEffectEvent
    | BargainEvent
    | TotalEvent
    | PushEvent
    | CrisisEvent,
    Field(discriminator="type"),
]
EVENT: TypeAdapter[Event] = TypeAdapter(Event)
