import hashlib

from dreadclock_server.store.base import EMPTY, Position


def test_an_empty_log_ends_at_entry_zero_under_a_digest_of_zeros():
    assert Position(0, "00" * 32) == EMPTY


def test_each_digest_covers_the_one_before_and_the_entry():
    first = hashlib.sha256(bytes(32) + b"one").digest()
    second = hashlib.sha256(first + b"two").digest()

    assert EMPTY.after(b"one") == Position(1, first.hex())
    assert EMPTY.after(b"one").after(b"two") == Position(2, second.hex())
