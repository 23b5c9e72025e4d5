"""A store whose file lost its last bytes, or had one changed: nothing of it is ever silent.

`DREADCLOCK_CUTS` says how often it is cut (a byte is changed half as often); ten times unless it is set.
"""

import os
import random
import shutil
import signal
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio

from dreadclock.wire.base import Channel
from dreadclock.wire.records import Positions
from dreadclock_server.rooms.log import Forked
from dreadclock_server.rooms.registry import Rooms
from dreadclock_server.store.backup.chains import BrokenChain, check
from dreadclock_server.store.base import Position
from dreadclock_server.store.embedded.datadir import EmbeddedFailed
from dreadclock_server.store.embedded.server import Embedded
from dreadclock_server.store.preflight import connect
from kit.links.listeners import listener
from kit.nodes import ROLL, ask, done_at, opened
from kit.rooms import open_table
from kit.server import Server, running_server
from kit.servers.processes import pid_of, store_on
from kit.stores import whole_log
from kit.waiting import until

CUTS = int(os.environ.get("DREADCLOCK_CUTS", "10"))
LONGEST_CUT = 4096
ROLLS = 40


@dataclass(frozen=True)
class Moment:
    """How a room stood when a command had been acknowledged, and how long the store's file was then."""

    position: Position
    heads: Positions
    length: int


@dataclass(frozen=True)
class Recorded:
    """A store that was killed, and what had been acknowledged of its one room."""

    data: Path
    room: str
    entries: list[bytes]
    moments: list[Moment]

    @property
    def last(self) -> Moment:
        return self.moments[-1]

    def copied(self, to: Path) -> Path:
        """Copy the store's files; gives the one that was written last."""
        shutil.copytree(self.data / "appendonlydir", to / "appendonlydir")
        return newest(to)

    def at(self, length: int) -> Moment | None:
        """Give the last moment that lies within so many bytes of the file."""
        return next((each for each in reversed(self.moments) if each.length <= length), None)


def newest(data: Path) -> Path:
    return max((data / "appendonlydir").glob("*.incr.aof"))


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    data = tmp_path_factory.mktemp("recorded") / "data"
    moments = []
    async with Embedded(data) as embedded:
        store = await connect(embedded.url)
        room = await opened(store)
        live = await Rooms(store).get(room)
        for n in range(1, ROLLS + 1):
            done_at(await ask(live, ROLL, session="s", n=n))
            length = newest(data).stat().st_size
            moments.append(Moment(live.log.position, {Channel.PUBLIC: live.room.positions[Channel.PUBLIC]}, length))
        entries = await whole_log(store, room)
        os.kill(await pid_of(embedded), signal.SIGKILL)
        await until(lambda: embedded.restarts == 1)
        await store.aclose()
    return Recorded(data, room, entries, moments)


@pytest.mark.parametrize("number", range(CUTS))
async def test_a_torn_file_is_served(recorded: Recorded, tmp_path: Path, number: int, caplog: pytest.LogCaptureFixture):
    cut = random.Random(number).choice([random.Random(number).randint(1, 100), random.Random(number).randint(1, 4096)])
    file = recorded.copied(tmp_path)
    length = file.stat().st_size - cut
    os.truncate(file, length)
    left = recorded.at(length)
    number_left = left.position.number if left else 0

    async with store_on(tmp_path) as store:
        assert await whole_log(store, recorded.room) == recorded.entries[:number_left]
        live = await Rooms(store).get(recorded.room)
        assert left is not None
        assert live.log.position == left.position
        assert await live.missed(left.heads)
        for moment in recorded.moments:
            if moment.position.number > number_left:
                with pytest.raises(Forked):
                    await live.missed(moment.heads)

    kept = tmp_path / "torn.aof"
    assert kept.exists() is ("were torn off in a crash" in caplog.text) is (left.length != length)
    assert file.stat().st_size >= left.length


@pytest.mark.parametrize("number", range(CUTS // 2))
async def test_a_changed_byte_is_noticed_or_the_log_is_what_it_was(recorded: Recorded, tmp_path: Path, number: int):
    chance = random.Random(1000 + number)
    file = recorded.copied(tmp_path)
    whole = file.read_bytes()
    place = chance.randrange(len(whole) - LONGEST_CUT)
    damaged = whole[:place] + bytes([whole[place] ^ 1 << chance.randrange(8)]) + whole[place + 1 :]
    file.write_bytes(damaged)

    found = await what_comes_of(tmp_path, recorded.room)

    if isinstance(found, EmbeddedFailed):
        assert "dreadclock restore BACKUP --data NEW_FOLDER" in str(found)
        assert file.read_bytes() == damaged, "what cannot be read is left as it is"
    else:
        assert isinstance(found, BrokenChain) or found == recorded.entries


async def what_comes_of(data: Path, room: str) -> EmbeddedFailed | BrokenChain | list[bytes]:
    """Start a server on a store: it refuses, or it names a room that is not whole, or here is the room's log."""
    try:
        async with Embedded(data) as embedded:
            await check(embedded.url)
            store = await connect(embedded.url, rehearse=False)
            log = await whole_log(store, room)
            await store.aclose()
            return log
    except (EmbeddedFailed, BrokenChain) as noticed:
        return noticed


async def test_a_rewritten_file_that_was_changed_is_refused_with_a_sentence(recorded: Recorded, tmp_path: Path):
    recorded.copied(tmp_path)
    async with Embedded(tmp_path) as embedded:
        await embedded._say(b"BGREWRITEAOF")
        await until(lambda: len(list((tmp_path / "appendonlydir").glob("*.2.base.rdb"))) == 1)
    base = tmp_path / "appendonlydir" / "appendonly.aof.2.base.rdb"
    base.write_bytes(base.read_bytes()[:-500] + b"?" + base.read_bytes()[-499:])

    with pytest.raises(EmbeddedFailed, match=r"cannot be read, and nothing was changed\. Restore a backup"):
        await Embedded(tmp_path).start()


@pytest.fixture
async def server(tmp_path: Path):
    async with running_server(tmp_path / "data") as server:
        yield server


async def test_clients_raise_the_alarm_when_a_disk_lost_what_was_acknowledged(server: Server):
    table = await open_table(server)
    async with listener(table, "gm") as gm, listener(table, "ann") as ann:
        for _ in range(5):
            await gm.room.submit({"type": "roll_dice", "pool": 1})
        await until(lambda: len(ann.heard) >= 5)

        await server.kill(with_valkey=True)
        file = newest(server.data)
        os.truncate(file, file.stat().st_size - 2000)
        await server.start()

        await until(lambda: bool(gm.resets and ann.resets))
        assert [each.resets[0].reason for each in (gm, ann)] == ["forked", "forked"]
        assert all(each.room.alarms for each in (gm, ann))
    assert "were torn off in a crash" in server.log_text()
