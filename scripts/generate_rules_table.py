"""Print docs/rules-tests.md: every rule and ruling, and the tests that prove it.

.venv/bin/python scripts/generate_rules_table.py > docs/rules-tests.md

A test says what it proves with `@pytest.mark.rule("A2")`, or a whole module with `pytestmark`. The marks are read
without running anything; `faults` tells what is wrong with them, and the tests fail if it tells anything.
"""

import ast
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests"

COUNTDOWNS = {
    "A-start": "a countdown starts with one die or more, and is slow unless said otherwise",
    "A-roll": "every roll is of all the dice that are left",
    "A-faces": "a die leaves at 6 if slow, at 5-6 if medium, at 4-6 if fast",
    "A-roller": "the owner rolls, else the gm; the end of a turn rolls all that is bound to it",
    "A-expiry": "the ending happens when the last die leaves",
    "A-stages": "a stage happens when the pool falls to its size; start and end are always stages",
    "A-stabilize": "stabilizing stops the count until it is resumed, where that is allowed",
    "A-replenish": "replenishing adds dice, where that is allowed",
    "A-odds": "the odds of a countdown are exact",
    "A-table": "the mean number of rolls, rounded, for 1 to 10 dice at each speed",
    "A1": "there is no countdown of 0 dice",
    "A2": "a stage that a roll jumps over happens; of several the largest comes first",
    "A3": "a stage at the starting size happens at the start, not on the first roll",
    "A4": "dice added beyond a stage leave it, and the next fall reaches it again",
    "A5": "what has expired is over, also for help that comes in the same turn",
    "A6": "stabilizing and replenishing are allowed one by one",
    "A7": "replenishing stops at the server's cap alone; what is stabilized stays so",
    "A8": "what is bound to the turn is rolled once in it, anything else whenever its owner or the gm says",
    "A9": "a countdown about a character may take it out of play at its end",
    "A10": "a pool may be read from an attribute, whose name stays with it",
    "A11": "the policy `care` says who besides the gm stabilizes, resumes and replenishes",
    "A12": "a countdown is bound to the turn unless people say otherwise: to rounds, a scene's turns, or nothing",
    "A13": "whoever sees a countdown whole sees what is allowed, how it began and how it ends",
    "A14": "the gm amends a countdown with a reason; a pool that falls has the consequences of falling",
    "A15": "a countdown may begin again at its end, with as many dice or as many as a die says",
}
SCENES = {
    "B-scene": "a scene loses a point to a situation won, travel or rest; at 0 it is a success",
    "B-situation": "at 0 a situation is won; if it fails the scene goes on, perhaps with a complication",
    "B-race": "only a race has a threat clock",
    "B-threat": "the threat loses a point to every effort, whatever comes of it, and to every round that ends",
    "B-budget": "what the threat starts with, by level and difficulty",
    "B-difficulty": "1 or 2 levels above the party is hard, equal is normal, 1 or 2 below is easy",
    "B-outcome": "success, partial success and failure of a race, by its clocks",
    "B-challenge": "a challenge takes one success unless it has a clock of its own",
    "B-effort": "an effort is a roll or the gm's ruling; a success takes its amount off the challenge",
    "B-example": "the worked race: won with scene 4 and threat 10",
    "B1": "the attempt ticks before its result counts; a round that ends after the win changes nothing",
    "B2": "a situation that was won is a success, however little threat is left",
    "B3": "a scene at 0 waits for its open race, and for the gm to end it",
    "B4": "whenever a scene ends with a race open, it ends early for that race",
    "B5": "levels are 1 to 9; the average rounds halves up; beyond 2 levels the gm names the difficulty",
    "B6": "a round that ends before the last challenge is declared overcome ticks",
    "B7": "attacks on foes do not tick the threat",
    "B8": "a scene has one threat, which is never reset; it loses its own point to situations won or resolved alone",
    "B9": "a race whose situation fails is a failure",
    "B10": "a clock amended to its end has the consequences of one that ticked there",
    "B11": "a tick at the end is acknowledged and brings nothing about",
    "B12": "the party's levels are those of the player characters in play",
    "B13": "the tick belongs to the attempt: to the roll's own batch, or to the moment the gm is asked to rule",
    "B14": "a scene outside 8 to 15 points is untypical, wherever it gets its size",
    "B15": "clocks but the threat move back and grow, by the gm and by complications that change something",
    "B16": "a situation takes as many challenges as are open in it; a complication needs a scene alone",
    "B17": "an effort is made for a character in play, by its owner or the gm",
    "B18": "a situation may name its party; for races count what sheets the gm has approved, whoever writes them",
    "B19": "a turn ends for one scene alone; the rounds of a situation within a race tick its threat",
    "B20": "what is prepared is the gm's until it begins; in a scene that is set aside nothing rolls or ticks",
    "B21": "an open race says how it would end now, and a scene ends only as it was expected to",
}
CHECKS = {
    "C-roll": "as many dice as the score; every 6 adds one",
    "C-outcome": "fumble, fail, success and triumph, by the dice that remain",
    "C-margin": "how many more dice equal the highest, on failures too",
    "C-modifiers": "bonuses and penalties cancel; the rest adds dice, or takes them before the roll",
    "C-venture": "a venture takes the highest dice away for the sake of a later roll, until that is made",
    "C-contest": "the higher highest wins, then more of it, then reflex; a win makes no failure a success",
    "C-cooperation": "helpers' dice are pooled; whoever fumbles spoils it for all",
    "C-momentum": "a triumph's momentum re-rolls 1s in the next check",
    "C-interference": "a fumble's interference keeps the 6s of the next check from adding dice",
    "C-cost": "a failure may be bargained away at a cost that the gm accepts",
    "C-odds": "the odds of checks are exact",
    "C-example": "the worked checks",
    "C1": "added dice add dice too",
    "C2": "momentum re-rolls 1s on added dice",
    "C3": "a re-rolled die that shows 6 adds a die",
    "C4": "a penalty leaves one die to roll, and what is left of it removes dice afterwards, highest first",
    "C5": "triumph and margin look at what remains",
    "C6": "so does the fumble of which every die shows 1",
    "C7": "momentum and interference held together cancel, and both are gone",
    "C8": "a venture that comes off gives as many dice as its level",
    "C9": "a check without a die is a fumble",
    "C10": "interference is spent by the check it spoils, whose triumph still gives momentum",
    "C11": "tokens do not stack",
    "C12": "the leader's own fumble counts as a helper's does",
    "C13": "6s of several add up to a triumph, whose momentum is the leader's",
    "C14": "a venture takes the declarer's own dice, before they are pooled",
    "C15": "a bonus cancels no venture",
    "C16": "a contest without a die goes to reflex",
    "C17": "equal or missing reflex is dealt from each side's own roll until it differs",
    "C18": "a choice not made before the next roll is momentum, or the first effect of a fumble",
    "C19": "a venture is paid into the roll that claims it, and lapses with the declarer's next action",
    "C20": "whatever part failed, fumbled or lost may have a cost, and no other",
    "C21": "effects that stand on characters, scenes and situations are offered by themselves",
    "C22": "a fumble effect stands in place of interference, unless it is marked",
    "C23": "another attribute brings its score and its label",
    "C24": "characters have states and tracks; one of the gm's may be hidden until its first public act",
    "C25": "the pooled result of a side decides whether its ventures come off, whatever the parts came to",
    "C26": "a fumble effect may do something by itself, such as setting the next one; it names nothing hidden",
    "C27": "in a scene that says so each 6 of damage adds a die, added dice included, up to 200",
}
TOTALS = {
    "D-pool": "the pool is attribute, tool and at most one special attribute",
    "D-total": "of each number one die stays, and their sum is the total",
    "D-push": "a push is offered by the gm, taken or declined by the player, and adds one die",
    "D-crisis": "a number that is there already is a crisis; the third of a kind ends the character",
    "D-odds": "the odds of totals and pushes are exact",
    "D-example": "the worked totals",
    "D1": "exactly one die of each number stays",
    "D2": "a pool outside 1 to 8 is refused with its sum",
    "D3": "one push may follow another",
    "D4": "the number required is met or not, and may be secret; no push without a miss and an offer",
    "D5": "a crisis ends the attempt as a failure, and leaves the total",
    "D6": "the gm says which crisis it is, and until then the character rolls nothing",
    "D7": "who is dead or retired rolls no more; two of each kind is still in play",
    "D8": "nothing takes the mark out of a crisis box",
    "D9": "a character may enter play with earlier crises, by the gm's word",
    "D11": "several special attributes add dice only where the room's policy allows it",
    "D10": "a total is judged without a number, each push anew; with one, several pushes may be offered at once",
}
ALL = {
    "roles": "gm, player, spectator and integration, and what each may do",
    "E1": "the server rolls; physical dice are let in by the gm, marked for good, and neither too few nor too many",
    "E2": "the caps of the server",
    "E3": "a roll stands, and a command sent twice is done once; the gm amends a clock for all to see",
    "E4": "of what is sealed or the gm's alone, nothing reaches those who may not see it until it is revealed",
    "E5": "what the gm attached to a moment follows by itself, within limits, and told only to those who may know",
    "E6": "characters leave play and come back by the gm's word; those out of play count for nothing",
    "E7": "faces of real dice that were mistyped are taken back by the gm, with all that they brought",
    "E8": "who may narrate tells what happens without dice; no note is ever lost",
}
ROOMS = {"F1": "the gm opens a closed room again within 30 days, and it is as it was"}
CHAPTERS = {
    "A. Countdowns": COUNTDOWNS,
    "B. Scenes, situations and races": SCENES,
    "C. Checks": CHECKS,
    "D. Totals, pushes and crises": TOTALS,
    "E. What holds for all": ALL,
    "F. The room": ROOMS,
}
RULES: Mapping[str, str] = {code: says for chapter in CHAPTERS.values() for code, says in chapter.items()}

