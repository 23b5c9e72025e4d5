"""Metrics for Prometheus, at /metrics. No label contains a room, a seat, an address or a user's text.

The values are computed on request. docs/operations.md explains every metric, and a test compares it with this file.
"""

import ipaddress
import platform
import secrets
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from importlib.metadata import version

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, GCCollector, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from dreadclock.wire.base import Role
from dreadclock_server.gateway.health import Health
from dreadclock_server.gateway.limits.caps import ConnectionLimiter
from dreadclock_server.gateway.ws.hubs import Hubs
from dreadclock_server.rooms.counters import PREFIX, histogram
from dreadclock_server.rooms.registry import Rooms

_VERSION = version("dreadclock-server")  # read once, because every call of `version` leaves reference cycles
_FOR_OPERATORS = "The figures are for the operator: send the key as a bearer token.\n"
_FOR_THIS_MACHINE = "The figures are for this machine alone until DREADCLOCK_METRICS_KEY is set.\n"
_PAUSES_S = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0)
_Family = type[GaugeMetricFamily] | type[CounterMetricFamily]


class Metrics(Collector):
    """The metrics of an application. `counted_in`: the limiters that count the application's connections."""

    def __init__(self, rooms: Rooms, hubs: Hubs, health: Health, counted_in: list[ConnectionLimiter]) -> None:
        self.counted_in = counted_in
        about = "Pauses of the process for garbage collections"
        self.gc_pauses_s = histogram("gc_pause_seconds", about, _PAUSES_S)
        self._rooms, self._hubs, self._health = rooms, hubs, health
        self._registry = CollectorRegistry()
        self._registry.register(self)
        ProcessCollector(registry=self._registry)
        GCCollector(registry=self._registry)

    def text(self) -> bytes:
        """Return all metrics in the text format of Prometheus."""
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics, except those of ProcessCollector and GCCollector."""
        yield from self._state()
        yield from self._connections()
        yield from self._rooms.counters.registry.collect()
        for times_s in (self._health.round_trip_s, self._health.lag_s, self.gc_pauses_s):
            yield from times_s.collect()

    def _state(self) -> Iterator[Metric]:
        about = {"version": _VERSION, "python": platform.python_version()}
        about["durability"] = self._rooms.store.durability
        yield InfoMetricFamily(PREFIX + "build", "The versions of this process", about)
        yield _gauge("ready", "Whether this process takes more clients, as in /readyz", self._health.objection is None)
        yield _gauge("store_up", "Whether the store takes writes", self._health.trouble is None)
        if (memory := self._health.memory) is not None:
            yield _gauge("store_memory_bytes", "Memory that the store uses", memory.used_bytes)
            yield _gauge(
                "store_memory_limit_bytes", "Memory at which writes are refused; 0: no limit", memory.limit_bytes
            )
        yield _gauge("rooms_live", "Rooms in memory", len(self._rooms.live))
        waiting = sum(room.waiting for room in self._rooms.live.values())
        yield _gauge("commands_waiting", "Commands in the queues of rooms", waiting)
        unreleased = {kind: len(objects) for kind, objects in self._rooms.counters.unreleased.items()}
        yield _by_label(GaugeMetricFamily, "unreleased", "Ended objects that are still in memory", "what", unreleased)

    def _connections(self) -> Iterator[Metric]:
        roles = Counter({role.value: 0 for role in Role})
        roles.update(connection.holder.actor.role.value for hub in self._hubs.all() for connection in hub.connections)
        about = "Connections that were welcomed and are open, by role"
        yield _by_label(GaugeMetricFamily, "connections", about, "role", roles)
        caps = Counter[str]()
        for limiter in self.counted_in:
            caps.update(limiter.turned_away)
        about = "Connections refused because there were too many"
        yield _by_label(CounterMetricFamily, "caps_reached", about, "cap", caps)


def _gauge(name: str, about: str, value: float) -> Metric:
    return GaugeMetricFamily(PREFIX + name, about, value)


def _by_label(kind: _Family, name: str, about: str, label: str, values: Mapping[str, int]) -> Metric:
    family = kind(PREFIX + name, about, labels=[label])
    for value, count in sorted(values.items()):
        family.add_metric([value], count)
    return family


def may_read(request: Request, keys: Collection[str]) -> bool:
    """Return whether a request has one of these keys as its bearer token.

    If `keys` is empty, return whether the request comes from this machine.
    """
    if not keys:
        return request.client is None or _is_here(request.client.host)
    scheme, _, shown = request.headers.get("authorization", "").partition(" ")
    is_right = [secrets.compare_digest(shown.strip(" ").encode(), key.encode()) for key in keys]
    return scheme.lower() == "bearer" and any(is_right)


def _is_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def show_metrics(metrics: Metrics, request: Request, metrics_key: str | None, operator_key: str | None) -> Response:
    """Return metrics for Prometheus. If the caller may not read them, return an answer with status 401."""
    keys = [key for key in (metrics_key, operator_key) if key is not None]
    if not may_read(request, keys):
        return PlainTextResponse(_FOR_OPERATORS if keys else _FOR_THIS_MACHINE, 401, {"WWW-Authenticate": "Bearer"})
    return Response(metrics.text(), media_type=CONTENT_TYPE_LATEST)
