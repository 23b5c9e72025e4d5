"""The pages' labels as templates: well-formed, and with the same fields in every language."""

import json
from pathlib import Path

import pytest

from dreadclock.narration import Messages
from kit.narration.examples import LANGUAGES
from kit.narration.telling import arguments_of

LABELS = Path(__file__).parents[2] / "server/src/dreadclock_server/pages/labels"
TYPES = {"", "plural", "select", "given", "list", "as", "term"}
# The words of pictures are judged with the narration's: tests/server/tools/test_words.py.
PAGES = sorted({path.name.split(".")[0] for path in LABELS.glob("*.json")} - {"picture"})


def labels(page: str, language: str) -> dict[str, str]:
    """Return the labels of a page."""
    found: dict[str, str] = json.loads((LABELS / f"{page}.{language}.json").read_text(encoding="utf-8"))
    return found


def fields(text: str) -> set[str]:
    """Return the fields that a label names."""
    template = Messages("en", {"it": text}).template("it")
    return {".".join(argument.path) for argument in arguments_of(template)} - {"#"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", PAGES)
def test_every_label_is_well_formed_and_made_of_what_there_is(page: str, language: str) -> None:
    every = {key: text for each in PAGES for key, text in labels(each, language).items()}
    messages = Messages(language, every)

    for key in labels(page, language):
        for argument in arguments_of(messages.template(key)):
            assert argument.type in TYPES, key
            assert argument.type != "as" or messages.has(argument.style), key


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", PAGES)
def test_a_label_names_the_same_fields_in_every_language(page: str, language: str) -> None:
    english, other = labels(page, "en"), labels(page, language)

    assert english.keys() == other.keys()
    assert [key for key, text in other.items() if fields(text) != fields(english[key])] == []
