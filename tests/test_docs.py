"""What is printed from the code says what the code says, and every rule is proven by a test."""

import importlib
import re
import runpy
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal, get_args

import pytest

from dreadclock.wire.events import Event
from dreadclock.wire.families.base import EventBase
from dreadclock_server.core.access import ACCESS

ROOT = Path(__file__).parent.parent
GOOD = """
@pytest.mark.rule("A1", "E2")
def test_a_pool(): ...
"""


@pytest.fixture(scope="module")
def rules() -> Any:
    """Load the script that reads the marks."""
    return SimpleNamespace(**runpy.run_path(str(ROOT / "scripts/generate_rules_table.py")))


@pytest.mark.parametrize("path", sorted(ROOT.glob("docs/pictures/*.txt")), ids=lambda path: path.stem)
def test_a_picture_stays_small(path: Path) -> None:
    assert len(path.with_suffix(".svg").read_text()) < 200 * 1024


def test_the_page_of_commands_names_each_of_them() -> None:
    page = (ROOT / "docs/commands.md").read_text()

    assert [model for model in ACCESS if f"**`{model.model_fields['type'].default}`**" not in page] == []


def test_the_page_of_events_has_each_of_them_with_an_example() -> None:
    page = (ROOT / "docs/events.md").read_text()

    for model in get_args(get_args(Event)[0]):
        kind = model.model_fields["type"].default
        entry = page.partition(f"## `{kind}`\n")[2].partition("\n## ")[0]
        assert all(f"\n- {part}: " in entry for part in ("Fields", "Received by", "Caused by")), kind
        assert f'"type": "{kind}"' in entry or "..." in entry, kind
        assert entry.partition("\n- Caused by: ")[2].partition("\n")[0].count("`, `") < 8, kind


def test_an_event_without_a_cause_or_an_example_is_not_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    class DayDawned(EventBase):
        """A day dawned."""

        type: Literal["day_dawned"] = "day_dawned"

    monkeypatch.syspath_prepend(ROOT / "scripts")
    generator = importlib.import_module("generate_events")
    monkeypatch.setattr(generator, "MODELS", [DayDawned])

    with pytest.raises(LookupError, match="day_dawned"):
        generator.files()


@pytest.mark.parametrize(("table", "removed"), [("summaries", "Revealed"), ("foot", "`travel`, ")])
def test_a_long_list_of_causes_needs_a_text_and_the_table_of_clocks_names_all_its_commands(
    monkeypatch: pytest.MonkeyPatch, table: str, removed: str
) -> None:
    monkeypatch.syspath_prepend(ROOT / "scripts")
    generator = importlib.import_module("generate_events")
    text = generator._TEXTS[table]
    shorter = text.replace(removed, "") if isinstance(text, str) else {k: v for k, v in text.items() if k != removed}
    monkeypatch.setitem(generator._TEXTS, table, shorter)

    with pytest.raises(LookupError):
        generator.files()


def test_every_rule_has_a_test_and_every_mark_of_a_test_names_a_rule(rules: Any) -> None:
    assert rules.faults() == []


# How marks are read


def planted(folder: Path, text: str) -> Path:
    """Write a test file, as a folder of tests that holds nothing else."""
    (folder / "server").mkdir()
    (folder / "server" / "test_it.py").write_text(text)
    return folder


BOTH = 'pytest.mark.rule("A1", "E2")'
CLASS = """
@pytest.mark.rule("A1")
class TestPools:
    @pytest.mark.rule("E2")
    def test_a_pool(self): ...
"""
PARAMETER = """
@pytest.mark.parametrize("pool", [pytest.param(0, marks=pytest.mark.rule("A1")), 61])
@pytest.mark.rule("E2")
def test_a_pool(pool): ...
"""


@pytest.mark.parametrize(
    "text",
    [GOOD, GOOD.replace("def", "async def"), f"pytestmark = {BOTH}", f"pytestmark = [x, {BOTH}]", CLASS, PARAMETER],
    ids=["function", "async function", "module", "module among others", "class", "parameter"],
)
def test_rules_are_proven_by_marks_of_tests_classes_modules_and_parameters(
    rules: Any, tmp_path: Path, text: str
) -> None:
    faults = rules.faults(planted(tmp_path, text))

    assert [fault.split(":")[0] for fault in faults] == [
        f"No test proves {code}" for code in rules.RULES if code not in ("A1", "E2")
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (GOOD.replace("A1", "A99"), "server/test_it.py: there is no rule A99."),
        (GOOD.replace('("A1", "E2")', "()"), "server/test_it.py: a mark of test_a_pool names no rule."),
        (GOOD.replace('("A1", "E2")', ""), "server/test_it.py: a mark of test_a_pool names no rule."),
        ("pytestmark = pytest.mark.rule()", "server/test_it.py: a mark of all names no rule."),
        (GOOD.replace("test_a_pool", "a_pool"), "server/test_it.py: a mark belongs to no test."),
        (f"MARK = {BOTH}", "server/test_it.py: a mark belongs to no test."),
    ],
    ids=["unknown rule", "no codes", "not called", "module without codes", "no test", "kept in a name"],
)
def test_a_mark_that_proves_nothing_is_a_fault(rules: Any, tmp_path: Path, text: str, fault: str) -> None:
    assert rules.faults(planted(tmp_path, text))[0] == fault


