"""Views as JSON are written once for all who ask, and anew only when the viewer's own channels went on."""

import json
from dataclasses import replace

import pytest

from dreadclock.wire.base import Channel
from dreadclock_server.core.room import Room
from dreadclock_server.rooms.views import ViewCache, part_of
from kit.tables import ANN, GM, ROOM, Table

SAID = {"type": "narrate", "text": "It rains."}
SECRET = {"type": "start_clock", "id": "gm-tide", "name": "Tide", "size": 6, "visibility": "gm"}
SEATS = (ANN, GM)


def of_all(cache: ViewCache, room: Room) -> list[bytes]:
    """Return the texts of a player's and of the gm's view."""
    return [cache.text(room, seat.channels) for seat in SEATS]


def test_a_text_is_the_view_of_its_channels():
    table, cache = Table(), ViewCache()
    table.do(SECRET)

    for seat in SEATS:
        text = cache.text(table.room, seat.channels)
        assert text.decode() == part_of(table.room.view, seat.channels).model_dump_json(exclude_none=True)
    assert list(json.loads(cache.text(table.room, ANN.channels))["channels"]) == ["public"]


def test_a_text_is_kept_until_a_channel_of_its_own_goes_on():
    table, cache = Table(), ViewCache()
    of_ann, of_gm = of_all(cache, table.room)

    assert all(now is before for now, before in zip(of_all(cache, table.room), (of_ann, of_gm), strict=True))
    table.do(SECRET)
    after_secret = of_all(cache, table.room)
    assert after_secret[0] is of_ann, "a hidden entry does not show in the time that a player's view takes"
    assert b"gm-tide" in after_secret[1]
    table.do(SAID)
    after_said = of_all(cache, table.room)
    assert all(b"It rains." in text for text in after_said)


def test_an_earlier_room_with_other_heads_is_not_mistaken_for_this_one():
    table, cache = Table(), ViewCache()
    earlier = table.room
    table.do(SAID)
    of_all(cache, table.room)

    assert all(b"It rains." not in text for text in of_all(cache, earlier))


@pytest.mark.parametrize("kept", [1, 3])
def test_the_texts_that_were_asked_for_last_are_kept_as_far_as_there_is_room(kept: int):
    rooms = [replace(Table().room, room_id=ROOM[:-1] + letter) for letter in "abcd"]
    size = len(ViewCache().text(rooms[0], ANN.channels)) + 1024
    cache = ViewCache(kept * size + size // 2)
    texts = [cache.text(room, ANN.channels) for room in rooms]

    latest = list(zip(rooms, texts, strict=True))[-kept:]
    assert all(cache.text(room, ANN.channels) is text for room, text in latest)
    assert cache.text(rooms[0], ANN.channels) is not texts[0]


def test_a_text_that_is_asked_for_again_outlasts_one_that_was_asked_for_later():
    old, other, new = [replace(Table().room, room_id=ROOM[:-1] + letter) for letter in "abc"]
    size = len(ViewCache().text(old, ANN.channels)) + 1024
    cache = ViewCache(2 * size + size // 2)
    kept, dropped = [cache.text(room, ANN.channels) for room in (old, other)]

    cache.text(old, ANN.channels)
    cache.text(new, ANN.channels)

    assert cache.text(old, ANN.channels) is kept
    assert cache.text(other, ANN.channels) is not dropped


def test_a_node_keeps_32_mib_of_texts():
    rooms = [replace(Table().room, room_id=f"{number:026}") for number in range(64)]
    table = Table()
    for number in range(24):
        stages = [{"at": at, "effect": "\N{SKULL}" * 280} for at in range(1, 25)]
        table.do({"type": "start_countdown", "id": f"c{number}", "name": "C", "pool": 30, "stages": stages})
    large = [replace(table.room, room_id=room.room_id) for room in rooms]
    cache = ViewCache()
    texts = [cache.text(room, ANN.channels) for room in large]

    kept = [room for room, text in zip(large, texts, strict=True) if cache._texts.get((room.room_id, ANN.channels))]
    size = sum(len(cache.text(room, ANN.channels)) + 1024 for room in kept)
    assert (32 << 20) - len(texts[0]) - 1024 < size <= 32 << 20


def test_a_text_larger_than_the_cache_is_written_each_time_and_evicts_no_other():
    table, small = Table(), replace(Table().room, room_id=ROOM[:-1] + "b")
    for number in range(20):
        table.do({**SECRET, "id": f"tide-{number}", "visibility": "public"})
    cache = ViewCache(len(ViewCache().text(table.room, ANN.channels)) + 1023)
    kept = cache.text(small, (Channel.PUBLIC,))

    assert cache.text(table.room, ANN.channels) is not cache.text(table.room, ANN.channels)
    assert cache.text(small, (Channel.PUBLIC,)) is kept
