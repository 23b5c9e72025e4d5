"""Links: `http://host:port/r/ROOM#TOKEN` opens a seat at a table; browsers do not send the fragment to
servers.

A server may have a path (`https://example.org/tables`). The addresses of its rooms then include this path.
"""

import re
import socket
from dataclasses import dataclass, field
from ipaddress import ip_address
from urllib.parse import urlsplit, urlunsplit

from dreadclock.wire.base import RoomId

_SCHEMES = {"http": "ws", "https": "wss"}
_LOOPBACK = ("127.0.0.1", "::1", "localhost")
_DISCARD = 9  # a port number; no packet is sent to it
_ROOM = re.compile(r"[a-z2-7]{26}")
_TOKEN = re.compile(r"[A-Za-z0-9_-]{1,80}")
_LINK_PATH = re.compile(r"(?P<prefix>.*)/r/(?P<room>[^/]*)/?")
_RECAP_PATH = re.compile(r"(?P<prefix>.*)/recap/(?P<room>[^/]*)/?")


@dataclass(frozen=True, slots=True)
class Link:
    """A room on a server, and the token that opens a seat in it.

    `server` is an http or https address without query and fragment, `room` an id of 26 characters, `token` the token of
    a seat. Raises ValueError if a part is malformed. Neither the message nor the link's `repr` shows the token.
    """

    server: str
    room: RoomId
    token: str = field(repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "server", server_address(self.server))
        if not _ROOM.fullmatch(self.room):
            raise ValueError(f"{self.room!r} is no room id: it has 26 of the characters a-z and 2-7")
        if not _TOKEN.fullmatch(self.token):
            raise ValueError("the token is malformed: it consists of letters, digits, - and _ only")

    def __str__(self) -> str:
        return f"{self.server}/r/{self.room}#{self.token}"

    @property
    def websocket(self) -> str:
        """The address of the room's websocket, without the token."""
        scheme, _, rest = self.server.partition("://")
        return f"{_SCHEMES[scheme]}://{rest}/ws/{self.room}"


def parse_link(link: str) -> Link:
    """Parse a `link`, `http://host:port/r/ROOM#TOKEN`. Raises ValueError if it is malformed."""
    return _parsed(link, _LINK_PATH, "a link to a room looks like http://host:port/r/ROOM#TOKEN")


def parse_recap_link(link: str) -> Link:
    """Parse a link to a recap. Its `token` is the secret of the recap. Raises ValueError if it is malformed."""
    return _parsed(link, _RECAP_PATH, "a link to a recap looks like http://host:port/recap/ROOM#SECRET")


def _parsed(link: str, pattern: re.Pattern[str], otherwise: str) -> Link:
    parts = urlsplit(link.strip())
    path = pattern.fullmatch(parts.path)
    if path is None or not parts.fragment:
        raise ValueError(otherwise)
    server = urlunsplit((parts.scheme, parts.netloc, path["prefix"], parts.query, ""))
    return Link(server, path["room"], parts.fragment)


def parse_address(address: str) -> tuple[str, RoomId]:
    """Return the server and the room of an address, `http://host:port/r/ROOM`. Raises ValueError if it is malformed."""
    parts = urlsplit(address.strip())
    path = _LINK_PATH.fullmatch(parts.path)
    if path is None or not _ROOM.fullmatch(path["room"]):
        raise ValueError("a room's address looks like http://host:port/r/ROOM")
    if parts.fragment:
        raise ValueError("this link already opens a seat: to knock, use the part before the #")
    return server_address(urlunsplit((parts.scheme, parts.netloc, path["prefix"], parts.query, ""))), path["room"]


def is_local(server: str) -> bool:
    """Tell whether the address of a server is a loopback address."""
    return urlsplit(server).hostname in _LOOPBACK


def is_this_machine(server: str) -> bool:
    """Tell whether a server's address is a loopback address, or the IP address of an interface of this machine."""
    if is_local(server):
        return True
    try:
        host = str(ip_address(urlsplit(server).hostname or ""))
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect((host, _DISCARD))  # sends nothing, but selects the source address
            return bool(probe.getsockname()[0] == host)  # packets to our own address have this address as source
    except (OSError, ValueError):  # no route; or a host name, which may belong to another machine
        return False


def server_address(server: str) -> str:
    """Return a server's address in a form to which paths can be added. Raises ValueError if it is malformed."""
    parts = urlsplit(server.strip())
    if parts.scheme not in _SCHEMES or not parts.hostname:
        raise ValueError(f"{server!r} is no server's address: it starts with http:// or https:// and a host")
    if parts.query or parts.fragment:
        raise ValueError("a server's address has no query and no fragment")
    return urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/"), "", ""))
