"""Plural categories of numbers, with Unicode's names."""

from collections.abc import Callable
from typing import Final


def category(language: str, number: int) -> str:
    """Return the plural category of a whole number from 0: `one`, `few`, `many` or `other`.

    An unknown language has `one` for 1 and `other` for all other numbers.
    """
    return _RULES.get(language.partition("-")[0], _one)(number)


def _one(number: int) -> str:
    return "one" if number == 1 else "other"


def _zero_is_one(number: int) -> str:
    return "one" if number in (0, 1) else "other"


def _romance(number: int) -> str:
    return "many" if number and number % 1_000_000 == 0 else _one(number)


def _french(number: int) -> str:
    return "many" if number and number % 1_000_000 == 0 else _zero_is_one(number)


def _same(number: int) -> str:
    return "other"


def _czech(number: int) -> str:
    return "one" if number == 1 else "few" if 2 <= number <= 4 else "other"


def _few(number: int) -> bool:
    return number % 10 in (2, 3, 4) and number % 100 not in (12, 13, 14)


def _polish(number: int) -> str:
    return "one" if number == 1 else "few" if _few(number) else "many"


def _russian(number: int) -> str:
    return "one" if number % 10 == 1 and number % 100 != 11 else "few" if _few(number) else "many"


_RULES: Final[dict[str, Callable[[int], str]]] = {
    **dict.fromkeys(("id", "ja", "ko", "th", "vi", "zh"), _same),
    **dict.fromkeys(("fa", "hi"), _zero_is_one),
    **dict.fromkeys(("ca", "es", "it"), _romance),
    **dict.fromkeys(("fr", "pt"), _french),
    **dict.fromkeys(("cs", "sk"), _czech),
    **dict.fromkeys(("be", "ru", "uk"), _russian),
    "pl": _polish,
}
