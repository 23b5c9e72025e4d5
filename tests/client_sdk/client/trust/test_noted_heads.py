"""Where logs stood: noted on this device, and held against the log of the next connection."""

import asyncio
import os
import time
from collections.abc import AsyncGenerator, AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from dreadclock.client.outcomes import ViewReplaced
from dreadclock.client.rest import RestRoom
from dreadclock.client.room import Room, connect
from dreadclock.client.trust.alarms import LogAlarm
from dreadclock.client.trust.dice_secrets import DiceSecrets
from dreadclock.client.trust.noted_heads import EVERY, FORGOTTEN_AFTER_DAYS, Noted, NotedHeads
from dreadclock.wire.base import Channel
from dreadclock.wire.errors import ProtocolViolation, Refused
from dreadclock.wire.frames import ResetReason
from dreadclock.wire.records import text_of
from kit.rooms import Table
from kit.servers.table_server import TableServer
from kit.table import BOTH, OTHER_LOG, ROOM, Log, reset_to, rolled

PUBLIC = Channel.PUBLIC


@pytest.fixture
def heads(state_home: Path) -> NotedHeads:
    return NotedHeads(state_home / "dreadclock")


@pytest.fixture
async def forgetful() -> AsyncIterator[TableServer]:
    async with TableServer(*BOTH) as server:
        for number in range(5):
            server.table.log.write(rolled(number))
        yield server


def problems(room: Room) -> list[tuple[int | None, str]]:
    return [(alarm.seq, alarm.problem) for alarm in room.alarms if isinstance(alarm, LogAlarm)]


async def found_by(forgetful: TableServer) -> list[tuple[int | None, str]]:
    async with connect(forgetful.url, ROOM, "token") as room:
        return problems(room)


async def test_a_head_is_noted_as_a_connection_ends(forgetful: TableServer, heads: NotedHeads):
    async with connect(forgetful.url, ROOM, "token") as room:
        await forgetful.happen(rolled(9))
        await room.wait_for(lambda _: room.positions[PUBLIC].seq == 6)
        assert heads.of(ROOM) is None

    head = forgetful.table.log.positions[PUBLIC]
    assert heads.of(ROOM) == Noted(log_id=forgetful.table.log.log_id, seq=6, hash=head.hash)


async def test_a_head_is_noted_now_and_then_while_a_connection_lasts(forgetful: TableServer, heads: NotedHeads):
    async with connect(forgetful.url, ROOM, "token") as room:
        for number in range(EVERY):
            forgetful.table.log.write(rolled(number))
        await forgetful.tell(forgetful.table.log.frame(after=5))
        await room.wait_for(lambda _: room.positions[PUBLIC].seq == EVERY + 5)

        noted = heads.of(ROOM)
        assert noted is not None
        assert noted.seq == EVERY + 5


async def test_the_same_log_again_is_no_alarm(forgetful: TableServer):
    assert [await found_by(forgetful) for _ in range(2)] == [[], []]


async def test_a_log_that_lost_its_end_is_an_alarm_once(forgetful: TableServer):
    await found_by(forgetful)
    forgetful.table.log = Log(*BOTH)
    forgetful.table.log.write(rolled(0))

    assert await found_by(forgetful) == [(5, "it ends at 1 and was known up to 5")]
    assert await found_by(forgetful) == []


async def test_another_log_is_an_alarm(forgetful: TableServer):
    await found_by(forgetful)
    forgetful.table.log = Log(*BOTH, log_id=OTHER_LOG)

    assert await found_by(forgetful) == [(5, "it was another log at record 5")]


async def test_a_log_of_the_same_length_with_another_past_is_an_alarm(forgetful: TableServer):
    await found_by(forgetful)
    forgetful.table.log = Log(*BOTH)
    for number in (0, 1, 2, 3, 99):
        forgetful.table.log.write(rolled(number))

    assert await found_by(forgetful) == [(5, "it differs at or before record 5")]


