"""Labels from a catalogue: the file `NAME.<language>.json` of a package. `narrator` writes sentences about events."""

import json
from functools import cache
from importlib.resources import files

from dreadclock.narration.messages import Messages


def read_messages(language: str, package: str, name: str) -> Messages:
    """Return the texts of the file `name.language.json` in a package."""
    text = files(package).joinpath(f"{name}.{language}.json").read_text(encoding="utf-8")
    return Messages(language, json.loads(text))


class Words:
    """Writes labels in one language."""

    def __init__(self, messages: Messages) -> None:
        self._messages = messages
        self.language: str = messages.language

    def __call__(self, key: str, **fields: object) -> str:
        """Return a label, filled in."""
        return self._messages.text(key, fields)

    def has(self, key: str) -> bool:
        """Return whether there is such a label."""
        return self._messages.has(key)


@cache
def words_of(language: str, package: str, name: str) -> Words:
    """Return the labels in `<name>.<language>.json` of a package."""
    return Words(read_messages(language, package, name))
