"""What a room holds: seats, characters, countdowns, clocks, scenes, checks, totals and what is in them.

These models are part of events and of views alike. They are a storage format: a field may be
added with a default, never renamed or given another meaning.
"""

from dreadclock.wire.things.carried import Carried, Origin
from dreadclock.wire.things.characters import (
    Benefit,
    Bonus,
    Character,
    CharacterStatus,
    Choice,
    Crisis,
    EffectKind,
    Special,
)
from dreadclock.wire.things.checks import (
    Check,
    CheckOdds,
    CheckResult,
    CheckStatus,
    Cost,
    CostStage,
    Part,
    PartRoll,
    SideResult,
    Venture,
    VentureLevel,
)
from dreadclock.wire.things.corrections import Place, Restored
from dreadclock.wire.things.countdowns import BoundTo, Countdown, CountdownStatus, HiddenRoll, Stage
from dreadclock.wire.things.dice import Lane, Roll, RollPurpose
from dreadclock.wire.things.room import CheckApproval, PhysicalDice, Policy, Seat
from dreadclock.wire.things.scenes import (
    Challenge,
    ChallengeKind,
    ChallengeStatus,
    Clock,
    ClockKind,
    Content,
    Effort,
    RetreatReason,
    Scene,
    SceneStatus,
    Situation,
    SituationKind,
    SituationStatus,
)
from dreadclock.wire.things.secrets import Sealed, Things
from dreadclock.wire.things.totals import Push, PushOdds, Required, SecretRequired, Tool, Total, TotalOdds, TotalStatus

__all__ = [
    "Benefit",
    "Bonus",
    "BoundTo",
    "Carried",
    "Challenge",
    "ChallengeKind",
    "ChallengeStatus",
    "Character",
    "CharacterStatus",
    "Check",
    "CheckApproval",
    "CheckOdds",
    "CheckResult",
    "CheckStatus",
    "Choice",
    "Clock",
    "ClockKind",
    "Content",
    "Cost",
    "CostStage",
    "Countdown",
    "CountdownStatus",
    "Crisis",
    "EffectKind",
    "Effort",
    "HiddenRoll",
    "Lane",
    "Origin",
    "Part",
    "PartRoll",
    "PhysicalDice",
    "Place",
    "Policy",
    "Push",
    "PushOdds",
    "Required",
    "Restored",
    "RetreatReason",
    "Roll",
    "RollPurpose",
    "Scene",
    "SceneStatus",
    "Sealed",
    "Seat",
    "SecretRequired",
    "SideResult",
    "Situation",
    "SituationKind",
    "SituationStatus",
    "Special",
    "Stage",
    "Things",
    "Tool",
    "Total",
    "TotalOdds",
    "TotalStatus",
    "Venture",
    "VentureLevel",
]
