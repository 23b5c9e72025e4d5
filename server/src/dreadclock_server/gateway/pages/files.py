"""Files for browsers: only listed files, compressed once, with an ETag that changes with the content."""

import gzip
import hashlib
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

TYPES = {
    "": "text/plain; charset=utf-8",
    ".bin": "application/octet-stream",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript",  # without charset, to save bytes: modules are always UTF-8, and a page loads more than 60
    ".json": "application/json; charset=utf-8",
    ".md": "text/plain; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml; charset=utf-8",
    ".webmanifest": "application/manifest+json; charset=utf-8",
    ".woff2": "font/woff2",
}


_REMARK = re.compile(rb"^[ \t]*(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)[ \t]*$", re.MULTILINE | re.DOTALL)
_AS_THEY_ARE = {"bundles", "vendor"}  # scripts in these folders keep their comments, which contain licences
_TAG = 8  # digits of a file's ETag; few, to save bytes: a page loads more than a hundred files
_ALL = 16  # digits of the hash of all assets (files other than pages)
_TO_ASSETS = re.compile(rb'(?:href|src)="(?:\.\./)?assets/')
HASH = re.compile(rf"[0-9a-f]{{{_ALL}}}")


@dataclass(frozen=True, slots=True)
class File:
    """A file, ready to send."""

    body: bytes
    packed: bytes | None  # the body compressed by gzip; None if that is not smaller
    tag: str  # the ETag, a hash of the body
    media_type: str

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a file. Raises OSError."""
        body = path.read_bytes()
        if path.suffix == ".js" and _AS_THEY_ARE.isdisjoint(path.parts):
            body = without_remarks(body)
        return cls.of(body, TYPES[path.suffix])

    @classmethod
    def of(cls, body: bytes, media_type: str) -> Self:
        """Return the File with this body. Compresses the body."""
        packed = gzip.compress(body, 9, mtime=0)
        tag = hashlib.sha256(body).hexdigest()[:_TAG]
        return cls(body, packed if len(packed) < len(body) else None, tag, media_type)


def without_remarks(script: bytes) -> bytes:
    """Remove comments that fill whole lines. Leaves empty lines, so that the other lines keep their numbers.

    Comments are a third of our scripts' size. No string in a script may look like such a comment.
    """
    return _REMARK.sub(lambda remark: b"\n" * remark[0].count(b"\n"), script)


Files = Mapping[str, Path]  # by the name in requests
_Stamp = tuple[int, int]  # modification time (ns) and size of a file, which differ after an edit


class FileTable:
    """Files by name. A requested name never becomes a path, so a request cannot reach other files.

    Files of a package are read once, so that all belong to one version. Files of a checkout are `watched`: every
    request sees edited and new files.
    """

    def __init__(self, listed: Callable[[], Files], *, watched: bool) -> None:
        self._listed, self._watched = listed, watched
        self._paths = listed()
        self._files: dict[str, File] = {}
        self._stamps: dict[str, _Stamp] = {}
        # By name: the file of a page, the hash of all assets, and the page with this hash in its links.
        self._pages: dict[str, tuple[File, str, File]] = {}
        self._digests: dict[str, tuple[_Stamp, bytes]] = {}  # stamp and hash of each asset at the last check
        self._hash = ""
        if not watched:
            self._files = {name: File.read(path) for name, path in self._paths.items()}
            self._hash_again()

    def find(self, name: str) -> File | None:
        """Return a file; None if there is no file of this name."""
        if self._watched:
            self._look_again(name)
        return self._files.get(name)

    def page(self, name: str) -> File | None:
        """Return a page whose links to assets contain the hash of all assets; None if there is no such page.

        In a checkout, every call checks all assets for changes.
        """
        if self._watched:
            self._paths = self._listed()
            self._hash_again()
        file, cached = self.find(name), self._pages.get(name)
        if file is None:
            return None
        if cached is None or cached[:2] != (file, self._hash):
            body = _TO_ASSETS.sub(rb"\g<0>" + self._hash.encode() + b"/", file.body)
            cached = self._pages[name] = file, self._hash, File.of(body, file.media_type)
        return cached[2]

    def is_current(self, name: str, asked: str) -> bool:
        """Return whether `asked` is the hash of all assets, and the asset `name` has not changed since then."""
        if asked != self._hash:
            return False
        return not self._watched or (name in self._digests and self._stamps.get(name) == self._digests[name][0])

    def _hash_again(self) -> None:
        """Hash all assets. Reads only assets that changed since the last check."""
        digests_before, self._digests = self._digests, {}
        for name, path in self._paths.items():
            if path.suffix != ".html":
                with suppress(OSError):  # the file was deleted just now
                    before, stamp = digests_before.get(name), _stamp(path)
                    if before is None or before[0] != stamp:
                        before = stamp, hashlib.sha256(path.read_bytes()).digest()
                    self._digests[name] = before
        if self._digests != digests_before:
            parts = [name.encode() + b"\0" + digest for name, (_, digest) in sorted(self._digests.items())]
            self._hash = hashlib.sha256(b"".join([_REMARK.pattern, *parts])).hexdigest()[:_ALL]

    def _look_again(self, name: str) -> None:
        if name not in self._paths:
            self._paths = self._listed()
        try:
            path = self._paths[name]
            stamp = _stamp(path)
            if self._stamps.get(name) != stamp:
                self._files[name], self._stamps[name] = File.read(path), stamp
        except (KeyError, OSError):
            self._files.pop(name, None)
            self._stamps.pop(name, None)


def _stamp(path: Path) -> _Stamp:
    stat = path.stat()
    return stat.st_mtime_ns, stat.st_size


def below(folder: Path, prefix: str = "", pattern: str = "*") -> dict[str, Path]:
    """Return all files of known types in a folder, at any depth, by `prefix` + path in the folder."""
    return {
        prefix + path.relative_to(folder).as_posix(): path
        for path in sorted(folder.rglob(pattern))
        if path.suffix in TYPES and not path.name.startswith(".") and path.is_file()
    }
