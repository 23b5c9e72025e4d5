"""What a player's page works out by itself: the dice that a button names, and what a character holds as it rolls."""

import itertools
import json
import subprocess
from pathlib import Path
from typing import Any

from dreadclock.rules.contest import Side
from dreadclock.rules.limits import MAX_POOL
from dreadclock.wire.families.checks import plan_of
from dreadclock.wire.things import Benefit, Bonus, Character, Choice, EffectKind, Part
from kit.puppet import needs_node, pages_for_node

WITHIN_S = 60
ASK = """
import { readFileSync } from "node:fs";
const module = await import(process.argv[1]);
const questions = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(questions.map(([name, ...given]) => module[name](...given))));
"""


def asked(questions: list[list[object]], folder: Path, module: str) -> list[Any]:
    """Return what functions of the page answer; a question is a name and what is given."""
    script = pages_for_node(folder) / "js" / module
    command = ["node", "--input-type=module", "--eval", ASK, script.as_uri()]
    done = subprocess.run(command, input=json.dumps(questions), capture_output=True, text=True, timeout=WITHIN_S)
    assert done.returncode == 0, done.stderr
    answers: list[Any] = json.loads(done.stdout)
    return answers


def rook(
    *, waiting: int = 0, momentum: bool = False, interference: bool = False, choices: tuple[Choice, ...] = ()
) -> Character:
    """Return a character with dice of a venture that wait for its next check."""
    damage = Bonus(check_id="earlier", dice=3, benefits=Benefit.DAMAGE, what="a blow")
    check = [Bonus(check_id="earlier", dice=1, benefits=Benefit.CHECK, what="a better grip")] * waiting
    return Character(
        id="rook", name="Rook", bonuses=(damage, *check), momentum=momentum, interference=interference, choices=choices
    )


def pools() -> list[tuple[Character, Part]]:
    """Return characters with a part each, small ones all and some at the cap."""
    small = itertools.product(range(4), range(3), range(6))
    large = ((58, 0, 0), (60, 0, 0), (60, 3, 3), (57, 4, 1))
    return [
        (
            rook(waiting=waiting),
            Part(character_id="rook", side=Side.ACTING, score=score, bonus=bonus, penalty=penalty, claim=claim),
        )
        for score, bonus, penalty in (*small, *large)
        for waiting in (0, 1, 3)
        for claim in (True, False)
    ]


@needs_node
def test_a_button_names_as_many_dice_as_the_server_rolls(tmp_path: Path) -> None:
    cases = pools()

    questions: list[list[object]] = [
        ["diceOf", one.model_dump(mode="json"), part.model_dump(mode="json")] for one, part in cases
    ]
    told = asked(questions, tmp_path, "player/mine.js")

    expected = [plan_of(part, paid=_waiting(one) if part.claim else 0).dice for one, part in cases]
    assert told == expected
    assert max(told) == MAX_POOL


def _waiting(one: Character) -> int:
    return sum(bonus.dice for bonus in one.bonuses if bonus.benefits is Benefit.CHECK)


@needs_node
def test_a_character_holds_what_the_server_thinks_it_holds_when_it_rolls(tmp_path: Path) -> None:
    kinds = (EffectKind.MOMENTUM, EffectKind.INTERFERENCE)
    all_choices = [
        tuple(Choice(check_id="earlier", instead_of=kind, offered=("a bow",)) for kind in each)
        for count in range(4)
        for each in itertools.product(kinds, repeat=count)
    ]
    cases = [
        rook(momentum=held is EffectKind.MOMENTUM, interference=held is EffectKind.INTERFERENCE, choices=choices)
        for held in (None, *kinds)
        for choices in all_choices
    ]

    questions: list[list[object]] = [["tokensAtRoll", one.model_dump(mode="json")] for one in cases]
    told = asked(questions, tmp_path, "app/checks.js")

    assert [(each["momentum"], each["interference"]) for each in told] == [one.tokens_at_roll for one in cases]
