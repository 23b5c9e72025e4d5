"""The words of pictures, from `picture.<language>.json`; sentences of what happened are the narrator's."""

from __future__ import annotations

from functools import partial

from dreadclock.narration import words

Words = words.Words
words_of = partial(words.words_of, package=__package__, name="picture")
