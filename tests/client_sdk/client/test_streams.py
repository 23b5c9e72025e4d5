"""Streams of what happens."""

import asyncio

import pytest

from dreadclock.client.outcomes import ViewReplaced
from dreadclock.client.streams import QUEUE_LIMIT, FellBehind, Stream
from dreadclock.wire.base import Channel
from dreadclock.wire.errors import ConnectionEnded
from dreadclock.wire.frames import ResetReason
from dreadclock.wire.records import Record
from kit.table import Log, rolled


def records(count: int) -> list[Record]:
    log = Log(Channel.PUBLIC)
    return [log.write(rolled(number)) for number in range(count)]


def stream_of_seqs(limit: int = QUEUE_LIMIT) -> Stream[int]:
    return Stream(lambda record: record.seq, limit)


async def test_what_was_put_comes_out_in_order() -> None:
    stream = stream_of_seqs()
    replaced = ViewReplaced(ResetReason.FORKED)
    first, second = records(2)
    for item in (first, replaced, second):
        stream.put(item)
    stream.end(None)

    assert [item async for item in stream] == [1, replaced, 2]


async def test_a_reader_waits_for_what_comes() -> None:
    stream = stream_of_seqs()
    (record,) = records(1)
    reader = asyncio.create_task(anext(stream))
    await asyncio.sleep(0)

    stream.put(record)

    assert await reader == 1


async def test_a_cancelled_reader_loses_nothing() -> None:
    stream = stream_of_seqs()
    reader = asyncio.ensure_future(anext(stream))
    await asyncio.sleep(0)
    stream.put(records(1)[0])
    reader.cancel()
    await asyncio.gather(reader, return_exceptions=True)

    assert await anext(stream) == 1


async def test_two_readers_of_one_stream_are_a_mistake() -> None:
    stream = stream_of_seqs()
    first = asyncio.create_task(anext(stream))
    await asyncio.sleep(0)

    with pytest.raises(RuntimeError):
        await anext(stream)

    stream.end(None)
    with pytest.raises(StopAsyncIteration):
        await first


async def test_an_end_by_the_server_is_raised_after_what_was_queued_and_then_always() -> None:
    stream = stream_of_seqs()
    stream.put(records(1)[0])
    stream.end(ConnectionEnded(4502, "revoked"))

    assert await anext(stream) == 1
    for _ in range(2):
        with pytest.raises(ConnectionEnded):
            await anext(stream)


async def test_a_stream_that_is_not_read_ends_alone_and_keeps_nothing() -> None:
    unread, read = stream_of_seqs(limit=3), stream_of_seqs(limit=3)
    for record in records(4):
        unread.put(record)
        read.put(record)
        assert await anext(read) == record.seq

    with pytest.raises(FellBehind):
        await anext(unread)
    unread.put(records(1)[0])
    with pytest.raises(FellBehind):
        await anext(unread)
