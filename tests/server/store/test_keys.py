import pytest
from redis.crc import key_slot

from dreadclock_server.store.keys import PARTS, channel, key, keys, room_of


def test_all_keys_and_the_channel_of_a_room_lie_in_one_cluster_slot():
    names = [*keys("abc", *PARTS), channel("abc")]

    assert len(set(names)) == len(PARTS) + 1
    assert {key_slot(name.encode()) for name in names} == {key_slot(b"abc")}


def test_a_channel_tells_its_room():
    assert room_of(channel("abc")) == "abc"


@pytest.mark.parametrize("room", ["", "a}b", "{a"])
def test_an_id_that_would_break_the_hash_tag_is_no_room(room: str):
    with pytest.raises(ValueError, match="not a room id"):
        key(room, "meta")
