"""The words of a recap, in every language that the narrator speaks."""

import json
from importlib.resources import files

import pytest

from dreadclock.narration import ENGLISH, languages
from dreadclock.narration.messages import Argument, Template, parse
from dreadclock_server.evening.recap.words import words_of

SOURCES = ("page.py", "cards.py", "telling.py", "proofs.py", "words.py")


def catalogue(language: str) -> dict[str, str]:
    text = files("dreadclock_server.evening.recap").joinpath(f"recap.{language}.json").read_text(encoding="utf-8")
    found: dict[str, str] = json.loads(text)
    return found


@pytest.mark.parametrize("language", languages())
def test_every_language_of_the_narrator_has_the_same_keys_and_names_the_same_fields(language: str) -> None:
    english, other = catalogue(ENGLISH), catalogue(language)

    assert list(other) == list(english)
    assert {key: fields(parse(text)) for key, text in other.items()} == {
        key: fields(parse(text)) for key, text in english.items()
    }


def fields(template: Template) -> set[str]:
    """Return the fields that a template names, wherever in it."""
    arguments = [node for node in template if isinstance(node, Argument)]
    inner = (fields(branch) for argument in arguments for branch in argument.branches.values())
    return {".".join(argument.path) for argument in arguments}.union(*inner)


def test_every_key_is_used() -> None:
    package = files("dreadclock_server.evening.recap")
    used = "".join(package.joinpath(name).read_text(encoding="utf-8") for name in SOURCES)
    built = ("ending.", "story.", "race.", "dice.chance.", "chance.", "proof.")  # keys that are put together

    assert [
        key
        for key in catalogue(ENGLISH)
        if f'"{key}"' not in used and f"'{key}'" not in used and not key.startswith(built)
    ] == []


@pytest.mark.parametrize(
    ("chance", "said"),
    [
        (1.0, "More than 99 of 100"),
        (0.996, "More than 99 of 100"),
        (0.99, "99 of 100"),
        (0.372, "37 of 100"),
        (0.01, "1 of 100"),
        (0.00402, "1 of 250"),
        (1e-9, "Fewer than 1 of 1,000,000"),
        (0.0, "Fewer than 1 of 1,000,000"),
    ],
)
def test_a_chance_is_said_as_so_many_of_a_hundred_or_as_one_of_many(chance: float, said: str) -> None:
    assert words_of(ENGLISH).chance(chance) == said


def test_a_chance_within_a_sentence_begins_small() -> None:
    assert words_of(ENGLISH).chance(1.0, within=True) == "more than 99 of 100"


def test_decimals_are_written_as_the_language_does() -> None:
    assert [words_of(language).decimal(10.63) for language in ("de", "en")] == ["10,6", "10.6"]
