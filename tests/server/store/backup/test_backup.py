"""Backups of a store that is written to all the while."""

import asyncio
import gzip
import hashlib
import json
import os
import random
import re
import secrets
import shutil
import signal
import stat
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from redis import Redis

from dreadclock.wire.base import Channel
from dreadclock.wire.records import opening_head, room_id_of
from dreadclock_server.store.backup import archive, backup
from dreadclock_server.store.backup.archive import BackupUnusable, Manifest, described, pack, unpack
from dreadclock_server.store.backup.backup import BackupFailed
from dreadclock_server.store.backup.chains import BrokenChain, check
from dreadclock_server.store.base import Batch, Position
from dreadclock_server.store.codec import Entry, encode
from dreadclock_server.store.embedded.server import Embedded
from dreadclock_server.store.keys import LOG, META, key
from dreadclock_server.store.preflight import connect
from dreadclock_server.store.valkey import ValkeyStore
from kit.servers import nursery
from kit.servers.disks import MIB, small_disk
from kit.servers.processes import store_on
from kit.stores import end_of, whole_log
from kit.waiting import until

LOG_ID = "ab" * 16


def an_entry(room: str, name: str) -> Batch:
    heads = {channel: opening_head(room, LOG_ID, channel) for channel in Channel}
    return Batch(name, encode(Entry(name, 1, [], heads, [])))


async def opened(store: ValkeyStore) -> tuple[str, Position]:
    room = room_id_of(secrets.token_bytes(16))
    tokens = {"token": "{}"}
    opening = an_entry(room, "opening")
    position = await store.open_room(
        room, log_id=LOG_ID, session_key=b"key", dice_secret=b"dice", tokens=tokens, batch=opening
    )
    return room, position


