"""The words of pictures: the pages' labels, but for what `pages/labels/picture.<language>.json` says otherwise."""

import json
from functools import cache
from importlib.resources import files

from dreadclock.narration import words
from dreadclock.narration.messages import Messages

Words = words.Words
_LABELS = files("dreadclock_server") / "pages" / "labels"
_PREFIX = "picture."  # of a label that is only in pictures, or reads otherwise there


def texts(language: str) -> dict[str, str]:
    """Return all texts of a language by key."""
    table, picture = (
        json.loads((_LABELS / f"{name}.{language}.json").read_text(encoding="utf-8")) for name in ("table", "picture")
    )
    return {**table, **{key.removeprefix(_PREFIX): text for key, text in picture.items()}}


@cache
def words_of(language: str) -> Words:
    """Return the words of pictures in a language that the narrator speaks."""
    return Words(Messages(language, texts(language)))
