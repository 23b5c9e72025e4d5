"""Event streams over HTTP, as server-sent events or JSON lines: the events of a stream and their ids.

A stream's event carries a record of the room, or another message with the fields of a websocket frame. Its id is the
reader's position after the event, a number and a hash for each channel:
`public:41:HASH`, or `public:41:HASH,gm:7:HASH` for a reader of both channels. A reader that reconnects sends its last
id as `Last-Event-ID`, and gets the events after it.
"""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints, TypeAdapter

from dreadclock.wire.base import DEFERRED, Model
from dreadclock.wire.frames import Presence, Reset, Welcome
from dreadclock.wire.records import Record

_POSITION = "(?:public|gm):[0-9]{1,16}:[0-9a-f]{64}"
EVENT_ID = rf"^{_POSITION}(?:,{_POSITION})?$"
EventId = Annotated[str, StringConstraints(pattern=EVENT_ID)]


class Closing(Model):
    """Why the server ends a stream: code and reason, as in a websocket's close frame."""

    code: int
    reason: str


class WelcomeEvent(Model):
    """The first event of a stream. Its `id` is absent if a `reset` follows."""

    event: Literal["welcome"]
    id: EventId | None = None
    data: Welcome


class ResetEvent(Model):
    """The whole view, in place of the view that the reader has."""

    event: Literal["reset"]
    id: EventId
    data: Reset


class PresenceEvent(Model):
    """Who is connected."""

    event: Literal["presence"]
    id: EventId
    data: Presence


class RecordEvent(Model):
    """A record of the room: something happened."""

    event: Literal["record"]
    id: EventId
    data: Record


class CloseEvent(Model):
    """The last event, if the server ends the stream on purpose."""

    event: Literal["close"]
    id: EventId | None = None
    data: Closing


StreamEvent = Annotated[
    WelcomeEvent | ResetEvent | PresenceEvent | RecordEvent | CloseEvent, Field(discriminator="event")
]
STREAM_EVENT: TypeAdapter[StreamEvent] = TypeAdapter(StreamEvent, config=DEFERRED)
