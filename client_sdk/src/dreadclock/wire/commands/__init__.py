"""Every command, and the one union that tells them apart by `type`."""

from typing import Annotated

from pydantic import Field, TypeAdapter

from dreadclock.wire.commands.base import CommandBase, RollingCommand
from dreadclock.wire.commands.checks import (
    AdjustCheck,
    AnswerCost,
    ChooseEffect,
    CostAnswer,
    EffortOn,
    HelpCheck,
    JoiningCheck,
    NewVenture,
    OpposeCheck,
    ProposeCheck,
    ProposeCost,
    RollCheck,
    SettleFailure,
    WithdrawCheck,
)
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
    VoidCommand,
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
from dreadclock.wire.commands.totals import (
    AdjustTotal,
    DescribeCrisis,
    OfferPush,
    ProposeTotal,
    PushLuck,
    RollTotal,
    SetRequired,
    StopPushing,
    WithdrawTotal,
)

RoomCommand = SetPolicy | RenameSeat | RemoveSeat | LeaveSeat | CloseRoom | AddCharacter | UpdateCharacter | VoidCommand
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
CheckCommand = (
    ProposeCheck
    | AdjustCheck
    | HelpCheck
    | OpposeCheck
    | RollCheck
    | WithdrawCheck
    | ChooseEffect
    | ProposeCost
    | AnswerCost
    | SettleFailure
)
TotalCommand = (
    ProposeTotal
    | AdjustTotal
    | WithdrawTotal
    | SetRequired
    | RollTotal
    | OfferPush
    | PushLuck
    | StopPushing
    | DescribeCrisis
)
Command = Annotated[
    RoomCommand | DiceCommand | CountdownCommand | SceneCommand | CheckCommand | TotalCommand,
    Field(discriminator="type"),
]
COMMAND: TypeAdapter[Command] = TypeAdapter(Command)

__all__ = [
    "COMMAND",
    "AddChallenge",
    "AddCharacter",
    "AdjustCheck",
    "AdjustTotal",
    "AmendClock",
    "AnswerCost",
    "AttemptEffort",
    "Cancel",
    "CancelCountdown",
    "CheckCommand",
    "ChooseEffect",
    "ClockEffect",
    "CloseRoom",
    "Command",
    "CommandBase",
    "CostAnswer",
    "CountdownCommand",
    "DescribeCrisis",
    "DiceCommand",
    "EffortOn",
    "EndRound",
    "EndScene",
    "EndTurn",
    "FailSituation",
    "HelpCheck",
    "IntroduceComplication",
    "JoiningCheck",
    "LeaveSeat",
    "NewCountdown",
    "NewVenture",
    "OfferPush",
    "OpenLane",
    "OpenScene",
    "OpposeCheck",
    "OvercomeChallenge",
    "ProposeCheck",
    "ProposeCost",
    "ProposeTotal",
    "PushLuck",
    "RemoveSeat",
    "RenameSeat",
    "ReplenishCountdown",
    "ResolveSituation",
    "Rest",
    "ResumeCountdown",
    "Reveal",
    "RollCheck",
    "RollCountdown",
    "RollDice",
    "RollTotal",
    "RollingCommand",
    "RoomCommand",
    "RuleEffort",
    "SceneCommand",
    "SetPolicy",
    "SetRequired",
    "SettleFailure",
    "StabilizeCountdown",
    "StartClock",
    "StartCountdown",
    "StartSituation",
    "StopPushing",
    "TickClock",
    "TotalCommand",
    "Travel",
    "UpdateCharacter",
    "VoidCommand",
    "WithdrawCheck",
    "WithdrawTotal",
]
