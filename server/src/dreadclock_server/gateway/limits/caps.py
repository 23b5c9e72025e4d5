"""Caps on connections: in all, of one address, of one room and of one seat."""

import ipaddress
import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

MOST = 2000
MOST_PER_ADDRESS = 100
MOST_PER_ROOM = 1000
MOST_PER_SEAT = 16
SITE = 4  # times as many as an address has all of an IPv6 network of 48 bits, which may be one household's
_FULL, _TOO_MANY = 503, 429
_LONGEST_HOST = 100  # characters; an address with its zone and port has fewer
_PORT = re.compile(r"^(?:\[(.*)\]|([0-9.]+))(?::[0-9]+)?$")

CAPS = ("in_all", "per_address", "per_room", "per_seat", "under_way")


@dataclass(frozen=True, slots=True)
class Caps:
    """The most connections. Spectators' seats have no cap of their own: an audience shares them."""

    in_all: int = MOST
    per_address: int = MOST_PER_ADDRESS
    per_room: int = MOST_PER_ROOM
    per_seat: int = MOST_PER_SEAT


class TooManyConnections(Exception):
    """A room or a seat has all the connections it may have, or there is too much under way; the text says which."""

    def __init__(self, cap: str, text: str) -> None:
        self.cap = cap
        super().__init__(text)


class ConnectionLimiter:
    """Counts connections, in all and by address, and turns away those beyond a cap."""

    def __init__(self, caps: Caps) -> None:
        self.caps, self.in_all = caps, 0
        self.turned_away = Counter(dict.fromkeys(CAPS, 0))  # by the cap that was reached
        self._of = Counter[str]()

    def enter(self, host: str, *, exempt: bool = False) -> int | None:
        """Count somebody in and return None, or the HTTP status that turns them away.

        `exempt`: the address speaks for many others, so that it has no cap.
        """
        if status := self.objection(host, exempt=exempt):
            self.turned_away["in_all" if status == _FULL else "per_address"] += 1
            return status
        self.in_all += 1
        self._of.update(dict.fromkeys(shares_of(host), 1))
        return None

    def objection(self, host: str, *, exempt: bool = False) -> int | None:
        """Return the HTTP status that would turn somebody away; None if they may come in."""
        if self.in_all >= self.caps.in_all:
            return _FULL
        shares = shares_of(host)
        if not exempt and any(self._of[place] >= self.caps.per_address * times for place, times in shares.items()):
            return _TOO_MANY
        return None

    def leave(self, host: str) -> None:
        """Count somebody out who had been counted in."""
        self.in_all -= 1
        for place in shares_of(host):
            self._of[place] -= 1
            if not self._of[place]:
                del self._of[place]


def shares_of(host: str, site: int = SITE) -> dict[str, int]:
    """Return what a host is counted as, and how many times an address's share each of that may have."""
    address = address_of(host)
    return {address: 1, _site_of(address): site} if ":" in address else {address: 1}


@lru_cache(maxsize=4096)
def _site_of(address: str) -> str:
    return str(ipaddress.IPv6Network((address, 48), strict=False))


def address_of(host: str) -> str:
    """Return what counts as one address: of IPv6 the network of 64 bits, the least that a household is given.

    What a proxy gives may have a port; whatever is no address counts as one and the same.
    """
    return _address_of(host) if len(host) <= _LONGEST_HOST else ""


@lru_cache(maxsize=4096)  # asked for when a connection comes and when it goes, of which there may be thousands at once
def _address_of(host: str) -> str:
    try:
        address = ipaddress.ip_address(_PORT.sub(r"\1\2", host))
    except ValueError:
        return ""
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    return str(address.ipv4_mapped or ipaddress.IPv6Address(int(address) >> 64 << 64))
