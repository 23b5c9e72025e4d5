"""The story of demo rooms. The server rolls the dice at random, so every step must work with any result."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from dreadclock.rules import CrisisKind
from dreadclock.wire.rest import Language
from dreadclock.wire.things import CheckStatus, CountdownStatus, SituationStatus, TotalStatus
from dreadclock_server.demo.script import GM, Play, begin_race, try_challenge

MIRA, TAM = "mira", "tam"
# The seat of the integration, which rolls for Mira, her foe and a countdown, and ends turns. The story must not
# roll with Mira's own seat: a watcher's page has the link of Mira's seat, and would show an alarm about a roll that the
# page did not make.
STORY = "story"
KEEPER_SHEET = "warden"
TIDE, KEEPER, SCENE, RACE, BOAT = "tide", "keeper", "tower", "climb", "boat"
REQUIRED = 15  # four dice rarely reach this total, so the story usually shows pushes: rolls of one more die
MOST_PUSHES, MOST_TRIES, MOST_TURNS = 6, 3, 10
_OVER = (TotalStatus.SUCCEEDED, TotalStatus.FAILED)


@cache
def words(language: Language) -> dict[str, str]:
    """Return the story's texts in a language."""
    texts: dict[str, str] = json.loads(Path(__file__).with_name(f"lighthouse.{language}.json").read_text("utf-8"))
    return texts


async def tell(play: Play) -> None:
    """Tell the whole story."""
    await _begin(play)
    await _race(play)
    await _checks(play)
    await _contest(play)
    await _total(play)
    await _end(play)


async def _begin(play: Play) -> None:
    """Add the characters, a public countdown, a sealed countdown (of which only the name is public), and a clock."""
    skills: Mapping[str, Mapping[str, int]] = {
        MIRA: {play.text("climbing"): 4, play.text("nerve"): 3},
        TAM: {play.text("mending"): 3, play.text("strength"): 4},
    }
    for who, attributes in skills.items():
        await play.do(GM, "add_character", id=who, name=play.text(who), owner=who, level=2, attributes=attributes)
    await play.say("people", f"character:{MIRA}")
    stages = [{"at": 2, "effect": play.text("tide_stage")}]
    texts = {"name": play.text("tide_name"), "ending": play.text("tide_ending")}
    await play.do(GM, "start_countdown", id=TIDE, pool=4, speed="medium", bound_to="turn", stages=stages, **texts)
    await play.say("tide", f"countdown:{TIDE}")
    texts = {"name": play.text("keeper_name"), "ending": play.text("keeper_ending")}
    await play.do(GM, "start_countdown", id=KEEPER, pool=4, bound_to="nothing", visibility="sealed", **texts)
    await play.say("keeper", f"countdown:{KEEPER}")
    await play.do(GM, "start_clock", id=BOAT, name=play.text("boat_name"), size=6)


async def _race(play: Play) -> None:
    """Play a race with two challenges. In each round, one attempt succeeds. Then end the turn."""
    scene = {"id": SCENE, "name": play.text("scene_name"), "clock": 8}
    race = {"id": RACE, "name": play.text("race_name"), "clock": 2, "level": 2}
    kinds = {"hatch": "barrier", "gears": "puzzle"}
    await begin_race(play, scene, race, {key: (play.text(f"{key}_name"), kind) for key, kind in kinds.items()})
    await play.say("scene", f"scene:{SCENE}")
    for challenge, who in (("hatch", TAM), ("gears", MIRA)):
        effort = f"{challenge}-try"
        await try_challenge(play, who, challenge, effort, play.text(f"{challenge}_note"))
        await play.say(challenge, f"challenge:{challenge}")
        await play.do(GM, "rule_effort", effort_id=effort, success=True)
        await play.say("rule", f"situation:{RACE}")
        if _is_open(play):
            await play.do(STORY, "end_round", situation_id=RACE)
            await play.say("round", f"scene:{SCENE}")
    await _end_turn(play, "turn")


async def _end_turn(play: Play, key: str) -> None:
    await play.do(STORY, "end_turn")
    await play.say(key, f"countdown:{TIDE}")


def _is_open(play: Play) -> bool:
    situation = play.view.situations.get(RACE)
    return situation is not None and situation.status is SituationStatus.OPEN


