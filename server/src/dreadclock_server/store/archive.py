"""The file that a backup is kept in: a compressed tar of the store's files, and a manifest with their checksums."""

import gzip
import hashlib
import io
import json
import os
import re
import tarfile
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, BinaryIO

VERSION = 1
MANIFEST = "manifest.json"
_MANIFEST_SUM = "manifest.sha256"
_NAME = re.compile(
    r"links[A-Za-z0-9._-]{0,40}\.json"
    r"|appendonlydir/appendonly\.aof\.(manifest|\d{1,20}\.(base\.(rdb|aof)|incr\.aof))"
)
_CHUNK = 1 << 20
_LONGEST_MANIFEST = 1 << 20
_COMPRESSION = 1  # of 9: the files are large, and much alike


class BackupUnusable(Exception):
    """A file is no backup, or was damaged; the message is one sentence for the operator."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup holds."""

    v: int
    at: str  # when it was begun, UTC: all that was acknowledged before is in it
    dreadclock: str  # the version of the server that made it
    valkey: str
    rooms: int
    entries: int
    files: Mapping[str, tuple[int, str]]  # size and SHA-256, by the name in the data directory


def described(directory: Path, names: list[str]) -> dict[str, tuple[int, str]]:
    """Give each file's size and SHA-256."""
    found = {}
    for name in names:
        with (directory / name).open("rb") as file:
            found[name] = copied(file, None)
    return found


def copied(source: IO[bytes], target: IO[bytes] | None, most: int | None = None) -> tuple[int, str]:
    """Copy to the end, or up to `most` bytes; give how many there were and their SHA-256."""
    digest, size = hashlib.sha256(), 0
    while block := source.read(_CHUNK if most is None else min(_CHUNK, most - size)):
        digest.update(block)
        size += len(block)
        if target is not None:
            target.write(block)
    return size, digest.hexdigest()


def pack(directory: Path, manifest: Manifest, into: BinaryIO) -> None:
    """Write a backup of the files in `directory` that its manifest names."""
    text = json.dumps(asdict(manifest), indent=1).encode()
    with (
        gzip.GzipFile("", "wb", _COMPRESSION, into, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w|", format=tarfile.PAX_FORMAT) as archive,
    ):
        for name, data in ((MANIFEST, text), (_MANIFEST_SUM, hashlib.sha256(text).hexdigest().encode())):
            archive.addfile(_member(name, len(data)), io.BytesIO(data))
        for name, (size, _) in manifest.files.items():
            with (directory / name).open("rb") as file:
                archive.addfile(_member(name, size), file)


def _member(name: str, size: int) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.size, member.mode = size, 0o600
    return member


def unpack(path: Path, into: Path) -> Manifest:
    """Check a backup, write its files into a directory and give its manifest.

    Raises BackupUnusable, or OSError if the files cannot be read or written.
    """
    try:
        with path.open("rb") as file, gzip.GzipFile(fileobj=file) as packed:
            with tarfile.open(fileobj=packed, mode="r|") as archive:
                manifest = _unpacked(archive, into)
            while packed.read(_CHUNK):  # to the end, where gzip's own checksum is
                pass
            return manifest
    except FileNotFoundError:
        raise BackupUnusable(f"There is no file {path}.") from None
    except gzip.BadGzipFile as error:
        raise BackupUnusable(
            f"{path} is no backup, or was damaged: it is not, or no longer, compressed as they are."
        ) from error
    except Exception as error:  # whatever a spoiled file makes them stumble over
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise BackupUnusable(f"{path} is no backup, or was damaged: {str(error) or type(error).__name__}.") from error


def _unpacked(archive: tarfile.TarFile, into: Path) -> Manifest:
    manifest = _manifest(_small(archive, MANIFEST), _small(archive, _MANIFEST_SUM))
    missing = dict(manifest.files)
    while (member := archive.next()) is not None:
        wanted = missing.pop(member.name)
        if not (_NAME.fullmatch(member.name) and member.isreg()):
            raise ValueError(f"{member.name!r} is not of the store")
        if _written(into / member.name, lambda target: copied(_content(archive, member), target)) != wanted:
            raise ValueError(f"{member.name} is not what it was")
    if missing:
        raise ValueError(f"{', '.join(missing)} is not there")
    return manifest


def _manifest(text: bytes, digest: bytes) -> Manifest:
    if hashlib.sha256(text).hexdigest().encode() != digest:
        raise ValueError("the manifest is not what it was")
    fields: dict[str, Any] = json.loads(text)
    if fields["v"] != VERSION:
        raise ValueError(f"it is of version {fields['v']}, and this program reads version {VERSION}")
    return Manifest(**fields | {"files": {name: (size, sha) for name, (size, sha) in fields["files"].items()}})


def _small(archive: tarfile.TarFile, name: str) -> bytes:
    member = archive.next()
    if member is None or member.name != name or member.size > _LONGEST_MANIFEST:
        raise ValueError(f"it has no {name}")
    return _content(archive, member).read()


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes]:
    content = archive.extractfile(member)
    if content is None:
        raise ValueError(f"{member.name!r} is no file")
    return content


def _written(path: Path, write: Callable[[BinaryIO], tuple[int, str]]) -> tuple[int, str]:
    """Make a file that only its owner may read, and see it on the disk."""
    path.parent.mkdir(mode=0o700, exist_ok=True)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        found = write(file)
        file.flush()
        os.fsync(file.fileno())
    return found
