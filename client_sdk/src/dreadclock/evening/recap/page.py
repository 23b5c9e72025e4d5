"""The page of an evening: what was read off its export, put into words and drawings."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from datetime import tzinfo
from functools import cache
from importlib.resources import files
from itertools import count
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from dreadclock.evening.audit import Report
from dreadclock.evening.export import Export, Step
from dreadclock.evening.fingerprint import six_words
from dreadclock.evening.recap.cards import Cards
from dreadclock.evening.recap.crises import crises
from dreadclock.evening.recap.people import nobodys, people
from dreadclock.evening.recap.proofs import alarm, proofs
from dreadclock.evening.recap.story import Chapter, chapters
from dreadclock.evening.recap.times import Times
from dreadclock.evening.recap.words import Words, words_of
from dreadclock.narration import Narrator
from dreadclock.wire.base import Channel
from dreadclock.wire.events import TurnEnded
from dreadclock.wire.plain import plain

_SECTIONS: Final = ("people", "crises", "races", "clocks", "countdowns", "dice", "story")
_CONTENT: Final = {"clocks": "panels", "dice": "tallies", "story": "chapters"}  # where it is called otherwise


def page(export: Export, language: str, zone: tzinfo | None = None, *, report: Report | None = None) -> str:
    """Write the recap of an export as HTML.

    `zone`: of its times, this computer's unless another is named. `report`: what an audit of it found.
    The page loads nothing, and its own policy lets it run nothing. Raises ValueError if nobody speaks the language,
    BrokenExport if the export speaks of what is not there.
    """
    narrator, steps = Narrator(language), tuple(export.steps())
    words, times = words_of(language), Times(zone)
    cards = Cards(steps, words, times)
    shown = {**_head(export, steps, words, times), **_parts(steps, cards), **_audited(report, words)}
    shown["chapters"] = list(_chapters(chapters(steps, narrator), words))
    sections = [each for each in _SECTIONS if shown[_CONTENT.get(each, each)]]
    css = Markup("\n" + _style() + cards.css())
    rendered = _template().render(
        **shown, sections=sections, css=css, css_hash=_hash(css), say=words, times=times, lang=language
    )
    return rendered.strip() + "\n"


def _parts(steps: Sequence[Step], cards: Cards) -> dict[str, Any]:
    return {
        "people": people(steps),
        "nobodys": nobodys(steps),
        "crises": crises(steps),
        "races": cards.races(),
        "panels": cards.panels(),
        "countdowns": cards.countdowns(),
        "tallies": cards.tallies(),
    }


def _audited(report: Report | None, words: Words) -> dict[str, Any]:
    if report is None:
        return {"proofs": [], "alarm": ""}
    return {"proofs": list(proofs(report, words)), "alarm": alarm(report, words)}


def _head(export: Export, steps: Sequence[Step], words: Words, times: Times) -> dict[str, object]:
    """Say when it was, and what of it is shown."""
    head = export.header.heads[Channel.PUBLIC]
    known = {
        "title": plain(steps[-1].after.title) if steps and steps[-1].after.title else words("untitled"),
        "told": words("told.all" if Channel.GM in export.header.channels else "told.public"),
        "fingerprint": words("words", seq=head.seq, words=" ".join(six_words(head.hash))) if head.seq else "",
    }
    if not steps:
        return {**known, "span": "", "size": words("size", events=0, turns=0), "zone": "", "days": False}
    first, last = (step.record.at for step in (steps[0], steps[-1]))
    days = times.date(first) != times.date(last)
    span = {"day": times.date(first), "from": times.of_day(first), "until": times.of_day(last)}
    turns = sum(isinstance(step.record.event, TurnEnded) for step in steps)
    return {
        **known,
        "span": words("span.days" if days else "span", **span, last_day=times.date(last)),
        "size": words("size", events=len(steps), turns=turns),
        "zone": words("zone", zone=times.offset(first)),
        "days": days,
    }


def _chapters(told: Sequence[Chapter], words: Words) -> Iterator[dict[str, object]]:
    """Give chapters and turns their headings, where there is more than one of them."""
    scenes = any(chapter.scene is not None for chapter in told)
    turns = len({turn.number for chapter in told for turn in chapter.turns}) > 1
    for place, chapter in zip(count(), told, strict=False):
        around = "before" if place == 0 else "after" if place == len(told) - 1 else "between"
        heading = words(f"story.{around}") if chapter.scene is None else words("story.scene", name=chapter.scene)
        yield {
            "heading": heading if scenes else None,
            "below": "h4" if scenes else "h3",
            "turns": [
                {"heading": words("story.turn", turn=turn.number) if turns else None, "told": turn.told}
                for turn in chapter.turns
            ],
        }


def _hash(css: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()


@cache
def _style() -> str:
    return files(__package__).joinpath("evening.css").read_text(encoding="utf-8")


@cache
def _template() -> Template:
    """Return the template; whatever is put into it is escaped."""
    loader = PackageLoader("dreadclock.evening.recap", "")
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    return environment.get_template("evening.html")
