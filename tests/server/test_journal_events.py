"""The events of the log, which operators look up in docs/operations.md."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "server" / "src" / "dreadclock_server"
LEVELS = {"debug": "debug", "info": "info", "warning": "warning", "error": "error", "exception": "error"}
OF_THE_ACCESS_LOG = {("http", "info"), ("websocket", "info")}  # which says what kind of call it was
_OPEN = re.compile("%[a-z]")
_ROW = re.compile(r"^\| (`.+?) \| ([a-z, ]+) \|", re.MULTILINE)


def logged() -> Iterator[tuple[str, str]]:
    """Find each `_log.warning("an event")` and `LoggedFailures("an event")` of the server, with its level.

    Tools run in processes of their own.
    """
    for path in set(SOURCES.rglob("*.py")) - set((SOURCES / "tools").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(ast.Attribute(journal, level), [ast.Constant(event), *_]) if is_journal(journal):
                    yield _OPEN.sub("...", str(event)), LEVELS[level]
                case ast.Call(ast.Name("LoggedFailures"), [ast.Constant(event), *_]):
                    yield str(event), "warning"


def is_journal(node: ast.expr) -> bool:
    return ast.unparse(node) in ("_log", "structlog.get_logger()")


def documented() -> Iterator[tuple[str, str]]:
    """Read the table: a level for each event of a row, or one for all."""
    text = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8").partition("| `event` | level | says |")[2]
    for events, levels in _ROW.findall(text.partition("\n\n")[0]):
        names = [each.strip("`") for each in re.split("(?<=`), (?=`)", events)]
        given = levels.split(", ")
        yield from zip(names, given if len(given) > 1 else given * len(names), strict=True)


def test_the_page_for_operators_lists_every_event_with_its_level():
    assert set(documented()) == {*logged(), *OF_THE_ACCESS_LOG}
