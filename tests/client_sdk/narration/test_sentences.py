"""Events in plain words."""

from __future__ import annotations

from typing import get_args

import pytest

from dreadclock.narration import QUIET, Narrator, started_id
from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Visibility
from dreadclock.wire.things import ClockKind, Roll
from kit import scenery
from kit.narration.examples import first_of, written_examples
from kit.scenery import full_room, record

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
