"""What an operator can set, by flag or by environment."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from dreadclock_server.gateway.caps import Caps

LOOPBACK = ("127.0.0.1", "localhost", "::1")
PREFIX = "DREADCLOCK_"
HELLO_WITHIN_S = 5.0
LONGEST_HELLO_S = 60.0
MOST_CONNECTIONS = 1_000_000
_FRAMING = re.compile(r"https?://(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:[0-9]{1,5})?", re.IGNORECASE)


class BadSetting(Exception):
    """A setting makes no sense; the text says why in a sentence."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How a server runs."""

    host: str = "127.0.0.1"
    port: int = 7717
    data: Path = Path("dreadclock-data")
    store: str | None = None  # redis://, rediss:// or unix://; None: the embedded Valkey in `data`
    durability: str = "fsync"  # or "memory"
    trust_store_durability: bool = False
    operator_key: str | None = None  # needed to open rooms where the server listens beyond the loopback
    allowed_hosts: tuple[str, ...] = LOOPBACK  # of the Host header, without ports
    allowed_origins: frozenset[str] = field(default_factory=frozenset)  # beside the host's own
    frame_ancestors: tuple[str, ...] = ()  # origins whose pages may show ours in a frame
    public_url: str | None = None  # how links begin, behind a proxy
    hello_within_s: float = HELLO_WITHIN_S  # that a new connection has to say who it is
    caps: Caps = field(default_factory=Caps)

    @property
    def on_loopback(self) -> bool:
        """Whether only this machine can reach the server."""
        return self.host in LOOPBACK

    @property
    def is_reachable_by_name(self) -> bool:
        """Whether those who can reach the server know a name that it answers to."""
        return self.on_loopback or len(self.allowed_hosts) > len(LOOPBACK)

    @property
    def url(self) -> str:
        """Where the server is found."""
        name = self.host if self.on_loopback else self.allowed_hosts[-1]
        host = f"[{name}]" if ":" in name else name
        return self.public_url or f"http://{host}:{self.port}"


def names(text: str) -> tuple[str, ...]:
    """Split a list of names at its commas."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def from_environment(environment: Mapping[str, str] = os.environ) -> Settings:
    """Read the settings that have no flag of their own. Raises BadSetting."""
    hosts = names(environment.get(PREFIX + "ALLOWED_HOSTS", ""))
    return Settings(
        operator_key=environment.get(PREFIX + "OPERATOR_KEY") or None,
        allowed_hosts=(*LOOPBACK, *hosts),
        allowed_origins=frozenset(names(environment.get(PREFIX + "ALLOWED_ORIGINS", ""))),
        frame_ancestors=_origins(PREFIX + "FRAME_ANCESTORS", environment),
        public_url=(environment.get(PREFIX + "PUBLIC_URL") or "").rstrip("/") or None,
        hello_within_s=_seconds(PREFIX + "HELLO_WITHIN_S", environment),
        caps=_caps(environment),
    )


def _caps(environment: Mapping[str, str]) -> Caps:
    names = {"in_all": "", "per_address": "_PER_ADDRESS", "per_room": "_PER_ROOM", "per_seat": "_PER_SEAT"}
    given = {field: _count(f"{PREFIX}MAX_CONNECTIONS{name}", environment) for field, name in names.items()}
    return Caps(**{field: count for field, count in given.items() if count is not None})


def _count(name: str, environment: Mapping[str, str]) -> int | None:
    text = environment.get(name)
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and 0 < int(text[:10]) <= MOST_CONNECTIONS):
        raise BadSetting(f"{name} is a number of connections from 1 to {MOST_CONNECTIONS}, not {text!r}.")
    return int(text)


def _origins(name: str, environment: Mapping[str, str]) -> tuple[str, ...]:
    origins = names(environment.get(name, ""))
    if [origin.lower() for origin in origins] == ["none"]:
        return ()
    for origin in origins:
        if not _FRAMING.fullmatch(origin):
            raise BadSetting(
                f"{name} is none, or origins such as https://vtt.example or https://*.vtt.example, "
                f"separated by commas, not {origin!r}."
            )
    return origins


def _seconds(name: str, environment: Mapping[str, str]) -> float:
    text = environment.get(name) or str(HELLO_WITHIN_S)
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= LONGEST_HELLO_S:
        raise BadSetting(f"{name} is a number of seconds up to {LONGEST_HELLO_S:.0f}, not {text!r}.")
    return seconds