async def test_nothing_is_noted_where_nothing_is_to_be_kept(forgetful: TableServer, state_home: Path):
    async with connect(forgetful.url, ROOM, "token", dice_secrets=False):
        pass
    async with connect(forgetful.url, ROOM, "token", dice_secrets=DiceSecrets(None)):
        pass

    assert not await asyncio.to_thread(state_home.exists)


async def test_an_unreadable_note_is_none(forgetful: TableServer, tmp_path: Path, caplog: pytest.LogCaptureFixture):
    caplog.set_level("INFO")
    (tmp_path / "heads").mkdir()
    (tmp_path / "heads" / f"{ROOM}.json").write_text("garbage")
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")

    for directory in (tmp_path, in_the_way):
        async with connect(forgetful.url, ROOM, "token", dice_secrets=DiceSecrets(directory)) as room:
            assert room.alarms == ()

    assert NotedHeads(tmp_path).of(ROOM) is not None
    assert f"the head of the room {ROOM} is not noted" in caplog.text


async def test_who_stands_behind_another_process_does_not_take_its_note_back(heads: NotedHeads):
    later = Noted(log_id="0" * 32, seq=9, hash="a" * 64)
    heads.note(ROOM, later)
    heads.note(ROOM, Noted(log_id="0" * 32, seq=8, hash="b" * 64))

    assert heads.of(ROOM) == later


# While a connection lasts


async def test_a_fork_is_an_alarm_with_the_first_number_that_differs(forgetful: TableServer):
    async with connect(forgetful.url, ROOM, "token") as room:
        await forgetful.tell(reset_to(forgetful.table.log, ResetReason.FORKED, {Channel.GM: 1, PUBLIC: 3}))
        await room.wait_for(lambda _: bool(room.alarms))

        assert problems(room) == [(3, "record 3 of public is the first that differs")]


async def test_a_fork_of_which_no_more_is_known_is_an_alarm_too(forgetful: TableServer):
    async with connect(forgetful.url, ROOM, "token") as room:
        await forgetful.tell(reset_to(forgetful.table.log, ResetReason.FORKED))
        await room.wait_for(lambda _: bool(room.alarms))

        assert problems(room) == [(None, "the server does not say from where on")]


async def test_a_view_shown_anew_for_another_reason_may_hide_no_fork(forgetful: TableServer):
    async with connect(forgetful.url, ROOM, "token") as room:
        forgetful.table.log = Log(*BOTH)
        forgetful.table.log.write(rolled(1))
        replaced = room.events()
        await forgetful.tell(reset_to(forgetful.table.log, ResetReason.TOO_OLD))

        assert await anext(replaced) == ViewReplaced(ResetReason.TOO_OLD)
        assert problems(room) == [(5, "it ends at 1 and was known up to 5")]


# With the records in between, from a real server


async def happens(table: Table, times: int) -> None:
    async with connect(table.server.url, table.id, table.token("gm"), dice_secrets=False) as gm:
        for _ in range(times):
            await gm.end_turn()


async def visit(table: Table) -> Room:
    async with connect(table.server.url, table.id, table.token("ann")) as room:
        pass
    return room


async def test_a_log_that_went_on_is_followed_from_the_noted_head(table: Table, heads: NotedHeads):
    await visit(table)
    before = heads.of(table.id)
    await happens(table, 3)

    room = await visit(table)

    after = heads.of(table.id)
    assert before is not None
    assert after is not None
    assert (after.seq, room.alarms) == (before.seq + 3, ())


async def test_a_log_that_left_the_note_is_an_alarm(table: Table, heads: NotedHeads, caplog: pytest.LogCaptureFixture):
    """What a server would have to hide that rewrote its log: here it is the note that was changed."""
    await visit(table)
    noted = heads.of(table.id)
    assert noted is not None
    heads.replace(table.id, noted.model_copy(update={"hash": "0" * 64}))
    await happens(table, 3)

    async with connect(table.server.url, table.id, table.token("ann")) as room:
        await room.wait_for(lambda _: bool(room.alarms), timeout_s=10)

        assert problems(room) == [(noted.seq, f"it does not go on from record {noted.seq}")]
        (told,) = caplog.messages
        assert told.startswith(
            f"The room's log has changed: it does not go on from record {noted.seq}. Was a backup restored? If not, "
        )
    assert problems(await visit(table)) == []


