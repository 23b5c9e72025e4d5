"""The mirror: a viewer's own copy of the room, in which each record is checked before it counts."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping

from pydantic import ValidationError

from dreadclock.dice.verify import DiceAlarm, Verifier
from dreadclock.wire.base import Channel, RoomId
from dreadclock.wire.errors import ProtocolViolation
from dreadclock.wire.fold import fold
from dreadclock.wire.problems import problem_of
from dreadclock.wire.records import Head, Positions, Record, advance
from dreadclock.wire.views import View

REMEMBERED = 4096  # records of each channel that can still be found


class Mirror:
    """A view, and the position in each channel that it is the view of.

    It starts from a view that the server sent; from there on nothing enters it unchecked.
    """

    def __init__(self, positions: Positions, view: View, room_id: RoomId) -> None:
        if positions.keys() != view.channels.keys():
            raise ProtocolViolation("the view and its positions are not of the same channels")
        self.positions: Positions = dict(positions)
        self.view = view
        self._verifier = Verifier(room_id, view.public)
        self._latest = {channel: deque[Record](maxlen=REMEMBERED) for channel in positions}

    def take(self, heads: Mapping[Channel, Head], texts: Iterable[str]) -> list[Record | DiceAlarm]:
        """Take in the records of one events frame, all or none, and return them; alarms follow what they are about.

        `heads`: where the server says that the channels stand after them. Raises ProtocolViolation if a record
        is not the next of its channel, does not hash to that head, or speaks of what the view does not hold.
        """
        positions, view = dict(self.positions), self.view
        steps: list[tuple[View, Record]] = []
        for text in texts:
            record = _parsed(text)
            if record.channel not in positions or record.channel not in heads:
                raise ProtocolViolation(f"a record of the channel {record.channel}, which was not announced")
            before = positions[record.channel]
            if record.seq != before.seq + 1:
                raise ProtocolViolation(f"record {record.seq} of {record.channel} after record {before.seq}")
            positions[record.channel] = advance(before, text)
            steps.append((view, record))
            view = _folded(view, record)
        for channel, head in heads.items():
            if positions.get(channel) != head:
                raise ProtocolViolation(f"the records of {channel} do not lead to the head {head.hash} at {head.seq}")
        self._keep(positions, view, [record for _, record in steps])
        return [each for before, record in steps for each in self._checked(before, record)]

    def _checked(self, before: View, record: Record) -> Iterator[Record | DiceAlarm]:
        yield record
        yield from self._verifier.check(before.channels[record.channel], record)

    def _keep(self, positions: Positions, view: View, records: list[Record]) -> None:
        self.positions, self.view = positions, view
        for record in records:
            self._latest[record.channel].append(record)

    def find(self, spans: Mapping[Channel, tuple[int, int]]) -> tuple[Record, ...] | None:
        """Find records by the first and last seq of each channel, in the order in which they happened.

        None if one of them came before this mirror, or too long ago. Raises ProtocolViolation if one is yet to come.
        """
        found: list[Record] = []
        for channel, (first, last) in spans.items():
            head = self.positions.get(channel)
            if head is None or last > head.seq:
                raise ProtocolViolation(f"record {last} of {channel} is spoken of before it was sent")
            latest = self._latest[channel]
            if not latest or first < latest[0].seq:
                return None
            offset = latest[0].seq
            found.extend(latest[seq - offset] for seq in range(first, last + 1))
        return in_order(found)


def in_order(records: Iterable[Record]) -> tuple[Record, ...]:
    """Put records of several channels in the order in which they happened."""
    return tuple(sorted(records, key=_order))


def _order(record: Record) -> tuple[int, bool, str, int]:
    """A record outside public comes right after the public one that it follows."""
    if record.channel is Channel.PUBLIC:
        return record.seq, False, "", 0
    return record.after or 0, True, record.channel, record.seq


def _parsed(text: str) -> Record:
    try:
        return Record.model_validate_json(text)
    except ValidationError as error:
        raise ProtocolViolation(f"a record that this version does not understand: {problem_of(error)}") from error


def _folded(view: View, record: Record) -> View:
    try:
        return fold(view, record)
    except KeyError as error:
        raise ProtocolViolation(
            f"record {record.seq} of {record.channel} speaks of {error}, which is not in view"
        ) from error
