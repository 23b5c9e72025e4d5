"""Every event of checks with the sentence that tells it."""

from dreadclock.rules.check import Outcome
from dreadclock.rules.contest import DecidedBy, Side
from dreadclock.wire import events as e
from dreadclock.wire.base import Kind
from dreadclock.wire.things import (
    Benefit,
    Bonus,
    Check,
    CheckResult,
    CheckStatus,
    Choice,
    Cost,
    CostStage,
    EffectKind,
    Part,
    PartRoll,
    SideResult,
    Things,
    Venture,
)
from dreadclock.wire.views import View
from kit.scenery import CHARACTER, full_room

WREN = CHARACTER.model_copy(update={"id": "wren", "name": "Wren"})
LEADER = Part(character_id="raven", score=4, attribute="Agility", penalty=1)
HELPER = Part(character_id="wren", score=2, bonus=1, venture=Venture(level=2, what="A taunt"))
DAMAGE = Part(
    character_id="raven",
    score=2,
    bonus=1,
    venture=Venture(level=1, benefits=Benefit.DAMAGE, beneficiary="wren", what="a deep cut"),
)
FOE = Part(character_id="wren", side=Side.OPPOSING, score=1)
DIVE = Check(id="dive", seat_id="player-1", purpose="Dive", parts=(LEADER,), effort="door", status=CheckStatus.PROPOSED)
KICK = Check(id="kick", seat_id="gm", parts=(LEADER, HELPER), contest=True)
BONUS = Bonus(check_id="dive", dice=2, benefits=Benefit.DAMAGE, what="The next blow")
START = Bonus(check_id="dive", dice=1, benefits=Benefit.CHECK, what="a head start")
CHOICE = Choice(check_id="dive", instead_of=EffectKind.INTERFERENCE, offered=("Hang on the ledge", "Drop it"))
COST = Cost(stage=CostStage.PROPOSED, cost="A sprained ankle")
WELL = SideResult(outcome=Outcome.SUCCESS, highest=5, margin=1)
ONES = SideResult(outcome=Outcome.FUMBLE, highest=1, margin=2)
BADLY = SideResult(outcome=Outcome.FUMBLE, highest=None, margin=0)
ROLL = PartRoll(pool=3, removed=0, faces=(1, 4, 5), remaining=(1, 4, 5), outcome=Outcome.SUCCESS, highest=5, margin=0)
LESS = ROLL.model_copy(update={"remaining": (1, 4), "physical": True, "capped": True})
NONE = ROLL.model_copy(update={"faces": (), "remaining": (), "outcome": Outcome.FUMBLE})


def check_room() -> View:
    """Return a view in which both checks are proposed."""
    log = full_room()
    log.write(e.CharacterAdded(character=WREN))
    for check in (DIVE, KICK):
        log.write(e.CheckProposed(check=check))
    return log.view


def rolled(part: Part, roll: PartRoll) -> e.CheckRolled:
    """Make a part rolled."""
    return e.CheckRolled(check_id="dive", part=part.model_copy(update={"roll": roll}))


def contest(by: DecidedBy, *deals: int) -> e.CheckResolved:
    """Make a contest come out against the acting side."""
    result = CheckResult(acting=WELL, opposing=BADLY, winner=Side.OPPOSING, decided_by=by, deals=deals)
    return e.CheckResolved(check_id="dive", result=result)


def settled(stage: CostStage, terms: str | None = None) -> Cost:
    """Bring the bargain to a stage."""
    return COST.model_copy(update={"stage": stage, "terms": terms})


