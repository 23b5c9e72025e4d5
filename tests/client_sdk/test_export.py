"""Exports hold together by themselves: no byte of them can change without the first record that is wrong being named.

`DREADCLOCK_FLIPS=1` flips every byte of an evening of 500 events instead of a sample.
"""

import os
from collections.abc import Iterator

import pytest

from dreadclock.export import BrokenExport, Chain, read_export, read_header, write_export
from dreadclock.wire.base import Channel
from dreadclock.wire.records import Record, text_of
from dreadclock_server.store.codec import decode
from kit.evenings.audited import BOTH, PUBLIC, evening_of, export_of
from kit.evenings.golden import golden_files, read_golden
from kit.tables import LOG, ROOM

EVENTS = 500
IN_FULL = "DREADCLOCK_FLIPS" in os.environ
FLIPS = (1, 2, 8, 32, 128) if IN_FULL else (1,)
EVERY = 1 if IN_FULL else 97  # bytes
Found = BrokenExport | None


def evening(*channels: Channel) -> bytes:
    return export_of(list(evening_of(EVENTS)), *channels)


def broken(data: bytes) -> Found:
    """Return what is wrong with an export."""
    try:
        read_export(data)
    except BrokenExport as found:
        return found
    return None


def flipped(data: bytes, place: int, bits: int) -> bytes:
    return data[:place] + bytes([data[place] ^ bits]) + data[place + 1 :]


@pytest.mark.parametrize("channels", [PUBLIC, BOTH])
def test_what_is_written_is_read_with_its_records_in_their_order(channels: tuple[Channel, ...]):
    export = read_export(evening(*channels))

    texts = [text for text in evening_of(EVENTS) if '"channel":"public"' in text or Channel.GM in channels]
    assert [text_of(record) for record in export.records] == texts
    assert [step.record for step in export.steps()] == list(export.records)
    assert export.header.channels == channels
    assert {head.seq for head in export.header.heads.values()} <= {record.seq for record in export.records}


def test_records_may_be_given_in_any_order():
    texts = list(evening_of(EVENTS))

    assert "".join(write_export(ROOM, LOG, BOTH, reversed(texts))).encode() == evening(*BOTH)
    records = map(Record.model_validate_json, texts)
    assert "".join(write_export(ROOM, LOG, BOTH, records)).encode() == evening(*BOTH)


def test_records_of_older_versions_keep_the_texts_that_were_hashed():
    rewritten = 0
    for path in golden_files():
        golden = read_golden(path)
        texts = [text for entry in golden.entries for text in decode(entry).texts]
        data = "".join(write_export(golden.room.room_id, golden.room.log_id, BOTH, texts))
        assert read_export(data.encode()).header.heads == decode(golden.entries[-1]).heads
        rewritten += sum(text_of(Record.model_validate_json(text)) != text for text in texts)
    assert rewritten > 0


def test_the_header_stands_for_itself():
    data = export_of(list(evening_of(EVENTS))[:20], *BOTH)
    for place in range(data.index(b"\n")):
        found = broken(flipped(data, place, 1))
        assert found is not None
        assert (found.line, found.channel, found.seq) == (1, None, None), place


def test_a_flipped_byte_is_found_at_its_record(figures: list[str]):
    """Every byte of every line, its line feed too; on a line that was not flipped the chain goes on from a fork."""
    lines = evening(*BOTH).split(b"\n")
    chain, count = Chain(read_header(lines[0])), 0
    for place, line in enumerate(lines[1:-1], start=1):
        following = lines[place + 1] + b"\n" if lines[place + 1] else b""
        fork = chain.fork()
        record = chain.take(line)
        for found in found_in(fork, line, following, place):
            assert found is not None
            assert (found.line, found.channel, found.seq) == (place + 1, record.channel, record.seq)
            count += 1
    chain.end()
    figures.append(f"flipped bytes: {count} of {len(lines) - 2} records, each found at its own")
    assert count > 500


def found_in(chain: Chain, line: bytes, following: bytes, place: int) -> Iterator[Found]:
    """Flip the bytes of a line one after the other, and give what is found."""
    for at in range(place % EVERY, len(line) + 1, EVERY):
        for bits in FLIPS:
            yield taken(chain.fork(), flipped(line + b"\n", at, bits) + following, last=not following)


def taken(chain: Chain, data: bytes, *, last: bool) -> Found:
    *lines, rest = data.split(b"\n")
    try:
        for line in lines:
            chain.take(line)
        if last or rest:
            chain.end(rest)
    except BrokenExport as found:
        return found
    return None


def test_the_last_line_must_end():
    data = evening(*BOTH)
    end = read_export(data).records[-1]

    for wrong in (data[:-1], flipped(data, len(data) - 1, 1), data[:-20]):
        found = broken(wrong)
        assert found is not None
        assert (found.line, found.channel, found.seq) == (data.count(b"\n"), end.channel, end.seq)


def test_an_export_of_a_newer_version_is_called_so():
    newer = evening(Channel.PUBLIC).replace(b'"v":1}', b'"v":12}', 1)
    assert "newer version of Dreadclock, as format 12" in str(broken(newer))


def test_a_tail_that_is_cut_is_missed_by_the_header():
    lines = evening(*BOTH).splitlines(keepends=True)

    found = broken(b"".join(lines[:-3]))

    assert found is not None
    assert found.line == 1
    assert "ends at record" in found.what


@pytest.mark.parametrize(
    ("wrong", "line"), [(b"", 1), (b"\n", 1), (b"{}\n", 1), (b"\xff\xfe\n", 1), (b"[" * 100_000, 1)]
)
def test_what_is_no_export_is_said_to_be_none(wrong: bytes, line: int):
    found = broken(wrong)

    assert found is not None
    assert found.line == line


@pytest.mark.parametrize(
    "change",
    [
        (b'"seq":3,', b'"seq": 3,'),
        (b'"seq":3,', b'"seq":3.0,'),
        (b'"seq":3,', b'"seq":3,"seq":3,'),
        (b'"by":"gm",', b'"by":"gm","after":null,'),
        (b'"by":"gm",', b'"by":"\\u0067m",'),
        (b'"record":{', b'"record" :{'),
    ],
)
def test_a_line_can_be_written_in_one_way_only(change: tuple[bytes, bytes]):
    lines = evening(*PUBLIC).split(b"\n")
    lines[3] = lines[3].replace(*change, 1)

    found = broken(b"\n".join(lines))

    assert found is not None
    assert (found.line, found.channel, found.seq) == (4, Channel.PUBLIC, 3)


def test_two_records_that_changed_places_are_found():
    lines = evening(*PUBLIC).split(b"\n")
    lines[9], lines[10] = lines[10], lines[9]

    found = broken(b"\n".join(lines))

    assert found is not None
    assert (found.line, found.channel) == (10, Channel.PUBLIC)