_NAMED = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_HEAD = """# Rules and their tests

This page lists every rule with the tests that prove it. `make generate` writes it from the marks of the tests.

A code with a word, such as `A-start`, is a rule of the game. A code with a number, such as `A1`, is a ruling on a
question that the rules leave open ([the rulings](rules.md)). Docstrings and other pages use the same codes. If a rule
has no test, the tests fail.
"""


class Mark(NamedTuple):
    """A mark of a test, of all tests of a class, or of a whole file if `test` is None."""

    path: str  # below tests, with slashes
    test: str | None
    codes: tuple[str, ...]


def page(tests: Path = TESTS) -> str:
    """Return the whole page."""
    marks = [mark for path, tree in _modules(tests) for mark in _marks(path, tree.body)]
    chapters = [f"\n## {title}\n\n{_table(rules, marks)}" for title, rules in CHAPTERS.items()]
    return _HEAD + "".join(chapters)


def _table(rules: Mapping[str, str], marks: list[Mark]) -> str:
    rows = [f"| {code} | {says} | {_links(code, marks)} |\n" for code, says in rules.items()]
    return "| code | rule | tests |\n| --- | --- | --- |\n" + "".join(rows)


def _links(code: str, marks: list[Mark]) -> str:
    links = [
        f"[`{mark.test}`](../tests/{mark.path})" if mark.test else f"[all of `{mark.path}`](../tests/{mark.path})"
        for mark in marks
        if code in mark.codes
    ]
    return "<br>".join(dict.fromkeys(links)) or "none"


