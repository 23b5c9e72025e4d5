"""Exports: all that one viewer may see of a room, as JSON lines that hold together by themselves.

The first line is a header: `{"channels":[...],"dreadclock":"export","heads":{...},"log_id":"...","room":"...","v":1}`.
Each further line is one record with the head of its channel after it, `{"head":"...","record":{...}}`, in the order
in which things happened. Every line is canonical JSON and ends with a line feed, so that no byte of it is free.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import StringConstraints, ValidationError

from dreadclock.mirror import in_order
from dreadclock.wire.base import Channel, HeadHash, Model, RoomId
from dreadclock.wire.errors import DreadclockError
from dreadclock.wire.fold import fold
from dreadclock.wire.problems import problem_of
from dreadclock.wire.records import Positions, Record, advance, canonical, opening_head, text_of
from dreadclock.wire.views import View, empty_view

LogId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]


class BrokenExport(DreadclockError):
    """An export is not what a room told.

    `line` counts from 1; `channel` and `seq` name the first record that does not fit, None where it is the header or
    the end of the file.
    """

    def __init__(self, line: int, what: str, channel: Channel | None = None, seq: int | None = None) -> None:
        self.line, self.what, self.channel, self.seq = line, what, channel, seq
        where = f"line {line}" if channel is None else f"line {line}, record {seq} of {channel}"
        super().__init__(f"the export does not hold at {where}: {what}")


class Header(Model):
    """The first line of an export; `heads`: where its channels stand at its end."""

    dreadclock: Literal["export"] = "export"
    v: Literal[1] = 1
    room: RoomId
    log_id: LogId
    channels: tuple[Channel, ...]  # public first
    heads: Positions


class _Line(Model):
    head: HeadHash
    record: Record


@dataclass(frozen=True, slots=True)
class Step:
    """One record of an export, on `line` of the file, with the views before and after it."""

    line: int
    record: Record
    before: View
    after: View


@dataclass(frozen=True, slots=True)
class Export:
    """An export whose chain holds: the records of all its channels, in the order in which they happened."""

    header: Header
    records: tuple[Record, ...]

    def steps(self) -> Iterator[Step]:
        """Go through the records. Raises BrokenExport at one that speaks of what the view does not hold."""
        view = empty_view(*self.header.channels)
        for line, record in enumerate(self.records, start=2):
            before, view = view, folded(view, record, line)
            yield Step(line, record, before, view)


class Chain:
    """Takes the lines of an export one by one, and says at the first that does not fit what is wrong with it.

    Where it stands can be copied with `fork`, to go on from there more than once.
    """

    def __init__(self, header: Header) -> None:
        self.header = header
        self.line = 1  # the latest taken
        self.positions: Positions = {
            channel: opening_head(header.room, header.log_id, channel) for channel in header.channels
        }

    def fork(self) -> "Chain":
        """Return another one that stands where this one does."""
        other = Chain(self.header)
        other.line, other.positions = self.line, dict(self.positions)
        return other

    def take(self, line: bytes) -> Record:
        """Take the next line, without its line feed, and return its record. Raises BrokenExport if it does not fit."""
        number = self.line + 1
        entry = _entry(line, number, self._expected())
        record = entry.record
        before = self.positions.get(record.channel)
        if before is None:
            raise BrokenExport(number, "its channel is not one of the header's", record.channel, record.seq)
        if record.seq != before.seq + 1:
            raise BrokenExport(number, f"it follows record {before.seq}", record.channel, record.seq)
        if record.after != (None if record.channel is Channel.PUBLIC else self.positions[Channel.PUBLIC].seq):
            raise BrokenExport(number, "it is not in its place", record.channel, record.seq)
        head = advance(before, text_of(record))
        if head.hash != entry.head:
            raise BrokenExport(number, "it does not hash to its head", record.channel, record.seq)
        self.line, self.positions[record.channel] = number, head
        return record

    def _expected(self) -> tuple[Channel, int]:
        """Guess which record is next, to name a line that cannot be read."""
        behind = [c for c, head in self.positions.items() if head.seq < self.header.heads[c].seq]
        channel = next(iter(behind), Channel.PUBLIC)
        return channel, self.positions[channel].seq + 1

    def end(self) -> None:
        """Check that the channels stand where the header says. Raises BrokenExport if they do not."""
        for channel, head in self.positions.items():
            if head != self.header.heads[channel]:
                raise BrokenExport(self.line + 1, f"{channel} ends at {head.seq}, not at the header's head")


def write_export(room: RoomId, log_id: str, channels: Iterable[Channel], records: Iterable[Record]) -> Iterator[str]:
    """Write the lines of an export, each with its line feed; `records` may be in any order, but none may be missing."""
    positions = {channel: opening_head(room, log_id, channel) for channel in channels}
    lines = []
    for record in in_order(records):
        head = positions[record.channel] = advance(positions[record.channel], text_of(record))
        lines.append(_written(_Line(head=head.hash, record=record)))
    yield _written(Header(room=room, log_id=log_id, channels=tuple(positions), heads=positions))
    yield from lines


def read_header(line: bytes) -> Header:
    """Read the first line of an export. Raises BrokenExport."""
    try:
        header = Header.model_validate_json(line)
    except ValidationError as error:
        raise BrokenExport(1, f"it is no header of an export: {problem_of(error)}") from error
    fits = Channel.PUBLIC in header.channels and header.heads.keys() == set(header.channels)
    if not fits or _written(header).encode() != line + b"\n":
        raise BrokenExport(1, "it is not written as headers are")
    return header


def read_export(data: bytes) -> Export:
    """Read an export and check its chain. Raises BrokenExport, which names the first record that does not fit."""
    lines = data.split(b"\n")
    chain = Chain(read_header(lines[0]))
    records = tuple(chain.take(line) for line in lines[1:-1])
    if lines[-1]:
        raise BrokenExport(len(lines), "the last line is not whole")
    chain.end()
    return Export(chain.header, records)


def folded(view: View, record: Record, line: int) -> View:
    """Return the view after one more record. Raises BrokenExport if it speaks of what the view does not hold."""
    try:
        return fold(view, record)
    except KeyError as error:
        raise BrokenExport(line, f"it speaks of {error}, which is not there", record.channel, record.seq) from error


def start_of(header: Header) -> View:
    """Return the view before the first record."""
    return empty_view(*header.channels)


def _entry(line: bytes, number: int, expected: tuple[Channel, int]) -> _Line:
    try:
        entry = _Line.model_validate_json(line)
    except ValidationError as error:
        raise BrokenExport(number, f"it cannot be read: {problem_of(error)}", *expected) from error
    if _written(entry).encode() != line + b"\n":
        raise BrokenExport(number, "it is not written as records are", *expected)
    return entry


def _written(line: Model) -> str:
    return canonical(line.model_dump(mode="json", exclude_none=True)) + "\n"


__all__ = [
    "BrokenExport",
    "Chain",
    "Export",
    "Header",
    "LogId",
    "Step",
    "folded",
    "read_export",
    "read_header",
    "start_of",
    "write_export",
]
