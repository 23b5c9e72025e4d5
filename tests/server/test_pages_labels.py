"""The pages' labels: every one that a page asks for is there, and none is left over."""

import json
import re
from pathlib import Path

import pytest

from dreadclock_server.evening.recap.things import NAMELESS

PAGES = Path(__file__).parents[2] / "server/src/dreadclock_server/pages"
LABELS = PAGES / "labels"
OWLBEAR = PAGES.parents[3] / "client_sdk/owlbear"
LANGUAGES = ("en", "de")

_ASKED = re.compile(r"""\bt\(\s*"([^"]+)\"""")
_MADE = re.compile(r"`([a-z_]+\.[a-z_.]*\$\{[^}]*\}[^`\s]*)`")
_HOLE = re.compile(r"\$\{[^}]*\}")


def labels(language: str) -> dict[str, str]:
    """Return all labels of a language, of all pages; `picture` is for terminals."""
    files = [file for file in sorted(LABELS.glob(f"*.{language}.json")) if not file.name.startswith("picture.")]
    return {key: text for file in files for key, text in json.loads(file.read_text()).items()}


def scripts() -> str:
    """Return the pages' scripts."""
    folders = PAGES / "js", OWLBEAR
    return "\n".join(file.read_text() for folder in folders for file in sorted(folder.rglob("*.js")))


def beginnings(key: str) -> list[str]:
    """Return a key and what it begins with: some scripts name a group, and put the rest to it later."""
    words = key.split(".")
    return [".".join(words[:count]) for count in range(1, len(words) + 1)]


def made() -> list[re.Pattern[str]]:
    """Return patterns of the keys that scripts put together."""
    return [
        re.compile("[^.]+".join(re.escape(piece) for piece in _HOLE.split(each)))
        for each in sorted(set(_MADE.findall(scripts())))
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_label_that_a_page_asks_for_is_there(language: str) -> None:
    assert set(_ASKED.findall(scripts())) - labels(language).keys() == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_label_that_a_page_puts_together_begins_like_one_that_is_there(language: str) -> None:
    there = labels(language)

    assert [each.pattern for each in made() if not any(each.fullmatch(key) for key in there)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_label_is_left_over(language: str) -> None:
    text, patterns = scripts(), made()

    assert [
        key for key in labels(language) if f'"{key}"' not in text and not any(each.fullmatch(key) for each in patterns)
    ] == []


def test_recaps_know_what_the_page_calls_who_has_no_name() -> None:
    assert {labels(language)["gm.check.foe"] for language in LANGUAGES} == NAMELESS


def test_no_label_stands_in_two_files() -> None:
    every = [key for file in LABELS.glob("*.en.json") for key in json.loads(file.read_text())]

    assert sorted(every) == sorted(set(every))
