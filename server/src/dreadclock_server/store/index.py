"""The index of channels: where the records of each channel are in the entries of a room's log.

A record is an event with its channel, `public` or `gm`, and its seq, the number in the channel. Without the index, the
time to read one channel would depend on the size of the other, and would reveal how many records are hidden.
"""

from collections.abc import Sequence

from dreadclock_server.store.base import IndexRow

# If an entry has more than this many bytes beside a channel's records, the channel's row has a copy of the records.
# Without the copy, the time to read these records would reveal the size of hidden records.
MOST_ELSE = 1024
_CHANNEL, _SEQ = '"channel":"', '"seq":'


def rows_of(number: int, entry: bytes) -> list[IndexRow]:
    """Return the index rows of a stored entry, one for each channel. Raises ValueError if the entry is malformed."""
    texts = entry.decode().split("\n")[1:]
    return rows_of_records(number, entry, [(channel_of(text), seq_of(text)) for text in texts])


def rows_of_records(number: int, entry: bytes, records: Sequence[tuple[str, int]]) -> list[IndexRow]:
    """Return the index rows of an entry. `records`: the channels and seqs of its records, in order."""
    place = entry.find(b"\n") + 1
    if len(records) == 1:  # the common case, written out for speed
        (channel, seq), ranges = records[0], f"{place + 1}-{len(entry)}"
        return [IndexRow(number, channel, seq, ranges, None if place < MOST_ELSE else entry[place:])]
    ranges_of: dict[str, list[list[int]]] = {}
    last_seqs: dict[str, int] = {}
    for channel, seq in records:
        end = entry.find(b"\n", place)
        end = len(entry) if end < 0 else end
        parts = ranges_of.setdefault(channel, [])
        if parts and parts[-1][1] == place - 1:
            parts[-1][1] = end
        else:
            parts.append([place + 1, end])
        last_seqs[channel], place = seq, end + 1
    return [_row(number, channel, last_seqs[channel], parts, entry) for channel, parts in ranges_of.items()]


def _row(number: int, channel: str, last_seq: int, parts: list[list[int]], entry: bytes) -> IndexRow:
    ranges = ",".join(f"{first}-{last}" for first, last in parts)
    if len(entry) - sum(last - first for first, last in parts) <= MOST_ELSE:
        return IndexRow(number, channel, last_seq, ranges)
    return IndexRow(number, channel, last_seq, ranges, b"\n".join(entry[first - 1 : last] for first, last in parts))


# A record's canonical text is JSON with sorted keys: after (not in `public`), at, by, channel, event, seq, v.


def channel_of(text: str) -> str:
    """Cut the channel out of a record's canonical text. Raises ValueError."""
    start = text.index(_CHANNEL) + len(_CHANNEL)
    return text[start : text.index('"', start)]


def seq_of(text: str) -> int:
    """Cut the seq out of a record's canonical text. Raises ValueError."""
    start = text.rindex(_SEQ) + len(_SEQ)
    return int(text[start : text.index(",", start)])


def after_of(text: str) -> int:
    """Cut `after` out of the canonical text of a record of the gm's channel. Raises ValueError.

    `after` is the seq of the last public record before this record.
    """
    return int(text[text.index(":") + 1 : text.index(",")])


def args_of(row: IndexRow) -> tuple[str, str, str | bytes]:
    """Return a row as script arguments: its id in the index stream, and the name and value of its only field."""
    field = ("r", row.ranges) if row.records is None else ("t", row.records)
    return f"{row.last_seq}-{row.number}", *field
