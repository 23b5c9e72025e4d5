"""Check that store files from another machine contain only data: no code, and only commands that write data.

Valkey runs every command in its append-only files while it loads them. A backup's checksums do not protect against
this, because anyone who makes a malicious backup also writes its checksums. So the commands are checked here before
any Valkey loads them. Base files in Valkey's own format are parsed entry by entry, because they can also contain
code, and can have commands after their end.
"""

import mmap
from pathlib import Path

from dreadclock_server.store.embedded.aof_repair import Bytes, command_at

ALLOWED = frozenset(
    b"SELECT MULTI EXEC SET HSET HMSET HDEL HINCRBY XADD XDEL XTRIM XSETID DEL UNLINK RENAME".split()
)  # commands that the store and manual repairs use: they only write data
_FORMATS = (b"VALKEY", b"REDIS")
_HEADER = 9  # length in bytes of the format's name and version, at the start
_SUM = 8  # length in bytes of the checksum, after the end mark
_AUX, _SIZES, _SELECT, _END = 0xFA, 0xFB, 0xFE, 0xFF
_STRING, _HASH, _PACKED_HASH = 0, 4, 16
_STREAMS = {15: 3, 19: 8, 21: 8}  # by type of stream: how many numbers are between the entries and the consumer groups
_NUMBERS = {0xC0: 1, 0xC1: 2, 0xC2: 4}  # by the first byte of a text stored as an integer: how many bytes follow
_COMPRESSED = 0xC3
_MOST_TIMES = 300  # a compressed text may unpack to this many times its size: LZF reaches 264


def check_file(path: Path) -> None:
    """Raise ValueError unless a file of the store contains only data, from its first byte to its last."""
    if path.stat().st_size == 0:
        return
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        try:
            check_base(data) if data[:6].startswith(_FORMATS) else check_commands(data)
        except (ValueError, IndexError) as error:
            raise ValueError(f"{path.name} contains something that Dreadclock never writes: {error}") from None


def check_commands(data: Bytes) -> None:
    """Raise ValueError unless an append-only file contains only commands that write data."""
    place = 0
    while place < len(data):
        command = command_at(data, place)
        if command is None:
            raise ValueError(f"no command at byte {place}")
        name, end = command
        if name not in ALLOWED:
            raise ValueError(f"the command {name[:20].decode(errors='replace')!r} at byte {place}")
        place = end


def check_base(data: Bytes) -> None:
    """Raise ValueError unless a base file contains only texts, hashes and streams."""
    walk = _Walk(data)
    while (kind := walk.byte()) != _END:
        walk.pass_over(kind)
    if walk.place + _SUM != len(data):
        raise ValueError(f"no end {_SUM} bytes after byte {walk.place}")


class _Walk:
    """A parser of base files. Raises IndexError if the file ends too soon."""

    def __init__(self, data: Bytes) -> None:
        self._data = data
        self.place = _HEADER

    def byte(self) -> int:
        self.place += 1
        return self._data[self.place - 1]

    def pass_over(self, kind: int) -> None:
        if kind == _SELECT:
            self._numbers(1)
        elif kind == _SIZES:
            self._sizes()
        elif kind in (_AUX, _STRING, _PACKED_HASH):
            self._texts(2)
        elif kind == _HASH:
            self._texts(1)
            self._texts(2 * self._number())
        elif kind in _STREAMS:
            self._stream(_STREAMS[kind])
        else:
            raise ValueError(f"type {kind} at byte {self.place - 1}")

    def _sizes(self) -> None:
        if self._number() > len(self._data) or self._number() > len(self._data):
            raise ValueError(f"an impossible number of keys at byte {self.place}")

    def _stream(self, numbers: int) -> None:
        self._texts(1)
        self._texts(2 * self._number())
        self._numbers(numbers)
        if self._number() != 0:
            raise ValueError(f"a stream with consumer groups, before byte {self.place}")

    def _numbers(self, count: int) -> None:
        for _ in range(count):
            self._number()

    def _number(self) -> int:
        first = self.byte()
        if first >> 6 == 0:
            return first & 0x3F
        if first >> 6 == 1:
            return (first & 0x3F) << 8 | self.byte()
        if first in (0x80, 0x81):
            return self._wide(4 if first == 0x80 else 8)
        raise ValueError(f"no number at byte {self.place - 1}")

    def _wide(self, size: int) -> int:
        self._skip(size)
        return int.from_bytes(self._data[self.place - size : self.place], "big")

    def _texts(self, count: int) -> None:
        for _ in range(count):
            self._text()

    def _text(self) -> None:
        first = self._data[self.place]
        if first in _NUMBERS:
            self._skip(1 + _NUMBERS[first])
        elif first == _COMPRESSED:
            self.place += 1
            packed, size = self._number(), self._number()
            if size > packed * _MOST_TIMES:
                raise ValueError(f"a compressed text that grows too much at byte {self.place}")
            self._skip(packed)
        else:
            self._skip(self._number())

    def _skip(self, count: int) -> None:
        self.place += count
        if self.place > len(self._data):
            raise IndexError(f"the file ends too soon, at byte {len(self._data)}")
