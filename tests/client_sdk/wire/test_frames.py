"""Frames as they travel."""

import json

import pytest
from pydantic import ValidationError

from dreadclock.client.connection import FOR_GOOD
from dreadclock.wire import frames
from dreadclock.wire.base import Channel, Role
from dreadclock.wire.errors import CloseCode, Code
from dreadclock.wire.records import Head
from dreadclock.wire.views import empty_view
from kit.table import Log, rolled

HEAD = Head(seq=3, hash="0f" * 32)
ROOM = "a" * 26


def test_a_hello_says_who_it_is_and_where_it_stands() -> None:
    text = (
        '{"type":"hello","v":1,"token":"t","client":{"name":"vtt"},"session":"s",'
        '"positions":{"public":{"seq":3,"hash":"' + "0f" * 32 + '"}}}'
    )

    assert frames.CLIENT_FRAME.validate_json(text) == frames.Hello(
        token="t", client=frames.Client(name="vtt"), session="s", positions={Channel.PUBLIC: HEAD}
    )


def test_the_least_hello_is_a_token() -> None:
    assert frames.CLIENT_FRAME.validate_json('{"type":"hello","token":"t"}') == frames.Hello(token="t")


@pytest.mark.parametrize(
    "text",
    [
        '{"type":"hello"}',
        '{"type":"hello","token":""}',
        '{"type":"hello","token":"a b"}',
        '{"type":"hello","token":"' + "x" * 81 + '"}',
        '{"type":"hello","token":"t","seat":"gm"}',
        '{"type":"hello","token":"t","positions":{"secret":{"seq":0,"hash":"' + "0" * 64 + '"}}}',
        '{"type":"hello","token":"t","positions":{"public":{"seq":-1,"hash":"' + "0" * 64 + '"}}}',
        '{"type":"command","n":0,"command":{}}',
        '{"type":"command","n":1.0,"command":{}}',
        '{"type":"command","n":9007199254740993,"command":{}}',
        '{"type":"command","n":1,"command":[]}',
        '{"type":"command","n":1}',
        '{"type":"command","n":1,"command":{},"room":"another"}',
        '{"type":"ack","n":1}',
        "{}",
        "[]",
        "7",
        "",
        "{",
    ],
)
def test_what_is_no_frame_is_not_read(text: str) -> None:
    with pytest.raises(ValidationError):
        frames.CLIENT_FRAME.validate_json(text)


def test_a_command_frame_holds_a_command_that_is_read_on_its_own() -> None:
    frame = frames.CLIENT_FRAME.validate_json('{"type":"command","n":1,"command":{"type":"explode"}}')

    assert frame == frames.CommandFrame(n=1, command={"type": "explode"})


@pytest.mark.parametrize(
    "frame",
    [
        frames.Welcome(
            room=ROOM,
            log_id="0" * 32,
            seat="gm",
            role=Role.GM,
            session="s",
            durability="fsync",
            positions={Channel.PUBLIC: HEAD},
            resumed=False,
            view=empty_view(Channel.PUBLIC),
        ),
        frames.Ack(n=1, positions={Channel.PUBLIC: 3}, events={Channel.PUBLIC: (2, 3)}),
        frames.RefusedFrame(n=1, code=Code.UNKNOWN, sentence="There is none.", details={"id": "x", "limit": 3}),
        frames.Pending(n=1),
        frames.Reset(
            reason=frames.ResetReason.FORKED,
            log_id="0" * 32,
            positions={Channel.PUBLIC: HEAD},
            view=empty_view(Channel.PUBLIC),
            differs={Channel.PUBLIC: 2},
        ),
        frames.Presence(here={"gm": 2}),
        frames.EventsHeader(heads={Channel.PUBLIC: HEAD}),
    ],
    ids=lambda frame: frame.type,
)
def test_a_frame_is_one_line_of_json_and_read_back(frame: frames.Welcome) -> None:
    text = frames.frame_text(frame)

    assert "\n" not in text
    assert json.loads(text)["type"] == frame.type
    assert frames.SERVER_FRAME.validate_json(text) == frame


def test_an_events_frame_is_a_header_and_the_very_texts_of_the_records() -> None:
    log = Log(Channel.PUBLIC)
    log.write(rolled(1, "one\\two"))
    log.write(rolled(2))
    texts = log.texts[Channel.PUBLIC]

    header, *lines = frames.events_frame({Channel.PUBLIC: log.positions[Channel.PUBLIC]}, texts).split("\n")

    assert lines == texts
    assert frames.SERVER_FRAME.validate_json(header) == frames.EventsHeader(heads=log.positions)
    assert header == (
        '{"heads":{"public":{"hash":"' + log.positions[Channel.PUBLIC].hash + '","seq":2}},"type":"events"}'
    )


@pytest.mark.parametrize(
    ("positions", "events"),
    [({Channel.PUBLIC: 9}, {Channel.PUBLIC: (8, 9)}), ({Channel.PUBLIC: 9, Channel.GM: 0}, {}), ({}, {})],
)
def test_an_ack_is_written_as_its_model_is(positions: dict[Channel, int], events: dict[Channel, tuple[int, int]]):
    assert frames.ack_text(3, positions, events) == frames.frame_text(
        frames.Ack(n=3, positions=positions, events=events)
    )


def test_close_codes_from_4500_on_are_for_good() -> None:
    assert {code.name for code in CloseCode if code in FOR_GOOD} == {
        "BAD_FRAME",
        "UNAUTHORISED",
        "REVOKED",
        "ROOM_DELETED",
    }
    assert all(4000 <= code < 5000 for code in CloseCode)
