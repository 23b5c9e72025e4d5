"""The worked examples of the rules: a race, checks and totals with the faces in docs/rules, and a dying character.

Source: rules.md A to D. The captions are English headings. Each caption is its own key.
"""

from dreadclock.wire.base import Faces
from dreadclock.wire.things import CountdownStatus
from dreadclock_server.demo.script import GM, Play, begin_race, try_challenge

ROOK, SPARKS = "rook", "sparks"
SCENE, RACE = "escape", "way-out"
DYING, SEALED = "dying", "below"
DIVE, KICK, WALL, FLOOD = "dive", "kick", "wall", "flood"
HIDDEN_NAME = "The warden sells them out"
ENDURANCE = 4
NUMBER_FOR_WALL, NUMBER_FOR_FLOOD = 6, 13


async def play_race(play: Play) -> None:
    """Play a race. The clocks of situation, threat and scene have 3, 15 and 5 points. At the end, the threat has 10."""
    await play.say("The race")
    for who, name, endurance in ((ROOK, "Rook", 5), (SPARKS, "Sparks", ENDURANCE)):
        await play.do(who, "add_character", id=who, name=name, level=3, attributes={"Endurance": endurance})
    for who in (ROOK, SPARKS):
        await play.do(GM, "approve_sheet", character_id=who)
    scene = {"id": SCENE, "name": "Out of the vault", "clock": 5}
    race = {"id": RACE, "name": "The way out", "clock": 3, "level": 3}
    challenges = {
        "door": ("the outer door", "barrier"),
        "lock": ("the lock", "puzzle"),
        "turret": ("the turret", "foe"),
    }
    await begin_race(play, scene, race, challenges)
    await try_challenge(play, ROOK, "door", "shoulder", "I put my shoulder to it.")
    await play.do(GM, "end_round", situation_id=RACE)
    await play.do(GM, "rule_effort", effort_id="shoulder", success=True)
    await try_challenge(play, SPARKS, "lock", "wires", "I cross the two red wires.")
    await play.do(GM, "rule_effort", effort_id="wires", success=True)
    for _ in range(2):
        await play.do(GM, "end_round", situation_id=RACE)
    await play.do(ROOK, "roll_dice", pool=5, name="damage to the turret", purpose="damage")
    await play.do(GM, "overcome_challenge", challenge_id="turret", note="It goes dark.")


async def play_checks(play: Play) -> None:
    """Play a check under a penalty, and a contest that the highest die decides."""
    await play.say("Checks: dice of their own, faces as in the worked examples")
    await play.do(GM, "set_policy", physical_dice="everyone")
    purpose = "Dive under the closing gate"
    await play.do(ROOK, "propose_check", id=DIVE, character_id=ROOK, score=4, purpose=purpose)
    await play.do(GM, "adjust_check", check_id=DIVE, penalty=1, approve=True, note="It falls fast.")
    await play.do(ROOK, "roll_check", check_id=DIVE, faces=(1, 4, 5))
    purpose = "A kick, in practice"
    await play.do(ROOK, "propose_check", id=KICK, character_id=ROOK, score=3, contest=True, purpose=purpose)
    await play.do(SPARKS, "oppose_check", check_id=KICK, character_id=SPARKS, score=2)
    await play.do(GM, "adjust_check", check_id=KICK, approve=True)
    await play.do(ROOK, "roll_check", check_id=KICK, faces=(2, 4, 5))
    await play.do(SPARKS, "roll_check", check_id=KICK, faces=(1, 6, 2))


async def play_totals(play: Play) -> None:
    """Play a total that is enough, and a total that is pushed until it ends in a crisis."""
    await play.say("Totals: a wall, and a race against the flood")
    await play.do(SPARKS, "propose_total", id=WALL, character_id=SPARKS, attribute=2, purpose="Climb the wall")
    await play.do(GM, "set_required", total_id=WALL, required=NUMBER_FOR_WALL)
    await play.do(SPARKS, "roll_total", total_id=WALL, faces=(3, 4))
    await play.do(GM, "update_character", character_id=ROOK, specials=[{"name": "Courier"}])
    aids = {"tool": {"name": "an old van", "quality": 1}, "special": "Courier", "purpose": "Outrun the flood"}
    await play.do(ROOK, "propose_total", id=FLOOD, character_id=ROOK, attribute=3, **aids)
    await play.do(GM, "set_required", total_id=FLOOD, required=NUMBER_FOR_FLOOD, secret=True, crisis="physical")
    await play.do(ROOK, "roll_total", total_id=FLOOD, faces=(2, 4, 4, 4, 5))
    for face in (1, 5):
        await play.do(GM, "offer_push", total_id=FLOOD)
        await play.do(ROOK, "push_luck", total_id=FLOOD, faces=(face,))
    description = "The van rolls over; Rook will limp from now on."
    await play.do(GM, "describe_crisis", total_id=FLOOD, description=description)


async def play_dying(play: Play) -> list[Faces]:
    """Play three countdowns. The owner of DYING rolls it each turn until it is over. The other two are hidden.

    Return the faces of each roll of DYING.
    """
    await play.say("The turret's last shot")
    await _begin_dying(play)
    rolls: list[Faces] = []
    while play.view.countdowns[DYING].status is CountdownStatus.RUNNING:
        await play.do(SPARKS, "roll_countdown", countdown_id=DYING)
        rolls.append(play.view.countdowns[DYING].last_faces)
        await play.do(GM, "end_turn")
    if SEALED in play.view.public.sealed:
        await play.do(GM, "reveal", thing_id=SEALED)
    return rolls


async def _begin_dying(play: Play) -> None:
    turns = {"bound_to": "turn"}
    await play.do(GM, "start_countdown", name=HIDDEN_NAME, pool=6, visibility="gm", **turns)
    sealed = {"name": "What wakes below", "pool": 5, "speed": "medium", "visibility": "sealed"}
    await play.do(GM, "start_countdown", id=SEALED, **sealed, **turns)
    stages = [{"at": 2, "effect": "Sparks passes out"}]
    dying = {"name": "Sparks is dying", "pool": ENDURANCE, "speed": "fast", "stages": stages}
    await play.do(GM, "start_countdown", id=DYING, owner=SPARKS, ending="Sparks is dead", **dying, **turns)
