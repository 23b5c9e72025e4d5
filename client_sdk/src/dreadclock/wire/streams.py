"""Streams of events over HTTP: what each of their events holds, and their ids, by which a reader goes on.

An event is a frame as a websocket gets it, or one record, and its id says where the reader stands after it:
`public:41:HASH`, with `,gm:7:HASH` behind it for who holds both channels. The last id that was read, sent back as
`Last-Event-ID`, is answered with what follows.
"""

import re
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, TypeAdapter

from dreadclock.wire.base import DEFERRED, MOST_SEQ, Channel, Model
from dreadclock.wire.errors import ProtocolViolation
from dreadclock.wire.frames import Presence, Reset, Welcome
from dreadclock.wire.records import Head, Positions, Record

_POSITION = "(?:public|gm):[0-9]{1,16}:[0-9a-f]{64}"
_EVENT_ID = rf"^{_POSITION}(?:,{_POSITION})?$"
EventId = Annotated[str, StringConstraints(pattern=_EVENT_ID)]


class Closing(Model):
    """Why the server ends a stream: the code and the reason of a websocket's close frame."""

    code: int
    reason: str


class WelcomeEvent(Model):
    """The first event; it has no id if a `reset` follows."""

    event: Literal["welcome"]
    id: EventId | None = None
    data: Welcome


class ResetEvent(Model):
    """The whole view anew."""

    event: Literal["reset"]
    id: EventId
    data: Reset


class PresenceEvent(Model):
    """Who is connected."""

    event: Literal["presence"]
    id: EventId
    data: Presence


class RecordEvent(Model):
    """What happened, with its place in the log."""

    event: Literal["record"]
    id: EventId
    data: Record


class CloseEvent(Model):
    """The last event, where the server ends the stream in order."""

    event: Literal["close"]
    id: EventId | None = None
    data: Closing


StreamEvent = Annotated[
    WelcomeEvent | ResetEvent | PresenceEvent | RecordEvent | CloseEvent, Field(discriminator="event")
]
STREAM_EVENT: TypeAdapter[StreamEvent] = TypeAdapter(StreamEvent, config=DEFERRED)


def event_id(positions: Positions) -> str:
    """Write where a reader stands as the id of an event."""
    heads = [(channel, positions[channel]) for channel in Channel if channel in positions]
    return ",".join([f"{channel}:{head.seq}:{head.hash}" for channel, head in heads])


def read_event_id(text: str) -> Positions:
    """Read the id of an event. Raises ProtocolViolation if it is none."""
    if re.fullmatch(_EVENT_ID, text, re.ASCII) is None:
        raise ProtocolViolation("Last-Event-ID is not the id of an event")
    positions: Positions = {}
    for part in text.split(","):
        name, seq, digest = part.split(":")
        if name in positions or int(seq) > MOST_SEQ:
            raise ProtocolViolation("Last-Event-ID is not the id of an event")
        positions[Channel(name)] = Head(seq=int(seq), hash=digest)
    return positions
