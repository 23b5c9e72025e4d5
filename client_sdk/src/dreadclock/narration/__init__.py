"""Narration: writes events as sentences, with the templates in `narration.<language>.json`."""

from dreadclock.narration.facts import started_id
from dreadclock.narration.messages import Messages, TemplateError
from dreadclock.narration.narrator import ENGLISH, QUIET, Narrator, is_quiet, languages

__all__ = ["ENGLISH", "QUIET", "Messages", "Narrator", "TemplateError", "is_quiet", "languages", "started_id"]
