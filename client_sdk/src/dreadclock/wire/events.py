"""Every event, and the one union that tells them apart by `type`. Each family's file holds its own."""

from typing import Annotated

from pydantic import ConfigDict, Field, TypeAdapter

from dreadclock.wire.families import *
from dreadclock.wire.families.base import EventBase

Event = Annotated[
    RoomEvent
    | CharacterEvent
    | ConditionEvent
    | FateEvent
    | CorrectionEvent
    | NarratingEvent
    | ContinuingEvent
    | DiceEvent
    | SecretEvent
    | CountdownEvent
    | CountdownChangeEvent
    | SceneEvent
    | SituationEvent
    | StagingEvent
    | ChallengeEvent
    | ClockEvent
    | CheckEvent
    | CheckPartEvent
    | CheckEffectEvent
    | BargainEvent
    | TotalEvent
    | PushEvent
    | CrisisEvent
    | ConsequenceEvent,
    Field(discriminator="type"),
]


class UnknownEvent(EventBase):
    """An event of a type, or with a content, that only newer versions know; its other fields are kept as they came.

    No record is read with one by these models: only a client makes it, of what a newer server sends.
    """

    model_config = ConfigDict(extra="allow")

    type: str


EVENT: TypeAdapter[Event] = TypeAdapter(Event)