def test_the_table_links_each_rule_to_its_tests_and_says_where_there_are_none(rules: Any, tmp_path: Path) -> None:
    (tmp_path / "test_all.py").write_text('pytestmark = pytest.mark.rule("A1")')

    rows = rules.page(planted(tmp_path, GOOD)).splitlines()

    tests = [row.split(" | ")[-1] for row in rows if row.startswith(("| A1 |", "| A2 |", "| E2 |"))]
    in_server = "[`test_a_pool`](../tests/server/test_it.py)"
    assert tests == [f"{in_server}<br>[all of `test_all.py`](../tests/test_all.py) |", "none |", f"{in_server} |"]


# What pages name


NAMING = [
    ROOT / name
    for name in (
        *("RELIABILITY.md", "SECURITY.md", "CONTRIBUTING.md", "docs/performance.md"),
        *("docs/architecture.md", "docs/add-a-command.md", "docs/release.md"),
    )
]
each_page = pytest.mark.parametrize("page", NAMING, ids=lambda page: page.name)
TARGETS = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
FOLDERS = ("bench", "tests", "docs", "scripts", "server", "client_sdk", "deploy")


def code_in(page: Path) -> list[str]:
    """List all that a page has in backticks, and its blocks of code."""
    blocks = re.split(r"^```.*$", page.read_text(), flags=re.MULTILINE)
    return [code for text in blocks[::2] for code in re.findall(r"`([^`]+)`", text)] + blocks[1::2]


def anchors_of(page: Path) -> set[str]:
    """List the anchors of a page's headings, as code hosts make them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@each_page
def test_every_path_that_a_page_names_is_there(page: Path) -> None:
    words = [word for code in code_in(page) for word in re.split(r"[\s\"]+", code)]
    paths = [word for word in words if word.partition("/")[0] in FOLDERS and "/" in word]

    assert paths
    assert [path for path in paths if not any(ROOT.glob(path))] == []


@each_page
def test_every_make_target_that_a_page_names_is_there(page: Path) -> None:
    targets = re.findall(r"^ *make ([a-z]+)", "\n".join(code_in(page)), re.MULTILINE)

    assert targets
    assert set(targets) - TARGETS == set()


@pytest.mark.parametrize("page", [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")], ids=lambda page: page.name)
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^):]+)\)", page.read_text()):
        target, _, anchor = link.partition("#")
        found = (page.parent / target).resolve() if target else page
        assert found.exists(), link
        assert not anchor or anchor in anchors_of(found), link


def test_every_statement_of_the_rules_texts_holds_by_rules_that_have_tests(rules: Any) -> None:
    page = (ROOT / "docs/rules-statements.md").read_text()
    rows = re.findall(r"^\| (\d+) \| .+ \| (yes|partly) \| (.+) \|$", page, re.MULTILINE)
    table_rows = [line for line in page.splitlines() if re.match(r"\| \d", line)]

    assert [int(number) for number, _, _ in rows] == list(range(1, len(table_rows) + 1))
    assert {code for _, _, codes in rows for code in codes.split(", ")} <= rules.RULES.keys()
    explained = " ".join(line for line in page.splitlines() if not line.startswith("|"))
    assert [
        number for number, holds, _ in rows if holds == "partly" and not re.search(rf"\b{number}\b", explained)
    ] == []


def test_every_promise_names_its_tests_and_how_to_repeat_them() -> None:
    page = (ROOT / "RELIABILITY.md").read_text().partition("## Not promised")[0]
    promises = re.split(r"^\*\*(?=[0-9]+\. )", page, flags=re.MULTILINE)

    assert len(promises) == 13
    for promise in promises[1:]:
        assert re.search(r"^Tested in `tests/", promise, re.MULTILINE), promise
        assert re.search(r"Repeat:\s+`make ", promise), promise
