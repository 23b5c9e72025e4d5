"""Times in the reader's time zone, and a time axis that shortens long pauses."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final

LONGEST_PAUSE_MS: Final = 15 * 60 * 1000
"""A longer pause is drawn with this length."""

_MINUTE: Final = 60 * 1000
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_LAST_MS: Final = 253_370_764_800_000  # in the year 9999, the last year of Python's calendar


class Times:
    """Writes times in a time zone. The default is the time zone of this machine."""

    def __init__(self, zone: tzinfo | None = None) -> None:
        self._zone = zone

    def moment(self, at: int) -> datetime:
        """Return a time in ms as a datetime. Times after _LAST_MS become _LAST_MS."""
        return (_EPOCH + timedelta(milliseconds=min(at, _LAST_MS))).astimezone(self._zone)

    def of_day(self, at: int) -> str:
        """Write the hour and the minute."""
        return f"{self.moment(at):%H:%M}"

    def to_the_second(self, at: int) -> str:
        """Write the hour, the minute and the second."""
        return f"{self.moment(at):%H:%M:%S}"

    def date(self, at: int) -> str:
        """Write the date, the year first."""
        return self.moment(at).date().isoformat()

    def offset(self, at: int) -> str:
        """Write how far the zone is from UTC, such as UTC+01:00."""
        written = self.moment(at).strftime("%z")
        return "UTC" if written == "+0000" else f"UTC{written[:3]}:{written[3:5]}"


class Axis:
    """A time axis in minutes. Pauses are shortened to 15 minutes."""

    def __init__(self, times: Iterable[int]) -> None:
        """`times`: the times of the records, in order.

        A time that is not after the previous time gets the same place.
        """
        self._at: list[int] = []
        self._minutes: list[float] = []
        for at in times:
            if not self._at:
                self._put(at, 0.0)
            elif at > self._at[-1]:
                self._put(at, self._minutes[-1] + min(at - self._at[-1], LONGEST_PAUSE_MS) / _MINUTE)

    def _put(self, at: int, minutes: float) -> None:
        self._at.append(at)
        self._minutes.append(minutes)

    def place(self, at: int) -> float:
        """Return the place of a time on the axis, in minutes from the first record."""
        return self._minutes[max(0, bisect_right(self._at, at) - 1)]

    def marks(self, first: float, last: float, count: int) -> Sequence[tuple[float, int]]:
        """Return up to `count` marks between two places, evenly spread: pairs of a place on the axis and the time in
        ms.
        """
        inside = [place for place in zip(self._minutes, self._at, strict=True) if first <= place[0] <= last]
        wanted = [first + (last - first) * part / (count - 1) for part in range(count)]
        return sorted({min(inside, key=lambda have: abs(have[0] - want)) for want in wanted})
