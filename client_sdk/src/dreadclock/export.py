"""Exports: everything that a viewer may see of a room, as JSON lines that can be verified without the server.

A record is an event with its number in a channel. A channel is a numbered sequence of records: the public one, or the
gm's. The head of a channel is a hash over all its records so far.

The first line is a header: `{"channels":[...],"dreadclock":"export","heads":{...},"log_id":"...","opening":{...},
"room":"...","v":1}`. Each further line, `{"head":"...","record":{...}}`, has one record and its
channel's head after this record. The lines are in the order in which things happened. Every line is canonical JSON and
ends with a line feed, so that a log has exactly one export. A record's text is exactly the text that was hashed.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import StringConstraints, ValidationError

from dreadclock.wire.base import Channel, HeadHash, Model, RoomId
from dreadclock.wire.errors import DreadclockError
from dreadclock.wire.fold import fold
from dreadclock.wire.problems import problem_of
from dreadclock.wire.records import Positions, Record, advance, canonical, in_order, is_canonical, opening_head, text_of
from dreadclock.wire.views import View, empty_view

VERSION = 1  # the version of this format
LogId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]


class BrokenExport(DreadclockError):
    """An export is damaged or forged.

    `line` counts from 1. `channel` and `seq` name the first wrong record. Both are None if the header is wrong, or if
    the records end at other heads than the header says.
    """

    def __init__(self, line: int, what: str, channel: Channel | None = None, seq: int | None = None) -> None:
        self.line: int = line
        self.what: str = what
        self.channel: Channel | None = channel
        self.seq: int | None = seq
        where = f"line {line}" if channel is None else f"line {line}, record {seq} of {channel}"
        super().__init__(f"the export does not hold at {where}: {what}")


class Header(Model):
    """The first line of an export.

    `opening`: the hash of each channel before its first record, computed from `room` and `log_id`. `heads`: the number
    and hash of each channel's last record.
    """

    dreadclock: Literal["export"] = "export"
    v: Literal[1] = 1
    room: RoomId
    log_id: LogId
    channels: tuple[Channel, ...]  # the public channel first
    opening: dict[Channel, HeadHash]
    heads: Positions


@dataclass(frozen=True, slots=True)
class Step:
    """A record of an export with its line number in the file, and the views before and after the record."""

    line: int
    record: Record
    before: View
    after: View


@dataclass(frozen=True, slots=True)
class Export:
    """An export whose hashes are valid: the records of all its channels, in the order in which they happened."""

    header: Header
    records: tuple[Record, ...]

    def steps(self) -> Iterator[Step]:
        """Yield a step for each record. Raises BrokenExport at a record that cannot be applied to the view."""
        view = empty_view(*self.header.channels)
        for line, record in enumerate(self.records, start=2):
            before, view = view, folded(view, record, line)
            yield Step(line, record, before, view)


class Chain:
    """Verifies the lines of an export one by one. Raises BrokenExport at the first wrong line.

    `fork` makes a copy, so that different lines can be tried next.
    """

    def __init__(self, header: Header) -> None:
        self.header = header
        self.line: int = 1  # the last verified line
        self.positions: Positions = {
            channel: opening_head(header.room, header.log_id, channel) for channel in header.channels
        }

    def fork(self) -> "Chain":
        """Return a copy with the same state."""
        other = Chain(self.header)
        other.line, other.positions = self.line, dict(self.positions)
        return other

    def take(self, line: bytes) -> Record:
        """Verify the next line (without its line feed), and return its record. Raises BrokenExport."""
        number = self.line + 1
        head, text, record = _entry(line, number, self._expected(line))
        before = self.positions.get(record.channel)
        if before is None:
            raise BrokenExport(number, "its channel is not one of the header's", record.channel, record.seq)
        if record.seq != before.seq + 1:
            raise BrokenExport(number, f"record {record.seq} is in its place", record.channel, before.seq + 1)
        if record.after != (None if record.channel is Channel.PUBLIC else self.positions[Channel.PUBLIC].seq):
            raise BrokenExport(number, "it is not in its place", record.channel, record.seq)
        after = advance(before, text)
        if after.hash != head:
            raise BrokenExport(number, "it does not hash to its head", record.channel, record.seq)
        self.line, self.positions[record.channel] = number, after
        return record

    def _expected(self, line: bytes) -> tuple[Channel, int]:
        """Guess the channel and seq of a damaged line. Two fields show that a record is the gm's; one may be intact."""
        start = line[_FRONT : _FRONT + _START]
        hidden = start.startswith(b'{"after":') or b'"channel":"gm"' in start
        channel = Channel.GM if hidden and Channel.GM in self.positions else Channel.PUBLIC
        return channel, self.positions[channel].seq + 1

    def end(self, rest: bytes = b"") -> None:
        """Check that the export is complete: its last line is whole, and its channels end at the header's heads.

        `rest`: the bytes after the last line feed. Raises BrokenExport if the export is not complete.
        """
        if rest:
            self.fork().take(rest)
            raise BrokenExport(self.line + 1, "its line does not end", *self._expected(rest))
        for channel, head in self.positions.items():
            if head != self.header.heads[channel]:
                raise BrokenExport(1, f"{channel} ends at record {head.seq}, but the header names another end")