async def _checks(play: Play) -> None:
    """Roll checks until one fails, and pay a cost that turns the failed check into a success. Then end the turn.

    Rolls at most MOST_TRIES checks. The first check has a venture: it gives up a die for a die in a later roll.
    """
    for number in range(1, MOST_TRIES + 1):
        check = f"leap-{number}"
        venture = {"level": 1, "benefits": "check", "beneficiary": MIRA, "what": play.text("venture")}
        more: dict[str, object] = {"venture": venture} if number == 1 else {}
        purpose = play.text(f"check_{number}_purpose")
        about = {"character_id": MIRA, "score": 4 - number, "purpose": purpose, "claim": True}
        await play.do(MIRA, "propose_check", id=check, **about, **more)
        await play.do(GM, "adjust_check", check_id=check, approve=True)
        await play.say(f"check_{number}", f"check:{check}")
        await play.do(STORY, "roll_check", check_id=check)
        await play.say("roll", f"check:{check}")
        if await _bargain(play, check):
            break
    await _end_turn(play, "turn")


async def _bargain(play: Play, check_id: str) -> bool:
    """If a check failed, pay a cost that turns it into a success. Return whether the check failed."""
    if not await play.do(MIRA, "propose_cost", check_id=check_id, cost=play.text("cost")):
        return False
    await play.do(GM, "answer_cost", check_id=check_id, answer="accept")
    await play.say("bargain", f"check:{check_id}")
    await play.do(MIRA, "settle_failure", check_id=check_id, apply=True)
    await play.say("pay", f"check:{check_id}")
    return True


async def _contest(play: Play) -> None:
    """Reveal the sealed countdown, let a foe oppose a check, and roll the countdown."""
    await play.do(GM, "reveal", thing_id=KEEPER)
    await play.say("reveal", f"countdown:{KEEPER}")
    about = {"character_id": TAM, "score": 3, "purpose": play.text("contest_purpose")}
    await play.do(TAM, "propose_check", id="wrestle", contest=True, **about)
    await play.do(GM, "add_character", id=KEEPER_SHEET, name=play.text("foe"))
    await play.do(GM, "oppose_check", check_id="wrestle", character_id=KEEPER_SHEET, score=3)
    await play.do(GM, "adjust_check", check_id="wrestle", approve=True)
    await play.say("contest", "check:wrestle")
    await play.do(TAM, "roll_check", check_id="wrestle", character_id=TAM)
    check = play.view.checks.get("wrestle")
    if check is not None and check.status is not CheckStatus.RESOLVED:
        await play.do(STORY, "roll_check", check_id="wrestle", character_id=KEEPER_SHEET)
    await play.say("contest_roll", "check:wrestle")
    await play.do(STORY, "roll_countdown", countdown_id=KEEPER)
    await play.say("keeper_roll", f"countdown:{KEEPER}")


async def _total(play: Play) -> None:
    """Roll a total. Push (roll another die) until it is enough or a crisis comes, at most MOST_PUSHES times."""
    about = {"attribute": play.text("strength"), "purpose": play.text("total_purpose")}
    await play.do(TAM, "propose_total", id="lamp", character_id=TAM, **about)
    await play.do(GM, "set_required", total_id="lamp", required=REQUIRED, crisis=CrisisKind.PHYSICAL)
    await play.say("total", "total:lamp")
    await play.do(TAM, "roll_total", total_id="lamp")
    await play.say("total_roll", "total:lamp")
    for _ in range(MOST_PUSHES):
        if _is_over(play):
            break
        await play.do(GM, "offer_push", total_id="lamp")
        await play.say("offer", "total:lamp")
        await play.do(TAM, "push_luck", total_id="lamp")
        await play.say("push", "total:lamp")
    total = play.view.totals.get("lamp")
    if total is not None and total.status is TotalStatus.FAILED:
        await play.do(GM, "describe_crisis", total_id="lamp", description=play.text("crisis_text"))
        await play.say("crisis", f"character:{TAM}")


def _is_over(play: Play) -> bool:
    total = play.view.totals.get("lamp")
    return total is None or total.status in _OVER


async def _end(play: Play) -> None:
    """Tick the boat's clock and end the turn, until TIDE is over or for MOST_TURNS turns. Then end the scene."""
    for turn in range(MOST_TURNS):
        tide = play.view.countdowns.get(TIDE)
        if tide is None or tide.status is not CountdownStatus.RUNNING:
            break
        await play.do(GM, "tick_clock", clock_id=BOAT)
        await _end_turn(play, "next_turn" if turn else "last_turns")
    await play.do(GM, "end_scene", scene_id=SCENE)
    await play.do(GM, "narrate", text=play.text("end_text"))
    await play.say("end", f"scene:{SCENE}")
