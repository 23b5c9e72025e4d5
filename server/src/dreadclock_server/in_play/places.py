"""The places that tables in play take: so many in all, and of these one address a part."""

from collections.abc import Hashable, Iterable
from typing import NamedTuple

from dreadclock.wire.base import RoomId
from dreadclock_server.gateway.limits.caps import shares_of

MOST_LEFT = 4  # times as many as play at once may lie about, taken over
PART_OF_ADDRESS = 4  # a quarter, and not less than one
SITE = 2  # times as much as an address has a network of 48 bits


class _Place(NamedTuple):
    host: str
    is_left: bool


class Places:
    """Which tables take places, by the address that opened them."""

    def __init__(self, most: int) -> None:
        """`most`: so many play at a time."""
        self._most, self._taken = most, dict[Hashable, _Place]()

    def is_free_for(self, host: str) -> bool:
        """Tell whether an address may open one more."""
        playing = [place.host for place in self._taken.values() if not place.is_left]
        left = [place.host for place in self._taken.values() if place.is_left]
        return self._fits(playing, host, 1) and self._fits(left, host, MOST_LEFT)

    @property
    def rooms(self) -> list[RoomId]:
        """The rooms of all tables that have one."""
        return [table for table in self._taken if isinstance(table, str)]

    def take(self, table: Hashable, host: str, *, is_left: bool = False) -> None:
        """Note that a table plays, or lies about."""
        self._taken[table] = _Place(host, is_left)

    def leave(self, table: Hashable) -> None:
        """Note that a table was taken over, and is not kept for ever."""
        if table in self._taken:
            self.take(table, self._taken[table].host, is_left=True)

    def free(self, tables: Iterable[Hashable]) -> None:
        """Forget tables that are gone, or count no more."""
        for table in tables:
            self._taken.pop(table, None)

    def _fits(self, hosts: list[str], host: str, times: int) -> bool:
        part = max(1, self._most // PART_OF_ADDRESS)
        shares = [shares_of(each, SITE) for each in hosts]
        mine = shares_of(host, SITE)
        has_part_left = all(sum(at in each for each in shares) < part * share * times for at, share in mine.items())
        return has_part_left and len(hosts) < self._most * times
