"""Files that browsers load: known ones only, compressed once, each with a tag that changes when it does."""

import gzip
import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

TYPES = {
    "": "text/plain; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript",  # modules are UTF-8 whatever is said, and a page loads more than 60
    ".json": "application/json; charset=utf-8",
    ".md": "text/plain; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml; charset=utf-8",
    ".webmanifest": "application/manifest+json; charset=utf-8",
    ".woff2": "font/woff2",
}


_REMARK = re.compile(rb"^[ \t]*(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)[ \t]*$", re.MULTILINE | re.DOTALL)
_VENDORED = "vendor"
_TAG = 8  # digits: enough to tell a file from what it was before, and a page loads more than a hundred


@dataclass(frozen=True, slots=True)
class File:
    """A file as it is sent."""

    body: bytes
    packed: bytes | None  # by gzip; None where that would be no smaller
    tag: str  # the same for the same body
    media_type: str

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a file. Raises OSError."""
        body = path.read_bytes()
        if path.suffix == ".js" and _VENDORED not in path.parts:
            body = without_remarks(body)
        packed = gzip.compress(body, 9, mtime=0)
        tag = hashlib.sha256(body).hexdigest()[:_TAG]
        return cls(body, packed if len(packed) < len(body) else None, tag, TYPES[path.suffix])


def without_remarks(script: bytes) -> bytes:
    """Leave out the remarks that have lines of their own; every line keeps its number.

    A third of what our scripts weigh is for those who read the sources. No text in them may look like such a remark.
    """
    return _REMARK.sub(lambda remark: b"\n" * remark[0].count(b"\n"), script)


Files = Mapping[str, Path]  # by the name that each is asked for by
_Stamp = tuple[int, int]


class FileTable:
    """Files by name. What is asked for never becomes a path, so that no name leads anywhere else.

    All are read once, so that they stay of one version. Those of a checkout are `watched`: there
    an edited file is sent at once, and a new one is found.
    """

    def __init__(self, listed: Callable[[], Files], *, watched: bool) -> None:
        self._listed, self._watched = listed, watched
        self._paths = listed()
        self._files: dict[str, File] = {}
        self._stamps: dict[str, _Stamp] = {}
        if not watched:
            self._files = {name: File.read(path) for name, path in self._paths.items()}

    def find(self, name: str) -> File | None:
        """Return a file; None if there is none of that name."""
        if self._watched:
            self._look_again(name)
        return self._files.get(name)

    def _look_again(self, name: str) -> None:
        if name not in self._paths:
            self._paths = self._listed()
        try:
            path = self._paths[name]
            stat = path.stat()
            stamp = (stat.st_mtime_ns, stat.st_size)
            if self._stamps.get(name) != stamp:
                self._files[name], self._stamps[name] = File.read(path), stamp
        except (KeyError, OSError):
            self._files.pop(name, None)
            self._stamps.pop(name, None)


def below(folder: Path, prefix: str = "", pattern: str = "*") -> dict[str, Path]:
    """List a folder's files of the known types at any depth, by `prefix` and their path in it."""
    return {
        prefix + path.relative_to(folder).as_posix(): path
        for path in sorted(folder.rglob(pattern))
        if path.suffix in TYPES and not path.name.startswith(".") and path.is_file()
    }
