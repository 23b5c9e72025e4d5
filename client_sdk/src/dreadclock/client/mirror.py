"""The mirror: the client's own copy of the view. It verifies each record before it applies the record."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping

from dreadclock.client.newer import read_record
from dreadclock.dice.verify import DiceAlarm, Verifier
from dreadclock.wire.base import Channel, RoomId
from dreadclock.wire.errors import ProtocolViolation
from dreadclock.wire.fold import fold
from dreadclock.wire.records import Head, Positions, Record, advance, in_order
from dreadclock.wire.views import View

REMEMBERED = 4096  # how many records of each channel are kept for `find`


class Mirror:
    """A view, and for each channel the number and hash of the last record in the view.

    It starts from a view of the server. Every later record is verified. After a record that this version does not
    understand, the mirror is not `complete`. It still hashes and keeps records. But it does not change the view, and
    checks no dice, until `renew` replaces the view.

    `whole`: whether the view was understood completely. If not, a later record may name things that the view lacks.
    Raises ProtocolViolation if `positions` and `view` are not of the same channels.
    """

    def __init__(self, positions: Positions, view: View, room_id: RoomId, *, whole: bool = True) -> None:
        if positions.keys() != view.channels.keys():
            raise ProtocolViolation("the view and its positions are not of the same channels")
        self.positions: Positions = dict(positions)
        self.view: View = view
        self.complete: bool = True
        self._room_id, self._whole = room_id, whole
        self._verifier = Verifier(room_id, view.public)
        self._latest = {channel: deque[Record](maxlen=REMEMBERED) for channel in positions}

    def renew(self, positions: Positions, view: View, *, whole: bool = True) -> None:
        """Replace the view by the server's current view.

        Raises ProtocolViolation if `positions` differ from the mirror's, or name other channels than the view.
        """
        if positions != self.positions or positions.keys() != view.channels.keys():
            raise ProtocolViolation("the requested view is not at the end of the log")
        self.view, self.complete, self._whole = view, True, whole
        self._verifier = Verifier(self._room_id, view.public)

    def take(self, heads: Mapping[Channel, Head], texts: Iterable[str]) -> list[Record | DiceAlarm]:
        """Apply the records of a frame, all or none. Return the records, each followed by the
        alarms about its dice.

        `heads`: the channels' heads after these records, according to the server. Raises ProtocolViolation if a record
        is malformed, of an unknown channel or not the next of its channel, if the records do not hash to `heads`, or if
        a record names a thing that a completely understood view does not have.
        """
        positions, view, complete = dict(self.positions), self.view, self.complete
        steps: list[tuple[View | None, Record]] = []
        for text in texts:
            record, understood = read_record(text)
            if record.channel not in positions or record.channel not in heads:
                raise ProtocolViolation(f"a record of the channel {record.channel}, which was not announced")
            before = positions[record.channel]
            if record.seq != before.seq + 1:
                raise ProtocolViolation(f"record {record.seq} of {record.channel} after record {before.seq}")
            positions[record.channel] = advance(before, text)
            following = self._folded(view, record) if complete and understood else None
            complete = following is not None
            steps.append((view if complete else None, record))
            view = following or view
        for channel, head in heads.items():
            if positions.get(channel) != head:
                raise ProtocolViolation(f"the records of {channel} do not lead to the head {head.hash} at {head.seq}")
        self.positions, self.view, self.complete = positions, view, complete
        for _, record in steps:
            self._latest[record.channel].append(record)
        return [output for before, record in steps for output in self._checked(before, record)]

    def _checked(self, before: View | None, record: Record) -> Iterator[Record | DiceAlarm]:
        yield record
        if before is not None:
            yield from self._verifier.check(before.channels[record.channel], record)

    def _folded(self, view: View, record: Record) -> View | None:
        """Return the view after a record; None if the record names a thing that was left out of an incomplete view."""
        try:
            return fold(view, record)
        except KeyError as error:
            if not self._whole:
                return None
            raise ProtocolViolation(
                f"record {record.seq} of {record.channel} speaks of {error}, which is not in view"
            ) from error

    def find(self, spans: Mapping[Channel, tuple[int, int]]) -> tuple[Record, ...] | None:
        """Return the records of `spans` (by channel, the first and last seq), in the order in which they happened.

        None if a record is older than this mirror, or not kept any more. Raises ProtocolViolation if a record is still
        to come.
        """
        records: list[Record] = []
        for channel, (first, last) in spans.items():
            head = self.positions.get(channel)
            if head is None or last > head.seq:
                raise ProtocolViolation(f"record {last} of {channel} is spoken of before it was sent")
            latest = self._latest[channel]
            if not latest or first < latest[0].seq:
                return None
            offset = latest[0].seq
            records.extend(latest[seq - offset] for seq in range(first, last + 1))
        return in_order(records)
