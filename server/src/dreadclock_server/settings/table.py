"""The table of settings. A row is all that a new setting takes."""

from dataclasses import dataclass, field, fields
from ipaddress import ip_address
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from dreadclock.cli.installed import USUAL_PORT, data_folder
from dreadclock_server.gateway.limits.caps import MOST, MOST_PER_ADDRESS, MOST_PER_ROOM, MOST_PER_SEAT, Caps
from dreadclock_server.gateway.limits.rates import Rate, Rates
from dreadclock_server.settings import kinds
from dreadclock_server.settings.kinds import ValueKind

T = TypeVar("T")

LOOPBACK = ("127.0.0.1", "localhost", "::1")
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # all addresses of a machine, with one that it reaches itself by
PREFIX = "DREADCLOCK_"
NOBODY = frozenset[str]()
HELLO_WITHIN_S = 5.0
LONGEST_HELLO_S = 60.0
_RATE = kinds.rate()
DRAIN_S = 10.0
LONGEST_DRAIN_S = 300.0
_CONNECTIONS = kinds.whole(1, 1_000_000, "connections")


def _row(default: T, kind: ValueKind[T], meaning: str) -> T:
    return field(default=default, metadata={"kind": kind, "meaning": meaning})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a server runs: of each setting its default, what values there are, and what it means in a sentence.

    The flag of `hello_within_s` is `--hello-within-s`, its variable DREADCLOCK_HELLO_WITHIN_S.
    """

    host: str = _row("127.0.0.1", kinds.text("address"), "The address to listen on.")
    port: int = _row(USUAL_PORT, kinds.whole(1, 65535), "The port to listen on.")
    lan: bool = _row(
        False,
        kinds.switch(),
        "Let other devices of the network in: listen on all addresses, and keep an operator's key in the data folder"
        " unless one is set.",
    )
    data: Path | None = _row(
        None,
        kinds.path(),
        "The folder of the embedded Valkey and of the links. auto: `dreadclock-data` in the current folder if there is"
        " one, or else the user's data directory (`~/.local/share/dreadclock` on Linux).",
    )
    store: str | None = _row(
        None,
        kinds.store_address(),
        "A Redis or Valkey of your own (redis://, rediss:// or unix://) instead of the embedded Valkey.",
    )
    durability: str = _row(
        "fsync", kinds.one_of("fsync", "memory"), "fsync: what is answered is on disk; memory: it may not be."
    )
    disk_reserve_mib: int = _row(
        64,
        kinds.whole(1, 1_000_000, "MiB"),
        "With less room than that on the disk of the embedded Valkey no writes are taken, and reading goes on.",
    )
    store_memory_mib: int | None = _row(
        None,
        kinds.whole_or(kinds.AUTO, 16, 100_000_000, "MiB"),
        "With more than that in the memory of the embedded Valkey no writes are taken, and reading goes on. auto: half"
        " of what the machine, its container or `ulimit -v` leave beside 256 MiB for the server itself, at least 64.",
    )
    trust_store_durability: bool = _row(
        False, kinds.switch(), "Take your word for the settings of a store that does not show them."
    )
    operator_key: str | None = _row(
        None,
        kinds.secret(),
        "What opening a room takes; needed where others can reach the server. Safer as a variable, since a flag is"
        " seen by all users of the machine.",
    )
    metrics_key: str | None = _row(
        None,
        kinds.secret(),
        "What reading /metrics takes, beside the operator's key; where there is neither, only this machine may.",
    )
    allowed_hosts: tuple[str, ...] = _row(
        LOOPBACK, kinds.names(beside=LOOPBACK), "The names that the server is reached by, beside the loopback's."
    )
    allowed_origins: frozenset[str] = _row(
        NOBODY, kinds.pages(), "The origins of pages elsewhere that may connect, and read what is answered (CORS)."
    )
    frame_ancestors: tuple[str, ...] = _row(
        (), kinds.framing_pages(), "The origins of pages elsewhere that may show ours in a frame."
    )
    public_url: str | None = _row(None, kinds.base_address(), "How links begin, behind a proxy.")
    trusted_proxies: str | None = _row(
        None,
        kinds.proxies(),
        "The proxies whose X-Forwarded-For is believed, separated by commas; if not set, the variable"
        " FORWARDED_ALLOW_IPS says it, and otherwise they are 127.0.0.1 and ::1. With * everybody is believed, so that"
        " whoever reaches the server past the proxy takes on any address, and no limit of an address holds.",
    )
    hello_within_s: float = _row(
        HELLO_WITHIN_S, kinds.seconds(LONGEST_HELLO_S), "The time that a new connection has to say who it is."
    )
    drain_s: float = _row(
        DRAIN_S, kinds.seconds(LONGEST_DRAIN_S), "The time that an ending server gives what is under way."
    )
    drain_notice_s: float = _row(
        0.0,
        kinds.number(0, LONGEST_DRAIN_S, "seconds"),
        "How long an ending server says so at /readyz, and goes on, before it takes leave.",
    )
    log_format: str = _row(
        "auto", kinds.one_of("auto", "console", "json"), "auto: for people on a terminal, else json."
    )
    log_level: str = _row("info", kinds.one_of("debug", "info", "warning", "error"), "The least that is logged.")
    access_log: bool = _row(False, kinds.switch(), "Log each call and websocket that is over.")
    first_room: bool = _row(True, kinds.switch(), "Open a room at the first start, and print its links at each.")
    max_connections: int = _row(MOST, _CONNECTIONS, "The most connections at a time, in all.")
    max_connections_per_address: int = _row(
        MOST_PER_ADDRESS,
        _CONNECTIONS,
        "The most connections of one address, which of IPv6 is a network of 64 bits; one of 48 has four times as many.",
    )
    max_connections_per_room: int = _row(MOST_PER_ROOM, _CONNECTIONS, "The most connections to one room.")
    max_connections_per_seat: int = _row(
        MOST_PER_SEAT, _CONNECTIONS, "The most connections of one seat, spectators' apart."
    )
    max_room_mib: int | None = _row(
        128,
        kinds.whole_or(kinds.NONE, 1, 1_000_000, "MiB"),
        "The most that a room's log may have in public, a sixteenth of which is kept for its gm's commands; then"
        " commands are refused in it, and all of it can be read. What only the gm sees may take a quarter as much"
        " beside it.",
    )
    tables_in_play: int = _row(
        8,
        kinds.whole(0, 1000),
        "The most tables at a time, in all processes on a store, that play a story by themselves. Anybody may open one"
        " from the first page, even where opening a room takes a key. It is removed when nobody has watched for 10"
        " minutes. All of them, with those that were taken over on a server with a key, hold at most an eighth of the"
        " store's memory limit, or 64 MiB where it has none. An address may have a quarter, and at least one. 0: none.",
    )
    limits: bool = _row(
        True,
        kinds.switch(),
        "Whether the limits that follow hold, for each process by itself. 20/s:40 is 20 a second in the long run, and"
        " 40 at once after a rest.",
    )
    limit_gm: Rate | None = _row(Rate(50, 1, 100), _RATE, "Commands of the gm's seat of a room.")
    limit_player: Rate | None = _row(Rate(20, 1, 40), _RATE, "Commands of one player's seat.")
    limit_spectator: Rate | None = _row(Rate(2, 1, 10), _RATE, "Commands of one spectators' seat.")
    limit_integration: Rate | None = _row(Rate(50, 1, 100), _RATE, "Commands of one integration's seat.")
    limit_commands: Rate | None = _row(Rate(200, 1, 400), _RATE, "Commands from one address, of all its seats.")
    limit_refusals: Rate | None = _row(
        Rate(500, 1, 2000),
        _RATE,
        "Refused commands from one address that are to be sent again; one more closes the connection.",
    )
    limit_requests: Rate | None = _row(
        Rate(100, 1, 100), _RATE, "HTTP requests of any kind from one address; more wait their turn."
    )
    limit_joins: Rate | None = _row(Rate(20, 1, 200), _RATE, "Websockets and event streams opened from one address.")
    limit_calls: Rate | None = _row(Rate(50, 1, 200), _RATE, "REST calls from one address.")
    limit_reads: Rate | None = _row(
        Rate(2048, 1, 16_384),
        _RATE,
        "KiB of views, undo lists and logs that one address is sent, what connections and streams begin with among"
        " them, for each set of channels; calls beyond it are refused, connections wait.",
    )
    limit_odds: Rate | None = _row(Rate(10, 1, 60), _RATE, "Questions for odds from one address.")
    limit_rooms: Rate | None = _row(Rate(30, 60, 30), _RATE, "Rooms opened from one address, imports among them.")
    limit_imports: Rate | None = _row(Rate(6, 60, 6), _RATE, "Rooms imported from one address.")
    limit_recaps: Rate | None = _row(Rate(12, 60, 12), _RATE, "Recaps made for one address.")
    limit_knocks: Rate | None = _row(Rate(6, 60, 6), _RATE, "Knocks, by which people ask for seats, from one address.")
    limit_in_play: Rate | None = _row(Rate(6, 60, 6), _RATE, "Tables in play opened from one address.")
    limit_demo_room: Rate | None = _row(
        Rate(5, 1, 10), _RATE, "Commands in one table in play, of all its seats together; its own story's do not count."
    )
    limit_all_rooms: Rate | None = _row(
        Rate(5, 1, 100), _RATE, "Rooms opened by everyone together; tables in play count apart."
    )

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
        """Whether others are to reach the server, be it through a proxy on this machine."""
        names = {*self.allowed_hosts, urlsplit(self.public_url or "http://localhost").hostname}
        return not self.on_loopback or not names <= {*LOOPBACK}

    @property
    def further_names(self) -> tuple[str, ...]:
        """The names that the server is reached by, without the loopback's."""
        return tuple(name for name in self.allowed_hosts if name not in LOOPBACK)

    @property
    def is_everywhere(self) -> bool:
        """Whether the server listens at all addresses of its machine."""
        return self.host in EVERYWHERE

    @property
    def is_reachable_by_name(self) -> bool:
        """Whether those who can reach the server know a name that it answers to, or its address."""
        return self.on_loopback or _is_address(self.host) or bool(self.further_names)

    @property
    def url(self) -> str:
        """Where the server is found."""
        name = self.host if self.on_loopback or not self.further_names else self.further_names[-1]
        name = EVERYWHERE.get(name, name)
        host = f"[{name}]" if ":" in name else name
        return self.public_url or f"http://{host}:{self.port}"

    @property
    def caps(self) -> Caps:
        """The most connections there may be."""
        return Caps(
            in_all=self.max_connections,
            per_address=self.max_connections_per_address,
            per_room=self.max_connections_per_room,
            per_seat=self.max_connections_per_seat,
        )

    @property
    def rates(self) -> Rates:
        """How often something may be done."""
        if not self.limits:
            return Rates()
        return Rates(**{each.name: getattr(self, f"limit_{each.name}") for each in fields(Rates)})


def _is_address(host: str) -> bool:
    try:
        return bool(ip_address(host))
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class Setting:
    """A row of the table."""

    name: str
    default: Any
    kind: ValueKind[Any]
    meaning: str

    @property
    def flag(self) -> str:
        """Its option of `serve`."""
        return "--" + self.name.replace("_", "-")

    @property
    def variable(self) -> str:
        """Its variable in the environment."""
        return PREFIX + self.name.upper()

    @property
    def shown_default(self) -> str:
        """Its default, in words."""
        return self.kind.show(self.default)


SETTINGS = tuple(Setting(each.name, each.default, **each.metadata) for each in fields(Settings))
