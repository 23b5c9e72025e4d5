"""The words of `send`, from `words.<language>.json`."""

from dreadclock.narration import words


def words_of(language: str) -> words.Words:
    """Return the words of a language that the narrator speaks."""
    return words.words_of(language, __package__, "words")
