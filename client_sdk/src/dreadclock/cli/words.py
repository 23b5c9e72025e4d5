"""The labels that `send` prints, from `words.<language>.json`."""

from dreadclock.narration import words


def words_of(language: str) -> words.Words:
    """Return the labels in a language. The narrator must have a catalogue of the language."""
    return words.words_of(language, __package__, "words")
