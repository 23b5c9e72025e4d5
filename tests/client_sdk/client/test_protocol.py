"""The client's side of the protocol, frame by frame."""

import pytest

from dreadclock.client.outcomes import Acknowledged, Answered, Output, ViewReplaced
from dreadclock.client.protocol import State
from dreadclock.wire.base import Channel
from dreadclock.wire.commands import Reveal, RollDice
from dreadclock.wire.errors import Code, ProtocolViolation, Refused
from dreadclock.wire.frames import (
    Client,
    Hello,
    Presence,
    ResetReason,
    events_frame,
    frame_text,
)
from kit.client_protocol import client, joined, numbers
from kit.table import BOTH, OTHER_LOG, ROOM, Log, Table, ack, reset_to, rolled, welcome_to

PUBLIC = Channel.PUBLIC
ROLL = RollDice(pool=3)


# Greetings


def test_the_first_frame_is_a_hello_without_a_past() -> None:
    protocol = client()

    protocol.connect()

    (hello,) = protocol.frames_to_send()
    assert Hello.model_validate_json(hello) == Hello(token="token", client=Client(name="test"))


def test_a_welcome_brings_the_view_and_says_who_one_is() -> None:
    log = Log(*BOTH)
    log.write(rolled())

    protocol = joined(log)

    assert protocol.state is State.OPEN
    assert (protocol.welcome.seat, protocol.session) == ("gm", "session-1")
    assert (protocol.mirror.view, protocol.mirror.positions) == (log.view, log.positions)


def test_a_hello_on_the_next_connection_says_where_one_stood() -> None:
    log = Log(*BOTH)
    protocol = joined(log)

    protocol.disconnect()
    protocol.connect()

    hello = Hello.model_validate_json(protocol.frames_to_send()[0])
    assert (hello.session, hello.positions) == ("session-1", log.positions)


def test_a_resumed_view_goes_on_from_where_it_was() -> None:
    log = Log(PUBLIC)
    protocol = joined(log)
    protocol.disconnect()
    record = log.write(rolled())
    protocol.connect()

    outputs = protocol.receive(welcome_to(log, resumed=True)) + protocol.receive(log.frame())

    assert outputs == [record]
    assert protocol.mirror.view == log.view


@pytest.mark.parametrize(
    "frame",
    [
        ack(1, Log(PUBLIC)),
        Log(PUBLIC).frame(),
        frame_text(Presence(here={})),
        reset_to(Log(PUBLIC), ResetReason.FORKED),
        welcome_to(Log(PUBLIC), with_view=False),
        welcome_to(Log(PUBLIC), resumed=True),
        welcome_to(Log(PUBLIC)).replace(ROOM, "b" * 26),
        welcome_to(Log(PUBLIC)).replace('"v":1', '"v":2'),
    ],
)
def test_a_stranger_is_greeted_with_a_whole_view_of_this_room_and_nothing_else(frame: str) -> None:
    protocol = client()
    protocol.connect()

    with pytest.raises(ProtocolViolation):
        protocol.receive(frame)

    assert protocol.state is State.GREETING


def test_a_second_welcome_is_not_allowed() -> None:
    log = Log(PUBLIC)
    protocol = joined(log)

    with pytest.raises(ProtocolViolation):
        protocol.receive(welcome_to(log))


@pytest.mark.parametrize("frame", ["", "no json", "[]", '{"type":"hello"}', '{"type":"ack","n":1}'])
def test_a_frame_that_is_none_is_a_violation(frame: str) -> None:
    protocol = joined(Log(PUBLIC))

    with pytest.raises(ProtocolViolation):
        protocol.receive(frame)


def test_only_events_have_several_lines() -> None:
    log = Log(PUBLIC)
    protocol = joined(log)

    with pytest.raises(ProtocolViolation):
        protocol.receive(frame_text(Presence(here={})) + "\n{}")


