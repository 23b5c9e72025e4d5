"""The words of pictures, from `picture.<language>.json`; sentences of what happened are the narrator's."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from dreadclock.narration import Messages


class Words:
    """Writes what a picture says in one language."""

    def __init__(self, messages: Messages) -> None:
        self._messages = messages

    def __call__(self, key: str, **fields: object) -> str:
        """Return a text, filled in."""
        return self._messages.text(key, fields)

    def has(self, key: str) -> bool:
        """Tell whether there is such a text."""
        return self._messages.has(key)


@cache
def words_of(language: str) -> Words:
    """Return the words of a language that the narrator speaks."""
    text = files(__package__).joinpath(f"picture.{language}.json").read_text(encoding="utf-8")
    return Words(Messages(language, json.loads(text)))
