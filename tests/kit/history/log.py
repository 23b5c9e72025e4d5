"""A room's log at the end of a history, read once and asked by place, text or command."""

import json
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from dreadclock.wire.base import Channel, HeadHash
from dreadclock.wire.records import advance, opening_head
from kit.history.findings import Finding, Kind
from kit.history.recorded import History

Place = tuple[int, int, int]
"""One order over both channels: a gm's record comes right after the public one that it follows."""


@dataclass(frozen=True, slots=True)
class Line:
    """One record of the log."""

    channel: Channel
    seq: int
    place: Place
    type: str
    command: str | None
    text: str

    def __str__(self) -> str:
        return f"{self.channel} {self.seq}"


class Log:
    """The log of a history. `faults` says what is wrong with the log itself."""

    def __init__(self, history: History) -> None:
        self.lines = [line_of(text) for text in history.log]
        self.channels: dict[Channel, list[Line]] = {channel: [] for channel in Channel}
        self.by_text: dict[str, Line] = {}
        self.by_command: dict[str, list[Line]] = defaultdict(list)
        self.faults: list[Finding] = []
        for line in self.lines:
            self._add(line)
        self._hashes = {channel: list(self._chain(history, channel)) for channel in Channel}
        self._places = {channel: [line.place for line in lines] for channel, lines in self.channels.items()}
        self._compare_heads(history)

    def _add(self, line: Line) -> None:
        earlier = self.channels[line.channel]
        if line.seq != len(earlier) + 1:
            self._fault(Kind.GAP, f"the log has {line} after {len(earlier)} records of {line.channel}")
        follows = len(self.channels[Channel.PUBLIC])
        if line.channel is not Channel.PUBLIC and line.place[0] != follows:
            self._fault(Kind.MISPLACED, f"{line} says that it follows public {line.place[0]}, and follows {follows}")
        earlier.append(line)
        self.by_text[line.text] = line
        if line.command is not None:
            self.by_command[line.command].append(line)

    def _chain(self, history: History, channel: Channel) -> Iterator[HeadHash]:
        head = opening_head(history.room, history.log_id, channel)
        yield head.hash
        for line in self.channels[channel]:
            head = advance(head, line.text)
            yield head.hash

    def _compare_heads(self, history: History) -> None:
        for channel, head in history.heads.items():
            if head.seq != self.end(channel) or head.hash != self._hashes[channel][-1]:
                stands = f"the store stands at {channel} {head.seq} ({head.hash[:8]})"
                leads = f"{self.end(channel)} ({self._hashes[channel][-1][:8]})"
                self._fault(Kind.CHAIN, f"{stands}, and the log leads to {leads}")

    def _fault(self, kind: Kind, sentence: str) -> None:
        self.faults.append(Finding(kind, sentence))

    def end(self, channel: Channel) -> int:
        """Give the number of a channel's last record."""
        return len(self.channels[channel])

    def hash(self, channel: Channel, seq: int) -> HeadHash | None:
        """Give the hash of a channel's head at a number; None beyond its end."""
        return self._hashes[channel][seq] if 0 <= seq <= self.end(channel) else None

    def line(self, channel: Channel, seq: int) -> Line | None:
        """Give a record by its number; None beyond the end."""
        return self.channels[channel][seq - 1] if 1 <= seq <= self.end(channel) else None

    def span(self, channel: Channel, first: int, last: int) -> Sequence[Line]:
        """Give a channel's records from one number to another, as far as the log has them."""
        return self.channels[channel][max(first, 1) - 1 : last]

    def position_after(self, channel: Channel, place: Place) -> int:
        """Give the number at which a channel stands once all up to a place has happened."""
        return bisect_right(self._places[channel], place)


def line_of(text: str) -> Line:
    """Read a record's text, as far as a history needs it."""
    record: dict[str, Any] = json.loads(text)
    channel, seq, event = Channel(record["channel"]), record["seq"], record["event"]
    place = (seq, 0, 0) if channel is Channel.PUBLIC else (record["after"], 1, seq)
    return Line(channel, seq, place, event["type"], event.get("note"), text)