def faults(tests: Path = TESTS) -> list[str]:
    """Tell in sentences which marks are wrong, and which rules have no test."""
    problems: list[str] = []
    proven: set[str] = set()
    for path, tree in _modules(tests):
        marks = list(_marks(path, tree.body))
        if len(marks) < len(_codes(tree)):
            problems.append(f"{path}: a mark belongs to no test.")
        for mark in marks:
            problems += [f"{path}: there is no rule {code}." for code in mark.codes if code not in RULES]
            problems += [] if mark.codes else [f"{path}: a mark of {mark.test or 'all'} names no rule."]
            proven.update(mark.codes)
    return problems + [f"No test proves {code}: {says}." for code, says in RULES.items() if code not in proven]


def _modules(tests: Path) -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(tests.rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        if ".rule" in text:  # others have no marks
            yield path.relative_to(tests).as_posix(), ast.parse(text)


def _marks(path: str, body: Sequence[ast.stmt], within: str | None = None) -> Iterator[Mark]:
    """Find the marks of a module or class and of the tests in it, in their order."""
    for node in body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark":
            yield from (Mark(path, within, codes) for codes in _codes(node.value))
        elif isinstance(node, _NAMED) and node.name.lower().startswith("test"):
            name = f"{within}.{node.name}" if within else node.name
            yield from (Mark(path, name, codes) for codes in _codes(*node.decorator_list))
            if isinstance(node, ast.ClassDef):
                yield from _marks(path, node.body, name)


def _codes(*pieces: ast.AST) -> list[tuple[str, ...]]:
    """Return the codes of each mark in some pieces of code; one that is not called has none."""
    nodes = [node for piece in pieces for node in ast.walk(piece)]
    calls = {node.func: node.args for node in nodes if isinstance(node, ast.Call)}
    return [
        tuple(ast.unparse(argument).strip("'") for argument in calls.get(node, ()))
        for node in nodes
        if isinstance(node, ast.Attribute) and node.attr == "rule" and ast.unparse(node).endswith("mark.rule")
    ]


if __name__ == "__main__":
    sys.stdout.write(page())
