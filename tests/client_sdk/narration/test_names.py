"""How the sentences name people and things."""

import pytest

from dreadclock.narration.narrator import Narrator
from dreadclock.rules.limits import RECENT
from dreadclock.wire import events as e
from dreadclock.wire.base import Kind
from dreadclock.wire.things import SecretRequired, Total, TotalOdds
from dreadclock.wire.views import View
from kit import scenery
from kit.narration.examples import first_of
from kit.scenery import full_room, record

sentence = Narrator().sentence


def seen_by_gm(*events: e.Event) -> View:
    log = full_room()
    for event in events:
        log.write(event)
    return log.view


def test_a_name_goes_on_with_a_small_article_within_a_sentence() -> None:
    warden = scenery.CHARACTER.model_copy(update={"id": "warden", "name": "The warden", "owner": None})
    view = seen_by_gm(e.CharacterAdded(character=warden))
    gained = e.MomentumGained(character_id="warden", check_id="kick", momentum=True, interference=False)
    unknown = e.SecretSet(secret=SecretRequired(total_id="run", required=9, odds=TotalOdds(mean="7/2")))
    total = Total(id="run", seat_id="gm", character_id="warden", score=1, pool=1)

    assert sentence(record(gained), view) == "The warden gains momentum."
    assert sentence(record(e.TotalProposed(total=total)), view) == (
        "Mara proposes the total of the warden: 1 die (score 1)."
    )
    assert sentence(record(unknown), view) == "The secret number of Mara for the total run is 9."


@pytest.mark.parametrize(
    ("name", "inside"),
    [("The warden", "the warden"), ("A guard", "a guard"), ("An ape", "an ape"), ("Theo", "Theo"), ("Al", "Al")],
)
def test_only_an_article_is_made_small(name: str, inside: str) -> None:
    assert Narrator().within(name) == inside


def test_a_gm_who_has_not_given_a_name_is_called_as_the_language_has_it() -> None:
    view = seen_by_gm(e.SeatRenamed(seat_id="gm", name="Gm"))
    total = record(e.TotalProposed(total=Total(id="run", seat_id="gm", character_id="warden", score=1, pool=1)))

    assert sentence(total, view).startswith("Gm proposes")
    assert Narrator("de").sentence(total, view).startswith("Spielleitung schlägt")


def test_a_seat_is_renamed_from_the_name_that_it_had() -> None:
    before = full_room().view
    renamed = e.SeatRenamed(seat_id="player-1", name="Tom")
    log = full_room()
    first, second = log.write(renamed), log.write(e.SeatRenamed(seat_id="player-1", name="Tim"))

    assert sentence(first, log.view) == "Rook is now called Tom."
    assert sentence(second, log.view) == "Tom is now called Tim."
    for turn in range(1, RECENT + 1):
        log.write(e.TurnEnded(turn=turn))
    assert sentence(first, log.view, before) == "Rook is now called Tom."
    assert sentence(second, log.view) == "Player 1 is now called Tim."


def test_what_was_taken_back_keeps_its_name_as_long_as_its_start_or_an_earlier_view_is_known() -> None:
    rain = scenery.WATER.model_copy(update={"id": "rain", "name": "Rain"})
    started = (e.ClockStarted(clock=rain), e.Cancelled(kind=Kind.CLOCK, id="rain", reason="a slip"))
    turns = [e.TurnEnded(turn=turn) for turn in range(1, RECENT + 1)]
    taken_back = record(started[1])

    assert sentence(taken_back, seen_by_gm(*started)) == 'Mara removed the clock "Rain": a slip.'
    assert sentence(taken_back, seen_by_gm(*started, *turns)) == "Mara removed the clock rain: a slip."
    before = seen_by_gm(started[0])
    assert sentence(taken_back, seen_by_gm(*started, *turns), before) == 'Mara removed the clock "Rain": a slip.'


def test_a_check_that_was_withdrawn_is_still_told_with_its_purpose() -> None:
    view = seen_by_gm(first_of("check_proposed"), e.CheckWithdrawn(check_id="dive"))

    assert sentence(record(e.CheckWithdrawn(check_id="dive")), view) == 'Mara withdrew the check of Raven ("Dive").'
