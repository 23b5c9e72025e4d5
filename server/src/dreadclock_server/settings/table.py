"""The table of settings. To add a setting, add a row here."""

from dataclasses import dataclass, fields
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict
from pydantic.fields import FieldInfo

from dreadclock.cli.installed import USUAL_PORT, data_folder
from dreadclock_server.gateway.limits.caps import MOST, MOST_PER_ADDRESS, MOST_PER_ROOM, MOST_PER_SEAT, Caps
from dreadclock_server.gateway.limits.rates import Rate, Rates
from dreadclock_server.settings.values import (
    AUTO,
    NONE,
    BaseAddress,
    Folder,
    FramingOrigins,
    HostName,
    Kind,
    Limit,
    Origins,
    Proxies,
    Secret,
    StoreAddress,
    Switch,
    listed,
    seconds,
    split,
    whole,
    whole_or,
    words,
)

LOOPBACK = ("127.0.0.1", "localhost", "::1")
# The keys mean "all addresses" of IPv4 and of IPv6. The values are the loopback addresses.
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}
PREFIX = "DREADCLOCK_"
HELLO_WITHIN_S = 5.0
LONGEST_HELLO_S = 60.0
DRAIN_S = 10.0
LONGEST_DRAIN_S = 300.0
Connections = Annotated[int, whole(1, 1_000_000, "connections")]
HostNames = Annotated[
    tuple[HostName, ...],
    listed(
        "names such as tables.example or 192.168.1.20, without http:// and port",
        "names",
        lambda text: (*LOOPBACK, *split(text)),
    ),
]
Durability = Literal["fsync", "memory"]
LogFormat = Literal["auto", "console", "json"]
LogLevel = Literal["debug", "info", "warning", "error"]


