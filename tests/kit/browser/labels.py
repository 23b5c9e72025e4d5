"""What buttons and fields are called, looked up by key in the files that the pages load."""

import json
from functools import cache
from pathlib import Path

import dreadclock_server
from dreadclock.narration.messages import Messages

FOLDER = Path(dreadclock_server.__file__).parent / "pages" / "labels"
PAGES = ("table", "gm", "player", "home", "overlay", "evening", "alarms", "gm_forms", "knock", "owlbear", "moments")


@cache
def messages(language: str = "en") -> Messages:
    """Return all labels of all pages in a language."""
    templates: dict[str, str] = {}
    for page in PAGES:
        templates |= json.loads((FOLDER / f"{page}.{language}.json").read_text())
    return Messages(language, templates)


def label(key: str, **fields: object) -> str:
    """Return a label in English. Raises AssertionError if the pages have no such label."""
    assert messages().has(key), f"there is no label {key}"
    return messages().text(key, fields)


def words(text: str) -> str:
    """Return the label of this key, or the text itself where it is none."""
    return messages().text(text, {}) if messages().has(text) else text
