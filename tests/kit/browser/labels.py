"""What buttons and fields are called, looked up by key in the files that the pages load."""

import json
import re
from functools import cache
from pathlib import Path

from playwright.async_api import Page

import dreadclock_server
from dreadclock.narration.messages import Messages

FOLDER = Path(dreadclock_server.__file__).parent / "pages" / "labels"
PAGES = tuple(sorted(path.name.removesuffix(".en.json") for path in FOLDER.glob("*.en.json")))

_KEY = re.compile(r"\b(?:gm|my|home|form|section|over|role|stage|check|total|cost|odds|outcome|kind|crisis)\.[a-z_]+")
_NAMES = "(all) => all.map((each) => each.ariaLabel)"


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


async def keys_read(page: Page) -> list[str]:
    """Return what looks like the key of a label where people read a page or hear it read to them."""
    names: list[str] = await page.locator("[aria-label]").evaluate_all(_NAMES)
    return _KEY.findall("\n".join([await page.locator("body").inner_text(), *names]))
