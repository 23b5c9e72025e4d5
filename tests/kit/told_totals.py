"""Every event of totals and crises with the sentence that tells it."""

from dreadclock.rules.total import CrisisKind
from dreadclock.wire import events as e
from dreadclock.wire.things import Crisis, Push, PushOdds, SecretRequired, Special, Tool, Total, TotalOdds, TotalStatus
from dreadclock.wire.views import View
from kit.scenery import full_room

TOTAL = Total(
    id="drive",
    seat_id="player-1",
    character_id="raven",
    purpose="Outrun the storm",
    score=3,
    attribute="Precision",
    tool=Tool(name="Car", quality=1),
    special=Special(name="Racer", starred=True),
    pool=6,
    effort="door",
    status=TotalStatus.PROPOSED,
)
PLAIN = Total(id="leap", seat_id="gm", character_id="raven", score=1, pool=1)
ODDS = TotalOdds(mean="7/2")
PUSH = Push(face=1, kept=(1, 2, 4, 5), total=12, enough=False, crisis=False)
LEG = Crisis(total_id="drive", kind=CrisisKind.PHYSICAL, box=1)


def total_room() -> View:
    """Return a view in which both totals are proposed."""
    log = full_room()
    for total in (TOTAL, PLAIN):
        log.write(e.TotalProposed(total=total))
    return log.view


def required(number: int | None = None, **more: bool) -> e.RequiredSet:
    """Make a number required."""
    fields = {"total_id": "drive", "required": number, "status": TotalStatus.READY, "odds": ODDS, **more}
    return e.RequiredSet.model_validate(fields)


def rolled(**more: bool) -> e.TotalRolled:
    """Make a roll of the longer total."""
    fields = {"total_id": "drive", "faces": (2, 4, 4, 4, 5), "kept": (2, 4, 5), "total": 11, **more}
    return e.TotalRolled.model_validate(fields)


def pushed(**changes: object) -> e.LuckPushed:
    """Make a push of the longer total."""
    return e.LuckPushed(total_id="drive", push=PUSH.model_copy(update=changes))


DRIVE = 'the total of Raven ("Outrun the storm")'
TOLD: list[tuple[e.Event, str]] = [
    (
        e.TotalProposed(total=TOTAL),
        f'Mara proposes {DRIVE} against "Outer door": 6 dice (Precision 3, Car 1, Racer 2); it waits for the gm.',
    ),
    (e.TotalProposed(total=PLAIN), "Mara proposes the total of Raven: 1 die (score 1)."),
    (e.TotalAdjusted(total=PLAIN), "Mara set the total of Raven to 1 die (score 1)."),
    (e.TotalWithdrawn(total_id="drive"), f"Mara took {DRIVE} back."),
    (e.TotalWithdrawn(total_id="gone"), "Mara took the total gone back."),
    (required(12), f"Mara requires 12 of {DRIVE}."),
    (required(12, enough=False), f"Mara requires 12 of {DRIVE}, which is not enough."),
    (required(secret=True, enough=True), f"Mara requires a number that only the gm knows of {DRIVE}, which is enough."),
    (
        e.SecretSet(secret=SecretRequired(total_id="drive", required=12, odds=ODDS)),
        f"What Mara requires of {DRIVE} is 12.",
    ),
    (
        e.RequiredRevealed(total_id="drive", required=12, odds=ODDS),
        f"Mara reveals what is required of {DRIVE}: 12.",
    ),
    (rolled(), f"Mara rolled {DRIVE}: 2 4 4 4 5; 2 4 5 kept, 11 in all."),
    (
        rolled(enough=False, physical=True),
        f"Mara rolled {DRIVE} with dice of their own: 2 4 4 4 5; 2 4 5 kept, 11 in all, not enough.",
    ),
    (
        e.PushOffered(total_id="drive", odds=PushOdds(crisis="1/2")),
        f"Mara offers a push of {DRIVE} at the risk (1/2) of a crisis.",
    ),
    (
        e.PushOffered(
            total_id="drive", crisis=CrisisKind.PHYSICAL, description="A crash!", odds=PushOdds(crisis="1/2")
        ),
        f"Mara offers a push of {DRIVE} at the risk (1/2) of a physical crisis: A crash!",
    ),
    (pushed(), f"Mara pushed {DRIVE} on: 1 makes 12, not enough."),
    (
        pushed(enough=True, physical=True),
        f"Mara pushed {DRIVE} on with a die of their own: 1 makes 12, enough.",
    ),
    (pushed(crisis=True), f"Mara pushed {DRIVE} too far: 1 was kept already."),
    (e.TotalSucceeded(total_id="drive"), f"Success: {DRIVE} reached its number."),
    (e.TotalFailed(total_id="drive", reason=e.TotalFailure.STOPPED), f"Failure: {DRIVE} was left as it is."),
    (e.TotalFailed(total_id="drive", reason=e.TotalFailure.CRISIS), f"Failure: {DRIVE} ended in a crisis."),
    (
        e.CrisisDue(character_id="raven", total_id="drive"),
        "Raven suffers a crisis, and the gm has yet to say of which kind.",
    ),
    (e.CrisisSuffered(character_id="raven", crisis=LEG), "Raven suffers a physical crisis, box 1 of 3."),
    (
        e.CrisisSuffered(character_id="raven", crisis=LEG.model_copy(update={"description": "A limp"})),
        "Raven suffers a physical crisis, box 1 of 3: A limp.",
    ),
    (
        e.CrisisDescribed(character_id="raven", crisis=LEG.model_copy(update={"description": "A limp"})),
        "Mara tells what the physical crisis of Raven is: A limp.",
    ),
    (e.CharacterDied(character_id="raven"), "Raven dies of the third physical crisis."),
    (e.CharacterRetired(character_id="raven"), "Raven leaves play with the third mental crisis."),
]
