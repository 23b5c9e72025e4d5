"""What a player's page works out by itself: the dice that a button names, and what a character holds as it rolls."""

import itertools
import json
from pathlib import Path
from typing import Any

from dreadclock.rules.contest import Side
from dreadclock.rules.limits import MAX_POOL
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel
from dreadclock.wire.families.checks import plan_of
from dreadclock.wire.records import Record, text_of
from dreadclock.wire.things import Benefit, Bonus, Character, Choice, EffectKind, Part, Policy, Roll
from kit.puppet import needs_node, pages_for_node, told_by_node

CALL = """
import { readFileSync } from "node:fs";
const module = await import(process.argv[1]);
const questions = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(questions.map(([name, ...given]) => module[name](...given))));
"""


def asked(questions: list[list[object]], folder: Path, module: str) -> list[Any]:
    """Return what functions of the page answer; a question is a name and what is given."""
    script = pages_for_node(folder) / "js" / module
    answers: list[Any] = told_by_node(CALL, script.as_uri(), given=json.dumps(questions))
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


# Looking back on a page: any moment of a long evening is right, and near to any other


RECORDS, STEPS, EVERY = 2_000, 120, 50
ASK = """
const [folder, ...numbers] = process.argv.slice(1);
const { Course } = await import(`${folder}/js/evening/course.js`);
const { View, fold } = await import(`${folder}/client/dreadclock.js`);
const { read, readRecord } = await import(`${folder}/client/records.js`);
const { MODELS } = await import(`${folder}/client/shapes.js`);
const { readFileSync } = await import("node:fs");
const records = readFileSync(0, "utf8").trim().split("\\n").map(readRecord);
let folds = 0;
const counting = new Proxy(records, { get: (all, place) => ((folds += /^\\d+$/.test(String(place))), all[place]) });
const course = new Course(["public"], counting);
const views = [new View({ public: read(MODELS.ChannelView, {}, "a view") })];
for (const record of records) views.push(fold(views.at(-1), record));
const costs = numbers.map((number) => {
  folds = 0;
  const same = JSON.stringify(course.after(Number(number))) === JSON.stringify(views[number]);
  return [same, folds];
});
console.log(JSON.stringify(costs));
"""


def texts() -> list[str]:
    """Write an evening of many rolls."""
    rolls = [e.DiceRolled(roll=Roll(id=f"roll-{n}", seat_id="gm-1", faces=(n % 6 + 1,))) for n in range(1, RECORDS)]
    events: list[e.Event] = [e.RoomOpened(title="A long evening", policy=Policy()), *rolls]
    return [
        text_of(Record(channel=Channel.PUBLIC, seq=seq, at=seq, by="gm-1", event=event))
        for seq, event in enumerate(events, start=1)
    ]


@needs_node
def test_a_step_back_is_right_and_folds_no_more_than_lie_between_two_views_that_are_kept(tmp_path: Path) -> None:
    folder = pages_for_node(tmp_path)
    numbers = [RECORDS, *range(RECORDS - 1, RECORDS - STEPS, -1), 1, RECORDS // 2, RECORDS // 2 + 1]

    costs = told_by_node(ASK, folder.as_uri(), *map(str, numbers), given="\n".join(texts()))

    assert all(same for same, _ in costs)
    assert costs[0][1] == RECORDS
    assert max(folds for _, folds in costs[1:]) < EVERY
    assert costs[-1][1] == 1


# What an overlay's address asks for, and what is made of an address that cannot be understood


AT_FIRST = ["scenes", "countdowns", "clocks", "rolls", "crises"]
READ = """
const { optionsOf } = await import(process.argv[1]);
console.log(JSON.stringify(process.argv.slice(2).map(optionsOf)));
"""
ASKED = {
    "": (AT_FIRST, "dark", 1, None),
    "show=clocks&accent=0f8&scale=2": (["clocks"], "dark", 2, "#00ff88"),
    "show=countdowns,nonsense,,clocks&colour=red": (["countdowns", "clocks"], "dark", 1, None),
    "show=nonsense&scale=large&accent=url(x)&theme=pink&lang=xx": (AT_FIRST, "dark", 1, None),
    "show=characters,clocks&show=scenes,clocks&theme=light": (["characters", "clocks", "scenes"], "light", 1, None),
    "scale=99&accent=%23ABCDEF": (AT_FIRST, "dark", 3, "#abcdef"),
    "scale=0.1&accent=%23ABCD": (AT_FIRST, "dark", 0.5, None),
}


@needs_node
def test_the_address_says_what_is_shown_and_what_it_says_wrongly_is_left_out(tmp_path: Path) -> None:
    script = (pages_for_node(tmp_path) / "js/overlay/options.js").as_uri()

    told = told_by_node(READ, script, *(f"?{query}" for query in ASKED))

    shown = [tuple(options[name] for name in ("show", "theme", "scale", "accent")) for options in told]
    assert shown == [*ASKED.values()]
