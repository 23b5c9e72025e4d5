"""What a newer server may send, message by message; how a client lives with it is the transcript `newer`."""

import json

import pytest
from pydantic import TypeAdapter

from dreadclock.client.newer import read_frame, read_record, read_refusal, read_view
from dreadclock.client.rest import read_answer, read_command_answer
from dreadclock.wire.base import Channel
from dreadclock.wire.errors import Code, ProtocolViolation, UnknownRefusal
from dreadclock.wire.frames import frame_text
from dreadclock.wire.records import canonical, is_understood, text_of
from dreadclock.wire.rest import CommandAnswer, RoomSize
from kit.table import BOTH, Log, rolled

STRUCK = {"type": "bell_struck", "bell": {"times": 3}, "note": "Midnight."}


def record_of(event: object, **more: object) -> str:
    return canonical({"at": 1, "by": "gm", "channel": "public", "event": event, "seq": 1, "v": 1, **more})


@pytest.mark.parametrize(
    "event",
    [STRUCK, {"type": "turn_ended", "turn": "second"}, {"type": "turn_ended", "turn": -1}],
    ids=lambda e: e["type"],
)
def test_an_event_that_does_not_fit_is_kept_as_it_came(event: dict[str, object]) -> None:
    text = record_of(event)

    record, understood = read_record(text)

    assert record.model_dump()["event"] == {"note": None, **event}
    assert (is_understood(record), understood) == (False, False)
    assert text_of(record) == text


def test_of_an_event_that_fits_the_fields_without_a_name_are_passed_over() -> None:
    record, understood = read_record(record_of({"type": "room_closed", "why": "late"}, mood="dark"))

    assert (record.event.type, is_understood(record), understood) == ("room_closed", True, False)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "[" * 100_000,
        record_of(STRUCK, v=2),
        record_of(STRUCK, seq=0),
        record_of(STRUCK, channel="ghost"),
        record_of({}),
        record_of({"type": None}),
        record_of([STRUCK]),
        record_of({"type": "bell_struck", "note": 7}),
    ],
    ids=range(11),
)
def test_what_is_no_record_of_this_protocol_is_a_violation(text: str) -> None:
    with pytest.raises(ProtocolViolation, match="does not understand"):
        read_record(text)


def test_a_view_is_read_without_what_does_not_fit() -> None:
    log = Log(*BOTH)
    log.write(rolled(1))
    log.write(rolled(2))
    raw = json.loads(log.view.model_dump_json())
    public = raw["channels"]["public"]
    public["recent"].append(json.loads(record_of(STRUCK, seq=3)))
    public["rolls"] |= {"bell": {"id": "bell", "faces": [7]}, "fog": 3}
    public["policy"]["physical_dice"] = "sometimes"
    public["bells"] = {}

    view = read_view(json.dumps(raw))

    assert view.public.rolls == log.view.public.rolls
    assert view.policy == log.view.policy
    assert [is_understood(record) for record in view.public.recent] == [True, True, False]
    assert json.loads(view.model_dump_json())["channels"]["public"]["recent"][-1]["event"]["bell"] == {"times": 3}


@pytest.mark.parametrize(
    "spoil",
    [{"channels": []}, {"channels": {"public": []}}, {"channels": {"public": {"turn": -1}}}, {"channels": {"x": {}}}],
)
def test_a_view_of_which_nothing_fits_is_a_violation(spoil: object) -> None:
    with pytest.raises(ProtocolViolation):
        read_view(json.dumps(spoil))


def test_a_view_with_ten_thousand_things_that_do_not_fit_is_read_twice_and_no_more() -> None:
    things = {f"bell-{n}": {"id": 7} for n in range(10_000)}

    assert read_view(json.dumps({"channels": {"public": {"clocks": things}}})).public.clocks == {}


def test_a_frame_of_an_unknown_type_is_a_violation() -> None:
    with pytest.raises(ProtocolViolation, match="bells"):
        read_frame('{"type":"bells"}')


def test_a_refusal_with_an_unknown_code_is_told_in_the_words_of_the_server() -> None:
    problem = {
        "type": "x",
        "title": "x",
        "status": 409,
        "detail": "It is too dark.",
        "code": "too_dark",
        "details": {"lux": 0},
    }

    refused = read_refusal(json.dumps(problem))

    assert isinstance(refused, UnknownRefusal)
    assert (refused.code, refused.details, str(refused)) == ("too_dark", {"lux": 0}, "It is too dark.")
    assert refused.code not in set(Code)


@pytest.mark.parametrize("code", [7, None, ["room_closed"]])
def test_a_code_that_is_no_text_is_a_violation(code: object) -> None:
    refused = {"type": "refused", "n": 1, "code": code, "sentence": "It is too dark.", "details": {}}

    with pytest.raises(ProtocolViolation):
        read_frame(json.dumps(refused))
    with pytest.raises(ProtocolViolation):
        read_refusal(json.dumps(refused))


def test_the_answer_to_a_command_keeps_records_that_are_not_understood() -> None:
    log = Log(Channel.PUBLIC)
    known = CommandAnswer(
        n=1, positions={Channel.PUBLIC: 2}, events={Channel.PUBLIC: (1, 2)}, records=(log.write(rolled()),)
    )
    raw = json.loads(frame_text(known))
    raw["records"].append(json.loads(record_of(STRUCK, seq=2)))

    answer = read_command_answer(json.dumps({**raw, "mood": "dark"}))

    assert isinstance(answer, CommandAnswer)
    assert [is_understood(record) for record in answer.records] == [True, False]


def test_other_answers_may_have_fields_without_a_name_here() -> None:
    assert read_answer(TypeAdapter(RoomSize), '{"bytes":1,"mood":"dark"}') == RoomSize(bytes=1)
