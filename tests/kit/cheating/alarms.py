"""What a client of ours, which nobody has changed, says about a log."""

from collections.abc import Iterable

from dreadclock.dice.flaws import Flaw
from dreadclock.dice.verify import DiceAlarm, Verifier
from dreadclock.wire.base import Channel, RoomId
from dreadclock.wire.fold import fold
from dreadclock.wire.records import Record
from dreadclock.wire.views import empty_view


def alarms_of(room: RoomId, records: Iterable[Record]) -> list[tuple[int, Flaw]]:
    """Verify a log from its start, folding on after each alarm; name what does not fit by its seq."""
    view, found = empty_view(*Channel), list[DiceAlarm]()
    verifier = Verifier(room, view.public)
    for record in records:
        found += verifier.check(view.channels[record.channel], record)
        view = fold(view, record)
    return [(alarm.record.seq, alarm.flaw) for alarm in found]
