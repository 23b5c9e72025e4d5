"""Names in right-to-left scripts: isolated within sentences, alike in Python and in JavaScript."""

import json
import sys
import unicodedata
from pathlib import Path
from typing import Any, get_args

import pytest

from dreadclock.narration import Messages, Narrator
from dreadclock.wire.events import Event, SeatRenamed
from dreadclock.wire.plain import finished, isolated, plain
from dreadclock.wire.records import Record
from dreadclock.wire.views import View
from kit.narration.examples import LANGUAGES, examples
from kit.narration.telling import in_javascript, json_of
from kit.puppet import needs_node
from kit.scenery import record

VECTORS: dict[str, Any] = json.loads((Path(__file__).parents[2] / "golden" / "right-to-left-vectors.json").read_text())
FSI, PDI = "\u2068", "\u2069"
HEBREW, ARABIC = "\u05e9\u05e8\u05d4", "\u0646\u0648\u0631"
_TYPES = {each.model_fields["type"].default for each in get_args(get_args(Event)[0])}
EXAMPLES = [
    each
    for each in examples()  # but those that no server sends
    if "\ud800" not in (each.record.event.note or "") and each.record.event.type in _TYPES
]
EVERY_CHARACTER = [chr(code) for code in range(sys.maxunicode + 1)]
RIGHT_TO_LEFT_BLOCKS = [(0x590, 0x8FF), (0xFB1D, 0xFDFF), (0xFE70, 0xFEFF), (0x10800, 0x10FFF), (0x1E800, 0x1EFFF)]


@pytest.mark.parametrize(("text", "told"), VECTORS["isolated"])
def test_a_name_is_isolated_where_it_holds_right_to_left_letters_or_digits(text: str, told: str) -> None:
    assert isolated(text) == told


@pytest.mark.parametrize(("text", "told"), VECTORS["plain"])
def test_a_plain_text_keeps_isolated_names_and_nothing_else_that_steers(text: str, told: str) -> None:
    assert plain(text) == told


def test_right_to_left_is_what_unicode_says() -> None:
    """Characters that this Python's Unicode does not know yet are left to its next edition, within their blocks."""
    for character in EVERY_CHARACTER:
        code, is_isolated = ord(character), isolated(character) != character
        if unicodedata.category(character) == "Cn":
            assert not is_isolated or any(first <= code <= last for first, last in RIGHT_TO_LEFT_BLOCKS), hex(code)
        else:
            assert is_isolated == (unicodedata.bidirectional(character) in {"R", "AL", "AN"}), hex(code)


def test_every_example_but_its_names_is_told_as_before() -> None:
    """Replace each name by a Hebrew one: the sentences differ by the names and what isolates them alone."""
    changed = 0
    for example in EXAMPLES:
        event, view = (_renamed(each, "Raven", HEBREW) for each in (example.record.event, example.view))
        for language in LANGUAGES:
            before = Narrator(language).told(example.record, example.view)
            after = Narrator(language).told(example.record.model_copy(update={"event": event}), view)
            assert after.replace(f"{FSI}{HEBREW}{PDI}", "Raven") == before
            changed += after != before
    assert changed > 50


def _renamed(model: Any, name: str, other: str) -> Any:
    """Return an event or a view in which something is called otherwise."""
    text = model.model_dump_json(exclude_none=True, warnings=False).replace(json.dumps(name), json.dumps(other))
    return type(model).model_validate_json(text)


def test_a_sentence_begins_with_a_capital_and_ends_once_also_with_isolated_names() -> None:
    renamed = SeatRenamed(seat_id="player-1", name=f"{HEBREW}!")

    assert Narrator().sentence(record(renamed)) == f"Player 1 is now called {FSI}{HEBREW}!{PDI}"
    assert Messages("en", {"it": "{name}"}).text("it", {"name": f"anna {HEBREW}"}) == f"{FSI}anna {HEBREW}{PDI}"
    assert finished(f"It is {FSI}{HEBREW}!{PDI}") == f"It is {FSI}{HEBREW}!{PDI}"
    assert finished(f"It is {FSI}{HEBREW}{PDI}") == f"It is {FSI}{HEBREW}{PDI}."


def test_a_sentence_within_another_is_not_isolated_again() -> None:
    told = f"{FSI}{HEBREW}{PDI} rolled."

    assert Messages("en", {"it": "For {name}: {told}"}).text("it", {"name": ARABIC, "told": told}) == (
        f"For {FSI}{ARABIC}{PDI}: {FSI}{HEBREW}{PDI} rolled."
    )


# The same in JavaScript


@needs_node
def test_javascript_isolates_the_same_characters_and_names() -> None:
    job = {"do": "isolated", "texts": [text for text, _ in VECTORS["isolated"]]}
    plains = {"do": "plain", "texts": [text for text, _ in VECTORS["plain"]]}
    texts, plain_texts, codes = in_javascript([job, plains, {"do": "right_to_left"}])

    assert texts == [told for _, told in VECTORS["isolated"]]
    assert plain_texts == [told for _, told in VECTORS["plain"]]
    assert codes == [ord(each) for each in EVERY_CHARACTER if isolated(each) != each]


@needs_node
def test_javascript_tells_the_same_of_names_in_right_to_left_scripts() -> None:
    told: list[list[str]] = []
    views: list[View] = []
    jobs = []
    for example in EXAMPLES:
        for name in (HEBREW, f"raven {HEBREW}!"):
            event: Event = _renamed(example.record.event, "Raven", name)
            view: View = _renamed(example.view, "Raven", name)
            one: Record = example.record.model_copy(update={"event": event})
            jobs.append({"do": "tell", "languages": LANGUAGES, "record": json_of(one), "view": len(views)})
            views.append(view)
            told.append([Narrator(language).told(one, view) for language in LANGUAGES])

    assert in_javascript(jobs, views) == told
