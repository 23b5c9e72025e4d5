"""A room's state, and how records change it."""

from dataclasses import dataclass
from typing import NamedTuple

from dreadclock.wire.base import Channel, RoomId, Visibility
from dreadclock.wire.events import Event
from dreadclock.wire.fold import fold
from dreadclock.wire.records import Head, Positions, Record, advance, opening_head, text_of
from dreadclock.wire.views import View, empty_view


class Written(NamedTuple):
    """A record with its canonical text, which is what is hashed, stored and sent, and the head after it."""

    record: Record
    text: str
    head: Head

    @property
    def event(self) -> Event:
        """What happened."""
        return self.record.event


@dataclass(frozen=True, slots=True)
class Room:
    """All that decisions rest on: every channel's view, and where the channels stand."""

    room_id: RoomId
    log_id: str  # 32 hex digits
    view: View
    positions: Positions
    at: int = 0  # ms of the latest record

    def seq(self, channel: Channel) -> int:
        """Return the number of a channel's last record."""
        return self.positions[channel].seq


def empty_room(room_id: RoomId, log_id: str) -> Room:
    """Return a room before its first event."""
    heads = {channel: opening_head(room_id, log_id, channel) for channel in Channel}
    return Room(room_id, log_id, empty_view(*Channel), heads)


def evolve(room: Room, written: Written) -> Room:
    """Return the room after one more record, which must be the next of its channel."""
    record = written.record
    if record.seq != room.seq(record.channel) + 1:
        raise ValueError(f"record {record.seq} of {record.channel} cannot follow {room.seq(record.channel)}")
    positions = {**room.positions, record.channel: written.head}
    return Room(room.room_id, room.log_id, fold(room.view, record), positions, max(room.at, record.at))


def write(room: Room, channel: Channel, event: Event, *, by: str, now_ms: int) -> Written:
    """Make the next record of a channel."""
    record = Record(
        channel=channel,
        seq=room.seq(channel) + 1,
        at=max(now_ms, _latest(room, channel)),
        by=by,
        after=None if channel is Channel.PUBLIC else room.seq(Channel.PUBLIC),
        event=event,
    )
    return _written(room, record, text_of(record))


def _latest(room: Room, channel: Channel) -> int:
    """Return the time before which a channel's next record cannot lie; for `public` no other channel counts."""
    if channel is not Channel.PUBLIC:
        return room.at
    recent = room.view.public.recent
    return recent[-1].at if recent else 0


def read(room: Room, text: str) -> Written:
    """Read a record that follows in a room from its canonical text. Raises ValueError if it is none."""
    return _written(room, Record.model_validate_json(text), text)


def _written(room: Room, record: Record, text: str) -> Written:
    return Written(record, text, advance(room.positions[record.channel], text))


def channel_of(visibility: Visibility) -> Channel:
    """Return the channel in which a thing's own events lie."""
    return Channel.PUBLIC if visibility is Visibility.PUBLIC else Channel.GM
