"""The worked checks and totals, with the very faces that the texts tell. Source: rules.md C and D."""

from dreadclock_server.demo.narrator import Storyteller
from dreadclock_server.demo.table import Table

DIVE, KICK, WALL, FLOOD = "dive", "kick", "wall", "flood"
NUMBER_FOR_WALL, NUMBER_FOR_FLOOD = 6, 13


async def play_checks(table: Table, narrator: Storyteller) -> None:
    """Play a check under a penalty, and a contest that an added die does not decide."""
    gm, rook, sparks, hear = table.gm, table.rook, table.sparks, narrator.hear
    narrator.heading("Checks: dice of their own, faces as in the worked examples")
    await hear(gm.set_policy(physical_dice="everyone"))
    await hear(rook.propose_check("rook", id=DIVE, score=4, purpose="Dive under the closing gate"))
    await hear(gm.adjust_check(DIVE, penalty=1, approve=True, note="It falls fast."))
    await hear(rook.roll_check(DIVE, faces=(1, 4, 5)))
    await hear(rook.propose_check("rook", id=KICK, score=3, contest=True, purpose="A kick, in practice"))
    await hear(sparks.oppose_check(KICK, character_id="sparks", score=2))
    await hear(gm.adjust_check(KICK, approve=True))
    await hear(rook.roll_check(KICK, faces=(2, 4, 5)))
    await hear(sparks.roll_check(KICK, faces=(1, 6, 2)))


async def play_totals(table: Table, narrator: Storyteller) -> None:
    """Play a total that is enough, and one that is pushed until it brings a crisis."""
    gm, rook, sparks, hear = table.gm, table.rook, table.sparks, narrator.hear
    narrator.heading("Totals: a wall, and a race against the flood")
    await hear(sparks.propose_total("sparks", 2, id=WALL, purpose="Climb the wall"))
    await hear(gm.set_required(WALL, NUMBER_FOR_WALL))
    await hear(sparks.roll_total(WALL, faces=(3, 4)))
    await hear(gm.update_character("rook", specials=[{"name": "Courier"}]))
    car = {"name": "an old van", "quality": 1}
    await hear(rook.propose_total("rook", 3, id=FLOOD, tool=car, special="Courier", purpose="Outrun the flood"))
    await hear(gm.set_required(FLOOD, NUMBER_FOR_FLOOD, secret=True, crisis="physical"))
    await hear(rook.roll_total(FLOOD, faces=(2, 4, 4, 4, 5)))
    for face in (1, 5):
        await hear(gm.offer_push(FLOOD))
        await hear(rook.push_luck(FLOOD, faces=(face,)))
    await hear(gm.describe_crisis(FLOOD, "The van rolls over; Rook will limp from now on."))
