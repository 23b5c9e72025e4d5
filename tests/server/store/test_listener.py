import asyncio
import logging
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path

import pytest
from redis.asyncio import Redis
from redis.asyncio.connection import AbstractConnection

from dreadclock_server.store.connections import make_client
from dreadclock_server.store.embedded.server import Embedded
from dreadclock_server.store.keys import channel
from dreadclock_server.store.listener import ValkeyListener
from dreadclock_server.store.valkey import ValkeyStore
from kit.links.proxy import Proxy
from kit.waiting import until

# That other nodes are heard through a Redis, too, is part of the contract.
ON_VALKEY = pytest.mark.parametrize("valkey", ["valkey"], indirect=True, scope="session")
pytestmark = [ON_VALKEY, pytest.mark.usefixtures("valkey")]


class Ear:
    """Notes what a listener hears, in order."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, bytes] | str] = []

    def message(self, room: str, payload: bytes) -> None:
        self.heard.append((room, payload))

    def gap(self) -> None:
        self.heard.append("gap")

    def __contains__(self, what: tuple[str, bytes] | str) -> bool:
        return what in self.heard


@pytest.fixture
def ear() -> Ear:
    return Ear()


@pytest.fixture
async def listener(store: ValkeyStore, ear: Ear) -> AsyncIterator[ValkeyListener]:
    listener = store.listen(ear.message, ear.gap)
    await listener.start()
    yield listener
    await listener.aclose()


async def test_a_gap_is_told_once(listener: ValkeyListener, store: ValkeyStore, admin: Redis, ear: Ear, room: str):
    rooms = [f"{room}-{number}" for number in range(50)]
    for name in rooms:
        await listener.watch(name)

    await admin.client_kill_filter(_type="pubsub")
    await until(lambda: "gap" in ear)
    for name in rooms:
        store.announce(name, b"after the gap")
    await until(lambda: len(ear.heard) > len(rooms))

    assert ear.heard == ["gap", *((name, b"after the gap") for name in rooms)]


class SlowServer:
    """Takes subscriptions, and confirms each one only when told."""

    def __init__(self, path: Path) -> None:
        self.asked: list[bytes] = []
        self._path = path
        self._writer: asyncio.StreamWriter | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Callable[[], AbstractConnection]]:
        """Give what makes connections to it."""
        client = make_client(f"unix://{self._path}")
        async with await asyncio.start_unix_server(self._serve, self._path):
            yield client.connection_pool.make_connection
        await client.aclose()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        while words := await reader.read(65536):
            writer.write(b"+OK\r\n" * words.count(b"SETINFO"))
            self.asked += re.findall(rb"\{(\w+)\}", words)
        writer.close()

    def confirm(self, room: str) -> None:
        assert self._writer is not None
        name = channel(room).encode()
        self._writer.write(b"*3\r\n$9\r\nsubscribe\r\n$%d\r\n%b\r\n:1\r\n" % (len(name), name))

    def hang_up(self) -> None:
        assert self._writer is not None
        self._writer.close()


async def test_a_room_is_watched_once_the_server_says_so(tmp_path: Path, ear: Ear):
    server = SlowServer(tmp_path / "sock")
    async with server.running() as make_connection:
        listener = ValkeyListener(make_connection, ear.message, ear.gap)
        await listener.start()

        first, second = (asyncio.create_task(listener.watch(room)) for room in ("slow", "slow"))
        await until(lambda: server.asked == [b"slow"])
        assert not first.done()
        assert not second.done()
        server.confirm("slow")
        await asyncio.gather(first, second)
        await listener.aclose()

    assert ear.heard == []


async def test_a_lost_connection_lets_go_who_waits_for_a_confirmation(tmp_path: Path, ear: Ear):
    server = SlowServer(tmp_path / "sock")
    async with server.running() as make_connection:
        listener = ValkeyListener(make_connection, ear.message, ear.gap)
        await listener.start()

        watching = asyncio.create_task(listener.watch("slow"))
        await until(lambda: server.asked == [b"slow"])
        server.hang_up()
        await watching
        await until(lambda: server.asked == [b"slow", b"slow"])
        assert ear.heard == []
        server.confirm("slow")
        await until(lambda: ear.heard == ["gap"])
        await listener.aclose()


async def test_a_room_left_while_the_connection_is_renewed_does_not_hold_up_the_gap(tmp_path: Path, ear: Ear):
    server = SlowServer(tmp_path / "sock")
    async with server.running() as make_connection:
        listener = ValkeyListener(make_connection, ear.message, ear.gap, start_s=0.01)
        await asyncio.gather(listener.start(), listener.watch("kept"), listener.watch("left"))
        await until(lambda: {*server.asked} == {b"kept", b"left"})

        server.confirm("kept")
        await listener.unwatch("left")
        await until(lambda: ear.heard == ["gap"])
        await listener.aclose()


async def test_a_silent_server_is_left(server: Embedded, tmp_path: Path, store: ValkeyStore, ear: Ear, room: str):
    async with Proxy(tmp_path / "proxy.sock", server.url.removeprefix("unix://")) as wire:
        client = make_client(wire.url + "?socket_timeout=0.2")
        listener = ValkeyListener(client.connection_pool.make_connection, ear.message, ear.gap, silence_s=0.1)
        await listener.start()
        await listener.watch(room)

        wire.silent = True
        store.announce(room, b"lost")
        await until(lambda: wire.accepted > 1)
        wire.silent = False
        await until(lambda: "gap" in ear)
        store.announce(room, b"heard")
        await until(lambda: (room, b"heard") in ear)
        await listener.aclose()
        await client.aclose()

    assert ear.heard == ["gap", (room, b"heard")]


async def test_a_quiet_server_that_answers_is_kept(server: Embedded, tmp_path: Path, ear: Ear, room: str):
    async with Proxy(tmp_path / "proxy.sock", server.url.removeprefix("unix://")) as wire:
        client = make_client(wire.url)
        listener = ValkeyListener(client.connection_pool.make_connection, ear.message, ear.gap, silence_s=1.0)
        await listener.start()
        await listener.watch(room)

        passed = wire.replies
        await until(lambda: wire.replies > passed + 2)
        await listener.aclose()
        await client.aclose()

    assert (ear.heard, wire.accepted) == ([], 1)


async def test_a_failed_callback_is_logged_and_left(store: ValkeyStore, room: str, caplog: pytest.LogCaptureFixture):
    heard: list[bytes] = []

    def fail_once(_room: str, payload: bytes) -> None:
        heard.append(payload)
        if len(heard) == 1:
            raise RuntimeError("a bug")

    listener = store.listen(fail_once, lambda: None)
    await listener.start()
    await listener.watch(room)
    with caplog.at_level(logging.ERROR):
        store.announce(room, b"one")
        store.announce(room, b"two")
        await until(lambda: len(heard) == 2)
    await listener.aclose()

    assert "a listener's callback failed" in caplog.text


async def test_an_early_listener_hears_later(server: Embedded, tmp_path: Path, store: ValkeyStore, ear: Ear, room: str):
    wire = Proxy(tmp_path / "proxy.sock", server.url.removeprefix("unix://"))
    client = make_client(wire.url)
    listener = ValkeyListener(client.connection_pool.make_connection, ear.message, ear.gap, start_s=0.05)
    await listener.start()
    await listener.watch(room)

    async with wire:
        await until(lambda: "gap" in ear)
        store.announce(room, b"heard")
        await until(lambda: (room, b"heard") in ear)
        await listener.aclose()
        await client.aclose()


async def test_an_outage_of_the_store_is_logged_once_and_tried_less_and_less_often(
    server: Embedded, tmp_path: Path, ear: Ear, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("dreadclock_server.store.listener._FIRST_PAUSE_S", 0.005)
    tries: list[float] = []
    wire = Proxy(tmp_path / "proxy.sock", server.url.removeprefix("unix://"))
    client = make_client(wire.url)
    make, clock = client.connection_pool.make_connection, asyncio.get_running_loop().time

    def make_noted() -> AbstractConnection:
        tries.append(clock())
        made: AbstractConnection = make()
        return made

    listener = ValkeyListener(make_noted, ear.message, ear.gap, silence_s=0.05, start_s=0.05)
    with caplog.at_level(logging.INFO, "dreadclock_server.store.listener"):
        await listener.start()
        await until(lambda: len(tries) > 6)
        pauses = [after - before for before, after in pairwise(tries)]
        assert [record.levelname for record in caplog.records] == ["WARNING"]
        assert pauses[-1] > 0.08, "the sixth pause is half of 0.16 s or more"

        async with wire:
            await until(lambda: len(caplog.records) > 1)
            assert [record.getMessage() for record in caplog.records[1:]] == [
                "announcements of other servers are received again"
            ]
            await listener.aclose()
    await client.aclose()
