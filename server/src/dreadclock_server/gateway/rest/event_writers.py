"""Writing the frames of a websocket as the events of a stream: as server-sent events, or as JSON lines."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import orjson

from dreadclock.wire.base import Channel
from dreadclock.wire.frames import frame_text
from dreadclock.wire.records import Head, Positions, advance
from dreadclock.wire.streams import Closing, event_id
from dreadclock_server.store.index import channel_of

HEARTBEAT = ""  # the text of a frame that says nothing


@dataclass(frozen=True, slots=True)
class Form:
    """One way to write events: `event` takes a kind, an id or none, and JSON without line breaks."""

    media_type: str
    event: Callable[[str, str, str], str]
    heartbeat: str  # which readers pass over


def _server_sent(kind: str, id_: str, data: str) -> str:
    head = f"id: {id_}\nevent: {kind}" if id_ else f"event: {kind}"
    return f"{head}\ndata: {data}\n\n"


def _line(kind: str, id_: str, data: str) -> str:
    head = f'"event":"{kind}","id":"{id_}"' if id_ else f'"event":"{kind}"'
    return f'{{{head},"data":{data}}}\n'


SERVER_SENT = Form("text/event-stream", _server_sent, ":\n\n")
LINES = Form("application/x-ndjson", _line, "\n")


class EventWriter:
    """Writes the frames of one reader in their order, each event with where the reader stands after it.

    `positions`: where it stood before, in the channels that it holds.
    """

    def __init__(self, form: Form, positions: Positions) -> None:
        self.form, self._resumed_at = form, positions
        self._positions: Positions = {}  # none as long as the reader has no view that they belong to

    def written(self, frame: str) -> Iterator[str]:
        """Write a frame as an event, or as one for each of its records."""
        if frame == HEARTBEAT:
            yield self.form.heartbeat
        elif "\n" in frame:
            yield from map(self._record, _lines_after_the_first(frame))
        else:
            fields = orjson.loads(frame)
            self._stand(fields)
            yield self._event(fields["type"], frame)

    def _stand(self, frame: dict[str, Any]) -> None:
        """Learn from a frame where the reader stands after it."""
        if frame["type"] == "welcome" and frame["resumed"]:
            self._positions = dict(self._resumed_at)
        elif "view" in frame:
            self._positions = {Channel(name): Head(**head) for name, head in frame["positions"].items()}

    def _record(self, text: str) -> str:
        channel = Channel(channel_of(text))
        self._positions[channel] = advance(self._positions[channel], text)
        return self._event("record", text)

    def ended(self, code: int, reason: str) -> str:
        """Write why the stream ends."""
        return self._event("close", frame_text(Closing(code=code, reason=reason)))

    def _event(self, kind: str, data: str) -> str:
        return self.form.event(kind, event_id(self._positions), data)


def _lines_after_the_first(frame: str) -> Iterator[str]:
    """Yield lines one by one: all at once they would be held as long as a reader is slow to take them."""
    start = frame.index("\n") + 1
    while start:
        end = frame.find("\n", start)
        yield frame[start:end] if end >= 0 else frame[start:]
        start = end + 1
