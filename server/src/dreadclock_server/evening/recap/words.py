"""The words of a recap, from `recap.<language>.json`; sentences of what happened are the narrator's."""

from functools import cache
from typing import Final

from dreadclock.narration import words

_SURE: Final = 0.995  # from here on, "99 of 100" would be rounded up to certainty
_RARE: Final = 0.01
_NEVER: Final = 1e-6


class Words(words.Words):
    """Writes labels, chances and numbers in one language."""

    def chance(self, chance: float, *, within: bool = False) -> str:
        """Write a chance as a percentage, or a small chance as one in so many.

        `within`: as within a sentence, not at its beginning.
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
    """Return the words of a language that the narrator speaks."""
    return Words(words.read_messages(language, __package__, "recap"))


def _two_digits(number: float) -> int:
    return int(float(f"{number:.1e}"))
