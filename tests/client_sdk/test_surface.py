"""What `import dreadclock` offers, and what it costs."""

import subprocess
import sys

import pytest

import dreadclock

PUBLIC = [
    "Acknowledged",
    "Backoff",
    "Code",
    "ConnectionEnded",
    "DiceAlarm",
    "DiceSecrets",
    "DreadclockError",
    "FellBehind",
    "Knocker",
    "Link",
    "LogAlarm",
    "OpenedRoom",
    "ProtocolViolation",
    "Refused",
    "RestRoom",
    "RollAlarm",
    "Room",
    "ViewReplaced",
    "connect",
    "import_room",
    "knock",
    "open_room",
    "parse_link",
    "rules",
    "sync",
    "wire",
]


def test_the_public_names_are_these_and_all_exist() -> None:
    assert dreadclock.__all__ == PUBLIC
    assert [name for name in PUBLIC if not hasattr(dreadclock, name)] == []
    assert [name for name in PUBLIC if name not in dir(dreadclock)] == []


def test_an_import_builds_no_model_and_leaves_the_garbage_collector_on() -> None:
    script = """
import gc, dreadclock
dreadclock.connect
from dreadclock.wire.commands import COMMAND, StartClock
from dreadclock.wire.frames import SERVER_FRAME, Welcome
print(gc.isenabled(), *(model.__pydantic_complete__ for model in (StartClock, Welcome)))
print(COMMAND.pydantic_complete, SERVER_FRAME.pydantic_complete)
"""
    process = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert process.stdout.split() == ["True", "False", "False", "False", "False"]


def test_another_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nonsense"):
        dreadclock.nonsense  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize(
    "statements",
    [
        {  # one after the other, in one process
            "import dreadclock": {"asyncio", "httpx", "pydantic", "websockets"},
            "import dreadclock.rules": {"asyncio", "httpx", "pydantic", "websockets"},
            "from dreadclock import Refused": {"asyncio", "httpx", "websockets"},
            "import dreadclock.client.protocol": {"httpx", "websockets"},
            "from dreadclock import connect": {"httpx", "dreadclock.rules.odds", "dreadclock.wire.rest"},
        },
        {"from dreadclock import open_room": {"websockets"}},
    ],
)
def test_only_what_is_used_is_imported(statements: dict[str, set[str]]) -> None:
    script = "import sys\n" + "".join(f"{each}\nprint(*sys.modules)\n" for each in statements)
    process = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    for (statement, unneeded), loaded in zip(statements.items(), process.stdout.splitlines(), strict=True):
        assert unneeded & set(loaded.split()) == set(), statement
