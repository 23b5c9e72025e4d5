"""Models can be imported from the package that the documentation names."""

import subprocess
import sys
from typing import get_args

import pytest

import dreadclock.wire
from dreadclock.wire import ClockTicked, TickClock, commands, events


@pytest.mark.parametrize("union", [events.Event, commands.Command], ids=["events", "commands"])
def test_every_event_and_command_is_a_name_of_the_package(union: object) -> None:
    models = get_args(get_args(union)[0])

    assert len(models) > 70
    assert [model for model in models if getattr(dreadclock.wire, model.__name__) is not model] == []


def test_what_is_not_there_is_said() -> None:
    with pytest.raises(AttributeError, match=r"dreadclock\.wire"):
        _ = dreadclock.wire.ClockTickled  # type: ignore[attr-defined]
    assert (ClockTicked.__name__, TickClock.__name__) == ("ClockTicked", "TickClock")


def test_importing_the_package_alone_imports_no_model() -> None:
    said = "import sys, dreadclock.wire; print('pydantic' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True).stdout == "False\n"
