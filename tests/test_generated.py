"""Every file that is made from the code is what its generator makes of the code today."""

import json
import runpy
from importlib import import_module
from pathlib import Path

import pytest

from dreadclock_server.store.codec import decode
from kit.evenings.golden import golden_files, read_golden

SCRIPTS = Path(__file__).parents[1] / "scripts"
GENERATE = runpy.run_path(str(SCRIPTS / "generate.py"))


@pytest.mark.parametrize("name", GENERATE["GENERATORS"])
def test_generated_files_are_up_to_date(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(SCRIPTS)

    assert [str(path) for path in GENERATE["stale"](name)] == [], "run `make generate`"


def test_every_generator_runs() -> None:
    files = {path.stem.removeprefix("generate_") for path in SCRIPTS.glob("generate_*.py")}

    assert {*GENERATE["GENERATORS"]} == files


def test_no_stored_command_tells_an_event_that_begins_an_action_of_the_log_after_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(SCRIPTS)
    generator = import_module("generate_beginnings")
    begin, before = {*generator.beginnings()}, {generator.NAMES[event] for event in generator.BEFORE}
    entries = [entry for path in golden_files() for entry in read_golden(path).entries]  # one for each command

    commands = [[json.loads(text)["event"]["type"] for text in decode(entry).texts] for entry in entries]

    told = [[event for event in events if event not in before] for events in commands]
    assert [events for events in told if not begin.isdisjoint(events[1:])] == []
    assert {"narrated", "check_rolled", "total_rolled"} <= begin <= {event for events in told for event in events[:1]}
