"""The labels of a recap, from `recap.<language>.json`. The narrator writes the sentences about events."""

from functools import cache
from typing import Final

from dreadclock.narration import words

_SURE: Final = 0.995  # a chance above this would be rounded to 100 %
_RARE: Final = 0.01
_NEVER: Final = 1e-6


class Words(words.Words):
    """Writes labels, chances and numbers in one language."""

    def chance(self, chance: float, *, within: bool = False) -> str:
        """Return a chance as a percentage, or a small chance in the form "one in 40".

        `within`: whether the text stands inside a sentence, not at its beginning.
        """
        start = "dice." if within else ""
        if chance > _SURE:
            return self(f"{start}chance.sure")
        if chance < _NEVER:
            return self(f"{start}chance.never")
        if chance < _RARE:
            return self("chance.rare", of=_two_digits(1 / chance))
        return self("chance.common", of=round(100 * chance))

    def decimal(self, number: float) -> str:
        """Write a number with one decimal."""
        return f"{number:.1f}".replace(".", self("number.point"))


@cache
def words_of(language: str) -> Words:
    """Return the labels in a language. `language`: one of the narrator's languages."""
    return Words(words.read_messages(language, __package__, "recap"))


def _two_digits(number: float) -> int:
    return int(float(f"{number:.1e}"))
