"""The server put together: a store, live rooms, and the gateway around them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial

import structlog
from starlette.applications import Starlette
from starlette.types import ASGIApp

from dreadclock_server.gateway.health import Pulse
from dreadclock_server.gateway.limits.caps import Census
from dreadclock_server.gateway.limits.in_flight import Freight
from dreadclock_server.gateway.limits.rates import Limits
from dreadclock_server.gateway.metrics import Metrics
from dreadclock_server.gateway.middleware.access_log import Accesses
from dreadclock_server.gateway.middleware.allowed_hosts import KnownCallers
from dreadclock_server.gateway.middleware.security_headers import CarefulAnswers
from dreadclock_server.gateway.pages import pages
from dreadclock_server.gateway.rest import imports, logs, operators, room_calls
from dreadclock_server.gateway.rest.calls import Api
from dreadclock_server.gateway.ws.hubs import Hubs
from dreadclock_server.gateway.ws.routing import Websockets
from dreadclock_server.gateway.ws.socket import Gate, serve_connection
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


def create_app(store: Store, settings: Settings) -> Application:
    """Put a server together around a store."""
    rooms = Rooms(store, settings.max_room_mib and settings.max_room_mib * 1024 * 1024)
    hubs = Hubs(rooms)
    pulse, census = Pulse(store), Census(settings.caps)
    metrics = Metrics(rooms, hubs, pulse, [census])
    limits, freight = Limits(settings.rates), Freight()
    gate = Gate(rooms, hubs, settings.hello_within_s, census, limits, freight)
    keys = settings.operator_key, settings.metrics_key
    api = Api(rooms, hubs, pulse, metrics, *keys, settings.public_url, limits, freight)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        try:
            await rooms.start()
            hubs.start()
            await pulse.start()
        except Exception:  # of which the ASGI server would log all that it says
            _log.exception("bug", where="start")
            raise
        yield
        await pulse.aclose()
        with suppress(TimeoutError):  # with a store that is gone there may be no end
            async with asyncio.timeout(_LAST_WORDS_S):
                await hubs.aclose()
                await rooms.aclose()

    routes = [
        *imports.routes(api),
        *logs.routes(api),
        *room_calls.routes(api),
        *operators.routes(api),
        *pages.routes(settings.frame_ancestors),
    ]
    starlette = Starlette(routes=routes, lifespan=lifespan)
    starlette.router.redirect_slashes = False  # it would lead to an absolute address made from the Host header
    everything = Websockets("/ws/{room}", partial(serve_connection, gate=gate), starlette)
    asgi: ASGIApp = CarefulAnswers(KnownCallers(everything, settings.allowed_hosts, settings.allowed_origins))
    return Application(Accesses(asgi) if settings.access_log else asgi, api)
