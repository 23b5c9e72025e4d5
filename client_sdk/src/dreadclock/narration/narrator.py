"""Writes events as sentences, in the language of a catalogue: a file of templates."""

import json
from functools import cache
from importlib.resources import files
from typing import Final

from dreadclock.narration.facts import Facts, unnamed, within
from dreadclock.narration.messages import Messages
from dreadclock.wire.base import Channel, Id
from dreadclock.wire.errors import Details, Refused
from dreadclock.wire.events import EffectChosen, Event
from dreadclock.wire.plain import FSI, finished, plain
from dreadclock.wire.records import Record, is_understood
from dreadclock.wire.things import Consequence, EffectKind, FumbleDoes
from dreadclock.wire.views import View

ENGLISH: Final = "en"
QUIET: Final = frozenset({"lane_opened", "made_public"})
"""Bookkeeping events, which have no sentence in a story."""
_TOKENS: Final = frozenset(EffectKind)

_UNKNOWN: Final = "story.unknown"


def is_quiet(event: Event) -> bool:
    """Return whether a story leaves an event out: it is bookkeeping, or the next event says the same."""
    return event.type in QUIET or (isinstance(event, EffectChosen) and event.effect in _TOKENS)


class Narrator:
    """Writes records and refusals as sentences. `views` (before or after a record) provide names of things."""

    def __init__(self, language: str = ENGLISH) -> None:
        """Raises ValueError if there is no catalogue of the language."""
        self._messages = Messages(language, catalogue(language))

    @property
    def language(self) -> str:
        """The language, such as `en`."""
        return self._messages.language

    def sentence(self, record: Record, *views: View) -> str:
        """Return a record as a sentence, followed by the note of its command.

        An event that has no template, or that this version does not fully understand, gets a general sentence.
        """
        event, key = record.event, f"event.{record.event.type}"
        facts = Facts(self._messages, record, views)
        is_told = self._messages.has(key) and is_understood(record)
        text = _begun(finished(self._messages.text(key if is_told else _UNKNOWN, event, facts)))
        if record.acted_for is not None:
            name = facts.worded("seat", record.acted_for)
            text = self._messages.text("story.acted_for", {"name": name, "told": text})
        return self._messages.text("story.note", {"told": text, "note": plain(event.note)}) if event.note else text

    def told(self, record: Record, *views: View) -> str:
        """Return a record as a sentence, with a mark if only the gm sees the record."""
        text = self.sentence(record, *views)
        return self._messages.text("story.gm_alone", {"told": text}) if record.channel is Channel.GM else text

    def follows(self, consequence: Consequence | FumbleDoes, *views: View) -> str:
        """Return a sentence about a consequence or a fumble effect: its trigger and its effects."""
        key = "story.follows" if isinstance(consequence, Consequence) else "story.fumble"
        return _begun(finished(self._messages.text(key, consequence, Facts(self._messages, None, views))))

    def refusal(self, code: str, details: Details, sentence: str) -> str:
        """Return why a command was refused: in this language, or the server's sentence if the code is unknown."""
        key = f"refusal.{code}"
        return _begun(plain(self._messages.text(key, details))) if self._messages.has(key) else sentence

    def refused(self, refused: Refused) -> str:
        """Return the sentence that a command was refused, and why."""
        text = self.refusal(refused.code, refused.details, refused.sentence)
        return self._messages.text("story.refused", {"told": text})

    def word(self, name: str, value: object) -> str:
        """Write a value as a part of a sentence, with the template `word.{name}`."""
        return self._messages.text(f"word.{name}", value)

    def unnamed(self, seat_id: Id) -> str:
        """Make a name from the id of a seat without a name: Player 1."""
        return unnamed(self._messages, seat_id)

    def within(self, name: str) -> str:
        """Write a name as in the middle of a sentence: the warden, not The warden."""
        return within(self._messages, name)


def _begun(sentence: str) -> str:
    """Begin a sentence with a capital, also after FSI (an invisible mark for the writing direction)."""
    at = int(sentence.startswith(FSI))
    return sentence[:at] + sentence[at : at + 1].upper() + sentence[at + 1 :]


def languages() -> list[str]:
    """List the languages that have a catalogue."""
    names = (file.name.split(".") for file in files(__package__).iterdir())
    return sorted(parts[1] for parts in names if (parts[0], parts[-1]) == ("narration", "json"))


@cache
def catalogue(language: str) -> dict[str, str]:
    """Return the templates of a language, each by its key. Raises ValueError if the language has no catalogue."""
    if language not in languages():
        raise ValueError(f"there are no words in {language!r}, only in {', '.join(languages())}")
    text = files(__package__).joinpath(f"narration.{language}.json").read_text(encoding="utf-8")
    templates: dict[str, str] = json.loads(text)
    return templates
