"""Every file that is made from the code is what its generator makes of the code today."""

import runpy
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[1] / "scripts"
GENERATE = runpy.run_path(str(SCRIPTS / "generate.py"))


@pytest.mark.parametrize("name", GENERATE["GENERATORS"])
def test_generated_files_are_up_to_date(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(SCRIPTS)

    assert [str(path) for path in GENERATE["stale"](name)] == [], "run `make generate`"


def test_every_generator_runs() -> None:
    files = {path.stem.removeprefix("generate_") for path in SCRIPTS.glob("generate_*.py")}

    assert {*GENERATE["GENERATORS"]} == files
