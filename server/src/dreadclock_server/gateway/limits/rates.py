"""Rate limits of this server process: token buckets for seats, for addresses, and for all rooms together.

Each action takes a token from a bucket, which refills at a constant rate. These tokens are not access tokens.
"""

import math
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from dreadclock.wire.base import Channel, Id, Role, RoomId
from dreadclock.wire.errors import Code, Refused
from dreadclock_server.core.draft import Actor
from dreadclock_server.gateway.limits.caps import address_of
from dreadclock_server.rooms.size import Size

KIB = 1024
SOONEST_MS = 250  # minimum retry delay, so that a waiting client does not retry constantly
MOST_BUCKETS = 20_000  # beyond this number, all new keys share a bucket
FEW_BUCKETS = 1024  # with fewer buckets, full buckets are not removed
FORGET_EVERY_S = 1.0
_GOOD_PART = 4  # the retry delay lasts until a quarter of the bucket has refilled
_ROUNDING = 1e-9

Clock = Callable[[], float]


class Flood(Exception):
    """A client repeats refused commands too often. The text is for the client."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A rate: `often` times in `every_s` seconds on average, and at most `burst` times at once."""

    often: int
    every_s: int
    burst: int
    one_s: float = field(init=False, repr=False, compare=False)  # seconds until one token is refilled

    def __post_init__(self) -> None:
        """Compute `one_s` once: every command reads it."""
        object.__setattr__(self, "one_s", self.every_s / self.often)

    def taken(self, full_at: float, now: float) -> float | None:
        """Take one token. Return when the bucket will be full after that, or None if it has no token.

        `full_at`: when the bucket would be full before that; may be in the past.
        """
        one_s, full_at = self.one_s, max(full_at, now)
        return full_at + one_s if full_at - now <= (self.burst - 1) * one_s + _ROUNDING else None

    def wait_ms(self, full_at: float, now: float) -> int:
        """Return the retry delay: ms until the bucket is a quarter full, at least SOONEST_MS."""
        good = max(1, self.burst // _GOOD_PART)
        return max(SOONEST_MS, math.ceil((full_at - now - (self.burst - good) * self.one_s) * 1000))


LOG_LINES = Rate(often=1, every_s=60, burst=1)


class Buckets:
    """Token buckets by key, all with the same rate. A full bucket may be removed: a new bucket for its key is full,
    too.
    """

    def __init__(self, rate: Rate | None, clock: Clock = time.monotonic) -> None:
        self._rate, self._clock = rate, clock
        self._full_at: dict[Hashable, float] = {}
        self._forget_at = 0.0

    def __len__(self) -> int:
        return len(self._full_at)

    def take(self, key: Hashable) -> int:
        """Take one token and return 0. If the bucket is empty, return the ms after which to retry."""
        if self._rate is None:
            return 0
        now = self._clock()
        key = self._key_for(key, now)
        full_at = self._full_at.get(key, 0.0)
        then = self._rate.taken(full_at, now)
        if then is None:
            return self._rate.wait_ms(full_at, now)
        self._full_at[key] = then
        return 0

    def wait_s(self, key: Hashable) -> float:
        """Return the seconds until the bucket has a token; 0 if it has one now."""
        if self._rate is None:
            return 0.0
        now = self._clock()
        full_at = self._full_at.get(self._key_for(key, now), 0.0)
        return max(0.0, full_at - now - self._rate.burst * self._rate.one_s + _ROUNDING)

    def spend(self, key: Hashable, amount: float) -> None:
        """Take `amount` tokens, even if fewer are left. Later callers then wait until the bucket has refilled."""
        if self._rate is not None:
            now = self._clock()
            key = self._key_for(key, now)
            self._full_at[key] = max(self._full_at.get(key, 0.0), now) + amount * self._rate.one_s

    def put_back(self, key: Hashable) -> None:
        """Put a token back that `take` has taken."""
        if self._rate is not None and key in self._full_at:
            self._full_at[key] -= self._rate.one_s

    def _key_for(self, key: Hashable, now: float) -> Hashable:
        return key if key in self._full_at and len(self._full_at) < FEW_BUCKETS else self._make_space_for(key, now)

    def _make_space_for(self, key: Hashable, now: float) -> Hashable:
        """Return the key to use; None, for the shared bucket, if there are MOST_BUCKETS. May remove full buckets."""
        if len(self._full_at) >= FEW_BUCKETS and now >= self._forget_at:
            self._full_at = {other: full_at for other, full_at in self._full_at.items() if full_at > now}
            self._forget_at = now + FORGET_EVERY_S
        return key if key in self._full_at or len(self._full_at) < MOST_BUCKETS else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """The rate limits of a server process. None: no limit."""

    gm: Rate | None = None  # commands of each seat
    player: Rate | None = None
    spectator: Rate | None = None
    integration: Rate | None = None
    commands: Rate | None = None  # the limits from here to `in_play` are per address
    refusals: Rate | None = None  # refused commands, which clients tend to repeat
    requests: Rate | None = None  # requests of any kind; further requests wait
    joins: Rate | None = None
    calls: Rate | None = None
    reads: Rate | None = None  # KiB, per address and set of channels (see ReadMeter)
    odds: Rate | None = None
    rooms: Rate | None = None
    imports: Rate | None = None
    recaps: Rate | None = None
    knocks: Rate | None = None
    in_play: Rate | None = None
    demo_room: Rate | None = None  # commands in each demo room
    all_rooms: Rate | None = None  # new rooms, of all addresses together


class Limits:
    """The token buckets for all rate limits."""

    def __init__(self, rates: Rates, clock: Clock = time.monotonic) -> None:
        self.seats = {role: Buckets(getattr(rates, role), clock) for role in Role}
        self.commands, self.refusals = Buckets(rates.commands, clock), Buckets(rates.refusals, clock)
        self.joins, self.calls = Buckets(rates.joins, clock), Buckets(rates.calls, clock)
        self.odds, self.rooms = Buckets(rates.odds, clock), Buckets(rates.rooms, clock)
        self.knocks, self.in_play = Buckets(rates.knocks, clock), Buckets(rates.in_play, clock)
        self.reads = Buckets(rates.reads, clock)
        self.imports, self.recaps = Buckets(rates.imports, clock), Buckets(rates.recaps, clock)
        self.all_rooms, self.demo_rooms = Buckets(rates.all_rooms, clock), Buckets(rates.demo_room, clock)
        self.logged = Buckets(LOG_LINES, clock)  # log lines about limits, by limit and address

    def meter(self, room_id: RoomId, by: Actor, host: str, size: Size | None = None) -> "Meter":
        """Return the meter of a seat's commands from an address.

        `size`: the size of the room. In a demo room, a further limit applies to all seats together.
        """
        return Meter(self, self.seats[by.role], (room_id, by.seat_id), address_of(host), size)

    def reader(self, host: str, channels: tuple[Channel, ...]) -> "ReadMeter":
        """Return the meter that limits how much an address reads of these channels."""
        return ReadMeter(self.reads, (address_of(host), channels))


@dataclass(frozen=True, slots=True)
class Meter:
    """Limits the commands of one seat from one address. The seat and the address have a bucket each."""

    limits: Limits
    of_seat: Buckets
    seat: tuple[RoomId, Id]
    address: str
    size: Size | None  # the size of the room; `size.is_demo` marks a demo room

    def take(self) -> int:
        """Count a command and return 0. If a limit is reached, count nothing and return the ms after which to retry."""
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
        """Count a refused command. Return False if the address has too many refused commands already."""
        return not self.limits.refusals.take(self.address)


@dataclass(frozen=True, slots=True)
class ReadMeter:
    """Limits the bytes that one address reads of one set of channels.

    Each set of channels has its own bucket. Otherwise a player at the gm's address could notice how much the gm reads.
    """

    buckets: Buckets
    key: tuple[str, tuple[Channel, ...]]

    def demand(self) -> None:
        """Raise Refused(rate_limited) if the address has used up its limit."""
        if wait_s := self.wait_s():
            raise too_soon(max(SOONEST_MS, math.ceil(wait_s * 1000)))

    def wait_s(self) -> float:
        """Return the seconds until reading is allowed; 0 if it is allowed now."""
        return self.buckets.wait_s(self.key)

    def spend(self, size: int) -> None:
        """Count `size` bytes that are sent, even if they exceed the limit."""
        self.buckets.spend(self.key, size / KIB)


def demand(buckets: Buckets, host: str) -> None:
    """Take a token from the bucket of an address. Raises Refused(rate_limited) if it is empty."""
    if wait_ms := buckets.take(address_of(host)):
        raise too_soon(wait_ms)


def too_soon(wait_ms: int) -> Refused:
    """Return Refused(rate_limited) that asks the client to retry after `wait_ms`."""
    return Refused(Code.RATE_LIMITED, retry_ms=wait_ms, retry_s=math.ceil(wait_ms / 1000))


def retry_after(wait_ms: int) -> dict[str, str]:
    """Return the header `Retry-After`."""
    return {"Retry-After": str(math.ceil(wait_ms / 1000))}
