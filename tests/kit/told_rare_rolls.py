"""Events of checks, totals and crises that no other example tells, with their sentences."""

from dreadclock.rules.check import Outcome
from dreadclock.rules.contest import DecidedBy, Side
from dreadclock.rules.total import CrisisKind
from dreadclock.wire import events as e
from dreadclock.wire.things import (
    CheckResult,
    CheckStatus,
    Choice,
    CostStage,
    EffectKind,
    PushOdds,
    Special,
    TotalStatus,
)
from kit import told_checks, told_totals

NOBODY = told_checks.FOE.model_copy(update={"score": 0, "side": Side.ACTING})
NOTHING_TO_ROLL = told_checks.KICK.model_copy(update={"parts": (NOBODY,), "contest": False})
ALL_LOST = told_checks.LEADER.model_copy(update={"roll": told_checks.LESS.model_copy(update={"remaining": ()})})
NOT_STARRED = told_totals.TOTAL.model_copy(update={"special": Special(name="Racer"), "effort": None, "purpose": "Jump"})
MEASURED = e.RequiredSet(total_id="gone", required=12, status=TotalStatus.ROLLED, odds=told_totals.ODDS, enough=True)

TOLD: list[tuple[e.Event, str, str]] = [  # with the seat it is of
    (
        e.CheckProposed(check=NOTHING_TO_ROLL),
        "gm",
        "Mara proposes the check of Wren: no dice.",
    ),
    (
        e.HelpJoined(check_id="old", part=told_checks.FOE, status=CheckStatus.READY),
        "gm",
        ("Wren helps with the check old: 1 die."),
    ),
    (
        e.CheckRolled(check_id="dive", part=ALL_LOST),
        "gm",
        (
            'Mara rolled the check of Raven ("Dive") with dice of their own: 1 4 5, of which none remain; success; '
            "no more dice may be added."
        ),
    ),
    *(
        (
            e.CheckRolled(
                check_id="kick",
                part=told_checks.LEADER.model_copy(
                    update={"roll": told_checks.ROLL.model_copy(update={"outcome": outcome})}
                ),
            ),
            "gm",
            f"Mara rolled the check of Raven: 1 4 5; {outcome}.",
        )
        for outcome in (Outcome.FAIL, Outcome.TRIUMPH)
    ),
    *(
        (
            e.CheckResolved(
                check_id="kick",
                result=CheckResult(
                    acting=told_checks.WELL.model_copy(update={"outcome": outcome}),
                    winner=Side.ACTING,
                    decided_by=DecidedBy.HIGHEST,
                ),
            ),
            "gm",
            f"The check of Raven is a {outcome} with 5 (margin 1): the acting side wins by the highest die.",
        )
        for outcome in (Outcome.FAIL, Outcome.TRIUMPH)
    ),
    (
        e.EffectsOffered(
            character_id="raven",
            choice=Choice(check_id="dive", instead_of=EffectKind.MOMENTUM, offered=("Swing",)),
            choices=(),
        ),
        "gm",
        "Raven may choose instead of momentum: Swing.",
    ),
    (
        e.FailureSettled(check_id="kick", cost=told_checks.settled(CostStage.APPLIED)),
        "player-1",
        "Rook pays the cost, and the check of Raven did what it was meant to: A sprained ankle.",
    ),
    (
        e.TotalAdjusted(total=NOT_STARRED),
        "player-1",
        'Rook set the total of Raven ("Jump") to 6 dice (Precision 3, Car 1, Racer 1); it waits for the gm.',
    ),
    (MEASURED, "gm", "Mara requires 12 of the total gone, which is enough."),
    (
        e.TotalRolled(total_id="gone", faces=(1,), kept=(1,), total=1, enough=True),
        "gm",
        "Mara rolled the total gone: 1; 1 kept, 1 in all, enough.",
    ),
    (
        e.PushOffered(total_id="gone", crisis=CrisisKind.MENTAL, odds=PushOdds(crisis="1/6")),
        "gm",
        "Mara offers a push of the total gone at the risk (1/6) of a mental crisis.",
    ),
    (
        e.LuckPushed(total_id="gone", push=told_totals.PUSH.model_copy(update={"crisis": True, "physical": True})),
        "gm",
        "Mara pushed the total gone too far with a die of their own: 1 was kept already.",
    ),
    *(
        (told, "gm", text)
        for told, text in (
            (
                e.CrisisSuffered(
                    character_id="raven", crisis=told_totals.LEG.model_copy(update={"kind": CrisisKind.MENTAL})
                ),
                "Raven suffers a mental crisis, box 1 of 3.",
            ),
            (
                e.CrisisDescribed(
                    character_id="raven",
                    crisis=told_totals.LEG.model_copy(update={"kind": CrisisKind.MENTAL, "description": "Nightmares"}),
                ),
                "Mara tells what the mental crisis of Raven is: Nightmares.",
            ),
        )
    ),
]
