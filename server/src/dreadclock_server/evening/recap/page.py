"""The recap: a page about an evening, made from the room's export."""

import base64
import hashlib
from collections.abc import Iterator, Sequence
from datetime import tzinfo
from functools import cache
from importlib.resources import files

from dreadclock.dice.audit import Report
from dreadclock.dice.fingerprint import six_words
from dreadclock.export import Export, Step
from dreadclock.narration import Narrator
from dreadclock.wire.base import Channel
from dreadclock.wire.events import TurnEnded
from dreadclock.wire.plain import finished, isolated, plain
from dreadclock.wire.things import CharacterStatus
from dreadclock_server.evening.recap.cards import Cards
from dreadclock_server.evening.recap.ending import ending, gone
from dreadclock_server.evening.recap.markup import Markup, items, joined, tag
from dreadclock_server.evening.recap.meant import meant
from dreadclock_server.evening.recap.proofs import alarm, proofs
from dreadclock_server.evening.recap.telling import Telling
from dreadclock_server.evening.recap.things import Played, characters_of, crises, foes, people
from dreadclock_server.evening.recap.times import Times
from dreadclock_server.evening.recap.words import Words, words_of

_NOTHING = Markup("")
_FOLDED = ("story", "races", "clocks", "countdowns", "dice")
_TONES = {"success": "won", "won": "won", "failure": "lost", "failed": "lost", "expired": "lost"}


def page(
    export: Export, language: str, zone: tzinfo | None = None, *, report: Report | None = None, styled: bool = True
) -> str:
    """Write the recap of an export as HTML.

    `zone`: the time zone; by default this computer's. `report`: the result of the audit of the dice. `styled`:
    whether to include the style sheet. A caller that adds it later adds a line feed and the text of evening.css,
    because the page's policy has the hash of these. The page loads nothing, and its policy
    forbids scripts. Raises ValueError for an unknown language, and BrokenExport if the export refers to missing
    things.
    """
    narrator, steps = Narrator(language), meant(tuple(export.steps()))
    words, times = words_of(language), Times(zone)
    parts = [_section(name, words, part) for name, part in _parts(steps, words, times, narrator, report) if part]
    title = plain(steps[-1].after.title) if steps and steps[-1].after.title else words("untitled")
    when, kind = _about(export, steps, words, times)
    faults = alarm(report, words) if report else ""
    said = [tag("p", tag("strong", faults), class_="alarm")] if faults else []
    body = tag("body", tag("header", when, tag("h1", title), *said), tag("main", *parts, kind))
    return f"<!doctype html>\n{tag('html', _head(words('title', title=title), styled=styled), body, lang=language)}\n"


def _section(name: str, words: Words, part: Markup) -> Markup:
    """Write a section, collapsed if its name is in `_FOLDED`."""
    heading = tag("h2", words(name), id=name)
    inside = [tag("details", tag("summary", heading), part)] if name in _FOLDED else [heading, part]
    return tag("section", *inside, aria_labelledby=name)


def _head(title: str, *, styled: bool) -> Markup:
    style = Markup(_style())
    hashed = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{hashed}'"
    return tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", title),
        tag("style", style) if styled else _NOTHING,
    )


def _about(export: Export, steps: Sequence[Step], words: Words, times: Times) -> tuple[Markup, Markup]:
    """Write two paragraphs: when the evening was, and what the page shows of it.

    The first also has the numbers of events and turns; the second the time zone and the fingerprint of the log.
    """
    head = export.header.heads[Channel.PUBLIC]
    said = [words("told.all" if Channel.GM in export.header.channels else "told.public")]
    turns = sum(isinstance(step.record.event, TurnEnded) for step in steps)
    turns += turns > 0 and not isinstance(steps[-1].record.event, TurnEnded)  # counts the current turn, too
    when = [words("size", events=len(steps), turns=turns)]
    if steps:
        first, last = (step.record.at for step in (steps[0], steps[-1]))
        span = {"day": times.date(first), "from": times.of_day(first), "until": times.of_day(last)}
        days = times.date(first) != times.date(last)
        when.insert(0, words("span.days" if days else "span", **span, last_day=times.date(last)) + ".")
        said.append(words("zone", zone=times.offset(first)))
    if head.seq:
        said.append(words("words", seq=head.seq, words=" ".join(six_words(head.hash))))
    return tag("p", " ".join(when), class_="when"), tag("p", " ".join(said), class_="soft")


def _parts(
    steps: Sequence[Step], words: Words, times: Times, narrator: Narrator, report: Report | None
) -> Iterator[tuple[str, Markup]]:
    """Yield the sections by name. A section may be empty."""
    cards, telling = Cards(steps, words, times), Telling(steps, words, times)
    yield "ending", joined(_ended(words, *line) for line in ending(steps))
    moment_cards = cards.moments()
    yield "moments", items(moment_cards, "moments") if moment_cards else _NOTHING
    yield "scars", _scars(steps, words)
    yield "scenes", telling.scenes()
    yield "people", _people(steps, words)
    yield "story", telling.story(narrator)
    yield "races", _about_cards(words, "races.about", cards.races())
    yield "clocks", _about_cards(words, "clocks.about", cards.panels())
    yield "countdowns", _about_cards(words, "countdowns.about", cards.countdowns())
    proven = list(proofs(report, words)) if report else []
    listed = [tag("p", proven[0]), items(proven[1:], "proofs")] if proven else []
    yield "dice", _about_cards(words, "dice.about", cards.tallies(), *listed)


def _ended(words: Words, name: str, endings: list[dict[str, object]], more: int) -> Markup:
    """Write a line of the ending: a list of things that ended, or for `running` a paragraph about open things."""
    if name == "running":
        return tag("p", finished(words("ending.running", those=endings, more=more)), class_="soft")
    lines = [tag("li", words("ending.one", **ended), class_=_TONES.get(str(ended["how"]))) for ended in endings]
    return items([*lines, *([words("ending.more", it=more)] if more else [])], "ended")


def _scars(steps: Sequence[Step], words: Words) -> Markup:
    """Write the crises of the evening, and the characters that are out of play."""
    suffered = (
        tag("li", tag("strong", isolated(name)), ": ", words("crisis", **crisis.model_dump(exclude_none=True)))
        for _, name, crisis in crises(steps)
    )
    lines = [*suffered, *(tag("li", words("ending.one", **character)) for character in gone(steps))]
    return items(lines, "scars") if lines else _NOTHING


def _about_cards(words: Words, about: str, cards: Sequence[Markup], *between: Markup) -> Markup:
    return joined((tag("p", words(about), class_="soft"), *between, items(cards, "cards"))) if cards else _NOTHING


def _people(steps: Sequence[Step], words: Words) -> Markup:
    listed = []
    for person in people(steps):
        role = words("role", role=person.role) + (f", {words('left')}" if person.left else "")
        name = (tag("strong", isolated(person.name)), " ", tag("span", role, class_="soft"))
        listed.append(tag("li", *name, _characters(person.characters, words)))
    if played := (*characters_of(steps, None), *foes(steps)):
        listed.append(tag("li", tag("strong", words("characters")), _characters(played, words)))
    return items(listed, "people") if listed else _NOTHING


def _characters(played: Sequence[Played], words: Words) -> Markup:
    status = {option: words("status", status=option) for option in CharacterStatus}
    named = (
        isolated(character.name) + (f" ({status[character.status]})" if status[character.status] else "")
        for character in played
    )
    return tag("p", ", ".join(named)) if played else _NOTHING


@cache
def _style() -> str:
    return "\n" + files(__package__).joinpath("evening.css").read_text(encoding="utf-8")
