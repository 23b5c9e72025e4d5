"""Canonical texts and the hash chain over them, against vectors made with sha256sum."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from dreadclock.wire import records
from dreadclock.wire.base import Channel
from dreadclock.wire.events import SeatRenamed

ROOM = "aaaqeayeaudaocajbifqydiob4"  # the bytes 00 to 0f
LOG = "aa" * 16
OPENING = "7cd3d68ca45d7336e04c40c44fafad6eb343b1fb4a188d13d5c563aff898cac7"
AFTER_ONE = "47ae25656adc292dcd293b90181b190473050954767d3a375d2b3f6ea94fd29b"
TEXT = (
    '{"at":1,"by":"gm","channel":"public","event":{"name":"Ω","note":"é","seat_id":"gm","type":"seat_renamed"},'
    '"seq":1,"v":1}'
)
RECORD = records.Record(
    channel=Channel.PUBLIC, seq=1, at=1, by="gm", event=SeatRenamed(seat_id="gm", name="Ω", note="é")
)


def test_canonical_json_has_sorted_keys_no_spaces_and_no_escapes_beyond_need() -> None:
    value = {"b": [1, 2, {"z": None, "a": True}], "a": 'é"\\\n\u2028', "A": -5}

    assert records.canonical(value) == '{"A":-5,"a":"é\\"\\\\\\n\u2028","b":[1,2,{"a":true,"z":null}]}'


TEXTS = st.text(st.characters(codec="utf-8"))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXTS,
    lambda inside: st.lists(inside) | st.dictionaries(TEXTS, inside),
)


@given(VALUES)
def test_another_writer_of_json_gives_the_same_text(value: object) -> None:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    assert records.canonical(value) == text
    assert records.is_canonical(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1}',
        '{"b":1,"a":2}',
        '"\\u00e9"',
        "1.0e1",
        "NaN",
        '{"a":1,"a":1}',
        '"\\ud800"',
        f"{2**64}",
        "[" * 2000,
        "",
    ],
)
def test_what_is_written_in_another_way_is_not_canonical(text: str) -> None:
    assert not records.is_canonical(text)


def test_a_record_is_written_in_one_way_and_read_back() -> None:
    assert records.text_of(RECORD) == TEXT
    assert records.Record.model_validate_json(TEXT) == RECORD


def test_what_is_absent_is_not_written_and_a_hidden_record_says_what_it_follows() -> None:
    hidden = RECORD.model_copy(update={"channel": Channel.GM, "after": 7})

    assert '"after"' not in TEXT
    assert records.text_of(hidden).startswith('{"after":7,"at":1,"by":"gm","channel":"gm",')


@pytest.mark.parametrize(
    "change",
    [('"v":1', '"v":2'), ('"seq":1', '"seq":0'), ('"seq":1', '"seq":1.5'), ('"at":1', '"at":-1'), ("public", "priv")],
)
def test_what_is_no_record_is_not_read(change: tuple[str, str]) -> None:
    with pytest.raises(ValidationError):
        records.Record.model_validate_json(TEXT.replace(*change))


def test_a_room_id_is_its_16_bytes_in_base32() -> None:
    assert records.room_id_of(bytes(range(16))) == ROOM
    assert records.room_bytes(ROOM) == bytes(range(16))


def test_the_opening_head_is_the_hash_over_room_log_and_channel() -> None:
    assert records.opening_head(ROOM, LOG, Channel.PUBLIC) == records.Head(seq=0, hash=OPENING)
    assert records.opening_head(ROOM, LOG, Channel.GM).hash != OPENING
    assert records.opening_head(ROOM, "bb" * 16, Channel.PUBLIC).hash != OPENING
    assert records.opening_head(records.room_id_of(bytes(16)), LOG, Channel.PUBLIC).hash != OPENING


def test_a_head_is_the_hash_over_the_head_before_and_the_records_length_and_bytes() -> None:
    assert records.advance(records.Head(seq=0, hash=OPENING), TEXT) == records.Head(seq=1, hash=AFTER_ONE)