def test_a_welcome_that_resumes_another_log_is_a_violation() -> None:
    protocol = joined(Log(PUBLIC))
    protocol.disconnect()
    protocol.connect()

    with pytest.raises(ProtocolViolation):
        protocol.receive(welcome_to(Log(PUBLIC, log_id=OTHER_LOG), resumed=True))


def test_an_empty_channel_has_to_start_from_its_own_head() -> None:
    log = Log(PUBLIC)
    log.log_id = OTHER_LOG
    protocol = client()
    protocol.connect()

    with pytest.raises(ProtocolViolation):
        protocol.receive(welcome_to(log))


def test_presence_says_who_is_here() -> None:
    protocol = joined(Log(PUBLIC))

    assert protocol.receive(frame_text(Presence(here={"gm": 2, "player-1": 1}))) == []

    assert protocol.here == {"gm": 2, "player-1": 1}


# Fresh views


def test_a_reset_replaces_the_view_and_says_why() -> None:
    protocol = joined(Log(PUBLIC))
    other = Log(PUBLIC, log_id=OTHER_LOG)
    other.write(rolled())

    outputs = protocol.receive(reset_to(other, ResetReason.FORKED, {PUBLIC: 1}))

    assert outputs == [ViewReplaced(ResetReason.FORKED, {PUBLIC: 1})]
    assert (protocol.mirror.view, protocol.welcome.log_id) == (other.view, OTHER_LOG)


def test_commands_wait_for_the_view_when_the_server_cannot_resume() -> None:
    log = Log(PUBLIC)
    protocol = joined(log)
    protocol.submit(ROLL)
    protocol.disconnect()
    log.write(rolled())
    protocol.connect()
    protocol.frames_to_send()

    protocol.receive(welcome_to(log, with_view=False))

    assert (protocol.state, protocol.frames_to_send()) == (State.REPLACING, [])
    with pytest.raises(ProtocolViolation):
        protocol.receive(log.frame())
    assert protocol.receive(reset_to(log, ResetReason.TOO_OLD)) == [ViewReplaced(ResetReason.TOO_OLD)]
    assert (protocol.state, numbers(protocol), protocol.mirror.view) == (State.OPEN, [1], log.view)


def test_a_server_that_starts_over_without_a_word_is_understood() -> None:
    known, ahead, behind = Log(PUBLIC), Log(PUBLIC), Log(PUBLIC)
    known.write(rolled(1))
    for number in (7, 8):
        ahead.write(rolled(number))

    for log, reason in ((ahead, ResetReason.TOO_OLD), (behind, ResetReason.FORKED)):
        protocol = joined(known)
        protocol.disconnect()
        protocol.connect()

        assert protocol.receive(welcome_to(log)) == [ViewReplaced(reason)]


# A table that keeps to the protocol


def test_a_client_and_a_table_play_together() -> None:
    table, protocol = Table(*BOTH), client()
    protocol.connect()
    session, greeting = table.greet(protocol.frames_to_send()[0])
    for frame in greeting:
        protocol.receive(frame)
    protocol.submit(RollDice(pool=2, name="first"))
    protocol.submit(Reveal(thing_id="fever"))

    outputs: list[Output] = []
    for frame in protocol.frames_to_send():
        events, reply = table.take(session, frame)
        for each in (*events, reply):
            outputs += protocol.receive(each)

    (record,) = table.log.records
    assert outputs[0] == record
    done, refused = (each.outcome for each in outputs[1:] if isinstance(each, Answered))
    assert done == Acknowledged(1, {PUBLIC: 1, Channel.GM: 0}, (record,))
    assert isinstance(refused, Refused)
    assert refused.code is Code.NOT_ALLOWED


def test_one_frame_may_carry_several_channels() -> None:
    log = Log(*BOTH)
    protocol = joined(log)
    records = [log.write(rolled(1)), log.write(rolled(2), Channel.GM)]

    frame = events_frame(log.positions, [log.texts[PUBLIC][0], log.texts[Channel.GM][0]])

    assert protocol.receive(frame) == records
    assert protocol.mirror.positions == log.positions
