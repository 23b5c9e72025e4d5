"""Connections to the store that break while nobody looks."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import OutOfMemoryError, ResponseError

from dreadclock_server.store.base import StoreUnavailable, Trouble
from dreadclock_server.store.connections import make_client
from dreadclock_server.store.retries import retry_until_known
from kit.servers.processes import store_on


def test_a_connection_that_is_closed_under_uvloop_is_a_lost_connection_and_no_bug(data_dir: Path):
    uvloop = pytest.importorskip("uvloop")

    async def send_on_a_closed_one() -> None:
        async with store_on(data_dir):
            client = make_client(f"unix://{data_dir}/valkey.sock")
            connection = await client.connection_pool.get_connection()
            connection._writer.close()
            await connection._writer.wait_closed()
            with pytest.raises(RedisConnectionError, match="the other side is gone"):
                await connection.send_packed_command(b"PING\r\n")
            await client.connection_pool.release(connection)
            assert await client.execute_command("PING")
            await client.aclose()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(send_on_a_closed_one())


# test_retries


LOST = RedisConnectionError("Connection closed by server.")
OUT_OF_MEMORY = OutOfMemoryError("command not allowed when used memory > 'maxmemory'.", status_code="OOM")
OUT_OF_MEMORY_IN_AN_OLD_SCRIPT = ResponseError("Error running script: @user_script: 26: -OOM command not allowed")
DISK_FULL = ResponseError("MISCONF Errors writing to the AOF file: No space left on device")
REPLICA = ResponseError("READONLY You can't write against a read only replica.")
BUSY = ResponseError("BUSY Redis is busy running a script.")
BUG = ResponseError("WRONGTYPE Operation against a key holding the wrong kind of value")


def answering(*answers: Exception | str) -> Callable[[], Awaitable[str]]:
    """Make a call that answers so, one after the other."""
    left = list(answers)

    async def call() -> str:
        answer = left.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    return call


@pytest.mark.parametrize("trouble", [LOST, BUSY, OSError("broken pipe")])
async def test_what_passes_is_tried_again(trouble: Exception):
    assert await retry_until_known(answering(trouble, trouble, "done"), 5.0) == "done"


@pytest.mark.parametrize(
    ("refusal", "trouble"),
    [
        (OUT_OF_MEMORY, Trouble.MEMORY_FULL),
        (OUT_OF_MEMORY_IN_AN_OLD_SCRIPT, Trouble.MEMORY_FULL),
        (DISK_FULL, Trouble.DISK_FULL),
        (REPLICA, Trouble.NO_WRITES),
    ],
)
async def test_a_refusal_to_write_is_final_and_nothing_was_written(refusal: Exception, trouble: Trouble):
    with pytest.raises(StoreUnavailable, match=rf"^{trouble}: (OOM|MISC|READ|Error running script.*OOM)") as answer:
        await retry_until_known(answering(refusal), 5.0)

    assert (answer.value.applied, answer.value.trouble) == (False, trouble)


async def test_a_refusal_after_a_lost_reply_says_nothing_of_the_try_before():
    with pytest.raises(StoreUnavailable) as answer:
        await retry_until_known(answering(LOST, OUT_OF_MEMORY), 5.0)

    assert answer.value.applied is None


async def test_a_bug_after_a_lost_reply_says_nothing_of_the_try_before():
    with pytest.raises(StoreUnavailable, match="WRONGTYPE") as answer:
        await retry_until_known(answering(LOST, BUG), 5.0)

    assert answer.value.applied is None


async def test_what_does_not_pass_in_time_is_unknown():
    with pytest.raises(StoreUnavailable, match="Connection closed by server") as answer:
        await retry_until_known(answering(*[LOST] * 100), 0.1)

    assert answer.value.applied is None


async def test_a_bug_is_raised_as_it_is():
    with pytest.raises(ResponseError, match="WRONGTYPE"):
        await retry_until_known(answering(BUG), 5.0)
