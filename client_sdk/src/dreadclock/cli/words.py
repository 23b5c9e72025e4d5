"""The words of `send`, from `words.<language>.json`."""

from __future__ import annotations

from functools import partial

from dreadclock.narration import words

words_of = partial(words.words_of, package=__package__, name="words")
