"""Ids of the events of a stream: positions as text."""

import pytest

from dreadclock.wire.base import MOST_SEQ, Channel
from dreadclock.wire.errors import ProtocolViolation
from dreadclock.wire.records import Head
from dreadclock_server.gateway.rest.events import event_id, read_event_id

A, B = "a" * 64, "0123456789abcdef" * 4
PUBLIC, GM = Head(seq=41, hash=A), Head(seq=0, hash=B)


@pytest.mark.parametrize(
    ("positions", "text"),
    [
        ({Channel.PUBLIC: PUBLIC}, f"public:41:{A}"),
        ({Channel.GM: GM, Channel.PUBLIC: PUBLIC}, f"public:41:{A},gm:0:{B}"),
        ({Channel.PUBLIC: Head(seq=MOST_SEQ, hash=A)}, f"public:{MOST_SEQ}:{A}"),
    ],
)
def test_positions_are_written_as_an_id_and_read_again(positions: dict[Channel, Head], text: str):
    assert event_id(positions) == text
    assert read_event_id(text) == positions


def test_an_id_may_name_its_channels_in_any_order():
    assert read_event_id(f"gm:0:{B},public:41:{A}") == {Channel.PUBLIC: PUBLIC, Channel.GM: GM}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "41",
        f"public:41:{A[:-1]}",
        f"public:41:{A}0",
        f"public:41:{A.upper()}",
        f"public:-1:{A}",
        f"public:{MOST_SEQ + 1}:{A}",
        f"public:٤١:{A}",
        f"public::{A}",
        f"secret:41:{A}",
        f"public:41:{A},",
        f"public:41:{A}\n",
        f"public:41:{A},public:41:{A}",
        f"public:41:{A},gm:0:{B},public:41:{A}",
        f" public:41:{A}",
        f'{{"public":{{"seq":41,"hash":"{A}"}}}}',
    ],
)
def test_anything_else_is_no_id(text: str):
    with pytest.raises(ProtocolViolation, match="Last-Event-ID is not the id of an event"):
        read_event_id(text)
