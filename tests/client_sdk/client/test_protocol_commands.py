"""The commands of a client and their replies, frame by frame."""

import json

import pytest

from dreadclock.client.outcomes import Acknowledged, Answered, Stalled
from dreadclock.client.protocol import State
from dreadclock.wire.base import Channel
from dreadclock.wire.commands import Reveal, RollDice
from dreadclock.wire.errors import Code, ProtocolViolation, Refused
from dreadclock.wire.frames import (
    MAX_UNANSWERED,
    Hello,
    Pending,
    ResetReason,
    frame_text,
)
from kit.client_protocol import joined, numbers, outcome
from kit.table import BOTH, Log, ack, refusal, reset_to, rolled, welcome_to

PUBLIC = Channel.PUBLIC
ROLL = RollDice(pool=3)


# Commands


def test_commands_are_numbered_from_1() -> None:
    protocol = joined(Log(PUBLIC))

    protocol.submit(ROLL)
    protocol.submit(ROLL)

    frames = [json.loads(frame) for frame in protocol.frames_to_send()]
    assert [frame["n"] for frame in frames] == [1, 2]
    told = {"type": "roll_dice", "pool": 3, "purpose": "other", "action": False, "visibility": "public"}
    assert frames[0]["command"] == told


def test_an_ack_brings_what_the_command_caused() -> None:
    log = Log(*BOTH)
    protocol = joined(log)
    ticket = protocol.submit(ROLL)
    first, hidden, second = log.write(rolled(1)), log.write(rolled(2), Channel.GM), log.write(rolled(3))
    protocol.receive(log.frame())
    protocol.receive(log.frame(Channel.GM))

    outputs = protocol.receive(ack(1, log, {PUBLIC: (1, 2), Channel.GM: (1, 1)}))

    assert outputs == [Answered(ticket, Acknowledged(1, {PUBLIC: 2, Channel.GM: 1}, (first, hidden, second)))]
    assert outcome(outputs).events == (rolled(1), rolled(2), rolled(3))  # type: ignore[union-attr]
    assert protocol.unanswered == ()


def test_an_ack_may_have_no_events() -> None:
    log = Log(PUBLIC)
    protocol = joined(log)
    protocol.submit(ROLL)

    assert outcome(protocol.receive(ack(1, log))) == Acknowledged(1, {PUBLIC: 0}, ())


def test_an_ack_whose_records_are_gone_says_so() -> None:
    log = Log(PUBLIC)
    protocol = joined(log)
    protocol.submit(ROLL)
    log.write(rolled())
    protocol.receive(reset_to(log, ResetReason.TOO_OLD))

    assert outcome(protocol.receive(ack(1, log, {PUBLIC: (1, 1)}))) == Acknowledged(1, {PUBLIC: 1}, (), complete=False)


def test_an_ack_before_its_events_is_a_violation() -> None:
    log = Log(PUBLIC)
    protocol = joined(log)
    protocol.submit(ROLL)
    log.write(rolled())

    with pytest.raises(ProtocolViolation):
        protocol.receive(ack(1, log, {PUBLIC: (1, 1)}))

    assert len(protocol.unanswered) == 1


@pytest.mark.parametrize("n", [-1, 0, 2])
def test_a_reply_to_a_command_that_was_not_sent_is_a_violation(n: int) -> None:
    log = Log(PUBLIC)
    protocol = joined(log)
    protocol.submit(ROLL)

    for frame in (ack(n, log), refusal(n, Refused(Code.NOT_ALLOWED)), frame_text(Pending(n=n))):
        with pytest.raises(ProtocolViolation):
            protocol.receive(frame)


def test_a_second_reply_is_not_heard() -> None:
    log = Log(PUBLIC)
    protocol = joined(log)
    protocol.submit(ROLL)
    protocol.receive(ack(1, log))

    assert protocol.receive(ack(1, log)) == []
    assert protocol.receive(refusal(1, Refused(Code.NOT_ALLOWED))) == []


def test_a_refusal_comes_with_its_code_and_numbers() -> None:
    protocol = joined(Log(PUBLIC))
    protocol.submit(Reveal(thing_id="fever"))

    refused = outcome(protocol.receive(refusal(1, Refused(Code.UNKNOWN, kind="thing", id="fever"))))

    assert isinstance(refused, Refused)
    assert (refused.code, refused.details) == (Code.UNKNOWN, {"kind": "thing", "id": "fever"})
    assert str(refused) == "There is no thing with the id fever here."


def test_a_pending_command_keeps_waiting() -> None:
    log = Log(PUBLIC)
    protocol = joined(log)
    protocol.submit(ROLL)

    assert protocol.receive(frame_text(Pending(n=1))) == []

    assert isinstance(outcome(protocol.receive(ack(1, log))), Acknowledged)