async def grown(store: ValkeyStore, entries: int) -> str:
    room, position = await opened(store)
    assert await store.put_recap(room, "secret", "{}", 1)
    for number in range(entries - 1):
        position = await store.append(room, position, an_entry(room, f"{number}"))
    return room


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def backed_up(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder with a store of one room of ten entries, and its backup."""
    folder = tmp_path_factory.mktemp("backed-up")
    async with store_on(folder / "data") as store:
        room = await grown(store, 10)
        await asyncio.to_thread(backup.back_up, folder / "data", folder / "made")
    return folder, room


@pytest.fixture
def made(backed_up: tuple[Path, str], tmp_path: Path) -> tuple[Path, str]:
    """A copy of the store and its backup for one test."""
    folder, room = backed_up
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    return tmp_path / "made", room


# What is in a backup


async def test_all_that_was_acknowledged_before_is_in_a_backup_made_under_load(data_dir: Path, tmp_path: Path):
    async with Embedded(data_dir) as embedded:
        store = await connect(embedded.url)
        acked: dict[str, Position] = {}

        async def write() -> None:
            room, position = await opened(store)
            while True:
                acked[room] = position
                position = await store.append(room, position, an_entry(room, secrets.token_hex(8)))

        writers = [asyncio.create_task(write()) for _ in range(8)]
        made = []
        for count in range(3):
            await until(lambda: sum(each.number for each in acked.values()) > 100 * (count + 1))  # noqa: B023
            if count == 1:
                with Redis.from_url(embedded.url) as admin:
                    admin.bgrewriteaof()  # the files change while they are copied
            before = dict(acked)
            made.append((await asyncio.to_thread(backup.back_up, data_dir, tmp_path / f"{count}"), before))
        for each in writers:
            each.cancel()
        await asyncio.gather(*writers, return_exceptions=True)
        await store.aclose()

    for number, ((path, manifest), before) in enumerate(made):
        await asyncio.to_thread(backup.restore, path, tmp_path / f"restored-{number}")
        async with store_on(tmp_path / f"restored-{number}") as restored:
            entries = 0
            for room, position in before.items():
                log = await whole_log(restored, room)
                entries += len(log)
                assert len(log) >= position.number
                assert end_of(log[: position.number]) == position
            assert entries == manifest.entries > 100 * (number + 1)


async def test_how_large_a_room_is_counts_on_from_a_backup(data_dir: Path, tmp_path: Path):
    async with store_on(data_dir) as store:
        room = await grown(store, 10)
        before = (await store.meta(room)).counted
        path, _ = await asyncio.to_thread(backup.back_up, data_dir, tmp_path / "made")

    await asyncio.to_thread(backup.restore, path, tmp_path / "restored")

    async with store_on(tmp_path / "restored") as restored:
        entry = an_entry(room, "next")
        await restored.append(room, (await restored.meta(room)).position, entry)
        assert before is not None
        assert (await restored.meta(room)).counted == (before.public, before.hidden + len(entry.entry))


async def test_a_backup_is_the_same_whether_a_server_runs_or_not(data_dir: Path, tmp_path: Path):
    async with store_on(data_dir) as store:
        await grown(store, 5)
        _, running = await asyncio.to_thread(backup.back_up, data_dir, tmp_path / "running")

    _, stopped = await asyncio.to_thread(backup.back_up, data_dir, tmp_path / "stopped")

    assert (stopped.rooms, stopped.entries, stopped.files) == (1, 5, running.files)


async def test_what_a_server_that_was_killed_left_of_its_rehearsal_is_no_room(data_dir: Path, tmp_path: Path):
    async with Embedded(data_dir) as embedded:
        store = await connect(embedded.url)
        await grown(store, 5)
        await store.aclose()
        program = "import asyncio, os, sys; from dreadclock_server.store import preflight, valkey\n"
        program += "valkey.ValkeyStore.read = lambda *all: os.kill(os.getpid(), 9)\n"
        program += "asyncio.run(preflight.connect(sys.argv[1]))"

        assert (await asyncio.to_thread(nursery.run, program, embedded.url))[0] == -9
        with Redis.from_url(embedded.url) as admin:
            assert len(admin.keys("*rehearsal*")) == 5

    _, manifest = await asyncio.to_thread(backup.back_up, data_dir, tmp_path / "made")
    assert (manifest.rooms, manifest.entries) == (1, 5)


async def test_a_backup_is_for_its_owner_only_and_says_what_it_holds(made: tuple[Path, str]):
    path, _ = made
    assert stat.S_IMODE(path.stat().st_mode) == 0o600

    manifest = await asyncio.to_thread(backup.verify, path)

    assert (manifest.rooms, manifest.entries) == (1, 10)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", manifest.at)
    assert set(manifest.files) == {
        "appendonlydir/appendonly.aof.1.base.rdb",
        "appendonlydir/appendonly.aof.1.incr.aof",
        "appendonlydir/appendonly.aof.manifest",
    }
    assert [path.name for path in path.parent.iterdir() if path.name.startswith(".")] == []


async def test_what_is_restored_can_be_served_from_and_added_to(made: tuple[Path, str], tmp_path: Path):
    path, room = made

    await asyncio.to_thread(backup.restore, path, tmp_path / "new" / "data")

    async with store_on(tmp_path / "new" / "data") as store:
        assert len(await whole_log(store, room)) == 10
        assert (await store.tokens(room), await store.recaps(room)) == ({"token": "{}"}, {"secret": "{}"})
        assert await store.dice_secret(room) == b"dice"
        position = (await store.meta(room)).position
        await store.append(room, position, an_entry(room, "next"))
    assert {stat.S_IMODE(each.stat().st_mode) & 0o077 for each in (tmp_path / "new" / "data").rglob("*")} == {0}
    assert not list((tmp_path / "new" / "data").glob(".*"))


# What is refused


def refusal(work: Callable[[], object]) -> str:
    with pytest.raises((BackupFailed, BackupUnusable)) as failed:
        work()
    assert "\n" not in str(failed.value)
    return str(failed.value)


async def refused(work: Callable[[], object]) -> str:
    return await asyncio.to_thread(refusal, work)


async def test_nothing_is_ever_overwritten(made: tuple[Path, str], tmp_path: Path):
    path, _ = made
    full = tmp_path / "full"
    full.mkdir()
    (full / "letter").write_text("mine")

    assert await refused(lambda: backup.back_up(tmp_path / "data", path)) == (
        f"{path} is there already: a backup never replaces a file."
    )
    assert "is not empty" in await refused(lambda: backup.restore(path, full))
    assert "is not empty" in await refused(lambda: backup.restore(path, tmp_path / "data"))
    assert (full / "letter").read_text() == "mine"


@pytest.mark.parametrize("has_links", [True, False])
async def test_the_first_of_two_stays(
    made: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_links: bool
):
    path, packed = tmp_path / "file", archive.pack

    def pack_slowly(*words: Any) -> None:
        packed(*words)
        if has_links:
            path.write_text("the other one")

    def unlinked(self: Path, target: Path) -> None:
        raise OSError("no links here")

    monkeypatch.setattr(archive, "pack", pack_slowly)
    if has_links:
        assert await refused(lambda: backup.back_up(tmp_path / "data", path)) == (
            f"{path} is there already: a backup never replaces a file."
        )
        assert path.read_text() == "the other one"
    else:
        monkeypatch.setattr(Path, "hardlink_to", unlinked)
        await asyncio.to_thread(backup.back_up, tmp_path / "data", path)
        assert (await asyncio.to_thread(backup.verify, path)).rooms == 1


async def test_a_restore_that_fails_leaves_no_directory_that_was_not_there(tmp_path: Path):
    (tmp_path / "file").write_text("no backup")
    (tmp_path / "there").mkdir()

    for name in ("new", "there"):
        with pytest.raises(BackupUnusable):
            await asyncio.to_thread(backup.restore, tmp_path / "file", tmp_path / name)

    assert not (tmp_path / "new").exists()
    assert [path.name for path in (tmp_path / "there").iterdir()] == ["owner.lock"]


async def test_a_directory_that_a_server_runs_on_is_refused(made: tuple[Path, str], tmp_path: Path):
    path, _ = made
    async with store_on(tmp_path / "other"):
        assert "A server runs on" in await refused(lambda: backup.restore(path, tmp_path / "other"))


async def test_a_directory_without_a_store_is_named(tmp_path: Path):
    (tmp_path / "empty").mkdir()

    assert "There is no store in" in await refused(lambda: backup.back_up(tmp_path / "empty", tmp_path / "file"))
    assert "could be written" in await refused(lambda: backup.back_up(tmp_path / "empty", tmp_path / "no" / "file"))
    assert not (tmp_path / "file").exists()


async def test_a_backup_that_finds_no_room_says_so_and_leaves_nothing(data_dir: Path, tmp_path: Path):
    async with store_on(data_dir) as store:
        await grown(store, 10)
    with small_disk(tmp_path / "disk", 1 * MIB) as disk:
        disk.fill(leave=8192)

        assert await refused(lambda: backup.back_up(data_dir, disk.path / "file")) == (
            f"No backup of {data_dir} could be written to {disk.path}/file: No space left on device."
        )

        assert [each.name for each in disk.path.iterdir()] == ["filler"]


async def test_what_is_no_backup_is_named(tmp_path: Path):
    (tmp_path / "text").write_text("once upon a time")

    assert await refused(lambda: backup.verify(tmp_path / "text")) == (
        f"{tmp_path}/text is no backup, or was damaged: it is not compressed like a backup."
    )
    assert "There is no file" in await refused(lambda: backup.verify(tmp_path / "nothing"))


async def test_any_changed_byte_is_noticed_or_changes_nothing(made: tuple[Path, str], tmp_path: Path):
    path, _ = made
    whole, intact = path.read_bytes(), unpacked(path, tmp_path / "intact")
    chance = random.Random(7)
    noticed = 0
    for number in range(120):
        place = chance.randrange(len(whole))
        spoiled = tmp_path / "spoiled"
        spoiled.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << number % 8]) + whole[place + 1 :])
        try:
            assert unpacked(spoiled, tmp_path / f"{number}") == intact
        except BackupUnusable:
            noticed += 1
    assert noticed > 110


def unpacked(path: Path, into: Path) -> dict[str, str]:
    into.mkdir()
    unpack(path, into)
    return {each.name: hashlib.sha256(each.read_bytes()).hexdigest() for each in into.rglob("*") if each.is_file()}


async def test_files_that_are_not_those_of_the_manifest_are_named(made: tuple[Path, str], tmp_path: Path):
    path, _ = made
    (tmp_path / "within").mkdir()
    manifest = unpack(path, tmp_path / "within")
    *_, name = manifest.files
    (tmp_path / "within" / name).write_bytes((tmp_path / "within" / name).read_bytes().swapcase())
    (tmp_path / "beside").write_text("a letter")
    letter = {"../beside": described(tmp_path / "within", ["../beside"])["../beside"]}

    assert f"{name} differs from its checksum" in packed(tmp_path, manifest)
    assert "'../beside' is no file of the store" in packed(tmp_path, replace(manifest, files=letter))
    assert "it is of version 2" in packed(tmp_path, replace(manifest, v=2))


def packed(directory: Path, manifest: Manifest) -> str:
    """Pack what is in `within` with a manifest, and give the sentence with which that is refused."""
    into = Path(tempfile.mkdtemp(dir=directory))
    with (into / "packed").open("wb") as file:
        pack(directory / "within", manifest, file)
    return refusal(lambda: unpack(into / "packed", into))


def header(name: str, size: int, kind: bytes) -> bytes:
    member = tarfile.TarInfo(name)
    member.size, member.type, member.linkname = size, kind, "/etc/passwd"
    return member.tobuf(tarfile.GNU_FORMAT)


STRANGE = {"long header": b"x", "global header": b"g", "long name": b"L", "link": b"2", "hard link": b"1", "pipe": b"6"}


@pytest.mark.parametrize("kind", STRANGE.values(), ids=STRANGE)
@pytest.mark.parametrize("place", ["first", "last"])
async def test_a_member_that_is_no_file_is_refused(made: tuple[Path, str], tmp_path: Path, kind: bytes, place: str):
    whole = gzip.decompress(made[0].read_bytes())
    end = len(whole.rstrip(b"\0")) // 512 * 512 + 512
    bomb = header("appendonlydir/appendonly.aof.9.incr.aof", 1 << 40, kind)
    hostile = tmp_path / "hostile"
    hostile.write_bytes(gzip.compress(bomb + bytes(512) if place == "first" else whole[:end] + bomb + bytes(512)))

    assert "is no file of the store" in await refused(lambda: backup.verify(hostile))


async def test_a_backup_takes_no_more_than_its_manifest_and_its_file_say(made: tuple[Path, str], tmp_path: Path):
    (tmp_path / "within").mkdir()
    manifest = unpack(made[0], tmp_path / "within")
    name = next(iter(manifest.files))

    huge = replace(manifest, files={**manifest.files, name: (1 << 40, "0" * 64)})
    assert "it claims to unpack to 10995116" in refused_with(tmp_path, huge)
    small = replace(manifest, files={**manifest.files, name: (1, manifest.files[name][1])})
    assert "differs from its checksum" in refused_with(tmp_path, small)
    assert "number in the manifest is wrong" in refused_with(tmp_path, replace(manifest, rooms=-1))
    assert "cannot be shown" in refused_with(tmp_path, replace(manifest, valkey="\x1b[2J"))
    (tmp_path / "longer").write_bytes(made[0].read_bytes() + gzip.compress(bytes(1 << 20)))
    assert "has data after its end" in await refused(lambda: backup.verify(tmp_path / "longer"))


def test_a_backup_of_any_size_can_be_read_to_its_end(tmp_path: Path):
    name = "appendonlydir/appendonly.aof.1.incr.aof"
    (tmp_path / "appendonlydir").mkdir()
    for blocks in range(tarfile.RECORDSIZE // tarfile.BLOCKSIZE + 1):
        (tmp_path / name).write_bytes(b"x" * blocks * tarfile.BLOCKSIZE)
        manifest = Manifest(archive.VERSION, "now", "0", "0", 0, 0, described(tmp_path, [name]))
        with (tmp_path / f"{blocks}").open("wb") as file:
            pack(tmp_path, manifest, file)
        longer = gzip.decompress((tmp_path / f"{blocks}").read_bytes()) + b"x"
        (tmp_path / "longer").write_bytes(gzip.compress(longer))

        assert unpack(tmp_path / f"{blocks}", Path(tempfile.mkdtemp(dir=tmp_path))) == manifest
        assert "has data after its end" in refusal(
            lambda: unpack(tmp_path / "longer", Path(tempfile.mkdtemp(dir=tmp_path)))
        )


def refused_with(directory: Path, manifest: Manifest) -> str:
    """Write a backup with this manifest and what its files really hold, and give the sentence that refuses it."""
    text = json.dumps(asdict(manifest)).encode()
    parts = {archive.MANIFEST: text, "manifest.sha256": hashlib.sha256(text).hexdigest().encode()}
    parts |= {name: (directory / "within" / name).read_bytes() for name in manifest.files}
    packed = b"".join(header(name, len(data), b"0") + data + bytes(-len(data) % 512) for name, data in parts.items())
    (directory / "with").write_bytes(gzip.compress(packed + bytes(1024)))
    return refusal(lambda: unpack(directory / "with", Path(tempfile.mkdtemp(dir=directory))))


@pytest.mark.parametrize(
    "words", [b"CONFIG SET bind 0.0.0.0", b"EVAL while(true)do(end) 0", b"REPLICAOF 127.0.0.1 1"], ids=repr
)
async def test_a_backup_with_foreign_commands_is_refused_unrun(made: tuple[Path, str], tmp_path: Path, words: bytes):
    path, _ = made
    (tmp_path / "within").mkdir()
    manifest = unpack(path, tmp_path / "within")
    (name,) = (name for name in manifest.files if name.endswith("incr.aof"))
    with (tmp_path / "within" / name).open("ab") as file:
        file.write(b"*%d\r\n" % len(words.split()))
        file.writelines(b"$%d\r\n%b\r\n" % (len(word), word) for word in words.split())
    hostile = tmp_path / "hostile"
    with hostile.open("wb") as packed_file:  # with sums of its own, which are right
        pack(
            tmp_path / "within", replace(manifest, files=described(tmp_path / "within", [*manifest.files])), packed_file
        )

    for work in (lambda: backup.verify(hostile), lambda: backup.restore(hostile, tmp_path / "new")):
        said = await refused(work)
        assert f"{hostile} is not to be trusted: " in said
        assert f"the command '{words.split()[0].decode()}' at byte" in said
    assert not (tmp_path / "new").exists()


async def test_a_backup_that_takes_too_long_is_given_up(made: tuple[Path, str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(backup, "_PATIENCE_S", 0.0)
    monkeypatch.setattr(backup, "_SLOWEST", 10**12)

    assert "could not be read in time" in await refused(lambda: backup.verify(made[0]))


async def test_a_backup_cut_short_anywhere_is_refused_and_leaves_nothing(made: tuple[Path, str], tmp_path: Path):
    path, _ = made
    whole = path.read_bytes()
    short = tmp_path / "short"
    for length in (0, 5, 100, len(whole) // 2, len(whole) - 9, len(whole) - 1):
        short.write_bytes(whole[:length])
        assert "is no backup, or was damaged" in await refused(lambda: backup.restore(short, tmp_path / "new"))
        assert not (tmp_path / "new").exists()


async def test_a_backup_that_was_killed_while_it_was_made_leaves_no_file_of_its_name(data_dir: Path, tmp_path: Path):
    async with store_on(data_dir) as store:
        await grown(store, 3)
    program = "import sys, pathlib, os; from dreadclock_server.store.backup import archive, backup\n"
    program += "archive.pack = lambda *all: os.kill(os.getpid(), 9)\n"
    program += "backup.back_up(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))"

    assert (await asyncio.to_thread(nursery.run, program, data_dir, tmp_path / "file"))[0] == -9
    assert not (tmp_path / "file").exists()


@pytest.mark.parametrize("command", ["verify", "restore", "backup"])
async def test_who_is_ended_leaves_no_copy_and_kills_are_swept(made: tuple[Path, str], tmp_path: Path, command: str):
    path, _ = made
    new = tmp_path / "new"
    words = {
        "verify": ["backup", "--verify", str(path)],
        "restore": ["restore", str(path), "--data", str(new)],
        "backup": ["backup", str(tmp_path / "another"), "--data", str(tmp_path / "data")],
    }[command]

    for number, copies, code in ((signal.SIGKILL, 1, -9), (signal.SIGTERM, 0, 143)):
        assert await asyncio.to_thread(ended_in_the_middle, number, words) == code
        assert len([*tmp_path.glob(".dreadclock-*"), *new.glob(".dreadclock-*")]) == copies  # noqa: ASYNC240
    assert not (tmp_path / "another").exists()


def ended_in_the_middle(number: int, words: list[str]) -> int:
    """Run a command that gets a signal while it walks through its copy; give its code."""
    program = "import asyncio, os, sys\nfrom dreadclock_server.store.backup import backup\n"
    program += "from dreadclock.cli import main\n"
    program += "async def check(url):\n    os.kill(os.getpid(), int(sys.argv[1]))\n    await asyncio.Event().wait()\n"
    program += "backup.check = check\nsys.exit(main(sys.argv[2:]))"
    return nursery.run(program, int(number), *words)[0]


# A store that is not whole


def damages() -> Iterator[tuple[str, Callable[[Redis, str], object], str]]:
    yield "missing", lambda admin, room: admin.xdel(key(room, LOG), "4-0"), "entry 4 is missing"
    yield "shorter", lambda admin, room: admin.xdel(key(room, LOG), "10-0"), "do not hash to the room's digest"
    yield "changed", lambda admin, room: changed(admin, room, encode(Entry("x", 2, [], {}, []))), "heads"
    yield "another", lambda admin, room: changed(admin, room, an_entry(room, "y").entry), "do not hash to the room"
    yield "unreadable", lambda admin, room: changed(admin, room, b"{"), "entry 10 cannot be read"
    yield "headless", lambda admin, room: admin.delete(key(room, META)), "has lost its beginning"
    yield "renamed", lambda admin, room: admin.rename(key(room, META), key(room, "mata")), "is no part of a room"


def changed(admin: Redis, room: str, entry: bytes) -> None:
    admin.xtrim(key(room, LOG), 9)
    admin.delete(key(room, LOG))
    for number in range(1, 10):
        admin.xadd(key(room, LOG), {"b": "b", "d": "d", "e": an_entry(room, "x").entry}, id=f"{number}-0")
    admin.xadd(key(room, LOG), {"b": "b", "d": "d", "e": entry}, id="10-0")


@pytest.mark.parametrize(("name", "damage", "words"), list(damages()), ids=[each[0] for each in damages()])
async def test_a_room_that_is_not_whole_is_named_and_no_backup_is_made_of_it(
    data_dir: Path, tmp_path: Path, name: str, damage: Callable[[Redis, str], object], words: str
):
    async with Embedded(data_dir) as embedded:
        store = await connect(embedded.url)
        room = await grown(store, 10)
        await store.aclose()
        with Redis.from_url(embedded.url) as admin:
            damage(admin, room)

        with pytest.raises(BrokenChain, match=words):
            await check(embedded.url)

        said = await refused(lambda: backup.back_up(data_dir, tmp_path / "file"))
    assert said.startswith("The copy of the store is incomplete: ")
    assert room in said
    assert not (tmp_path / "file").exists()
    assert json.dumps(os.listdir(tmp_path)).count(".dreadclock-") == 0
