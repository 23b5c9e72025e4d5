"""Rate limits: token buckets for seats, addresses and all rooms together, on this node."""

import math
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from dreadclock.wire.base import Channel, Id, Role, RoomId
from dreadclock.wire.errors import Code, Refused
from dreadclock_server.gateway.limits.caps import address_of
from dreadclock_server.rooms.size import Size

KIB = 1024
SOONEST_MS = 250  # after a refusal; who has much to send comes back for several at once
MOST_BUCKETS = 20_000  # that are not full; newcomers share one beyond that
FEW_BUCKETS = 1024  # of which full ones may lie about
FORGET_EVERY_S = 1.0
_GOOD_PART = 4  # of a bucket, a quarter, has to be back when a refused one comes again
_ROUNDING = 1e-9

Clock = Callable[[], float]


class Flood(Exception):
    """A client sends on and on what is refused; the text says so."""


@dataclass(frozen=True, slots=True)
class Rate:
    """So often every so many seconds in the long run, and at most `burst` at once after a rest."""

    often: int
    every_s: int
    burst: int
    one_s: float = field(init=False, repr=False, compare=False)  # after which one more is back

    def __post_init__(self) -> None:
        """Divide once."""
        object.__setattr__(self, "one_s", self.every_s / self.often)

    def taken(self, full_at: float, now: float) -> float | None:
        """Return when a bucket is full again of which one is taken now; None if there is none in it.

        `full_at`: when it is full if nothing is taken, which may lie in the past.
        """
        one_s, full_at = self.one_s, max(full_at, now)
        return full_at + one_s if full_at - now <= (self.burst - 1) * one_s + _ROUNDING else None

    def wait_ms(self, full_at: float, now: float) -> int:
        """Return after how long a good part of the bucket is back."""
        good = max(1, self.burst // _GOOD_PART)
        return max(SOONEST_MS, math.ceil((full_at - now - (self.burst - good) * self.one_s) * 1000))


LOG_LINES = Rate(often=1, every_s=60, burst=1)


class Buckets:
    """A bucket for each key, all of one rate. A full one is forgotten, since a new one is full."""

    def __init__(self, rate: Rate | None, clock: Clock = time.monotonic) -> None:
        self._rate, self._clock = rate, clock
        self._full_at: dict[Hashable, float] = {}
        self._forget_at = 0.0

    def __len__(self) -> int:
        return len(self._full_at)

    def take(self, key: Hashable) -> int:
        """Take one out and return 0; or, if there is none, return the ms after which to come again."""
        if self._rate is None:
            return 0
        now = self._clock()
        key = self._known(key, now)
        full_at = self._full_at.get(key, 0.0)
        then = self._rate.taken(full_at, now)
        if then is None:
            return self._rate.wait_ms(full_at, now)
        self._full_at[key] = then
        return 0

    def wait_s(self, key: Hashable) -> float:
        """Return 0 if anything is left, or the seconds after which something is."""
        if self._rate is None:
            return 0.0
        now = self._clock()
        full_at = self._full_at.get(self._known(key, now), 0.0)
        return max(0.0, full_at - now - self._rate.burst * self._rate.one_s + _ROUNDING)

    def spend(self, key: Hashable, amount: float) -> None:
        """Take an amount out, if need be more than is left: the next ones wait for it."""
        if self._rate is not None:
            now = self._clock()
            key = self._known(key, now)
            self._full_at[key] = max(self._full_at.get(key, 0.0), now) + amount * self._rate.one_s

    def put_back(self, key: Hashable) -> None:
        """Undo a take."""
        if self._rate is not None and key in self._full_at:
            self._full_at[key] -= self._rate.one_s

    def _known(self, key: Hashable, now: float) -> Hashable:
        return key if key in self._full_at and len(self._full_at) < FEW_BUCKETS else self._kept(key, now)

    def _kept(self, key: Hashable, now: float) -> Hashable:
        """Return the key under which a bucket may be kept, however many there are."""
        if len(self._full_at) >= FEW_BUCKETS and now >= self._forget_at:
            self._full_at = {other: full_at for other, full_at in self._full_at.items() if full_at > now}
            self._forget_at = now + FORGET_EVERY_S
        return key if key in self._full_at or len(self._full_at) < MOST_BUCKETS else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """The limits of a node; None: there is none."""

    gm: Rate | None = None  # commands, for each seat
    player: Rate | None = None
    spectator: Rate | None = None
    integration: Rate | None = None
    commands: Rate | None = None  # all that follow are for each address
    refusals: Rate | None = None  # of commands that use up no number
    requests: Rate | None = None  # of any kind; those beyond it wait
    joins: Rate | None = None
    calls: Rate | None = None
    reads: Rate | None = None  # KiB, for each set of channels
    odds: Rate | None = None
    rooms: Rate | None = None
    imports: Rate | None = None
    recaps: Rate | None = None
    knocks: Rate | None = None
    in_play: Rate | None = None
    demo_room: Rate | None = None  # commands, for each demo room
    all_rooms: Rate | None = None  # of everyone together


class Limits:
    """What may be done how often on this node."""

    def __init__(self, rates: Rates, clock: Clock = time.monotonic) -> None:
        by_role = {
            Role.GM: rates.gm,
            Role.PLAYER: rates.player,
            Role.SPECTATOR: rates.spectator,
            Role.INTEGRATION: rates.integration,
        }
        self.seats = {role: Buckets(rate, clock) for role, rate in by_role.items()}
        self.commands, self.refusals = Buckets(rates.commands, clock), Buckets(rates.refusals, clock)
        self.joins, self.calls = Buckets(rates.joins, clock), Buckets(rates.calls, clock)
        self.odds, self.rooms = Buckets(rates.odds, clock), Buckets(rates.rooms, clock)
        self.knocks, self.in_play = Buckets(rates.knocks, clock), Buckets(rates.in_play, clock)
        self.reads = Buckets(rates.reads, clock)
        self.imports, self.recaps = Buckets(rates.imports, clock), Buckets(rates.recaps, clock)
        self.all_rooms, self.demo_rooms = Buckets(rates.all_rooms, clock), Buckets(rates.demo_room, clock)
        self.logged = Buckets(LOG_LINES, clock)  # warnings of limits, by limit and address

    def meter(self, room_id: RoomId, seat_id: Id, role: Role, host: str, size: Size | None = None) -> "Meter":
        """Return what measures the commands of a seat from an address; the seats of a demo room share a limit."""
        return Meter(self, self.seats[role], (room_id, seat_id), address_of(host), size)

    def reader(self, host: str, channels: tuple[Channel, ...]) -> "ReadMeter":
        """Return what measures how much an address reads of these channels."""
        return ReadMeter(self.reads, (address_of(host), channels))


@dataclass(frozen=True, slots=True)
class Meter:
    """Measures the commands of one seat from one address; others of either count, too."""

    limits: Limits
    of_seat: Buckets
    seat: tuple[RoomId, Id]
    address: str
    size: Size | None  # of the room; says whether it is a demo room

    def take(self) -> int:
        """Count a command in and return 0; or, if it is one too many, return the ms after which to send it again."""
        wait_ms = self.limits.commands.take(self.address)
        if wait_ms:
            return wait_ms
        wait_ms = self.of_seat.take(self.seat)
        if not wait_ms and self.size is not None and self.size.is_demo:
            wait_ms = self.limits.demo_rooms.take(self.seat[0])
            if wait_ms:
                self.of_seat.put_back(self.seat)
        if wait_ms:
            self.limits.commands.put_back(self.address)
        return wait_ms

    def may_refuse(self) -> bool:
        """Count a refusal that used up no number, and tell whether the sender is worth another one."""
        return not self.limits.refusals.take(self.address)


@dataclass(frozen=True, slots=True)
class ReadMeter:
    """Measures the bytes that one address reads of one set of channels.

    Sets of channels are counted apart, so that hidden things that a gm reads cost nobody else at her address anything.
    """

    buckets: Buckets
    key: tuple[str, tuple[Channel, ...]]

    def demand(self) -> None:
        """Raise Refused(rate_limited) if nothing is left."""
        if wait_s := self.wait_s():
            raise too_soon(max(SOONEST_MS, math.ceil(wait_s * 1000)))

    def wait_s(self) -> float:
        """Return 0 if anything is left, or the seconds after which something is."""
        return self.buckets.wait_s(self.key)

    def spend(self, size: int) -> None:
        """Count bytes that are sent, if need be more than are left."""
        self.buckets.spend(self.key, size / KIB)


def demand(buckets: Buckets, host: str) -> None:
    """Count something that an address does. Raises Refused(rate_limited) if it is one too many."""
    if wait_ms := buckets.take(address_of(host)):
        raise too_soon(wait_ms)


def too_soon(wait_ms: int) -> Refused:
    """Make the refusal of what may come again after `wait_ms`."""
    return Refused(Code.RATE_LIMITED, retry_ms=wait_ms, retry_s=math.ceil(wait_ms / 1000))


def retry_after(wait_ms: int) -> dict[str, str]:
    """Return the header of an answer that says when to come again."""
    return {"Retry-After": str(math.ceil(wait_ms / 1000))}
