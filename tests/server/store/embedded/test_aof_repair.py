"""Telling a torn end from damage, in files as Valkey writes them."""

from bisect import bisect_right
from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreadclock_server.store.embedded import aof_repair
from dreadclock_server.store.embedded.datadir import EmbeddedFailed


def command(*words: bytes) -> bytes:
    return b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%b\r\n" % (len(word), word) for word in words)


WORDS = st.lists(st.binary(max_size=40).filter(lambda word: b"*" not in word), min_size=1, max_size=4)
ALONE = WORDS.map(lambda words: command(b"SET", *words))
BLOCK = st.lists(WORDS, min_size=1, max_size=3).map(
    lambda inside: command(b"MULTI") + b"".join(command(b"XADD", *words) for words in inside) + command(b"EXEC")
)
FILES = st.lists(ALONE | BLOCK, min_size=1, max_size=8)


@given(FILES, st.data())
def test_a_cut_anywhere_keeps_exactly_the_whole_commands_and_transactions(parts: list[bytes], data: st.DataObject):
    whole = b"".join(parts)
    ends = [0, *accumulate(map(len, parts))]
    length = data.draw(st.integers(0, len(whole)))

    found = aof_repair.look(whole[:length])

    assert found.whole == ends[bisect_right(ends, length) - 1]
    assert not found.is_damaged


@given(FILES, FILES, st.integers(0, 3), st.integers(1, 255))
def test_damage_before_a_command_is_no_torn_end(before: list[bytes], after: list[bytes], place: int, other: int):
    broken = bytearray(command(b"SET", b"a"))
    broken[place] ^= other
    start = b"".join(before)

    found = aof_repair.look(start + bytes(broken) + b"".join(after))

    assert found.is_damaged or found.whole == len(start) + len(broken) + len(b"".join(after))


def test_a_length_that_leads_beyond_the_end_is_damage_although_valkey_takes_it_for_a_torn_end():
    good = command(b"SET", b"key", b"value")
    wrong = good.replace(b"$5", b"$5000")

    assert aof_repair.look(good + wrong + good).is_damaged
    assert not aof_repair.look(good + wrong).is_damaged


def test_zeros_after_a_power_cut_are_a_torn_end():
    good = command(b"SET", b"key", b"value")

    assert aof_repair.look(good + bytes(4096)) == aof_repair.AofState(len(good), len(good), is_damaged=False)
    assert aof_repair.look(good + bytes(4096) + good).is_damaged


def test_what_is_cut_is_kept_aside(tmp_path: Path):
    (tmp_path / "appendonlydir").mkdir()
    for number in (9, 10):
        (tmp_path / "appendonlydir" / f"appendonly.aof.{number}.incr.aof").write_bytes(command(b"PING") + b"torn")

    assert aof_repair.mend(tmp_path)

    assert (tmp_path / "appendonlydir" / "appendonly.aof.10.incr.aof").read_bytes() == command(b"PING")
    assert (tmp_path / "torn.aof").read_bytes() == b"torn"
    assert not aof_repair.mend(tmp_path)
    assert (tmp_path / "appendonlydir" / "appendonly.aof.9.incr.aof").read_bytes().endswith(b"torn")


def test_damage_in_the_middle_is_refused_with_a_sentence_and_left_as_it_is(tmp_path: Path):
    (tmp_path / "appendonlydir").mkdir()
    file = tmp_path / "appendonlydir" / "appendonly.aof.1.incr.aof"
    damaged = command(b"PING") + b"?" + command(b"PING") + command(b"PING")
    file.write_bytes(damaged)

    with pytest.raises(EmbeddedFailed, match=r"is damaged: appendonly\.aof\.1\.incr\.aof cannot be read at byte 14"):
        aof_repair.mend(tmp_path)

    assert file.read_bytes() == damaged
    assert not (tmp_path / "torn.aof").exists()


def test_damage_names_the_room_that_it_is_in_and_the_line_that_restores_a_backup(tmp_path: Path):
    (tmp_path / "appendonlydir").mkdir()
    file = tmp_path / "appendonlydir" / "appendonly.aof.1.incr.aof"
    room = "abcdefghijklmnopqrstuvwx23"
    write = command(b"XADD", f"dc:{{{room}}}:log".encode(), b"1-1", b"e", b"x" * 100)
    file.write_bytes(write + b"?" + write[1:] + command(b"PING"))

    with pytest.raises(EmbeddedFailed) as failed:
        aof_repair.mend(tmp_path)

    assert f"The data around that place belong to room {room}." in str(failed.value)
    assert "dreadclock restore BACKUP --data NEW_FOLDER" in str(failed.value)


def test_without_a_file_there_is_nothing_to_mend(tmp_path: Path):
    assert not aof_repair.mend(tmp_path)