def test_a_command_larger_than_a_frame_is_refused_and_uses_no_number() -> None:
    protocol = joined(Log(PUBLIC))

    with pytest.raises(Refused) as refused:
        protocol.submit(RollDice(pool=60, faces=(1,) * 40_000))

    assert refused.value.code is Code.BAD_COMMAND
    protocol.submit(ROLL)
    assert numbers(protocol) == [1]


def test_no_more_than_64_commands_are_unanswered() -> None:
    protocol = joined(Log(PUBLIC))
    for _ in range(MAX_UNANSWERED):
        protocol.submit(ROLL)

    with pytest.raises(RuntimeError):
        protocol.submit(ROLL)


def test_what_is_unanswered_goes_out_again_in_order_on_the_next_connection() -> None:
    log = Log(PUBLIC)
    protocol = joined(log)
    for _ in range(3):
        protocol.submit(ROLL)
    protocol.receive(ack(1, log))
    protocol.disconnect()
    protocol.submit(ROLL)
    assert protocol.frames_to_send() == []
    protocol.connect()
    protocol.submit(ROLL)
    assert len(protocol.frames_to_send()) == 1  # the hello

    protocol.receive(welcome_to(log, resumed=True))

    assert numbers(protocol) == [2, 3, 4, 5]


# Refusals that do not use up a number


def test_what_the_server_could_not_take_is_stalled_with_all_that_followed() -> None:
    protocol = joined(Log(PUBLIC))
    for _ in range(3):
        protocol.submit(ROLL)
    protocol.frames_to_send()

    assert protocol.receive(refusal(2, Refused(Code.UNAVAILABLE))) == []
    protocol.submit(ROLL)
    (stalled,) = protocol.receive(refusal(3, Refused(Code.OUT_OF_ORDER, n=3, expected=2)))

    assert isinstance(stalled, Stalled)
    assert stalled.refusal.code is Code.UNAVAILABLE
    assert protocol.frames_to_send() == []
    protocol.resend()
    assert numbers(protocol) == [2, 3, 4]
    protocol.submit(ROLL)
    assert numbers(protocol) == [5]


def test_resending_waits_for_the_replies_to_all_that_followed() -> None:
    protocol = joined(Log(PUBLIC))
    protocol.submit(ROLL)
    protocol.submit(ROLL)
    protocol.frames_to_send()
    protocol.receive(refusal(1, Refused(Code.UNAVAILABLE)))

    protocol.resend()

    assert (protocol.frames_to_send(), protocol.give_up()) == ([], [])


def test_giving_up_ends_all_stalled_commands_and_frees_their_numbers() -> None:
    log = Log(PUBLIC)
    protocol = joined(log)
    tickets = [protocol.submit(ROLL) for _ in range(3)]
    protocol.frames_to_send()
    protocol.receive(refusal(2, Refused(Code.RATE_LIMITED, retry_ms=5)))
    protocol.receive(refusal(3, Refused(Code.OUT_OF_ORDER, n=3, expected=2)))

    answered = protocol.give_up()

    assert [each.ticket for each in answered if isinstance(each, Answered)] == tickets[1:]
    codes = [each.outcome.code for each in answered if isinstance(each, Answered) and isinstance(each.outcome, Refused)]
    assert codes == [Code.RATE_LIMITED, Code.RATE_LIMITED]
    protocol.submit(ROLL)
    assert numbers(protocol) == [2]


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


# Sessions that end


def test_a_forgotten_session_ends_what_is_unanswered() -> None:
    log = Log(PUBLIC)
    protocol = joined(log)
    ticket = protocol.submit(ROLL)
    protocol.disconnect()
    protocol.connect()
    protocol.frames_to_send()

    (answered,) = protocol.receive(welcome_to(log, "session-2", resumed=True))

    assert isinstance(answered, Answered)
    assert answered.ticket is ticket
    assert isinstance(answered.outcome, Refused)
    assert answered.outcome.code is Code.SESSION_EXPIRED
    protocol.submit(ROLL)
    assert (protocol.session, numbers(protocol)) == ("session-2", [1])


@pytest.mark.parametrize(
    "refused",
    [Refused(Code.SESSION_EXPIRED), Refused(Code.OUT_OF_ORDER, n=2, expected=1)],
    ids=["expired", "rolled back"],
)
def test_a_session_that_the_server_does_not_go_on_with_is_given_up(refused: Refused) -> None:
    log = Log(PUBLIC)
    protocol = joined(log)
    protocol.submit(ROLL)
    protocol.receive(ack(1, log))
    protocol.submit(ROLL)

    ended = outcome(protocol.receive(refusal(2, refused)))

    assert isinstance(ended, Refused)
    assert (ended.code, protocol.state) == (Code.SESSION_EXPIRED, State.APART)
    protocol.connect()
    assert Hello.model_validate_json(protocol.frames_to_send()[0]).session is None
