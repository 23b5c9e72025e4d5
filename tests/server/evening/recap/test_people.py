"""Who was there."""

from __future__ import annotations

from dreadclock.wire import events as e
from dreadclock.wire.base import Channel, Role
from dreadclock.wire.things import CharacterStatus
from dreadclock_server.evening.recap.things import Person, Played, characters_of, people
from kit.evenings.played import steps_of
from kit.scenery import CHARACTER, GM, ROOK
from kit.table import Log


def test_everybody_is_listed_by_the_last_name_with_their_characters_even_who_left() -> None:
    log = Log(Channel.PUBLIC)
    stray = CHARACTER.model_copy(update={"id": "stray", "name": "A stray dog", "owner": None})
    for event in (
        e.SeatJoined(seat=GM),
        e.SeatJoined(seat=ROOK),
        e.CharacterAdded(character=CHARACTER),
        e.CharacterAdded(character=stray),
        e.SeatRenamed(seat_id="gm", name="Mara the Bold"),
        e.CharacterDied(character_id="raven"),
        e.SeatRemoved(seat_id="player-1", reason=e.Departure.LEFT),
    ):
        log.write(event)
    steps = steps_of(log.records, Channel.PUBLIC)

    assert people(steps) == (
        Person("Mara the Bold", Role.GM, left=False, characters=()),
        Person("Rook", Role.PLAYER, left=True, characters=(Played("Raven", CharacterStatus.DEAD),)),
    )
    assert characters_of(steps, None) == (Played("A stray dog", CharacterStatus.IN_PLAY),)


def test_nobody_was_at_an_evening_without_records() -> None:
    assert (people(()), characters_of((), None)) == ((), ())
