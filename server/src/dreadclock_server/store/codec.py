"""The format of entries. An append adds one entry to a room's log.

An entry is several lines of UTF-8. The first line is a private envelope (JSON). Each further line is the canonical text
of a record, that is, of an event with its number. Clients never get envelopes. `v` is the version of this format.
Reading a newer version raises NewerEntry.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from dreadclock.wire.base import Channel
from dreadclock.wire.records import Head, Positions

VERSION = 1


@dataclass(slots=True)  # immutable by convention: `frozen=True` would slow down every command
class Entry:
    """The outcomes of a batch of commands, and the records of all channels, in the order of the decisions."""

    batch_id: str
    at_ms: int
    answers: Sequence[Sequence[Any]]  # the outcomes of commands, each as a list in JSON form
    heads: Positions  # by channel, the seq and hash of its last record, after this entry
    texts: Sequence[str]  # the records' canonical texts
    counts: Sequence[int] = ()  # the number of records of each command; empty in entries of earlier versions


class UnreadableEntry(Exception):
    """An entry is malformed, or has a version that this server does not know."""


class NewerEntry(UnreadableEntry):
    """An entry has a later version than this server writes."""


def encode(entry: Entry) -> bytes:
    """Return the bytes of an entry."""
    envelope = {
        "v": VERSION,
        "batch": entry.batch_id,
        "at": entry.at_ms,
        "answers": entry.answers,
        "heads": {channel: [head.seq, head.hash] for channel, head in entry.heads.items()},
        "counts": list(entry.counts),
    }
    return b"\n".join([orjson.dumps(envelope, option=orjson.OPT_NON_STR_KEYS), *map(str.encode, entry.texts)])


def decode(data: bytes) -> Entry:
    """Return the entry with these bytes. Raises UnreadableEntry, or NewerEntry if a newer version wrote the entry."""
    try:
        lines = data.decode().split("\n")
        envelope: Mapping[str, Any] = json.loads(lines[0])
        _check_version(envelope["v"])
        heads = {Channel(name): Head(seq=seq, hash=hash_) for name, (seq, hash_) in envelope["heads"].items()}
        counts = envelope.get("counts", ())
        return Entry(envelope["batch"], envelope["at"], envelope["answers"], heads, lines[1:], counts)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UnreadableEntry(type(error).__name__) from error


def _check_version(version: object) -> None:
    if type(version) is int and version > VERSION:
        raise NewerEntry(f"it is of version {version}, and this server reads version {VERSION}")
    if version != VERSION:
        raise UnreadableEntry("version")
