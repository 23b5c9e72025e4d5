"""The pages' labels: every one that a page asks for is there, and none is left over."""

import json
import re
from pathlib import Path

import pytest

from dreadclock.narration import Messages
from dreadclock_server.evening.recap.things import NAMELESS
from kit.narration.examples import LANGUAGES
from kit.narration.telling import arguments_of

PAGES = Path(__file__).parents[2] / "server/src/dreadclock_server/pages"
LABELS = PAGES / "labels"
OWLBEAR = PAGES.parents[3] / "client_sdk/owlbear"
TYPES = {"", "plural", "select", "given", "list", "as", "term"}
# The words of pictures are judged with the narration's: tests/server/tools/test_words.py.
NAMES = sorted({path.name.split(".")[0] for path in LABELS.glob("*.json")} - {"picture"})

_ASKED = re.compile(r"""\bt\(\s*"([^"]+)\"""")
_MADE = re.compile(r"`([a-z_]+\.[a-z_.]*\$\{[^}]*\}[^`\s]*)`")
# Fields whose options are words: the labels of the options begin alike.
_GROUPS = re.compile(
    r"""\b(?:(?:among|segments)\([^,]+, "[^"]+", (?:\[[^]]*\]|[^,]+)|picker\(table), "([^"]+)"(?!, LANGUAGES)"""
)
_HOLE = re.compile(r"\$\{[^}]*\}")


def labels(language: str) -> dict[str, str]:
    """Return all labels of a language, of all pages; `picture` is for terminals."""
    files = [file for file in sorted(LABELS.glob(f"*.{language}.json")) if not file.name.startswith("picture.")]
    return {key: text for file in files for key, text in json.loads(file.read_text()).items()}


def scripts() -> str:
    """Return the pages' scripts."""
    folders = PAGES / "js", OWLBEAR
    return "\n".join(file.read_text() for folder in folders for file in sorted(folder.rglob("*.js")))


def made() -> list[re.Pattern[str]]:
    """Return patterns of the keys that scripts put together."""
    written = set(_MADE.findall(scripts())) | {f"{group}.${{}}" for group in _GROUPS.findall(scripts())}
    return [re.compile("[^.]+".join(re.escape(piece) for piece in _HOLE.split(each))) for each in sorted(written)]


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


# As templates: well-formed, and with the same fields in every language


def labels_of(page: str, language: str) -> dict[str, str]:
    """Return the labels of one page."""
    found: dict[str, str] = json.loads((LABELS / f"{page}.{language}.json").read_text(encoding="utf-8"))
    return found


def fields(text: str) -> set[str]:
    """Return the fields that a label names."""
    template = Messages("en", {"it": text}).template("it")
    return {".".join(argument.path) for argument in arguments_of(template)} - {"#"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", NAMES)
def test_every_label_is_well_formed_and_made_of_what_there_is(page: str, language: str) -> None:
    every = {key: text for each in NAMES for key, text in labels_of(each, language).items()}
    messages = Messages(language, every)

    for key in labels_of(page, language):
        for argument in arguments_of(messages.template(key)):
            assert argument.type in TYPES, key
            assert argument.type != "as" or messages.has(argument.style), key


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", NAMES)
def test_a_label_names_the_same_fields_in_every_language(page: str, language: str) -> None:
    english, other = labels_of(page, "en"), labels_of(page, language)

    assert english.keys() == other.keys()
    assert [key for key, text in other.items() if fields(text) != fields(english[key])] == []