def test_what_cannot_be_read_is_as_if_it_were_not_there(tmp_path: Path):
    heads = NotedHeads(tmp_path)
    noted = Noted(log_id="0" * 32, seq=1, hash="0" * 64)
    heads.replace(ROOM, noted)
    assert heads.of(ROOM) == noted
    [file] = (tmp_path / "heads").iterdir()

    file.write_bytes(b"\xff\xfe{}")
    assert heads.of(ROOM) is None
    file.unlink()
    os.mkfifo(file)
    assert heads.of(ROOM) is None


async def test_a_log_that_could_not_be_checked_leaves_the_note_as_it_is(forgetful: TableServer, heads: NotedHeads):
    await found_by(forgetful)
    noted = heads.of(ROOM)
    forgetful.table.log.write(rolled(9))

    assert await found_by(forgetful) == []  # this server has no log to read
    assert heads.of(ROOM) == noted


async def test_the_log_is_read_over_rest_record_by_record(table: Table):
    await happens(table, 2)
    room = RestRoom(table.server.url, table.id, table.token("gm"))

    records = [record async for record in room.log(public=3)]

    assert [text_of(record) for record in records] == await table.log("gm", public=3)
    assert [record.seq for record in records if record.channel is PUBLIC][:2] == [4, 5]


async def test_a_log_with_a_gap_is_not_taken(table: Table):
    room = RestRoom(table.server.url, table.id, table.token("gm"))
    texts = [text async for text in room.log_texts()]
    room.log_texts = partial(each_of, [texts[0], *texts[2:]])  # type: ignore[method-assign]

    with pytest.raises(ProtocolViolation, match="record 3 of public after 1"):
        _ = [record async for record in room.log()]


async def each_of(texts: list[str], *_: int) -> AsyncGenerator[str, None]:
    for text in texts:
        yield text


async def test_a_log_is_not_shown_to_whoever_has_no_token(table: Table):
    with pytest.raises(Refused):
        _ = [record async for record in RestRoom(table.server.url, table.id, "wrong").log()]


# Files that nobody uses any more


def used_days_ago(path: Path, days: float) -> Path:
    """Make a file that was read or written so many days ago."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{}")
    then = time.time() - days * 86_400
    os.utime(path, (then, then))
    return path


async def test_files_that_nobody_used_for_400_days_are_deleted(forgetful: TableServer, state_home: Path):
    folder = state_home / "dreadclock" / "heads"
    unused = [used_days_ago(folder / name, FORGOTTEN_AFTER_DAYS + 0.1) for name in ("a.json", ".1234.draft")]
    recent = used_days_ago(folder / "b.json", FORGOTTEN_AFTER_DAYS - 0.1)

    async with connect(forgetful.url, ROOM, "token"):
        pass

    assert FORGOTTEN_AFTER_DAYS == 400
    assert [path.exists() for path in (*unused, recent)] == [False, False, True]


async def test_a_read_renews_the_time_of_a_file(forgetful: TableServer, heads: NotedHeads, state_home: Path):
    async with connect(forgetful.url, ROOM, "token"):
        pass
    folder = state_home / "dreadclock" / "heads"
    noted = heads.of(ROOM)
    assert noted is not None
    for path in folder.iterdir():
        os.utime(path, (0, 0))
    before = time.time()

    assert heads.of(ROOM) == noted
    heads.replace("b" * 26, noted)

    (kept,) = (path for path in folder.iterdir() if path.name == f"{ROOM}.json")
    assert kept.stat().st_mtime >= before - 2  # file systems count coarsely
