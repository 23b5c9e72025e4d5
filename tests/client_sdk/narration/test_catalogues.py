"""The catalogues: every language tells every event, in every way there is, with the same fields."""

import re
from collections.abc import Iterator
from typing import get_args

import pytest

from dreadclock.narration import QUIET, Messages, Narrator, languages, started_id
from dreadclock.narration.facts import FACTS, KINDS
from dreadclock.narration.messages import BRANCHED, Template
from dreadclock.narration.narrator import catalogue
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Visibility
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.things import ClockKind, Roll
from kit import scenery
from kit.narration.examples import GOLDEN, LANGUAGES, examples, first_of, told_page, written_examples
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


# Events in plain words


NARRATOR = Narrator()
ROLL = Roll(id="roll-1", seat_id="gm", faces=(6, 1))


def test_every_event_there_is_has_an_example() -> None:
    union, _ = get_args(e.Event)
    types = {event.model_fields["type"].default for event in get_args(union)}

    assert {example.event.type for example in written_examples()} == types
    assert types > QUIET


@pytest.mark.parametrize("cause", list(e.Cause))
def test_every_cause_of_a_tick_has_its_words(cause: e.Cause) -> None:
    tick = e.ClockTicked(clock_id="water", kind=ClockKind.FREE, cause=cause, value=1)

    assert NARRATOR.sentence(record(tick), full_room().view).startswith('The clock "Water" is now at 1')


@pytest.mark.parametrize("reason", list(e.SituationFailure))
def test_every_way_to_fail_has_its_words(reason: e.SituationFailure) -> None:
    failed = e.SituationFailed(situation_id="run", reason=reason)

    assert NARRATOR.sentence(record(failed), full_room().view).startswith('"The way out" is lost: ')


def test_a_note_follows_its_event() -> None:
    told = NARRATOR.sentence(record(e.TurnEnded(turn=1, note="At last.")), full_room().view)

    assert told == 'Turn 1 is over. "At last."'


def test_who_acts_is_named_even_if_the_seat_is_gone() -> None:
    view = full_room().view

    assert NARRATOR.sentence(record(e.RoomClosed(), by="player-1"), view) == "Rook closed the room."
    assert NARRATOR.sentence(record(e.RoomClosed(), by="player-9"), view) == "Player 9 closed the room."


def test_an_event_of_a_later_version_is_told_as_unknown() -> None:
    later = e.TurnEnded.model_construct(type="moon_rose", turn=1)  # type: ignore[arg-type]

    told = NARRATOR.sentence(record(later), full_room().view)

    assert told == "Something happened that this version has no words for: moon_rose."


def test_text_of_others_cannot_steer_the_terminal_or_fill_in_a_template() -> None:
    rude = e.StageReached.model_construct(countdown_id="fever", at=2, effect="\x1b[2J{w.by}\r\n\u202eno\x07", note=None)

    told = NARRATOR.sentence(record(rude), full_room().view)

    assert told == '"Fever" is down to 2: \ufffd[2J{w.by} \ufffdno\ufffd.'


# Beside the sentence


def test_what_only_the_gm_is_told_is_marked() -> None:
    event = e.TurnEnded(turn=1)
    secret = record(event).model_copy(update={"channel": Channel.GM})

    assert NARRATOR.told(record(event), full_room().view) == "Turn 1 is over."
    assert NARRATOR.told(secret, full_room().view) == "(only for the gm) Turn 1 is over."


@pytest.mark.parametrize(
    ("event", "thing_id"),
    [
        (e.CharacterAdded(character=scenery.CHARACTER), "raven"),
        (e.CountdownStarted(countdown=scenery.FEVER), "fever"),
        (e.SceneOpened(scene=scenery.SCENE, clock=scenery.SCENE_CLOCK), "vault"),
        (e.SituationStarted(situation=scenery.RACE, clock=scenery.RACE_CLOCK), "run"),
        (e.ChallengeAdded(challenge=scenery.DOOR, clock=scenery.DOOR_CLOCK), "door"),
        (e.ClockStarted(clock=scenery.WATER), "water"),
        (e.EffortMade(effort=scenery.EFFORT), "shove"),
        (first_of("check_proposed"), "dive"),
        (first_of("total_proposed"), "drive"),
        (e.SeatJoined(seat=scenery.ROOK), "player-1"),
        (e.DiceRolled(roll=ROLL.model_copy(update={"visibility": Visibility.GM})), "roll-1"),
        (e.DiceRolled(roll=ROLL), None),
        (e.TurnEnded(turn=1), None),
        (first_of("check_adjusted"), None),
    ],
)
def test_what_an_event_starts_has_an_id_that_commands_can_name(event: e.Event, thing_id: str | None) -> None:
    assert started_id(event) == thing_id
