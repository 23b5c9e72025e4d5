"""Every command, and the one union that tells them apart by `type`. Each family's file holds its own."""

from typing import Annotated

from pydantic import Field, TypeAdapter

from dreadclock.wire.families import *

Command = Annotated[
    RoomCommand
    | CharacterCommand
    | ConditionCommand
    | FateCommand
    | CorrectionCommand
    | NarratingCommand
    | DiceCommand
    | SecretCommand
    | CountdownCommand
    | CountdownChangeCommand
    | SceneCommand
    | SituationCommand
    | StagingCommand
    | ChallengeCommand
    | ClockCommand
    | CheckCommand
    | CheckPartCommand
    | CheckEffectCommand
    | BargainCommand
    | TotalCommand
    | PushCommand
    | CrisisCommand
    | ConsequenceCommand,
    Field(discriminator="type"),
]
COMMAND: TypeAdapter[Command] = TypeAdapter(Command)
