"""Calls that need no token: health, readiness, metrics, the API's description, odds."""

from collections.abc import Awaitable, Callable

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, generate_latest
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from dreadclock_server.gateway import odds
from dreadclock_server.gateway.http import Api, guarded
from dreadclock_server.gateway.openapi import description
from dreadclock_server.store.base import StoreError


async def healthz(api: Api, request: Request) -> Response:
    """Say that the process answers."""
    return PlainTextResponse("ok\n")


async def readyz(api: Api, request: Request) -> Response:
    """Say whether the store answers too."""
    try:
        await api.rooms.store.ping()
    except StoreError:
        return PlainTextResponse("the store cannot be reached\n", 503)
    return PlainTextResponse("ready\n")


async def metrics(api: Api, request: Request) -> Response:
    """Show figures for Prometheus."""
    registry = CollectorRegistry()
    Gauge("dreadclock_rooms_live", "Rooms in this process's memory", registry=registry).set(len(api.rooms.live))
    connections = Gauge("dreadclock_connections", "Open websockets of this process", registry=registry)
    connections.set(sum(len(hub.connections) for hub in api.hubs.all()))
    return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)


async def openapi(api: Api, request: Request) -> Response:
    """Describe the REST calls."""
    return JSONResponse(description())


def routes(api: Api) -> list[Route]:
    """Return the calls that need no token."""
    table: dict[str, Callable[[Api, Request], Awaitable[Response]]] = {
        "/healthz": healthz,
        "/readyz": readyz,
        "/metrics": metrics,
        "/openapi.json": openapi,
        **odds.CALLS,
    }
    return [Route(path, guarded(api, endpoint), methods=["GET"]) for path, endpoint in table.items()]
