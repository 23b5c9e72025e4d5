"""Connect the parts of the server: the store, live rooms, and the gateway."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import structlog
from starlette.applications import Starlette
from starlette.types import ASGIApp

from dreadclock_server.gateway.health import Health
from dreadclock_server.gateway.knocks import LapsedKnocks
from dreadclock_server.gateway.limits.caps import Caps, ConnectionLimiter
from dreadclock_server.gateway.limits.in_flight import InFlightBudget
from dreadclock_server.gateway.limits.rates import Limits
from dreadclock_server.gateway.metrics import Metrics
from dreadclock_server.gateway.middleware import AccessLog, AllowedHosts, SecurityHeaders, pattern_of, with_cors
from dreadclock_server.gateway.pages import pages
from dreadclock_server.gateway.rest.routes import HANDLERS, routes
from dreadclock_server.gateway.rest.workers import Calculations
from dreadclock_server.gateway.ws import socket
from dreadclock_server.gateway.ws.hubs import Hubs
from dreadclock_server.gateway.ws.joining import Joining
from dreadclock_server.gateway.ws.socket import WebsocketRouter
from dreadclock_server.in_play import calls as in_play_calls
from dreadclock_server.in_play.shows import Shows
from dreadclock_server.rooms.registry import Rooms
from dreadclock_server.settings.table import Settings
from dreadclock_server.store.base import Store

_log = structlog.get_logger()
_LAST_WORDS_S = 2.0  # how long a shutdown waits for the store
MOST_IMPORTS = 4  # the most imports in the queue, which holds their bodies in memory
MOST_RECAPS = 8  # recaps in the queue, including the recap that is being made
# how many calls may wait for the gm's answer to a knock (a request for a seat); further calls return at once
LONG_POLLS = Caps(in_all=256, per_address=8)


@dataclass(frozen=True, slots=True)
class Application:
    """The parts of a server. `asgi`: the ASGI application."""

    asgi: ASGIApp
    rooms: Rooms
    hubs: Hubs
    health: Health
    metrics: Metrics
    limits: Limits
    in_flight: InFlightBudget
    lapsed_knocks: LapsedKnocks


def create_app(store: Store, settings: Settings, links_key: str | None = None) -> Application:
    """Make a server for a store.

    `links_key`: the secret that allows making links for gms, if the settings have no operator's key.
    """
    rooms = Rooms(store, settings.max_room_mib and settings.max_room_mib * 1024 * 1024)
    hubs = Hubs(rooms)
    health, connection_limiter = Health(store), ConnectionLimiter(settings.caps)
    metrics = Metrics(rooms, hubs, health, [connection_limiter])
    limits, in_flight = Limits(settings.rates), InFlightBudget()
    joining = Joining(rooms, hubs, limits, settings.caps, in_flight)
    lapsed_knocks = LapsedKnocks()
    shows = Shows(rooms, settings.tables_in_play, keeps=settings.operator_key is None)
    parts = {  # the keys are the names of the handlers' parameters (see gateway/rest/routes.py)
        "store": store,
        "rooms": rooms,
        "hubs": hubs,
        "health": health,
        "metrics": metrics,
        "limits": limits,
        "in_flight": in_flight,
        "connection_limiter": connection_limiter,
        "joining": joining,
        "shows": shows,
        "operator_key": settings.operator_key,  # None: anyone who reaches the server may open rooms
        "metrics_key": settings.metrics_key,  # a key that opens only /metrics
        "links_key": settings.operator_key or links_key,
        "public_url": settings.public_url,  # the start of links; None: the server's address in the request
        "names": settings.further_names,  # the host names by which other devices reach the server
        "is_everywhere": settings.is_everywhere,  # whether the server listens at all addresses of its machine
        "lapsed_knocks": lapsed_knocks,
        "long_polls": ConnectionLimiter(LONG_POLLS),
        "calculations": Calculations(),
        "drawings": Calculations(),  # makes QR codes: a long link takes 16 ms
        "import_queue": Calculations(MOST_IMPORTS),
        "recap_queue": Calculations(MOST_RECAPS),
    }
    return Application(_asgi(settings, parts), rooms, hubs, health, metrics, limits, in_flight, lapsed_knocks)


def _asgi(settings: Settings, parts: dict[str, Any]) -> ASGIApp:
    """Return the ASGI application: all routes, wrapped in the middleware."""
    files = pages.all_files()
    joining, connection_limiter = parts["joining"], parts["connection_limiter"]
    all_routes = [
        *routes(parts, HANDLERS | in_play_calls.HANDLERS if settings.tables_in_play else HANDLERS),
        *socket.routes(joining.limits, connection_limiter),
        *pages.routes(files, settings.frame_ancestors, settings.public_url),
    ]
    lifespan = partial(_lifespan, *(parts[name] for name in ("rooms", "hubs", "health", "shows")))
    starlette = Starlette(routes=all_routes, lifespan=lifespan, exception_handlers={404: pages.not_found(files)})
    starlette.router.redirect_slashes = False  # a redirect would use an absolute address from the Host header
    serve = partial(
        socket.serve_connection,
        joining=joining,
        connection_limiter=connection_limiter,
        hello_within_s=settings.hello_within_s,
    )
    everything = WebsocketRouter(socket.PATH, serve, starlette)
    elsewhere = pattern_of(settings.allowed_origins)
    asgi: ASGIApp = SecurityHeaders(AllowedHosts(everything, settings.allowed_hosts, elsewhere))
    if settings.allowed_origins:
        asgi = with_cors(asgi, elsewhere)
    return AccessLog(asgi) if settings.access_log else asgi


@asynccontextmanager
async def _lifespan(rooms: Rooms, hubs: Hubs, health: Health, shows: Shows, app: Starlette) -> AsyncIterator[None]:
    """Run the background tasks of the server."""
    try:
        await rooms.start()
        hubs.start()
        shows.start()
        await health.start()
    except Exception:  # logged here, because the ASGI server would log it as plain text
        _log.exception("bug", where="start")
        raise
    yield
    await shows.aclose()
    await health.aclose()
    with suppress(TimeoutError):  # while the store is down, closing would wait for ever
        async with asyncio.timeout(_LAST_WORDS_S):
            await hubs.aclose()
            await rooms.aclose()
