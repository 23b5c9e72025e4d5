"""Backups of the embedded store: made while it runs, checked, and restored.

The embedded store is a Valkey server that writes append-only files, listed in a manifest. Valkey only appends to the
files in the manifest, and replaces the manifest before it writes to a new file. We open the files, and check that the
manifest is still the same. So the opened files are the state of the store at a single moment, and everything that was
acknowledged before is in these files. A command that is cut off at the end of the newest file was not acknowledged.

We copy the files. Then a second Valkey of ours loads the copy, and we check every room in it. Only then is the copy
packed as a backup.
"""

import asyncio
import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import BinaryIO

from redis.exceptions import RedisError

from dreadclock_server.store.backup import archive, contents
from dreadclock_server.store.backup.archive import BackupUnusable, Manifest
from dreadclock_server.store.backup.chains import BrokenChain, Counts, check
from dreadclock_server.store.backup.scratch import scratch, sweep
from dreadclock_server.store.base import StoreError
from dreadclock_server.store.embedded.datadir import EmbeddedFailed, make_private, try_lock
from dreadclock_server.store.embedded.server import Embedded
from dreadclock_server.store.preflight import StoreUnfit

_FILES = "appendonlydir"
_STORE = f"{_FILES}/appendonly.aof.manifest"
_TRIES = 100
_CHUNK = 1 << 20  # bytes that are copied at once
_PATIENCE_S = 60.0
_SLOWEST = 256 * 1024  # the lowest speed at which a store is loaded, in bytes per second
_NO_ROOM_NEEDED = 1  # free disk space that the check demands, in bytes: the check writes nothing


class BackupFailed(Exception):
    """A backup could not be made, checked or restored. The message is a sentence for the operator."""


def back_up(data_dir: Path, target: Path) -> tuple[Path, Manifest]:
    """Make a backup of the store in `data_dir`, with or without a running server. Return its path and manifest.

    `target`: a new file, or a directory for a file named after the time. Only the owner may read the file. The file
    gets its name only when it is complete. Raises BackupFailed or EmbeddedFailed.
    """
    at = datetime.now(UTC)
    path = (target / f"dreadclock-{at:%Y%m%dT%H%M%SZ}.backup" if target.is_dir() else target).absolute()
    if path.exists():
        raise _taken(path)
    with _failing(f"No backup of {data_dir} could be written to {path}"), scratch(path.parent) as copy:
        _copy_store(data_dir, copy)
        counts = _walk(copy)
        names = [*_links(copy), *_names_in(copy / _STORE), _STORE]
        files = archive.described(copy, names)
        own = version("dreadclock-server")
        manifest = Manifest(
            archive.VERSION, f"{at:%Y-%m-%dT%H:%M:%SZ}", own, counts.valkey, counts.rooms, counts.entries, files
        )
        part = copy / "part"
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            archive.pack(copy, manifest, file)
            file.flush()
            os.fsync(file.fileno())
        _appear(part, path)
        _settle(path.parent)
    return path, manifest


def _appear(part: Path, path: Path) -> None:
    """Give a complete backup its name. Raises BackupFailed if another file has taken the name meanwhile.

    On a file system without hard links, that file is replaced.
    """
    try:
        path.hardlink_to(part)
    except FileExistsError:
        raise _taken(path) from None
    except OSError:  # the file system has no hard links
        part.rename(path)


def _taken(path: Path) -> BackupFailed:
    return BackupFailed(f"{path} is there already: a backup never replaces a file.")


def verify(path: Path) -> Manifest:
    """Check that a backup can be restored. Checks its checksums, and every room from the first entry to the last.

    Raises BackupUnusable, BackupFailed or EmbeddedFailed.
    """
    with _failing(f"{path} could not be checked"), scratch(path.absolute().parent) as copy:
        return _checked(path, copy)


def restore(path: Path, data_dir: Path) -> Manifest:
    """Restore a backup into a data directory, which must be empty or missing.

    Raises BackupUnusable, BackupFailed or EmbeddedFailed. The directory then has no store. If it was there before, it
    may keep an `owner.lock`, and files that were moved before the failure.
    """
    with _failing(f"{path} could not be restored into {data_dir}"), _owned(data_dir), scratch(data_dir) as copy:
        manifest = _checked(path, copy)
        _settle(copy / _FILES)
        for name in [*_links(copy), _FILES]:  # the store comes last: until then the directory has no store
            (copy / name).rename(data_dir / name)
        _settle(data_dir)
    return manifest


def _checked(path: Path, copy: Path) -> Manifest:
    manifest = archive.unpack(path, copy)
    if _STORE not in manifest.files:
        raise BackupUnusable(f"{path} holds no store.")
    for name in manifest.files:
        _check_contents(path, copy / name)
    counts = _walk(copy)
    if (counts.rooms, counts.entries) != (manifest.rooms, manifest.entries):
        raise BackupUnusable(
            f"{path} holds {counts.rooms} rooms with {counts.entries} entries, "
            f"and should hold {manifest.rooms} with {manifest.entries}."
        )
    return manifest


