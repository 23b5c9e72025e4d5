"""Every refusal in the sources gives its sentence all that the sentence tells."""

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import dreadclock
import dreadclock_server
from dreadclock.wire.errors import SENTENCES, Code

_SOURCES = [Path(package.__file__ or "").parent for package in (dreadclock, dreadclock_server)]
_MAKERS = {"Refused", "No"}
_FEW = 100  # of them there are more; fewer found means that this looks for the wrong thing


def made_in(path: Path) -> Iterator[tuple[str, Code, set[str]]]:
    """Find where a file makes refusals of a code that stands there: the place, the code, the names of its details."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _MAKERS and node.args:
            code, *rest = node.args
            if isinstance(code, ast.Attribute) and isinstance(code.value, ast.Name) and code.value.id == "Code":
                names = {each.arg for each in node.keywords if each.arg is not None}
                names |= {str(key.value) for each in rest for key in ast.walk(each) if isinstance(key, ast.Constant)}
                yield f"{path.name}:{node.lineno}", Code[code.attr], names


def test_no_refusal_leaves_a_gap_in_its_sentence():
    found = [each for root in _SOURCES for path in sorted(root.rglob("*.py")) for each in made_in(path)]
    assert len(found) > _FEW
    told = {code: {field for _, field, _, _ in Formatter().parse(SENTENCES[code]) if field} for code in Code}
    assert [(place, code) for place, code, names in found if not told[code] <= names] == []