OF = 'the check of Raven ("Dive")'
THE = OF.replace("the", "The", 1)
LOST = f"{THE} is a success with 5 (margin 1) against a fumble: the opposing side wins"
TOLD: list[tuple[e.Event, str]] = [
    (
        e.CheckProposed(check=DIVE),
        f'Mara proposes {OF} against "Outer door": Agility 4 -1; it waits for the gm.',
    ),
    (
        e.CheckAdjusted(check=KICK),
        (
            "Mara set the check of Raven to Agility 4 -1; Wren 2 dice +1, venture -2 for A taunt (Wren's next check); "
            "it waits for its other side."
        ),
    ),
    (
        e.CheckAdjusted(check=DIVE.model_copy(update={"stunts": ("Swing",), "fumble_effects": ("Fall", "Freeze")})),
        f"Mara set {OF} to Agility 4 -1; stunts: Swing; fumble effects: Fall, Freeze; it waits for the gm.",
    ),
    (
        e.CheckProposed(check=KICK.model_copy(update={"parts": (DAMAGE,), "contest": False})),
        "Mara proposes the check of Raven: 2 dice +1, venture -1 for a deep cut (Wren's next damage roll).",
    ),
    (
        e.HelpJoined(check_id="dive", part=HELPER, status=CheckStatus.PROPOSED),
        f"Wren helps with {OF}: 2 dice +1, venture -2 for A taunt (Wren's next check); it waits for the gm.",
    ),
    (e.OppositionJoined(check_id="dive", part=FOE, status=CheckStatus.READY), f"Wren opposes {OF}: 1 die."),
    (rolled(LEADER, ROLL), f"Mara rolled {OF}: 1 4 5; success."),
    (
        rolled(HELPER, LESS),
        (
            f"Mara rolled Wren's part of {OF} with dice of their own: 1 4 5, of which 1 4 remain; success; "
            "no more dice may be added."
        ),
    ),
    (rolled(LEADER, NONE), f"Mara rolled {OF}: no dice; fumble."),
    (
        e.CheckResolved(check_id="dive", result=CheckResult(acting=ONES)),
        f"{THE} is a fumble with 1.",
    ),
    (e.CheckResolved(check_id="dive", result=CheckResult(acting=WELL)), f"{THE} is a success with 5 (margin 1)."),
    (contest(DecidedBy.HIGHEST), f"{LOST} by the highest die."),
    (contest(DecidedBy.COUNT), f"{LOST} by more of the highest dice."),
    (contest(DecidedBy.REFLEX), f"{LOST} by reflex."),
    (contest(DecidedBy.DEAL, 2, 2, 1, 6), f"{LOST} by a dealt die (2 2 1 6)."),
    (e.CheckWithdrawn(check_id="kick"), "Mara took the check of Raven back."),
    (e.CheckWithdrawn(check_id="old"), "Mara took the check old back."),
    (
        e.EffectsOffered(character_id="raven", choice=CHOICE, choices=(CHOICE,)),
        "Raven may choose instead of interference: Hang on the ledge, Drop it.",
    ),
    (e.EffectChosen(character_id="raven", check_id="dive", effect="Drop it", choices=()), "Raven gets Drop it."),
    (
        e.MomentumGained(character_id="raven", check_id="dive", momentum=True, interference=False),
        "Raven gains momentum.",
    ),
    (
        e.MomentumGained(character_id="raven", check_id="dive", momentum=False, interference=False),
        "Raven is rid of interference, and gains no momentum.",
    ),
    (
        e.MomentumSpent(character_id="raven", check_id="dive", momentum=False, interference=False),
        "Raven rolls with momentum.",
    ),
    (
        e.InterferenceGained(character_id="raven", check_id="dive", momentum=False, interference=True),
        "Raven gains interference.",
    ),
    (
        e.InterferenceGained(character_id="raven", check_id="dive", momentum=False, interference=False),
        "Raven loses momentum, and gains no interference.",
    ),
    (
        e.InterferenceSpent(character_id="raven", check_id="dive", momentum=False, interference=False),
        "Raven rolls under interference.",
    ),
    (
        e.VentureEarned(character_id="raven", bonus=BONUS, bonuses=(BONUS,)),
        "The venture comes off: Raven has 2 more dice for damage: The next blow.",
    ),
    (
        e.VentureEarned(character_id="raven", bonus=START, bonuses=(START,)),
        "The venture comes off: Raven has 1 more die for a check: a head start.",
    ),
    (e.VenturePaid(character_id="raven", into="dive", paid=(BONUS,), bonuses=()), "Raven has 2 dice from ventures."),
    (e.VentureLapsed(character_id="raven", lapsed=(BONUS,), bonuses=()), "Raven loses 2 dice from ventures."),
    (e.CostProposed(check_id="dive", cost=COST), f"Mara proposes a cost for {OF}: A sprained ankle."),
    (
        e.CostAnswered(check_id="dive", cost=settled(CostStage.ACCEPTED)),
        f"Mara accepts the cost for {OF}: A sprained ankle.",
    ),
    (
        e.CostAnswered(check_id="dive", cost=settled(CostStage.REFUSED)),
        f"Mara refuses the cost for {OF}: A sprained ankle.",
    ),
    (
        e.CostAnswered(check_id="dive", cost=settled(CostStage.COUNTERED, "A broken one")),
        f"Mara names other terms for {OF}: A broken one.",
    ),
    (
        e.FailureSettled(check_id="dive", cost=settled(CostStage.APPLIED, "A broken one")),
        f"Mara pays the cost, and {OF} did what it was meant to: A broken one.",
    ),
    (e.FailureSettled(check_id="dive", cost=settled(CostStage.DECLINED)), f"Mara takes the failure of {OF}."),
    (
        e.Revealed(kind=Kind.CHECK, id="dive", things=Things(checks=(DIVE,))),
        "The check dive is revealed (Dive): not rolled yet.",
    ),
]
