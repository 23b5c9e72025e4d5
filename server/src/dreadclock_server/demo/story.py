"""The story: the worked race, then a dying character. Source: rules.md A and B."""

from dreadclock.wire.base import Faces
from dreadclock.wire.events import CountdownExpired, CountdownRolled
from dreadclock_server.demo.narrator import Storyteller
from dreadclock_server.demo.table import Table

SCENE, RACE = "escape", "way-out"
DYING, SEALED = "dying", "below"
HIDDEN_NAME = "The warden sells them out"
ENDURANCE = 4


async def play_race(table: Table, narrator: Storyteller) -> None:
    """Play the race: situation 3, threat 15, scene 5; it is won with a threat of 10."""
    gm, rook, sparks, hear = table.gm, table.rook, table.sparks, narrator.hear
    narrator.heading("The race")
    await _prepare(table, narrator)
    await hear(rook.attempt_effort("door", id="shoulder", note="I put my shoulder to it."))
    await hear(gm.end_round(RACE))
    await hear(gm.rule_effort("shoulder", True))
    await hear(sparks.attempt_effort("lock", id="wires", note="I cross the two red wires."))
    await hear(gm.rule_effort("wires", True))
    await hear(gm.end_round(RACE))
    await hear(gm.end_round(RACE))
    await hear(rook.roll_dice(5, name="damage to the turret", purpose="damage"))
    await hear(gm.overcome_challenge("turret", note="It goes dark."))


async def _prepare(table: Table, narrator: Storyteller) -> None:
    gm, hear = table.gm, narrator.hear
    await hear(table.rook.add_character("Rook", id="rook", level=3, attributes={"Endurance": 5}))
    await hear(table.sparks.add_character("Sparks", id="sparks", level=3, attributes={"Endurance": ENDURANCE}))
    for character_id in ("rook", "sparks"):
        await hear(gm.approve_sheet(character_id))
    await hear(gm.open_scene("Out of the vault", 5, id=SCENE))
    await hear(gm.start_situation(SCENE, "The way out", "race", "exploration", 3, id=RACE, level=3))
    await hear(gm.add_challenge(RACE, "the outer door", "barrier", id="door"))
    await hear(gm.add_challenge(RACE, "the lock", "puzzle", id="lock"))
    await hear(gm.add_challenge(RACE, "the turret", "foe", id="turret"))


async def play_dying(table: Table, narrator: Storyteller) -> list[Faces]:
    """Play a countdown that its owner rolls each turn until it is over, beside two secret ones; return its rolls."""
    gm, sparks, hear = table.gm, table.sparks, narrator.hear
    narrator.heading("The turret's last shot")
    await _begin_dying(table, narrator)
    rolls: list[Faces] = []
    over = False
    while not over:
        rolled = await hear(sparks.roll_countdown(DYING))
        rolls += [event.faces for event in rolled.events if isinstance(event, CountdownRolled)]
        over = any(isinstance(event, CountdownExpired) for event in rolled.events)
        await hear(gm.end_turn())
    if SEALED in table.spectator.view.sealed:
        await hear(gm.reveal(SEALED))
    return rolls


async def _begin_dying(table: Table, narrator: Storyteller) -> None:
    gm, hear = table.gm, narrator.hear
    await hear(gm.start_countdown(HIDDEN_NAME, 6, bound_to="turn", visibility="gm"))
    await hear(
        gm.start_countdown("What wakes below", 5, id=SEALED, speed="medium", bound_to="turn", visibility="sealed")
    )
    await hear(
        gm.start_countdown(
            "Sparks is dying",
            ENDURANCE,
            id=DYING,
            speed="fast",
            stages=[{"at": 2, "effect": "Sparks passes out"}],
            ending="Sparks is dead",
            owner=table.sparks.seat,
            bound_to="turn",
        )
    )
