"""Backups of the embedded store: made while it runs, checked, and restored.

Valkey only ever adds to the files that its manifest names, and puts a new manifest in place before
it writes to a new file. So the files of one manifest, opened while it was in place, are the store
at one moment: whatever was acknowledged before is in them, and what is cut off in the middle of
the newest one was not. They are copied, and a Valkey of our own loads the copy and walks through
every room before the copy counts as a backup.
"""

import asyncio
import contextlib
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

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
_PATIENCE_S = 60.0
_SLOWEST = 256 * 1024  # bytes of store a second
_NO_ROOM_NEEDED = 1  # byte: a copy that is looked at is not written to


class BackupFailed(Exception):
    """A backup could not be made or brought back; the message is one sentence for the operator."""


def back_up(data_dir: Path, target: Path) -> tuple[Path, Manifest]:
    """Make a backup of the store in `data_dir`, whether a server runs on it or not; give its file.

    `target`: a file that is not there yet, or a directory, in which a file named after the time is made.
    The file is for its owner only, and appears once it is whole. Raises BackupFailed or EmbeddedFailed.
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
    """Give a whole backup its name, unless another has it meanwhile."""
    try:
        path.hardlink_to(part)
    except FileExistsError:
        raise _taken(path) from None
    except OSError:  # a file system without such links
        part.rename(path)


def _taken(path: Path) -> BackupFailed:
    return BackupFailed(f"{path} is there already: a backup never replaces a file.")


def verify(path: Path) -> Manifest:
    """See that a backup can be brought back: checksums, and every room from its first entry to its last.

    Raises BackupUnusable, BackupFailed or EmbeddedFailed.
    """
    with _failing(f"{path} could not be checked"), scratch(path.absolute().parent) as copy:
        return _checked(path, copy)


def restore(path: Path, data_dir: Path) -> Manifest:
    """Bring a backup back into a data directory that is not there yet, or empty.

    Raises BackupUnusable, BackupFailed or EmbeddedFailed; then the directory is as empty as before, or as little there.
    """
    with _failing(f"{path} could not be brought back into {data_dir}"), _owned(data_dir), scratch(data_dir) as copy:
        manifest = _checked(path, copy)
        _settle(copy / _FILES)
        for name in [*_links(copy), _FILES]:  # the store last: until then there is none
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
    """Read a file of the store before any Valkey does: it would run whatever commands are in it."""
    if file.suffix in (".aof", ".rdb"):
        try:
            contents.check_file(file)
        except ValueError as error:
            raise BackupUnusable(f"{path} is not to be trusted: {error}.") from None


def _walk(copy: Path) -> Counts:
    """Load a copy with a Valkey of our own, and walk through its rooms."""
    size = sum(file.stat().st_size for file in (copy / _FILES).iterdir())

    async def walk() -> Counts:
        async with asyncio.timeout(_PATIENCE_S + size / _SLOWEST), Embedded(copy, reserve_bytes=_NO_ROOM_NEEDED) as it:
            return await check(it.url)

    try:
        return asyncio.run(walk())
    except TimeoutError as error:
        raise BackupFailed("The copy of the store could not be read in time.") from error
    except (BrokenChain, EmbeddedFailed, StoreError, StoreUnfit, RedisError) as error:
        raise BackupFailed(f"The copy of the store is not whole: {error}") from error


def _copy_store(data_dir: Path, copy: Path) -> None:
    """Copy the store as it is at one moment, and the links of its first room."""
    for name in _links(data_dir):  # before the store: what they lead to is in it
        _copy(data_dir / name, copy / name)
    (copy / _FILES).mkdir(mode=0o700)
    for _ in range(_TRIES):
        with ExitStack() as stack, contextlib.suppress(FileNotFoundError):
            text = (data_dir / _STORE).read_bytes()
            names = _names_in(data_dir / _STORE)
            opened = [stack.enter_context((data_dir / name).open("rb")) for name in names]
            if (data_dir / _STORE).read_bytes() != text:
                continue
            for name, source in zip(names, opened, strict=True):
                with (copy / name).open("wb") as target:
                    archive.copied(source, target, os.fstat(source.fileno()).st_size)
            (copy / _STORE).write_bytes(b"".join(line for line in text.splitlines(True) if _is_current(line)))
            return
        if not (data_dir / _STORE).exists():
            raise BackupFailed(
                f"There is no store in {data_dir}: name the data folder of the server with --data. "
                "A store of your own (--store) is backed up with its own tools."
            )
    raise BackupFailed(f"The store in {data_dir} kept changing its files: try again.")


def _names_in(manifest: Path) -> list[str]:
    """Return the files that the store's own manifest names, but for those that are about to be deleted."""
    lines = [line for line in manifest.read_bytes().splitlines() if _is_current(line)]
    return [f"{_FILES}/{line.split()[1].decode()}" for line in lines]


def _is_current(line: bytes) -> bool:
    words = line.split()
    return len(words) >= 6 and words[5] != b"h"


def _links(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.glob("links*.json"))


def _copy(source: Path, target: Path) -> None:
    with source.open("rb") as file, target.open("wb") as copy:
        archive.copied(file, copy)


@contextmanager
def _owned(data_dir: Path) -> Iterator[None]:
    """Own a directory that is empty, so that no server begins to use it; where nothing comes of it, a new one goes."""
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
            with contextlib.suppress(OSError):  # something is left in it
                data_dir.rmdir()
        raise
    finally:
        os.close(lock)


@contextmanager
def _failing(what: str) -> Iterator[None]:
    """Say in a sentence what the system would not do."""
    try:
        yield
    except OSError as error:
        raise BackupFailed(f"{what}: {error.strerror or error}.") from error


def _settle(directory: Path) -> None:
    """See that what was renamed in a directory stays so after a power cut."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