def write_export(
    room: RoomId, log_id: str, channels: Iterable[Channel], records: Iterable[Record | str]
) -> Iterator[str]:
    """Yield the lines of an export, each with its line feed.

    `records`: all records of these channels, in any order. Pass the texts that were hashed, if a record may be of an
    older version: its text would change if it were serialized again.
    """
    opening = {channel: opening_head(room, log_id, channel) for channel in channels}
    parsed, texts = _read(records)
    positions, lines = dict(opening), []
    for record in in_order(parsed):
        text = texts[record.channel, record.seq]
        head = positions[record.channel] = advance(positions[record.channel], text)
        lines.append(f'{{"head":"{head.hash}","record":{text}}}\n')
    first = {channel: head.hash for channel, head in opening.items()}
    yield _written(Header(room=room, log_id=log_id, channels=tuple(opening), opening=first, heads=positions))
    yield from lines


def read_header(line: bytes) -> Header:
    """Read the first line of an export.

    Raises BrokenExport if it is malformed, contradicts itself, or is of a newer format.
    """
    if line.count(b",") > _MOST_PARTS:
        raise BrokenExport(1, "it is not the header of an export: it has too many parts")
    try:
        header = Header.model_validate_json(line)
    except ValidationError as error:
        if (version := _version_of(line)) > VERSION:
            raise BrokenExport(1, f"it was written by a newer version of Dreadclock, as format {version}") from error
        raise BrokenExport(1, f"it is not the header of an export: {problem_of(error)}") from error
    fits = header.channels[:1] == (Channel.PUBLIC,) and len({*header.channels}) == len(header.channels)
    if not fits or header.heads.keys() != {*header.channels} or _written(header).encode() != line + b"\n":
        raise BrokenExport(1, "it is not written in the form of a header")
    room, log_id = header.room, header.log_id
    if header.opening != {channel: opening_head(room, log_id, channel).hash for channel in header.channels}:
        raise BrokenExport(1, "its opening does not fit its room and log")
    return header


def _version_of(line: bytes) -> int:
    """Return the version in the header of an export; 0 if the line is not a header, or has no version."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return 0
    is_export = isinstance(fields, dict) and fields.get("dreadclock") == "export"
    return fields["v"] if is_export and type(fields.get("v")) is int else 0


def read_export(data: bytes) -> Export:
    """Read an export and check its hashes. Raises BrokenExport for the header or the first record that does not fit."""
    first, *lines, rest = data.split(b"\n") if b"\n" in data else (data, b"")
    chain = Chain(read_header(first))
    records = tuple(map(chain.take, lines))
    chain.end(rest)
    return Export(chain.header, records)


def folded(view: View, record: Record, line: int) -> View:
    """Return the view after a record. Raises BrokenExport if the record cannot be applied to the view.

    The usual reason is that it names a thing that the view does not have.
    """
    try:
        return fold(view, record)
    except KeyError as error:
        raise BrokenExport(line, f"it names {error}, which does not exist", record.channel, record.seq) from error
    except (LookupError, ValueError, TypeError, AttributeError, ArithmeticError) as error:
        raise BrokenExport(line, "it describes something impossible", record.channel, record.seq) from error


def text_on(line: bytes) -> str:
    """Return the text of the record in a line of an export."""
    return line[_FRONT:-1].decode()


def start_of(header: Header) -> View:
    """Return the view before the first record."""
    return empty_view(*header.channels)


_HEAD = '{"head":"'
_RECORD = '","record":'
_FRONT = len(_HEAD) + 64 + len(_RECORD)  # characters before the record
_START = 130  # this many characters at the start of a record include its channel
_MOST_PARTS = 200_000  # commas in a line: no server writes more, and pydantic takes long to report an error in it


def _entry(line: bytes, number: int, expected: tuple[Channel, int]) -> tuple[HeadHash, str, Record]:
    """Return the head, the record's text and the record of a line. Raises BrokenExport if the line is malformed.

    `number`: the line's number. `expected`: the channel and seq to name in the error.
    """
    if line.count(b",") > _MOST_PARTS:
        raise BrokenExport(number, "it has too many parts", *expected)
    try:
        whole = line.decode()
        head, text = whole[len(_HEAD) : len(_HEAD) + 64], whole[_FRONT:-1]
        record = Record.model_validate_json(text)
        holds_null = "null" in text and _holds_null(json.loads(text))
    except ValidationError as error:
        raise BrokenExport(number, f"it cannot be read: {problem_of(error)}", *expected) from error
    except (ValueError, RecursionError) as error:
        raise BrokenExport(number, "it cannot be read", *expected) from error
    if whole != f"{_HEAD}{head}{_RECORD}{text}}}" or not is_canonical(text) or holds_null:
        raise BrokenExport(number, "it is not written in the form of a record", *expected)
    return head, text, record


def _holds_null(value: object) -> bool:
    """Return whether a JSON value contains a null. Records never do: absent fields are not written."""
    if isinstance(value, Mapping):
        return any(map(_holds_null, value.values()))
    return any(map(_holds_null, value)) if isinstance(value, list) else value is None


def _read(given: Iterable[Record | str]) -> tuple[list[Record], dict[tuple[Channel, int], str]]:
    records, texts = [], {}
    for item in given:
        record = Record.model_validate_json(item) if isinstance(item, str) else item
        records.append(record)
        texts[record.channel, record.seq] = item if isinstance(item, str) else text_of(item)
    return records, texts


def _written(line: Model) -> str:
    return canonical(line.model_dump(mode="json", exclude_none=True)) + "\n"
