"""The mirror takes nothing on trust but its first view."""

import pytest

from dreadclock.client.mirror import REMEMBERED, Mirror
from dreadclock.dice.flaws import Flaw
from dreadclock.dice.verify import DiceAlarm
from dreadclock.wire.base import Channel
from dreadclock.wire.errors import ProtocolViolation
from dreadclock.wire.events import Event
from dreadclock.wire.records import Head
from dreadclock.wire.views import empty_view
from kit.table import BOTH, ROOM, Log, rolled

PUBLIC, GM = Channel.PUBLIC, Channel.GM


def mirror_of(log: Log) -> Mirror:
    return Mirror(log.positions, log.view, ROOM)


def written(*events: Event) -> tuple[Mirror, Log]:
    """Make a mirror of an empty log, and that log after these events."""
    log = Log(*BOTH)
    mirror = mirror_of(log)
    for event in events:
        log.write(event)
    return mirror, log


def test_a_record_of_a_channel_that_the_viewer_does_not_hold_is_a_violation() -> None:
    mirror, log = mirror_of(Log(PUBLIC)), Log(*BOTH)
    log.write(rolled(), GM)

    with pytest.raises(ProtocolViolation):
        mirror.take({GM: log.positions[GM]}, log.texts[GM])


def test_a_view_and_its_positions_are_of_the_same_channels() -> None:
    with pytest.raises(ProtocolViolation):
        Mirror(Log(PUBLIC).positions, empty_view(*BOTH), ROOM)


# Finding records again


def test_records_of_several_channels_are_found_in_the_order_in_which_they_happened() -> None:
    log = Log(*BOTH)
    mirror = mirror_of(log)
    order = [PUBLIC, GM, GM, PUBLIC, GM]
    expected = tuple(log.write(rolled(number), channel) for number, channel in enumerate(order))
    for channel in (GM, PUBLIC):
        mirror.take({channel: log.positions[channel]}, log.texts[channel])

    assert mirror.find({PUBLIC: (1, 2), GM: (1, 3)}) == expected
    assert mirror.find({GM: (2, 3)}) == (expected[2], expected[4])
    assert mirror.find({}) == ()


def test_records_that_came_before_the_view_are_not_found() -> None:
    _, log = written(rolled(1))
    mirror = mirror_of(log)
    log.write(rolled(2))
    mirror.take({PUBLIC: log.positions[PUBLIC]}, log.texts[PUBLIC][1:])

    assert mirror.find({PUBLIC: (1, 2)}) is None
    assert mirror.find({PUBLIC: (2, 2)}) == (log.records[1],)
    assert mirror.find({GM: (1, 1)} if log.texts[GM] else {PUBLIC: (1, 1)}) is None


@pytest.mark.parametrize("spans", [{PUBLIC: (1, 2)}, {GM: (1, 1)}])
def test_records_that_are_yet_to_come_are_a_violation(spans: dict[Channel, tuple[int, int]]) -> None:
    log = Log(PUBLIC)
    mirror = mirror_of(log)
    log.write(rolled(1))
    mirror.take(log.positions, log.texts[PUBLIC])

    with pytest.raises(ProtocolViolation):
        mirror.find(spans)


def test_only_the_latest_records_are_remembered() -> None:
    log = Log(PUBLIC)
    mirror = mirror_of(log)
    for number in range(REMEMBERED + 1):
        log.write(rolled(number))
    mirror.take(log.positions, log.texts[PUBLIC])

    assert mirror.find({PUBLIC: (1, 1)}) is None
    assert mirror.find({PUBLIC: (2, 2)}) == (log.records[1],)
    assert mirror.find({PUBLIC: (REMEMBERED + 1,) * 2}) == (log.records[-1],)


def test_an_alarm_follows_the_record_that_it_is_about_and_is_raised_once_however_often_the_frame_comes() -> None:
    log = Log(PUBLIC)
    mirror = mirror_of(log)
    made_up = rolled(1).model_copy(update={"roll": rolled(1).roll.model_copy(update={"physical": False})})
    records = [log.write(made_up), log.write(rolled(2))]
    wrong = {PUBLIC: Head(seq=2, hash="0" * 64)}

    with pytest.raises(ProtocolViolation):
        mirror.take(wrong, log.texts[PUBLIC])

    assert mirror.take(log.positions, log.texts[PUBLIC]) == [
        records[0],
        DiceAlarm(records[0], Flaw.UNPROVEN),
        records[1],
    ]
