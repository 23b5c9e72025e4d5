"""The mirror takes nothing on trust but its first view."""

from collections.abc import Callable

import pytest

from dreadclock.client.mirror import REMEMBERED, Mirror
from dreadclock.dice.flaws import Flaw
from dreadclock.dice.verify import DiceAlarm
from dreadclock.wire.base import Channel
from dreadclock.wire.errors import ProtocolViolation
from dreadclock.wire.events import CountdownResumed, Event
from dreadclock.wire.records import Head, Positions, advance
from dreadclock.wire.views import empty_view
from kit.table import BOTH, OTHER_LOG, ROOM, Log, rolled

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


def test_records_are_folded_in_the_order_in_which_they_come() -> None:
    mirror, log = written(rolled(1), rolled(2))

    records = mirror.take({PUBLIC: log.positions[PUBLIC]}, log.texts[PUBLIC])

    assert records == log.records
    assert (mirror.view, mirror.positions) == (log.view, log.positions)


def test_a_head_without_records_is_where_the_channel_stands_already() -> None:
    mirror, log = written()

    assert mirror.take(log.positions, []) == []


def test_a_record_with_the_wrong_number_is_a_violation_even_if_its_hash_is_right() -> None:
    mirror, log = written(rolled(1))
    text = log.texts[PUBLIC][0].replace('"seq":1', '"seq":2')
    head = advance(mirror.positions[PUBLIC], text)

    with pytest.raises(ProtocolViolation, match="record 2 of public after record 0"):
        mirror.take({PUBLIC: head}, [text])


Spoiled = Callable[[list[str], Positions], tuple[list[str], Positions]]
SPOILED: dict[str, Spoiled] = {
    "a record is missing": lambda texts, heads: (texts[1:], heads),
    "a record comes twice": lambda texts, heads: ([texts[0], *texts], heads),
    "two records are swapped": lambda texts, heads: (texts[::-1], heads),
    "a record is changed": lambda texts, heads: ([texts[0].replace("[1,2,3]", "[1,2,4]"), texts[1]], heads),
    "a record is written in another way": lambda texts, heads: ([texts[0].replace(":", ": "), texts[1]], heads),
    "a record is no record": lambda texts, heads: (["{}", texts[1]], heads),
    "a line is empty": lambda texts, heads: ([*texts, ""], heads),
    "the head is another": lambda texts, heads: (texts, {PUBLIC: Head(seq=2, hash="0" * 64)}),
    "the head is ahead": lambda texts, heads: (texts, {PUBLIC: Head(seq=3, hash=heads[PUBLIC].hash)}),
    "the head is missing": lambda texts, heads: (texts, {}),
    "a head is of a channel without a record": lambda texts, heads: (texts, {**heads, GM: heads[PUBLIC]}),
}


@pytest.mark.parametrize("spoil", SPOILED.values(), ids=SPOILED.keys())
def test_a_frame_is_taken_as_it_was_written_or_not_at_all(spoil: Spoiled) -> None:
    mirror, log = written(rolled(1), rolled(2))
    texts, heads = spoil(log.texts[PUBLIC], {PUBLIC: log.positions[PUBLIC]})

    with pytest.raises(ProtocolViolation):
        mirror.take(heads, texts)

    assert (mirror.view, mirror.positions) == (empty_view(*BOTH), Log(*BOTH).positions)


def test_a_record_of_a_channel_that_the_viewer_does_not_hold_is_a_violation() -> None:
    mirror, log = mirror_of(Log(PUBLIC)), Log(*BOTH)
    log.write(rolled(), GM)

    with pytest.raises(ProtocolViolation):
        mirror.take({GM: log.positions[GM]}, log.texts[GM])


def test_the_same_records_of_another_log_are_a_violation() -> None:
    mirror, other = mirror_of(Log(PUBLIC)), Log(PUBLIC, log_id=OTHER_LOG)
    other.write(rolled())

    with pytest.raises(ProtocolViolation):
        mirror.take(other.positions, other.texts[PUBLIC])


def test_a_record_that_speaks_of_nothing_known_is_a_violation() -> None:
    log = Log(PUBLIC)
    log.write(rolled())
    mirror = mirror_of(log)
    unknown = log.records[0].model_copy(update={"seq": 2, "event": CountdownResumed(countdown_id="fever")})
    text = unknown.model_dump_json(exclude_none=True)

    with pytest.raises(ProtocolViolation, match="fever"):
        mirror.take({PUBLIC: Head(seq=2, hash="0" * 64)}, [text])


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
