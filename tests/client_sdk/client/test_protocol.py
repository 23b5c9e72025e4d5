"""The client's side of the protocol, beyond what the transcripts say (tests/client_sdk/test_transcripts.py)."""

import pytest

from dreadclock.client.outcomes import ViewReplaced
from dreadclock.client.protocol import State
from dreadclock.wire.base import Channel
from dreadclock.wire.commands import RollDice
from dreadclock.wire.errors import Code, ProtocolViolation, Refused
from dreadclock.wire.frames import Presence, ResetReason, frame_text
from kit.client_protocol import client, joined, numbers
from kit.table import OTHER_LOG, Log, refusal, reset_to, rolled, welcome_to

PUBLIC = Channel.PUBLIC
ROLL = RollDice(pool=3)


def test_a_first_welcome_has_a_view() -> None:
    protocol = client()
    protocol.connect()

    with pytest.raises(ProtocolViolation):
        protocol.receive(welcome_to(Log(PUBLIC), with_view=False))

    assert protocol.state is State.GREETING


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


def test_a_reset_replaces_the_view_and_says_why() -> None:
    protocol = joined(Log(PUBLIC))
    other = Log(PUBLIC, log_id=OTHER_LOG)
    other.write(rolled())

    outputs = protocol.receive(reset_to(other, ResetReason.FORKED, {PUBLIC: 1}))

    assert outputs == [ViewReplaced(ResetReason.FORKED, {PUBLIC: 1})]
    assert (protocol.mirror.view, protocol.welcome.log_id) == (other.view, OTHER_LOG)


def test_a_command_larger_than_a_frame_is_refused_and_uses_no_number() -> None:
    protocol = joined(Log(PUBLIC))

    with pytest.raises(Refused) as refused:
        protocol.submit(RollDice(pool=60, faces=(1,) * 40_000))

    assert refused.value.code is Code.BAD_COMMAND
    protocol.submit(ROLL)
    assert numbers(protocol) == [1]


def test_a_lost_connection_ends_a_stall() -> None:
    log = Log(PUBLIC)
    protocol = joined(log)
    protocol.submit(ROLL)
    protocol.receive(refusal(1, Refused(Code.UNAVAILABLE)))

    protocol.disconnect()
    protocol.connect()
    protocol.frames_to_send()
    protocol.receive(welcome_to(log, resumed=True))

    assert numbers(protocol) == [1]
    protocol.submit(ROLL)
    assert numbers(protocol) == [2]


def test_what_the_server_could_not_take_is_sent_again_with_all_that_followed() -> None:
    protocol = joined(Log(PUBLIC))
    for _ in range(2):
        protocol.submit(ROLL)
    protocol.frames_to_send()
    protocol.receive(refusal(1, Refused(Code.UNAVAILABLE)))
    protocol.receive(refusal(2, Refused(Code.OUT_OF_ORDER, n=2, expected=1)))

    protocol.resend()

    assert numbers(protocol) == [1, 2]
    protocol.submit(ROLL)
    assert numbers(protocol) == [3]


def test_a_server_that_starts_over_behind_the_client_has_another_log() -> None:
    log = Log(PUBLIC)
    log.write(rolled())
    protocol = joined(log)
    protocol.disconnect()
    protocol.connect()

    assert protocol.receive(welcome_to(Log(PUBLIC))) == [ViewReplaced(ResetReason.FORKED)]
