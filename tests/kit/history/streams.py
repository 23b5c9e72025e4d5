"""Streams against the log: what a client was sent is a slice of it, without a gap, with equal hashes."""

from collections.abc import Iterator

from dreadclock.wire.base import Channel
from dreadclock.wire.frames import ResetReason
from kit.history.findings import Finding, Kind
from kit.history.log import Log, line_of
from kit.history.recorded import Stands, Stream


def check_stream(stream: Stream, log: Log) -> Finding | None:
    """Say what is wrong with a stream first; None if nothing is."""
    return next(_Follower(stream, log).faults(), None)


class _Follower:
    """Goes through a stream, and knows where its client stands."""

    def __init__(self, stream: Stream, log: Log) -> None:
        self._stream, self._log = stream, log
        self._at: dict[Channel, int] = {}

    def faults(self) -> Iterator[Finding]:
        """Say what is wrong; only the first counts, since what follows may follow from it."""
        for step in self._stream.steps:
            yield from self._heard(step) if isinstance(step, str) else self._told(step)
        if self._stream.to_the_end:
            for channel, seq in self._at.items():
                if seq != self._log.end(channel):
                    yield self._fault(Kind.LEFT_BEHIND, f"is at {channel} {seq} of {self._log.end(channel)}")

    def _heard(self, text: str) -> Iterator[Finding]:
        known = self._log.by_text.get(text)
        line = known or line_of(text)
        at = self._at.get(line.channel)
        if at is None:
            yield self._fault(Kind.NOT_ITS_OWN, f"heard {line}, a channel that it does not hold")
            return
        if line.seq <= at:
            yield self._fault(Kind.REPEATED, f"heard {line} after {line.channel} {at}")
        elif line.seq > at + 1:
            yield self._fault(Kind.SKIPPED, f"heard {line} right after {line.channel} {at}")
        elif known is None:
            here = self._log.line(line.channel, line.seq)
            instead = f"has {here.text}" if here else f"ends at {self._log.end(line.channel)}"
            yield self._fault(Kind.OTHER, f"heard {text} as {line}, and the log {instead}")
        self._at[line.channel] = line.seq

    def _told(self, stands: Stands) -> Iterator[Finding]:
        if stands.anew is ResetReason.FORKED:
            yield self._fault(Kind.FORKED, "was told that the log is another one than it knew")
        for channel, head in stands.heads.items():
            at = self._at.get(channel)
            told = f"was told that it stands at {channel} {head.seq}"
            if at is not None and head.seq < at:
                yield self._fault(Kind.SET_BACK, f"{told}, having heard up to {at}")
            elif at is not None and head.seq > at and stands.anew is None:
                yield self._fault(Kind.UNHEARD, f"{told}, having heard up to {at}")
            elif self._log.hash(channel, head.seq) != head.hash:
                yield self._fault(Kind.HEAD, f"{told} with a hash that is not the log's: {head.hash[:8]}")
            self._at[channel] = head.seq

    def _fault(self, kind: Kind, what: str) -> Finding:
        return Finding(kind, f"{self._stream.client} {what}")
