"""Operations against the log: acknowledged ones are there once, where clients were told, in the order of real time."""

from collections.abc import Iterator, Sequence

from dreadclock.wire.base import Channel
from dreadclock.wire.errors import Code
from kit.history.findings import Finding, Kind
from kit.history.log import Line, Log
from kit.history.recorded import Denied, Done, History, Operation


def check_operations(history: History, log: Log) -> Iterator[Finding]:
    """Say what is wrong with the operations of a history."""
    claims = Claims()
    for operation in history.operations:
        yield from _check(operation, log, claims)
    yield from _unsent(history, log, claims)
    yield from _disorder(history.operations, log)


class Claims:
    """Which operation was acknowledged at which numbers."""

    def __init__(self) -> None:
        self._by_number: dict[tuple[Channel, int], str] = {}

    def __contains__(self, line: Line) -> bool:
        return (line.channel, line.seq) in self._by_number

    def take(self, channel: Channel, seq: int, command: str) -> str | None:
        """Note a number as a command's, and return the other command whose it is already."""
        other = self._by_number.setdefault((channel, seq), command)
        return other if other != command else None


def _check(operation: Operation, log: Log, claims: Claims) -> Iterator[Finding]:
    lines, name = log.by_command.get(operation.command, []), _name(operation)
    if len(lines) > 1:
        yield Finding(Kind.DOUBLED, f"{name} is in the log at {' and at '.join(map(str, lines))}")
    match operation.outcome:
        case Denied(Code.SESSION_EXPIRED):
            yield Finding(Kind.FORGOTTEN, f"nobody can learn what became of {name}: its session was forgotten")
        case Denied(code) if lines:
            yield Finding(Kind.REFUSED, f"{name} was refused ({code}), and the log has it at {lines[0]}")
        case Done(events=events) as done if lines or events != {}:
            yield from _check_done(name, operation, done, log, claims)


def _check_done(name: str, operation: Operation, done: Done, log: Log, claims: Claims) -> Iterator[Finding]:
    lines = log.by_command.get(operation.command, [])
    if not lines:
        yield Finding(Kind.LOST, f"{name} was acknowledged at {_spans(done)}, and is not in the log")
        return
    if done.events is None:
        return
    for channel, (first, last) in done.events.items():
        for seq in range(first, last + 1):
            other = claims.take(channel, seq, operation.command)
            if other is not None:
                yield Finding(Kind.SHARED, f"{name} was acknowledged at {channel} {seq}, and so was {other!r}")
    if not any(_holds(done, line) for line in lines):
        yield Finding(Kind.MOVED, f"{name} was acknowledged at {_spans(done)}, and the log has it at {lines[0]}")
        return
    yield from _check_records(name, operation.command, done, log)


def _check_records(name: str, command: str, done: Done, log: Log) -> Iterator[Finding]:
    """Check what an acknowledgement says of its records, and of where the channels stand after them."""
    held: list[Line] = []
    for channel, (first, last) in (done.events or {}).items():
        span = log.span(channel, first, last)
        held += span
        foreign = [line for line in span if line.command not in (None, command)]
        if foreign or len(span) != last - first + 1:
            yield Finding(Kind.MOVED, f"{name} was acknowledged at {_spans(done)}, and not all of that is its own")
            return
    held.sort(key=lambda line: line.place)
    if done.texts is not None and list(done.texts) != [line.text for line in held]:
        yield Finding(Kind.CHANGED, f"{name} was acknowledged with other records than the log has at {_spans(done)}")
    for channel, seq in done.positions.items():
        after = log.position_after(channel, held[-1].place)
        if seq != after:
            yield Finding(Kind.POSITIONS, f"{name} was acknowledged with {channel} at {seq}, and it stood at {after}")


def _unsent(history: History, log: Log, claims: Claims) -> Iterator[Finding]:
    sent = {operation.command for operation in history.operations}
    for line in log.lines:
        if line.command is not None and line.command not in sent:
            yield Finding(Kind.UNSENT, f"nobody sent {line.command!r}, and the log has it at {line}")
        elif line.command is None and line.type not in history.unordered and line not in claims:
            yield Finding(Kind.UNSENT, f"nobody sent the {line.type} at {line}")


def _disorder(operations: Sequence[Operation], log: Log) -> Iterator[Finding]:
    """Find operations that stand before one that had ended when they began.

    It is enough to compare each with the latest in the log of all that had ended: sorting is all the work.
    """
    done = [(operation, lines[0]) for operation in operations if (lines := log.by_command.get(operation.command))]
    ended = iter(sorted(done, key=lambda each: each[0].end))
    upcoming, latest = next(ended, None), None
    for operation, line in sorted(done, key=lambda each: each[0].start):
        while upcoming is not None and upcoming[0].end < operation.start:
            if latest is None or upcoming[1].place > latest[1].place:
                latest = upcoming
            upcoming = next(ended, None)
        if latest is not None and line.place < latest[1].place:
            began = f"{_name(operation)} began after {_name(latest[0])} had ended"
            yield Finding(Kind.DISORDER, f"{began}, and stands before it: {line}, and {latest[1]}")


def _holds(done: Done, line: Line) -> bool:
    first, last = (done.events or {}).get(line.channel, (1, 0))
    return first <= line.seq <= last


def _name(operation: Operation) -> str:
    return f"{operation.command!r} of {operation.client}"


def _spans(done: Done) -> str:
    spans = [f"{channel} {first}-{last}" for channel, (first, last) in (done.events or {}).items()]
    return " and ".join(spans) or "no number"
