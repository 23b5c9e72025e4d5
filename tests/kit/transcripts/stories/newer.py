"""What a newer server sends: nothing of it ends a client, and the view is asked for anew."""

import json
from typing import Any

from dreadclock.wire.base import Channel
from dreadclock.wire.frames import ResetReason, events_frame
from dreadclock.wire.records import advance, canonical
from kit.tables import GM
from kit.transcripts.host import Recorder
from kit.transcripts.stories.base import ROLL, joined, story

DONE = {**ROLL, "faces": [1, 2, 3]}
STRUCK = {"type": "bell_struck", "bell": {"times": 3}, "note": "Midnight."}


class Newer:
    """A server that is newer than the core whose views it shows; `texts` is what it logged beyond them."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self.head = recorder.host.positions[Channel.PUBLIC]
        self._records: list[Any] = []

    def record(self, event: dict[str, Any], **more: Any) -> str:
        """Log an event in public, and write its frame."""
        record = {"at": 1, "by": "gm", "channel": "public", "event": event, "seq": self.head.seq + 1, "v": 1, **more}
        text = canonical(record)
        self.head = advance(self.head, text)
        self._records.append(record)
        return events_frame({Channel.PUBLIC: self.head}, [text])

    def reset(self, reason: str = ResetReason.ASKED, **more: Any) -> str:
        """Write a reset that shows all that was logged; `more` are fields of the view's public part."""
        frame = json.loads(self._recorder.host.reset(ResetReason.TOO_OLD))
        public = frame["view"]["channels"]["public"]
        public["recent"] += self._records
        public |= more
        frame["positions"]["public"] = self.head.model_dump()
        return json.dumps({**frame, "reason": reason})


@story
def newer() -> Recorder:
    recorder = joined("A server of a newer version: what is not understood is kept, and the view is asked for anew.")
    _, seats = (
        recorder.order(DONE, GM),
        json.loads(recorder.host.reset(ResetReason.TOO_OLD))["view"]["channels"]["public"]["seats"],
    )
    server = Newer(recorder)
    roll = {"type": "dice_rolled", "roll": {"id": "roll-9", "seat_id": "gm", "faces": [1, 2], "physical": True}}
    # an event of an unknown type, and one behind it that waits for the view
    recorder.hear(server.record(STRUCK), server.record(roll))
    recorder.spoil(server.reset().replace(server.head.hash, "0" * 64))
    recorder.hear(server.reset())
    recorder.spoil(server.reset())
    # known events with a field more, with another one instead, and a record with a field more
    for event, more in (
        ({**roll, "cause": "bell"}, {}),
        ({"type": "turn_ended", "rest": 2}, {}),
        ({"type": "turn_ended", "turn": 1}, {"cause": "bell"}),
    ):
        recorder.hear(server.record(event, **more))
        recorder.hear(server.reset())
    # asked for on the next connection, where this one was lost
    recorder.hear(server.record(STRUCK))
    recorder.close(1006)
    recorder.connect()
    frame = json.loads(recorder.host.welcome(resumed=True))
    frame["positions"] = json.loads(server.reset())["positions"]
    recorder.hear(json.dumps({**frame, "mood": "dark"}))
    # a view in which there is more, and a record about that: the view is asked for anew
    strange = {"bell-1": {"id": "bell-1", "name": "Bell", "size": "huge", "value": 0}}
    recorder.hear(
        server.reset(
            clocks=strange, bells=strange, seats={key: {**seat, "mood": "dark"} for key, seat in seats.items()}
        )
    )
    recorder.hear(server.record({"type": "clock_ticked", "clock_id": "bell-1", "value": 1, "by": 1}))
    recorder.hear(server.reset(clocks=strange))
    # a refusal with a code that is not known
    recorder.submit(ROLL)
    recorder.hear('{"type":"refused","n":1,"code":"too_dark","sentence":"It is too dark.","details":{"lux":0}}')
    return recorder