def _check_contents(path: Path, file: Path) -> None:
    """Check a file of the store before any Valkey loads it, because Valkey runs all commands in the file."""
    if file.suffix in (".aof", ".rdb"):
        try:
            contents.check_file(file)
        except ValueError as error:
            raise BackupUnusable(f"{path} is not to be trusted: {error}.") from None


def _walk(copy: Path) -> Counts:
    """Load a copy with a second Valkey, and check its rooms. Raises BackupFailed if it is damaged or too slow."""
    size = sum(file.stat().st_size for file in (copy / _FILES).iterdir())

    async def walk() -> Counts:
        async with asyncio.timeout(_PATIENCE_S + size / _SLOWEST), Embedded(copy, reserve_bytes=_NO_ROOM_NEEDED) as db:
            return await check(db.url)

    try:
        return asyncio.run(walk())
    except TimeoutError as error:
        raise BackupFailed("The copy of the store could not be read in time.") from error
    except (BrokenChain, EmbeddedFailed, StoreError, StoreUnfit, RedisError) as error:
        raise BackupFailed(f"The copy of the store is incomplete: {error}") from error


def _copy_store(data_dir: Path, copy: Path) -> None:
    """Copy a consistent state of the store, and the files with links. Raises BackupFailed.

    The links lead to the room that the server opened at its first start.
    """
    for name in _links(data_dir):  # copied before the store, so that the copied store contains the room of the links
        shutil.copyfile(data_dir / name, copy / name)
    (copy / _FILES).mkdir(mode=0o700)
    for _ in range(_TRIES):
        with ExitStack() as stack, suppress(FileNotFoundError):
            text = (data_dir / _STORE).read_bytes()
            names = _names_in(data_dir / _STORE)
            opened = [stack.enter_context((data_dir / name).open("rb")) for name in names]
            if (data_dir / _STORE).read_bytes() != text:
                continue
            for name, source in zip(names, opened, strict=True):
                with (copy / name).open("wb") as target:
                    _copy(source, target, os.fstat(source.fileno()).st_size)
            (copy / _STORE).write_bytes(b"".join(line for line in text.splitlines(True) if _is_current(line)))
            return
        if not (data_dir / _STORE).exists():
            raise BackupFailed(
                f"There is no store in {data_dir}: name the data folder of the server with --data. "
                "A store of your own (--store) is backed up with its own tools."
            )
    raise BackupFailed(f"The store in {data_dir} kept changing its files: try again.")


def _copy(source: BinaryIO, target: BinaryIO, size: int) -> None:
    """Copy up to `size` bytes; the source may end earlier."""
    while block := source.read(min(_CHUNK, size)):
        target.write(block)
        size -= len(block)


def _names_in(manifest: Path) -> list[str]:
    """Return the names of the files in Valkey's manifest, except files that Valkey is about to delete."""
    lines = [line for line in manifest.read_bytes().splitlines() if _is_current(line)]
    return [f"{_FILES}/{line.split()[1].decode()}" for line in lines]


def _is_current(line: bytes) -> bool:
    words = line.split()
    return len(words) >= 6 and words[5] != b"h"


def _links(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.glob("links*.json"))


@contextmanager
def _owned(data_dir: Path) -> Iterator[None]:
    """Lock an empty directory, and make it if necessary. While it is locked, no server starts in it.

    If the block fails, a directory that was made here is deleted. Raises BackupFailed if the directory is in use or not
    empty.
    """
    is_new = not data_dir.exists()
    make_private(data_dir)
    lock = try_lock(data_dir / "owner.lock")
    if lock is None:
        raise BackupFailed(f"A server runs on {data_dir}: stop it, or restore into another directory.")
    try:
        sweep(data_dir)
        if {path.name for path in data_dir.iterdir()} - {"owner.lock"}:
            raise BackupFailed(f"{data_dir} is not empty, and nothing is ever overwritten: restore into a new one.")
        yield
    except BaseException:
        if is_new:
            (data_dir / "owner.lock").unlink()
            with suppress(OSError):  # raised if the directory is not empty
                data_dir.rmdir()
        raise
    finally:
        os.close(lock)


@contextmanager
def _failing(what: str) -> Iterator[None]:
    """Raise BackupFailed instead of an OSError. `what`: the beginning of its message."""
    try:
        yield
    except OSError as error:
        raise BackupFailed(f"{what}: {error.strerror or error}.") from error


def _settle(directory: Path) -> None:
    """Flush a directory, so that its renames survive a power cut."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
