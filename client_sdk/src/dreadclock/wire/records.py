"""Records: events with their number, as they are sent, stored and hashed.

A record's canonical text is JSON in the form of RFC 8785 (JCS), with whole numbers only. There is one difference: keys
are sorted by code point, while the RFC sorts by UTF-16 units. The two orders differ only for characters beyond U+FFFF.
Every channel is a hash chain over its records' texts:

    head_0 = SHA256("log1/open\\0" || room16 || log_id16 || channel)
    head_s = SHA256("log1/record\\0" || head_{s-1} || u32be(length) || text)

Here `room16` and `log_id16` are ids as 16 bytes, `||` joins bytes, and `s` is the number of a record.
"""

import base64
import hashlib
from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated, Literal, cast

import orjson
from pydantic import Field, SerializeAsAny

from dreadclock.wire.base import Channel, Count, HeadHash, Id, MillisecondsUtc, Model, RoomId
from dreadclock.wire.events import Event, UnknownEvent


class Head(Model):
    """The end of a channel: the number of its last record, and the hash over all its records."""

    seq: Count
    hash: HeadHash


Positions = dict[Channel, Head]


class Record(Model):
    """An event with its number in its channel."""

    v: Literal[1] = 1
    channel: Channel
    seq: Annotated[int, Field(ge=1)]
    at: MillisecondsUtc
    by: Id  # the seat that acted
    acted_for: Id | None = None  # the player's seat, if an integration acted for a player
    after: Count | None = None  # in the gm's channel: the seq of the last public record before this one
    event: SerializeAsAny[Event]  # clients may have an UnknownEvent here, from a newer server


def canonical(value: object) -> str:
    """Return the canonical text of a JSON value. This is the form that is hashed.

    Raises TypeError for values that no record has, such as whole numbers beyond 64 bits or lone surrogates.
    """
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()


def is_canonical(text: str) -> bool:
    """Return whether a JSON text is in canonical form."""
    try:
        return canonical(orjson.loads(text)) == text
    except (ValueError, TypeError):
        return False


def text_of(record: Record) -> str:
    """Return a record's canonical text, without fields that are None.

    Takes two thirds of the time of pydantic's `model_dump`.
    """
    return orjson.dumps(record, _fields_of, orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS).decode()


def _fields_of(model: Model) -> dict[str, object]:
    given = model.__dict__
    if model.__pydantic_extra__ is not None:  # only an UnknownEvent has extra fields
        given = given | model.__pydantic_extra__
    fields = {}
    for name, value in given.items():  # faster than a comprehension
        if value is not None:
            fields[name] = value
    return fields


def is_understood(record: Record) -> bool:
    """Return whether this version knows the record's event with all its fields."""
    return not isinstance(cast(object, record.event), UnknownEvent)


@lru_cache(maxsize=4096)  # every roll with a token calls this
def room_bytes(room_id: RoomId) -> bytes:
    """Return the 16 bytes of a room id."""
    return base64.b32decode(room_id.upper() + "======")


def room_id_of(room16: bytes) -> RoomId:
    """Return the room id of 16 bytes."""
    return base64.b32encode(room16).decode().rstrip("=").lower()


def opening_head(room_id: RoomId, log_id: str, channel: Channel) -> Head:
    """Return the head of a channel without records. `log_id`: 32 hex digits."""
    start = b"log1/open\0" + room_bytes(room_id) + bytes.fromhex(log_id) + channel.encode()
    return Head(seq=0, hash=hashlib.sha256(start).hexdigest())


def advance(head: Head, text: str) -> Head:
    """Return the head after one more record."""
    body = text.encode()
    link = b"log1/record\0" + bytes.fromhex(head.hash) + len(body).to_bytes(4, "big") + body
    return Head.trusted(seq=head.seq + 1, hash=hashlib.sha256(link).hexdigest())


def in_order(records: Iterable[Record]) -> tuple[Record, ...]:
    """Return the records of several channels in the order in which they were written."""
    return tuple(sorted(records, key=_order))


def _order(record: Record) -> tuple[int, bool, str, int]:
    """Return the sort key of a record.

    A record of the gm's channel comes after the public record that its `after` names.
    """
    if record.channel is Channel.PUBLIC:
        return record.seq, False, "", 0
    return record.after or 0, True, record.channel, record.seq
