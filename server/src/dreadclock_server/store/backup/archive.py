"""The file format of a backup: a compressed tar of the store's files, and a manifest with their checksums."""

import errno
import gzip
import hashlib
import io
import json
import os
import re
import shutil
import tarfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

VERSION = 1
MANIFEST = "manifest.json"
_MANIFEST_SUM = "manifest.sha256"
_NAME = re.compile(
    r"links[A-Za-z0-9._-]{0,40}\.json"
    r"|appendonlydir/appendonly\.aof\.(manifest|\d{1,20}\.(base\.(rdb|aof)|incr\.aof))"
)
_CHUNK = 1 << 20
_LONGEST_MANIFEST = 1 << 20
_LONGEST_TEXT = 100
_SMALL = 64 << 20  # any backup may unpack to so many bytes
_MOST_TIMES = 250  # larger backups may unpack to this many times their size; real backups stay far below
_COMPRESSION = 1  # the level, from 1 to 9: the files are large and compress well

_Packed = gzip.GzipFile


class BackupUnusable(Exception):
    """A file is no backup, or is damaged. The message is a sentence for the operator."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """The description of a backup, as the file manifest.json of the backup."""

    v: int
    at: str  # when the backup began, UTC; everything that was acknowledged before is in the backup
    dreadclock: str  # the version of the server that made the backup
    valkey: str
    rooms: int
    entries: int
    files: Mapping[str, tuple[int, str]]  # size and SHA-256, by the name in the data directory


def described(directory: Path, names: list[str]) -> dict[str, tuple[int, str]]:
    """Return the size and the SHA-256 of each file, by its name."""
    descriptions = {}
    for name in names:
        with (directory / name).open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            descriptions[name] = file.tell(), digest
    return descriptions


def pack(directory: Path, manifest: Manifest, into: BinaryIO) -> None:
    """Write a backup of the files in `directory` that `manifest` names."""
    text = json.dumps(asdict(manifest), indent=1).encode()
    with (
        gzip.GzipFile("", "wb", _COMPRESSION, into, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w|", format=tarfile.GNU_FORMAT) as archive,
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
    """Check a backup, write its files into a directory, and return its manifest.

    Raises BackupUnusable, or OSError if the files cannot be read or written.
    """
    try:
        with path.open("rb") as file, gzip.GzipFile(fileobj=file) as packed:
            manifest = _unpacked(packed, into, max(_SMALL, path.stat().st_size * _MOST_TIMES))
            rest = packed.read(tarfile.RECORDSIZE + 1)  # read to the end, where gzip's checksum is
            if any(rest) or len(rest) > tarfile.RECORDSIZE:
                raise ValueError("it has data after its end")
            return manifest
    except FileNotFoundError:
        raise BackupUnusable(f"There is no file {path}.") from None
    except gzip.BadGzipFile as error:
        raise BackupUnusable(f"{path} is no backup, or was damaged: it is not compressed like a backup.") from error
    except Exception as error:  # a damaged file may cause any error
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise BackupUnusable(f"{path} is no backup, or was damaged: {str(error) or type(error).__name__}.") from error


def _unpacked(packed: _Packed, into: Path, most: int) -> Manifest:
    manifest = _manifest(_small(packed, MANIFEST), _small(packed, _MANIFEST_SUM))
    _check_room(sum(size for size, _ in manifest.files.values()), most, into)
    missing = dict(manifest.files)
    while (member := _member_in(packed)) is not None:
        if not _NAME.fullmatch(member.name) or member.name not in missing:
            raise ValueError(f"{member.name!r} is no file of the store")
        wanted = missing.pop(member.name)
        if member.size != wanted[0] or _written(into / member.name, _content(packed, member)) != wanted:
            raise ValueError(f"{member.name} differs from its checksum")
    if missing:
        raise ValueError(f"{', '.join(missing)} is not there")
    return manifest


def _check_room(size: int, most: int, into: Path) -> None:
    """Raise ValueError if the contents are larger than `most`, OSError if they do not fit on the disk."""
    if size > most:
        raise ValueError(f"it claims to unpack to {size} bytes, and is too small for that")
    if size > shutil.disk_usage(into).free:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _manifest(text: bytes, digest: bytes) -> Manifest:
    if hashlib.sha256(text).hexdigest().encode() != digest:
        raise ValueError("the manifest differs from its checksum")
    fields: dict[str, Any] = json.loads(text)
    if fields["v"] != VERSION:
        raise ValueError(f"it is of version {fields['v']}, and this program reads version {VERSION}")
    files = {str(name): (_size(size), str(sha)) for name, (size, sha) in fields["files"].items()}
    texts = {name: _text(fields[name]) for name in ("at", "dreadclock", "valkey")}
    return Manifest(v=VERSION, **texts, rooms=_size(fields["rooms"]), entries=_size(fields["entries"]), files=files)


def _size(size: object) -> int:
    if type(size) is not int or size < 0:
        raise ValueError("a number in the manifest is wrong")
    return size


def _text(text: object) -> str:
    """Return a text of the manifest. Raises ValueError if the text is too long or not printable."""
    if not (isinstance(text, str) and len(text) <= _LONGEST_TEXT and text.isprintable()):
        raise ValueError("a text in the manifest cannot be shown")
    return text


def _small(packed: _Packed, name: str) -> bytes:
    member = _member_in(packed)
    if member is None or member.name != name or member.size > _LONGEST_MANIFEST:
        raise ValueError(f"it has no {name}")
    return b"".join(_content(packed, member))


def _member_in(packed: _Packed) -> tarfile.TarInfo | None:
    """Read the header of the next file; None at the end.

    Raises ValueError for extended headers, which could fill the memory. A plain header has 512 bytes.
    """
    block = packed.read(tarfile.BLOCKSIZE)
    if block == bytes(tarfile.BLOCKSIZE):
        return None
    member = tarfile.TarInfo.frombuf(block, "ascii", "strict")
    if member.type != tarfile.REGTYPE or member.size < 0:
        raise ValueError(f"{member.name!r} is no file of the store")
    return member


def _content(packed: _Packed, member: tarfile.TarInfo) -> Iterator[bytes]:
    """Yield the blocks of a file, and skip its padding."""
    left = member.size
    while left:
        block = packed.read(min(_CHUNK, left))
        if not block:
            raise ValueError("it ends too soon")
        left -= len(block)
        yield block
    packed.read(-member.size % tarfile.BLOCKSIZE)


def _written(path: Path, blocks: Iterable[bytes]) -> tuple[int, str]:
    """Write a file that only its owner may read, and flush it to the disk. Return its size and SHA-256."""
    path.parent.mkdir(mode=0o700, exist_ok=True)
    digest, size = hashlib.sha256(), 0
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        for block in blocks:
            digest.update(block)
            size += len(block)
            file.write(block)
        file.flush()
        os.fsync(file.fileno())
    return size, digest.hexdigest()
