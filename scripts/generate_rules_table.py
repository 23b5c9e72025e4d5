"""Write docs/rules-tests.md: every rule and ruling of rules.toml, and the tests that prove it.

A test says what it proves with `@pytest.mark.rule("A2")`, or a whole module with `pytestmark`. The marks are read
without running anything; `faults` tells what is wrong with them, and the tests fail if it tells anything.
"""

import ast
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests"

CHAPTERS: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_name("rules.toml").read_text(encoding="utf-8"))
RULES: Mapping[str, str] = {code: says for chapter in CHAPTERS.values() for code, says in chapter.items()}

_NAMED = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_HEAD = """# Rules and their tests

This page lists every rule, and the tests that prove the rule. `make generate` writes the page from `scripts/rules.toml`
and from marks of the tests. If a rule has no test, `tests/test_docs.py` fails.

A code with a word, such as `A-start`, is a rule of the game. A code with a number, such as `A1`, is a ruling: an answer
to a question that the game leaves open. [The rulings](rules.md) explain all rules.
"""


class Mark(NamedTuple):
    """A mark of a test, of all tests of a class, or of a whole file if `test` is None."""

    path: str  # below tests, with slashes
    test: str | None
    codes: tuple[str, ...]


def files() -> dict[str, str]:
    """Return the page of this checkout's tests."""
    return {"docs/rules-tests.md": page(TESTS)}


def page(tests: Path) -> str:
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
