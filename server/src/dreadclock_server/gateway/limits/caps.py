"""Caps on connections: in total, per address, per room and per seat."""

import ipaddress
import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

MOST = 2000
MOST_PER_ADDRESS = 100
MOST_PER_ROOM = 1000
MOST_PER_SEAT = 16
SITE = 4  # the cap of an IPv6 network of 48 bits, which may be a single household, is 4 times the cap of an address
_FULL, _TOO_MANY = 503, 429
_LONGEST_HOST = 100  # characters; an address with its zone and port has fewer
_PORT = re.compile(r"^(?:\[(.*)\]|([0-9.]+))(?::[0-9]+)?$")

CAPS = ("in_all", "per_address", "per_room", "per_seat", "under_way")  # the names of the caps in metrics


@dataclass(frozen=True, slots=True)
class Caps:
    """The caps. A seat of spectators has no cap per seat, because a whole audience shares the seat."""

    in_all: int = MOST
    per_address: int = MOST_PER_ADDRESS
    per_room: int = MOST_PER_ROOM
    per_seat: int = MOST_PER_SEAT


class TooManyConnections(Exception):
    """The cap of a room or of a seat, or the in-flight budget (bytes that are being sent) is reached.

    `cap`: its name in CAPS. The text is for the client.
    """

    def __init__(self, cap: str, text: str) -> None:
        self.cap = cap
        super().__init__(text)


class ConnectionLimiter:
    """Counts connections, in total and by address, and refuses connections beyond a cap."""

    def __init__(self, caps: Caps) -> None:
        self.caps, self.in_all = caps, 0
        self.turned_away = Counter(dict.fromkeys(CAPS, 0))  # by the cap that was reached
        self._of = Counter[str]()

    def enter(self, host: str, *, exempt: bool = False) -> int | None:
        """Count a connection and return None. If a cap is reached, return the HTTP status for a refusal.

        `exempt`: the address is a proxy for many others, so it has no cap of its own.
        """
        if status := self.objection(host, exempt=exempt):
            self.turned_away["in_all" if status == _FULL else "per_address"] += 1
            return status
        self.in_all += 1
        self._of.update(dict.fromkeys(shares_of(host), 1))
        return None

    def objection(self, host: str, *, exempt: bool = False) -> int | None:
        """Return the HTTP status with which `enter` would refuse a connection; None if it is allowed."""
        if self.in_all >= self.caps.in_all:
            return _FULL
        shares = shares_of(host)
        if not exempt and any(self._of[place] >= self.caps.per_address * times for place, times in shares.items()):
            return _TOO_MANY
        return None

    def leave(self, host: str) -> None:
        """Stop counting a connection that `enter` has counted."""
        self.in_all -= 1
        for place in shares_of(host):
            self._of[place] -= 1
            if not self._of[place]:
                del self._of[place]


def shares_of(host: str, site: int = SITE) -> dict[str, int]:
    """Return the keys under which a host is counted. The cap of a key is its value times the cap per address."""
    address = address_of(host)
    return {address: 1, _site_of(address): site} if ":" in address else {address: 1}


@lru_cache(maxsize=4096)
def _site_of(address: str) -> str:
    return str(ipaddress.IPv6Network((address, 48), strict=False))


def address_of(host: str) -> str:
    """Return the key under which a host is counted: its address. For IPv6, its network of 64 bits, the smallest that a
    household gets.

    `host` may have a port, if it comes from a proxy's header. All texts that are no addresses give "", so that they are
    counted together.
    """
    return _address_of(host) if len(host) <= _LONGEST_HOST else ""


@lru_cache(maxsize=4096)  # called for every new and closed connection, perhaps thousands at once
def _address_of(host: str) -> str:
    try:
        address = ipaddress.ip_address(_PORT.sub(r"\1\2", host))
    except ValueError:
        return ""
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    return str(address.ipv4_mapped or ipaddress.IPv6Address(int(address) >> 64 << 64))
