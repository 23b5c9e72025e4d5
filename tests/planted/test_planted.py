"""Plant bugs that break a promise of RELIABILITY.md in a copy of the sources, one at a time: a test must fail.

`DREADCLOCK_PLANTED=all` plants all bugs, a number plants that many, others on the next day. Without it, the tests
check only that every bug still fits the sources.
"""

import ast
import os
from datetime import date, timedelta
from pathlib import Path

import pytest

from kit.planted import ROOT, Bug, Copy, bugs_in, chosen, covers, noticed_by

BUGS = bugs_in(Path(__file__).parent)
CHOSEN = chosen(BUGS, os.environ.get("DREADCLOCK_PLANTED", ""), date.today())
LAYERS = ("core", "rooms", "store", "gateway")


def test_a_bug_is_a_small_change_that_still_fits_the_sources():
    for bug in BUGS:
        text = (ROOT / bug.file).read_text(encoding="utf-8")

        changed = bug.in_text(text)

        assert changed != text, bug.name
        if bug.file.endswith(".py"):
            ast.parse(changed, bug.name)


def test_the_tests_that_catch_a_bug_are_there():
    for bug in BUGS:
        for test in bug.caught_by:
            path, _, name = test.partition("[")[0].partition("::")
            assert f"def {name}(" in (ROOT / path).read_text(encoding="utf-8"), bug.name


def test_there_are_bugs_in_every_layer():
    files = [bug.file for bug in BUGS]

    assert len(BUGS) >= 25
    assert [layer for layer in LAYERS if not any(f"/dreadclock_server/{layer}/" in file for file in files)] == []
    assert any(file.startswith("client_sdk/") for file in files)


def test_a_few_days_take_every_bug_in_turn():
    days = [date(2026, 1, 1) + timedelta(days=day) for day in range(len(BUGS))]

    assert {bug.name for day in days for bug in chosen(BUGS, "5", day)} == {bug.name for bug in BUGS}
    assert chosen(BUGS, "", days[0]) == []
    assert chosen(BUGS, "all", days[0]) == BUGS


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Copy:
    """A copy in which everything that is to catch a bug passes as long as there is none."""
    copy = Copy(tmp_path_factory.mktemp("planted"))
    assert all(origin.startswith(str(copy.root)) for origin in copy.origin())
    items = [item for item in request.session.items if isinstance(item, pytest.Function)]
    to_plant = [item.callspec.params["bug"] for item in items if "copy" in item.fixturenames]
    tests = sorted({test for bug in to_plant if isinstance(bug, Bug) for test in bug.caught_by})
    outcome = copy.run(tests)
    assert (outcome.status, outcome.failed) == (0, {}), outcome.output
    assert [test for test in tests if not covers(test, outcome.ran)] == []
    return copy


@pytest.mark.parametrize("bug", CHOSEN, ids=lambda bug: bug.name)
def test_a_planted_bug_is_caught(bug: Bug, copy: Copy, figures: list[str]):
    with copy.planted(bug):
        outcome = copy.run(bug.caught_by)

    caught_by = noticed_by(bug, outcome)
    assert caught_by, f"nothing noticed that {bug.bug}\n{outcome.output}"
    figures.append(f"planted: {bug.name} ({bug.kind}) caught in {outcome.took_s:.1f} s by {caught_by[0]}")
