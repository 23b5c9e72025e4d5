"""The server put together: a store, live rooms, and the gateway around them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial

import structlog
from starlette.applications import Starlette
from starlette.routing import BaseRoute
from starlette.types import ASGIApp

from dreadclock_server.gateway.health import Health
from dreadclock_server.gateway.limits.caps import ConnectionLimiter
from dreadclock_server.gateway.limits.in_flight import InFlightBudget
from dreadclock_server.gateway.limits.rates import Limits
from dreadclock_server.gateway.metrics import Metrics
from dreadclock_server.gateway.middleware.access_log import AccessLog
from dreadclock_server.gateway.middleware.allowed_hosts import AllowedHosts
from dreadclock_server.gateway.middleware.origins import pattern_of, with_cors
from dreadclock_server.gateway.middleware.security_headers import SecurityHeaders
from dreadclock_server.gateway.pages import pages
from dreadclock_server.gateway.rest import (
    addresses,
    events,
    imports,
    knock_calls,
    logs,
    operators,
    recap_calls,
    room_calls,
)
from dreadclock_server.gateway.rest.calls import Api
from dreadclock_server.gateway.ws import socket
from dreadclock_server.gateway.ws.hubs import Hubs
from dreadclock_server.gateway.ws.joining import Services
from dreadclock_server.gateway.ws.routing import WebsocketRouter
from dreadclock_server.in_play import calls as in_play_calls
from dreadclock_server.in_play.shows import Shows
from dreadclock_server.rooms.registry import Rooms
from dreadclock_server.settings import Settings
from dreadclock_server.store.base import Store

_log = structlog.get_logger()
_LAST_WORDS_S = 2.0  # for what is under way with the store


@dataclass(frozen=True, slots=True)
class Application:
    """A server put together: `asgi` is what an ASGI server runs."""

    asgi: ASGIApp
    api: Api

    @property
    def rooms(self) -> Rooms:
        """The live rooms."""
        return self.api.rooms


def create_app(store: Store, settings: Settings, links_key: str | None = None) -> Application:
    """Put a server together around a store; `links_key`: makes links for gms where there is no operator's key."""
    rooms = Rooms(store, settings.max_room_mib and settings.max_room_mib * 1024 * 1024)
    hubs = Hubs(rooms)
    health, connection_limiter = Health(store), ConnectionLimiter(settings.caps)
    metrics = Metrics(rooms, hubs, health, [connection_limiter])
    limits, in_flight = Limits(settings.rates), InFlightBudget()
    services = Services(rooms, hubs, settings.hello_within_s, connection_limiter, limits, in_flight)
    keys = settings.operator_key, settings.metrics_key
    reached = settings.further_names, settings.is_everywhere
    links_key = settings.operator_key or links_key
    api = Api(rooms, hubs, health, metrics, *keys, settings.public_url, limits, in_flight, *reached, links_key)
    shows = Shows(rooms, settings.tables_in_play, keeps=settings.operator_key is None)
    return Application(_asgi(settings, api, services, shows), api)


def _asgi(settings: Settings, api: Api, services: Services, shows: Shows) -> ASGIApp:
    """Return all routes, within the middleware that the settings ask for."""
    files = pages.all_files()
    routes = [
        *_calls(settings, api, services, shows),
        *socket.routes(services),
        *pages.routes(files, settings.frame_ancestors, settings.public_url),
    ]
    lifespan = partial(_lifespan, api=api, shows=shows)
    starlette = Starlette(routes=routes, lifespan=lifespan, exception_handlers={404: pages.not_found(files)})
    starlette.router.redirect_slashes = False  # it would lead to an absolute address made from the Host header
    everything = WebsocketRouter(socket.PATH, partial(socket.serve_connection, services=services), starlette)
    elsewhere = pattern_of(settings.allowed_origins)
    asgi: ASGIApp = SecurityHeaders(AllowedHosts(everything, settings.allowed_hosts, elsewhere))
    if settings.allowed_origins:
        asgi = with_cors(asgi, elsewhere)
    return AccessLog(asgi) if settings.access_log else asgi


def _calls(settings: Settings, api: Api, services: Services, shows: Shows) -> list[BaseRoute]:
    """Return the routes of the REST API; of two that match an address, the first is taken."""
    return [
        *imports.routes(api),
        *logs.routes(api),
        *events.routes(api, services),
        *(in_play_calls.routes(api, shows) if settings.tables_in_play else ()),
        *room_calls.routes(api),
        *recap_calls.routes(api),
        *addresses.routes(api),
        *knock_calls.routes(api),
        *operators.routes(api),
    ]


@asynccontextmanager
async def _lifespan(app: Starlette, api: Api, shows: Shows) -> AsyncIterator[None]:
    """Run what works in the background while the server serves."""
    try:
        await api.rooms.start()
        api.hubs.start()
        shows.start()
        await api.health.start()
    except Exception:  # of which the ASGI server would log all that it says
        _log.exception("bug", where="start")
        raise
    yield
    await shows.aclose()
    await api.health.aclose()
    with suppress(TimeoutError):  # with a store that is gone there may be no end
        async with asyncio.timeout(_LAST_WORDS_S):
            await api.hubs.aclose()
            await api.rooms.aclose()
