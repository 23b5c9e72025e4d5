"""What the server logs: one line an entry, of libraries too, without what an exception says, and not too often."""

import ast
import asyncio
import json
import logging
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import structlog

from dreadclock_server.journal import MOST, LoggedFailures, Throttle, keep_journal, redacted_traceback
from dreadclock_server.store.base import StoreUnavailable
from kit.journals import forget_journal

Written = Callable[[], list[dict[str, Any]]]
CANARY = "a-hidden-name"


@contextmanager
def kept(format_: str = "json") -> Iterator[Throttle]:
    """Keep a journal for as long as the block lasts."""
    try:
        yield keep_journal(format_, "info")
    finally:
        forget_journal()


@pytest.fixture
def journal(capsys: pytest.CaptureFixture[str]) -> Written:
    """Read the entries that were written since the last time."""
    return lambda: [json.loads(line) for line in capsys.readouterr().err.splitlines()]


def stumble(secret: str) -> None:
    dict[str, str]()[secret]


def stumbled(secret: str = CANARY) -> Exception:
    """Make an exception whose text, cause and locals hold a secret."""
    try:
        try:
            stumble(secret)
        except KeyError as error:
            raise ValueError(secret) from error
    except ValueError as error:
        return error
    raise AssertionError


def test_an_entry_is_one_line_with_time_level_and_event_first(journal: Written):
    with kept():
        structlog.get_logger().warning("store", error="it is\nsilent", room="r")
    (entry,) = journal()
    assert entry["event"] == "store"
    assert entry["level"] == "warning"
    assert entry["timestamp"].endswith("Z")
    assert (entry["error"], entry["room"]) == ("it is\nsilent", "r")


def test_a_library_writes_like_us_and_only_its_first_line(journal: Written):
    with kept():
        logging.getLogger("asyncio").error("Task was never retrieved\nfuture: %s", CANARY)
    (entry,) = journal()
    assert (entry["event"], entry["level"], entry["logger"]) == ("Task was never retrieved", "error", "asyncio")


@pytest.mark.parametrize("format_", ["json", "console"])
def test_a_bug_shows_where_it_happened_and_none_of_its_data(format_: str, capsys: pytest.CaptureFixture[str]):
    with kept(format_):
        error = stumbled()
        structlog.get_logger().error("bug", exc_info=error)
        try:
            raise error
        except ValueError:
            structlog.get_logger().exception("bug")
            logging.getLogger("uvicorn.error").exception("Exception in ASGI application")
    written = capsys.readouterr().err
    assert len(re.findall(r"in stumble\b", written)) == 3
    assert written.count("builtins.KeyError") == 3
    assert CANARY not in written


@pytest.mark.parametrize(
    ("error", "logged"),
    [
        (StoreUnavailable("it is silent"), ("warning", "a sweep failed", "it is silent")),
        (ValueError(CANARY), ("error", "bug", None)),
    ],
)
def test_background_work_goes_on_after_errors(journal: Written, error: Exception, logged: tuple[str, str, str | None]):
    with kept(), LoggedFailures("a sweep failed", room="r"):
        raise error
    (entry,) = journal()
    assert (entry["level"], entry["event"], entry.get("error")) == logged
    assert entry["room"] == "r"


def test_a_cancellation_ends_background_work(journal: Written):
    with kept(), pytest.raises(asyncio.CancelledError), LoggedFailures("a sweep failed"):
        raise asyncio.CancelledError
    assert journal() == []


def test_what_the_store_says_is_told():
    assert redacted_traceback(StoreUnavailable("it is silent")).endswith("StoreUnavailable: it is silent")


def test_a_group_tells_of_each():
    assert redacted_traceback(ExceptionGroup("several", [stumbled(), OSError("no room")])).count("\nof it\n") == 2


def test_nothing_below_the_level_is_written(journal: Written):
    with kept():
        structlog.get_logger().debug("unimportant")
        logging.getLogger("somebody").debug("unimportant")
    assert journal() == []


def test_of_warnings_that_repeat_the_first_few_are_told_and_the_others_counted(journal: Written):
    with kept() as throttle:
        scanner = logging.getLogger("uvicorn.error")
        for number in range(1000):
            scanner.warning("Invalid HTTP request received. %d", number)
            structlog.get_logger().info("each of these counts")
        throttle.tell_left_out()
        throttle.tell_left_out()
    entries = journal()
    warned = [entry for entry in entries if entry["event"].startswith("Invalid")]
    counts = [entry["left_out"] for entry in entries if entry["event"] == "repeated"]
    assert len([entry for entry in entries if entry["event"] == "each of these counts"]) == 1000
    assert len(counts) == 1
    assert len(warned) + counts[0] == 1000
    assert len(warned) <= 20 * MOST


def test_a_new_second_tells_the_first_few_again():
    now = 100.0
    throttle = Throttle(lambda: now)
    told_in: list[int] = []
    for second in (100.0, 101.0):
        now = second
        told_in.append(sum(goes_through(throttle, "a", "warning") for _ in range(MOST + 3)))
        assert goes_through(throttle, "b", "error")
    assert told_in == [MOST, MOST]


def goes_through(throttle: Throttle, event: str, level: str) -> bool:
    """Tell whether an entry gets through."""
    try:
        throttle(None, level, {"event": event, "level": level})
    except structlog.DropEvent:
        return False
    return True


# The events of the log, which operators look up in docs/operations.md


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
