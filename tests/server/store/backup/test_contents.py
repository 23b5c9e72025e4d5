"""Telling the files of a store from those that would make Valkey do something else."""

from pathlib import Path

import pytest
from redis import Redis

from dreadclock_server.store.backup.contents import check_file
from dreadclock_server.store.backup.scratch import scratch, sweep
from dreadclock_server.store.embedded.datadir import EmbeddedFailed
from dreadclock_server.store.embedded.server import Embedded
from dreadclock_server.store.preflight import connect
from kit.server import free_port
from kit.stores import batch, open_room
from kit.waiting import until

HOSTILE = (
    b"REPLICAOF 127.0.0.1 1",
    b"CONFIG SET port 21978",
    b"EVAL return(1) 0",
    b"FCALL f 0",
    b"SCRIPT FLUSH",
    b"MODULE LOAD m",
    b"ACL SETUSER x",
    b"SHUTDOWN NOSAVE",
    b"FLUSHALL",
    b"SETRANGE x 999999999 y",
)


def command(*words: bytes) -> bytes:
    return b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%b\r\n" % (len(word), word) for word in words)


async def files_of(data_dir: Path) -> list[Path]:
    """Make a store that was written anew and then written to, with short and long hashes, and give its files."""
    async with Embedded(data_dir) as embedded:
        store = await connect(embedded.url)
        position = await open_room(store, "room")
        for number in range(300):
            await store.put_token("room", f"{number}", "{}")
            position = await store.append("room", position, batch(f"{number}"))
        await store.save_snapshot("room", position, bytes(5000))
        with Redis.from_url(embedded.url) as admin:
            admin.bgrewriteaof()
            await until(lambda: (data_dir / "appendonlydir" / "appendonly.aof.2.base.rdb").exists())
        await (await connect(embedded.url)).aclose()  # rehearses all that is done to rooms
        await store.append("room", position, batch("last"))
        await store.aclose()
    return [*(data_dir / "appendonlydir").glob("*.incr.aof"), *(data_dir / "appendonlydir").glob("*.rdb")]


async def test_all_that_our_own_stores_hold_is_allowed_and_no_more(data_dir: Path):
    files = await files_of(data_dir)
    assert {file.suffix for file in files} == {".aof", ".rdb"}

    for file in files:
        check_file(file)

    for file in files:
        own = file.read_bytes()
        for hostile in HOSTILE:
            file.write_bytes(own + command(*hostile.split()))
            with pytest.raises(ValueError, match=r"the command '[A-Z]+' at byte|no end 8 bytes after byte"):
                check_file(file)
        for odd in (own + b"\0", own + b"#TS:1\r\n", own + b"x" + own):
            file.write_bytes(odd)
            with pytest.raises(ValueError, match=r"no command at byte|no end 8 bytes after byte"):
                check_file(file)


async def test_a_base_that_breaks_off_or_brings_code_is_refused(data_dir: Path):
    base = (await files_of(data_dir))[-1]
    own = base.read_bytes()

    for length in (9, 40, len(own) // 2, len(own) - 1):
        base.write_bytes(own[:length])
        with pytest.raises(ValueError, match="contains something that Dreadclock never writes"):
            check_file(base)

    function = b"\xf5\x20#!lua name=x\nwhile true do end  "
    for code in (function, b"\xf7\x01", b"\xfb\x81" + b"\x7f" * 16, b"\x00\x01k\xc3\x01\x80\x7f\xff\xff\xffx"):
        base.write_bytes(own[:9] + code + own[9:])
        with pytest.raises(ValueError, match=r"type|impossible|grows too much"):
            check_file(base)


@pytest.mark.parametrize(
    ("words", "why"), [(b"REPLICAOF 127.0.0.1 1", "cannot be read"), (b"CONFIG SET port PORT", "open a port")]
)
async def test_a_store_that_makes_valkey_follow_or_open_a_port_does_not_start(data_dir: Path, words: bytes, why: str):
    newest = (await files_of(data_dir))[0]
    with newest.open("ab") as file:
        file.write(command(*words.replace(b"PORT", b"%d" % free_port()).split()))

    with pytest.raises(EmbeddedFailed, match=why):
        await Embedded(data_dir).start()


# Directories that are for a while, and what becomes of them


def test_what_is_being_used_is_spared_and_what_was_left_is_swept(tmp_path: Path):
    left = tmp_path / ".dreadclock-left"
    left.mkdir()
    (left / "lock").touch()
    (left / "secret").touch()

    with scratch(tmp_path) as used, scratch(tmp_path) as another:
        sweep(tmp_path)
        assert used.is_dir()
        assert another.is_dir()
        assert not left.exists()

    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_locked_is_left_alone_and_hinders_nobody(tmp_path: Path):
    left = tmp_path / ".dreadclock-left"
    (left / "lock").mkdir(parents=True)

    with scratch(tmp_path) as used:
        assert used.is_dir()

    assert list(tmp_path.iterdir()) == [left]


def test_what_is_not_ours_is_left_alone(tmp_path: Path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "lock").touch()
    (tmp_path / ".dreadclock-link").symlink_to(tmp_path / "other")
    (tmp_path / ".dreadclock-notes").write_text("mine")

    sweep(tmp_path)

    assert {each.name for each in tmp_path.iterdir()} == {"other", ".dreadclock-link", ".dreadclock-notes"}
    assert (tmp_path / "other" / "lock").exists()
