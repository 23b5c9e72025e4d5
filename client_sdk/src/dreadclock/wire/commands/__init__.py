"""Every command, and the one union that tells them apart by `type`."""

from typing import Annotated

from pydantic import Field, TypeAdapter

from dreadclock.wire.commands.base import CommandBase, RollingCommand
from dreadclock.wire.commands.countdowns import (
    CancelCountdown,
    EndTurn,
    NewCountdown,
    ReplenishCountdown,
    ResumeCountdown,
    RollCountdown,
    StabilizeCountdown,
    StartCountdown,
)
from dreadclock.wire.commands.room import (
    AddCharacter,
    CloseRoom,
    LeaveSeat,
    OpenLane,
    RemoveSeat,
    RenameSeat,
    Reveal,
    RollDice,
    SetPolicy,
    UpdateCharacter,
)
from dreadclock.wire.commands.scenes import (
    AddChallenge,
    AmendClock,
    AttemptEffort,
    Cancel,
    ClockEffect,
    EndRound,
    EndScene,
    FailSituation,
    IntroduceComplication,
    OpenScene,
    OvercomeChallenge,
    ResolveSituation,
    Rest,
    RuleEffort,
    StartClock,
    StartSituation,
    TickClock,
    Travel,
)

RoomCommand = SetPolicy | RenameSeat | RemoveSeat | LeaveSeat | CloseRoom | AddCharacter | UpdateCharacter
DiceCommand = RollDice | Reveal | OpenLane
CountdownCommand = (
    StartCountdown
    | RollCountdown
    | StabilizeCountdown
    | ResumeCountdown
    | ReplenishCountdown
    | CancelCountdown
    | EndTurn
)
SceneCommand = (
    OpenScene
    | StartSituation
    | AddChallenge
    | AttemptEffort
    | RuleEffort
    | OvercomeChallenge
    | ResolveSituation
    | FailSituation
    | EndRound
    | Travel
    | Rest
    | EndScene
    | IntroduceComplication
    | StartClock
    | TickClock
    | AmendClock
    | Cancel
)
Command = Annotated[RoomCommand | DiceCommand | CountdownCommand | SceneCommand, Field(discriminator="type")]
COMMAND: TypeAdapter[Command] = TypeAdapter(Command)

__all__ = [
    "COMMAND",
    "AddChallenge",
    "AddCharacter",
    "AmendClock",
    "AttemptEffort",
    "Cancel",
    "CancelCountdown",
    "ClockEffect",
    "CloseRoom",
    "Command",
    "CommandBase",
    "EndRound",
    "EndScene",
    "EndTurn",
    "FailSituation",
    "IntroduceComplication",
    "LeaveSeat",
    "NewCountdown",
    "OpenLane",
    "OpenScene",
    "OvercomeChallenge",
    "RemoveSeat",
    "RenameSeat",
    "ReplenishCountdown",
    "ResolveSituation",
    "Rest",
    "ResumeCountdown",
    "Reveal",
    "RollCountdown",
    "RollDice",
    "RollingCommand",
    "RuleEffort",
    "SetPolicy",
    "StabilizeCountdown",
    "StartClock",
    "StartCountdown",
    "StartSituation",
    "TickClock",
    "Travel",
    "UpdateCharacter",
]
