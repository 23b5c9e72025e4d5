"""The mirror: a viewer's own copy of the room, in which each record is checked before it counts."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping

from dreadclock.client.newer import read_record
from dreadclock.dice.verify import DiceAlarm, Verifier
from dreadclock.wire.base import Channel, RoomId
from dreadclock.wire.errors import ProtocolViolation
from dreadclock.wire.fold import fold
from dreadclock.wire.records import Head, Positions, Record, advance, in_order
from dreadclock.wire.views import View

REMEMBERED = 4096  # records of each channel that can still be found


class Mirror:
    """A view, and the position in each channel that it is the view of.

    It starts from a view that the server sent; from there on nothing enters it unchecked. From a record on that this
    version does not understand, it is not `complete`: records are hashed and kept, but the view stays as it was, and no
    dice are checked, until `renew` brings the view anew.

    `whole`: whether all of the view was understood. If not, a record may speak of what is not in it.
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
        """Go on from the view as the server shows it now. Raises ProtocolViolation if it is not of these positions."""
        if positions != self.positions or positions.keys() != view.channels.keys():
            raise ProtocolViolation("the view that was asked for is not of where the log stands")
        self.view, self.complete, self._whole = view, True, whole
        self._verifier = Verifier(self._room_id, view.public)

    def take(self, heads: Mapping[Channel, Head], texts: Iterable[str]) -> list[Record | DiceAlarm]:
        """Take in the records of one events frame, all or none, and return them; alarms follow what they are about.

        `heads`: where the server says that the channels stand after them. Raises ProtocolViolation if a record
        is not the next of its channel, does not hash to that head, or speaks of what the view does not hold.
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
        self.complete = complete
        self._keep(positions, view, [record for _, record in steps])
        return [output for before, record in steps for output in self._checked(before, record)]

    def _checked(self, before: View | None, record: Record) -> Iterator[Record | DiceAlarm]:
        yield record
        if before is not None:
            yield from self._verifier.check(before.channels[record.channel], record)

    def _folded(self, view: View, record: Record) -> View | None:
        """Return the view after a record; None if it speaks of what this version could not understand."""
        try:
            return fold(view, record)
        except KeyError as error:
            if not self._whole:
                return None
            raise ProtocolViolation(
                f"record {record.seq} of {record.channel} speaks of {error}, which is not in view"
            ) from error

    def _keep(self, positions: Positions, view: View, records: list[Record]) -> None:
        self.positions, self.view = positions, view
        for record in records:
            self._latest[record.channel].append(record)

    def find(self, spans: Mapping[Channel, tuple[int, int]]) -> tuple[Record, ...] | None:
        """Find records by the first and last seq of each channel, in the order in which they happened.

        None if one of them came before this mirror, or too long ago. Raises ProtocolViolation if one is yet to come.
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
