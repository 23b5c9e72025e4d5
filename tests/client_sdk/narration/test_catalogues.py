"""The catalogues: every language tells every event, in every way there is, with the same fields."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import get_args

import pytest

from dreadclock.narration import Messages, Narrator, languages
from dreadclock.narration.facts import FACTS, KINDS
from dreadclock.narration.messages import BRANCHED, Template
from dreadclock.narration.narrator import catalogue
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel
from dreadclock.wire.errors import Code, Refused
from kit.narration.examples import GOLDEN, LANGUAGES, examples, told_page
from kit.narration.telling import arguments_of, noting_narrator, told_in_transcript
from kit.scenery import full_room, record
from kit.transcripts.written import transcript_files

TYPES = {*BRANCHED, "", "as", "term", *KINDS}
_LEFT_OVER = re.compile(r"\?|None|\b(?:event|word|name|story)\.[a-z]")
NO_DEED = {  # what nobody takes back, or what only comes after something else in a command
    *("room_opened", "room_continued", "room_closed", "room_reopened", "edition_changed"),
    *("seat_joined", "seat_renamed", "seat_removed", "seat_lent", "seat_taken_back"),
    *("command_voided", "sealed_started", "sealed_changed", "made_public", "revealed", "required_revealed"),
    *("countdown_expired", "countdown_repeated", "stage_reached", "stage_left", "challenge_overcome", "situation_won"),
    *("check_odds_changed", "check_resolved", "effect_happened", "momentum_gained", "interference_gained"),
    *("venture_earned", "total_succeeded", "crisis_due"),
    *("consequence_happened", "consequence_told", "consequence_skipped", "consequences_stopped"),
}
GROUPS = ("event.", "story.", "name.")  # that every language has alike; words of its own it may have more


def keys_of(language: str, group: str) -> set[str]:
    return {key for key in catalogue(language) if key.startswith(group)}


def fields_of(messages: Messages, template: Template, of: str = "", within: tuple[str, ...] = ()) -> Iterator[str]:
    """Go through the fields that a template tells, also in the templates that it is made of, each once in itself."""
    for argument in arguments_of(template):
        path = [] if argument.path == ("it",) else list(argument.path)
        field = ".".join([of, *path]) if of else ".".join(path)
        if argument.type == "as":
            if argument.style not in within:
                inside = (*within, argument.style)
                yield from fields_of(messages, messages.template(argument.style), field, inside)
        elif argument.type != "list" and field and argument.path != ("#",):
            yield field


def told_fields(language: str, key: str) -> set[str]:
    messages = Messages(language, catalogue(language))
    return set(fields_of(messages, messages.template(key)))


def test_the_languages_are_those_that_there_are_catalogues_of() -> None:
    assert set(languages()) == set(LANGUAGES)
    with pytest.raises(ValueError, match="there are no words in 'xx', only in de, en"):
        Narrator("xx")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_has_a_sentence(language: str) -> None:
    union, _ = get_args(e.Event)
    types = {event.model_fields["type"].default for event in get_args(union)}

    assert keys_of(language, "event.") == {f"event.{type_}" for type_ in types}
    assert keys_of(language, "deed.") == {f"deed.{type_}" for type_ in types - NO_DEED}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_template_is_well_formed_and_made_of_what_there_is(language: str) -> None:
    messages = Messages(language, catalogue(language))

    for key in catalogue(language):
        for argument in arguments_of(messages.template(key)):
            assert argument.type in TYPES, key
            assert argument.type != "as" or messages.has(argument.style), key
            assert argument.type != "term" or keys_of(language, f"{argument.style}."), key


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("group", GROUPS)
def test_every_language_says_the_same(language: str, group: str) -> None:
    assert keys_of(language, group) == keys_of("en", group)
    for key in keys_of(language, group):
        assert told_fields(language, key) == told_fields("en", key), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_template_and_every_branch_of_it_is_told_by_some_example(language: str) -> None:
    narrator, noted = noting_narrator(language)

    for example in examples():
        narrator.told(example.record, example.view)
        if isinstance(example.event, e.ConsequenceAttached):
            narrator.follows(example.event.consequence, example.view)
        if isinstance(example.event, e.EffectsSet):
            for deed in example.event.effects.fumble_does:
                narrator.follows(deed, example.view)
    for path in transcript_files():
        list(told_in_transcript(path.name, [narrator]))
    narrator.refused(Refused(Code.BUG))

    untold = [place for place in noted.untold() if place.split(".")[0] in ("event", "story", "name", "word")]
    assert untold == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_that_is_told_is_missing(language: str) -> None:
    narrator = Narrator(language)
    told = [narrator.told(example.record, example.view) for example in examples()]
    told += [text for path in transcript_files() for (text,) in told_in_transcript(path.name, [narrator])]

    assert len(told) > 1_000
    assert [text for text in told if _LEFT_OVER.search(text)] == []


@pytest.mark.parametrize("fact", FACTS)
def test_every_fact_is_told_in_every_language(fact: str) -> None:
    for language in LANGUAGES:
        messages = Messages(language, catalogue(language))
        steps = {
            step for key in catalogue(language) for each in arguments_of(messages.template(key)) for step in each.path
        }
        assert fact in steps


def test_the_examples_are_told_in_every_language_as_they_were() -> None:
    """See what a change does to the stories; `make generate` writes them anew."""
    assert (GOLDEN / "narration.txt").read_text(encoding="utf-8") == told_page()


# German beside its grammar


def test_a_story_in_german() -> None:
    narrator, view = Narrator("de"), full_room().view
    secret = record(e.TurnEnded(turn=1, note="Endlich.")).model_copy(update={"channel": Channel.GM})

    assert narrator.told(secret, view) == "(nur für die Spielleitung) Zug 1 ist vorbei. „Endlich.“"
    assert narrator.sentence(record(e.RoomClosed(), by="player-9"), view) == "Spieler 9 schließt den Raum."
