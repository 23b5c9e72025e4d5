"""A program that runs an embedded Valkey and appends for ever: run it, then kill it.

Arguments: the data directory and a room to open. It prints `ready PID` (the server's), then the
number of each entry once its append was answered. A Ctrl-C ends it: then it pings the server once more and says so.
"""

import asyncio
import contextlib
import signal
import sys

from redis.asyncio import Redis

from dreadclock_server.store.embedded.server import Embedded
from dreadclock_server.store.preflight import connect
from kit.stores import batch, open_room


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


async def main(data_dir: str, room: str) -> None:
    async with Embedded(data_dir) as embedded:
        store = await connect(embedded.url)
        position = await open_room(store, room)
        async with Redis.from_url(embedded.url) as admin:
            say(f"ready {(await admin.info('server'))['process_id']}")
        try:
            while True:
                position = await store.append(room, position, batch(str(position.number)))
                say(str(position.number))
        except asyncio.CancelledError:
            await store.ping()
            say(f"done, after {embedded.restarts} restarts")
        await store.aclose()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored by what was started in the background
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(main(sys.argv[1], sys.argv[2]))
