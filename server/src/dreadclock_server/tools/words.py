"""The texts in the pictures that `dreadclock watch` and `dreadclock replay` draw.

They come from the labels of the web pages (`table.<language>.json`) and from `picture.<language>.json`. If both files
have a label of the same name, the label of `picture` is used.
"""

import json
from functools import cache
from importlib.resources import files

from dreadclock.narration import words
from dreadclock.narration.messages import Messages
from dreadclock.wire.base import Id
from dreadclock.wire.views import View

Words = words.Words
_LABELS = files("dreadclock_server") / "pages" / "labels"
_PREFIX = "picture."  # prefix of the keys in `picture.<language>.json`


def texts(language: str) -> dict[str, str]:
    """Return all texts of a language by key."""
    table, picture = (
        json.loads((_LABELS / f"{name}.{language}.json").read_text(encoding="utf-8")) for name in ("table", "picture")
    )
    return {**table, **{key.removeprefix(_PREFIX): text for key, text in picture.items()}}


@cache
def words_of(language: str) -> Words:
    """Return the labels of pictures in a language. `language`: one of the narrator's languages."""
    return Words(Messages(language, texts(language)))


def character_name(view: View, character_id: Id) -> str:
    """Return a character's name; its id if there is no such character."""
    character = view.characters.get(character_id)
    return character.name if character else character_id