class Settings(BaseModel):
    """The settings of a server. pydantic parses texts, and validates all values.

    The setting `hello_within_s` has the flag `--hello-within-s` and the variable DREADCLOCK_HELLO_WITHIN_S.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    host: Annotated[str, Kind("an IP address or host name", "address")] = "127.0.0.1"
    """The address to listen on. By default, only this machine can connect."""
    port: Annotated[int, whole(1, 65535)] = USUAL_PORT
    """The port to listen on."""
    lan: Switch = False
    """Let other devices in the network connect. If `--host` is a loopback address (the default), listen on all IPv4
    addresses instead. If no operator's key is set, make one and keep it in the data folder."""
    data: Folder = None
    """The folder for the embedded Valkey, the links of the first room, and keys that the server makes. auto:
    `dreadclock-data` in the current folder if it exists, otherwise the user's data folder (on Linux
    `~/.local/share/dreadclock`)."""
    store: StoreAddress = None
    """A Redis or Valkey of your own (redis://, rediss:// or unix://) instead of the embedded Valkey."""
    durability: Annotated[Durability, words(Durability)] = "fsync"
    """fsync: acknowledged commands are on disk. memory: a crash may lose them; the embedded Valkey keeps no files."""
    disk_reserve_mib: Annotated[int, whole(1, 1_000_000, "MiB")] = 64
    """If less than this is free on the disk of the embedded Valkey, the server takes no writes. Reading still works."""
    store_memory_mib: Annotated[int | None, whole_or(AUTO, 16, 100_000_000, "MiB")] = None
    """If the embedded Valkey uses more memory than this, the server takes no writes. Reading still works. auto:
    (available memory - 256 MiB) / 2, but at least 64 MiB. The available memory is that of the machine, or the limit of
    its container or of `ulimit -v` if that is lower."""
    trust_store_durability: Switch = False
    """Start even if your own store refuses to show its durability settings, as some hosted stores do."""
    operator_key: Secret = None
    """A password without which nobody can open a room, except demo rooms. Required if others can reach the server
    (`--lan` makes a key). Set it by the variable, because all users of the machine can see flags."""
    metrics_key: Secret = None
    """A key for /metrics only. The operator's key is also a key for /metrics. If neither key is set, only this machine
    may read /metrics."""
    allowed_hosts: HostNames = LOOPBACK
    """Further host names under which the server answers. The three defaults always apply, too."""
    allowed_origins: Origins = frozenset()
    """Other sites whose pages may connect to the server, call it and read its answers (CORS)."""
    frame_ancestors: FramingOrigins = ()
    """Other sites whose pages may show the server's pages in a frame."""
    public_url: BaseAddress = None
    """The address that the server writes into links. Behind a proxy, this is the proxy's address, as users see it. Put
    its host name into `--allowed-hosts`, too."""
    trusted_proxies: Proxies = ()
    """The proxies whose header X-Forwarded-For the server believes. If not set: the proxies in the variable
    FORWARDED_ALLOW_IPS, or else 127.0.0.1 and ::1. With *, the server believes everybody. Then anyone who reaches the
    server without the proxy can claim any address, and the limits for each address are useless."""
    hello_within_s: Annotated[float, seconds(LONGEST_HELLO_S)] = HELLO_WITHIN_S
    """How soon a client must send its hello (the first message, with its token) on a new websocket."""
    drain_s: Annotated[float, seconds(LONGEST_DRAIN_S)] = DRAIN_S
    """How long a server that shuts down waits for calls and commands that have begun."""
    drain_notice_s: Annotated[float, seconds(LONGEST_DRAIN_S, positive=False)] = 0.0
    """How long a server that shuts down still works normally while /readyz already answers 503, so that load balancers
    notice the shutdown."""
    log_format: Annotated[LogFormat, words(LogFormat)] = "auto"
    """auto: readable text on a terminal, otherwise json."""
    log_level: Annotated[LogLevel, words(LogLevel)] = "info"
    """The lowest level that is logged."""
    access_log: Switch = False
    """Log each finished call and websocket."""
    first_room: Switch = True
    """Open a room at the first start, and print its links at every start."""
    max_connections: Connections = MOST
    """The most connections to this server process at a time."""
    max_connections_per_address: Connections = MOST_PER_ADDRESS
    """The most connections from one address. An IPv6 network of 48 bits (/48) may have four times as many."""
    max_connections_per_room: Connections = MOST_PER_ROOM
    """The most connections to one room."""
    max_connections_per_seat: Connections = MOST_PER_SEAT
    """The most connections of one seat. This limit does not apply to spectators' seats."""
    max_room_mib: Annotated[int | None, whole_or(NONE, 1, 1_000_000, "MiB")] = 128
    """The most public data in a room's log. The last sixteenth of this space is reserved for the gm's commands. A full
    room refuses commands, but can be read. Data that only the gm sees may take another quarter of this size."""
    tables_in_play: Annotated[int, whole(0, 1000)] = 8
    """The most demo rooms that play their story at a time, in all server processes with the same store. 0: no demo
    rooms. At most a quarter of this number (rounded down, but at least 1) may be from one address, and twice as many
    from an IPv6 /48 network. For each demo room that may play, four more demo rooms may exist whose story does not
    play. Everyone may open a demo room on the first page, without the operator's key. All demo rooms together use at
    most an eighth of the store's memory limit, or 64 MiB if the store has no limit. A demo room is removed when nobody
    has watched or been connected for 10 minutes, and at the latest 24 hours after it was opened. A visitor may take a
    demo room over and play in it. If no operator's key is set, the demo room then becomes an ordinary room. Otherwise
    it stays a demo room, but is removed only after an hour without a connection, instead of 10 minutes."""
    limits: Switch = True
    """Whether the rates in the rows below apply. Each server process counts for itself. 20/s:40 means 20 a second on
    average, and up to 40 at once after a pause. The units are s, min and h."""
    limit_gm: Limit = Rate(50, 1, 100)
    """Commands of the gm's seat of a room."""
    limit_player: Limit = Rate(20, 1, 40)
    """Commands of one player's seat."""
    limit_spectator: Limit = Rate(2, 1, 10)
    """Commands of one spectator's seat."""
    limit_integration: Limit = Rate(50, 1, 100)
    """Commands of one integration's seat."""
    limit_commands: Limit = Rate(200, 1, 400)
    """Commands of all seats from one address."""
    limit_refusals: Limit = Rate(500, 1, 2000)
    """Refusals to one address with the codes `rate_limited` and `out_of_order`, after which a client sends the refused
    command again. Beyond this rate, the server closes the connection."""
    limit_requests: Limit = Rate(100, 1, 100)
    """HTTP requests of any kind from one address. Further requests wait."""
    limit_joins: Limit = Rate(20, 1, 200)
    """Websockets and event streams opened from one address."""
    limit_calls: Limit = Rate(50, 1, 200)
    """REST calls from one address."""
    limit_reads: Limit = Rate(2048, 1, 16_384)
    """KiB that one address may read: states of rooms, lists of what can be undone, logs, and the first data of
    connections and event streams. Reads that include the gm's secrets count separately, at the same rate. Beyond this
    rate, the server refuses calls, and new connections wait."""
    limit_odds: Limit = Rate(10, 1, 60)
    """Calls for odds from one address."""
    limit_rooms: Limit = Rate(30, 60, 30)
    """Rooms opened from one address, including imports."""
    limit_imports: Limit = Rate(6, 60, 6)
    """Rooms imported from one address."""
    limit_recaps: Limit = Rate(12, 60, 12)
    """Recaps made for one address."""
    limit_knocks: Limit = Rate(6, 60, 6)
    """Knocks (requests for a seat) from one address."""
    limit_in_play: Limit = Rate(6, 60, 6)
    """Demo rooms opened from one address."""
    limit_demo_room: Limit = Rate(5, 1, 10)
    """Commands in one demo room, of all its seats together. The commands of the story do not count."""
    limit_all_rooms: Limit = Rate(5, 1, 100)
    """Rooms opened by everyone together. Demo rooms count separately, at the same rate."""

    @property
    def on_loopback(self) -> bool:
        """Whether only this machine can reach the server."""
        return self.host in LOOPBACK

    @property
    def data_folder(self) -> Path:
        """The folder of the embedded Valkey and of the links."""
        return data_folder(self.data)

    @property
    def is_for_others(self) -> bool:
        """Whether other machines can reach the server, directly or through a proxy on this machine."""
        names = {*self.allowed_hosts, urlsplit(self.public_url or "http://localhost").hostname}
        return not self.on_loopback or not names <= {*LOOPBACK}

    @property
    def further_names(self) -> tuple[str, ...]:
        """The server's host names, without the loopback's."""
        return tuple(name for name in self.allowed_hosts if name not in LOOPBACK)

    @property
    def is_everywhere(self) -> bool:
        """Whether the server listens at all addresses of its machine."""
        return self.host in EVERYWHERE

    @property
    def is_reachable_by_name(self) -> bool:
        """Whether clients can reach the server by a host name or address that it accepts in requests."""
        return self.on_loopback or _is_address(self.host) or bool(self.further_names)

    @property
    def url(self) -> str:
        """The address for links to the server."""
        name = self.host if self.on_loopback or not self.further_names else self.further_names[-1]
        name = EVERYWHERE.get(name, name)
        host = f"[{name}]" if ":" in name else name
        return self.public_url or f"http://{host}:{self.port}"

    @property
    def caps(self) -> Caps:
        """The limits on connections."""
        return Caps(
            in_all=self.max_connections,
            per_address=self.max_connections_per_address,
            per_room=self.max_connections_per_room,
            per_seat=self.max_connections_per_seat,
        )

    @property
    def rates(self) -> Rates:
        """The rate limits."""
        if not self.limits:
            return Rates()
        return Rates(**{rate.name: getattr(self, f"limit_{rate.name}") for rate in fields(Rates)})


def _is_address(host: str) -> bool:
    try:
        return bool(ip_address(host))
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting, as a row of the table."""

    name: str
    default: Any
    kind: Kind
    meaning: str

    @property
    def is_switch(self) -> bool:
        """Whether the flag takes no value."""
        return isinstance(self.default, bool)

    @property
    def flag(self) -> str:
        """The command-line option of `dreadclock serve`."""
        return "--" + self.name.replace("_", "-")

    @property
    def variable(self) -> str:
        """The environment variable."""
        return PREFIX + self.name.upper()

    @property
    def shown_default(self) -> str:
        """The default, as text."""
        return self.kind.show(self.default)


def _setting(name: str, field: FieldInfo) -> Setting:
    kind = next(part for part in field.metadata if isinstance(part, Kind))
    return Setting(name, field.default, kind, " ".join((field.description or "").split()))


SETTINGS = tuple(_setting(*field) for field in Settings.model_fields.items())
