"""Calls for operators and for the curious: health, readiness, metrics, exact odds, the API's description."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, generate_latest
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from dreadclock.rules.countdown import Speed
from dreadclock.rules.odds import report
from dreadclock.wire.errors import Code, Refused
from dreadclock_server.gateway.http import Api, guarded
from dreadclock_server.gateway.openapi import description
from dreadclock_server.store.base import StoreError

_Number = TypeVar("_Number")


async def landing(api: Api, request: Request) -> Response:
    """Tell who opens a link in a browser what to open it with."""
    return PlainTextResponse(
        "This is a Dreadclock server. It has no pages: open a table's link with `dreadclock watch LINK`,\n"
        "or connect to it from Python with dreadclock.connect(LINK).\n"
    )


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


async def odds_countdown(api: Api, request: Request) -> Response:
    """Say a countdown's odds: `?pool=6&speed=slow&stage=2&rolls=10`."""
    query = request.query_params
    speed = _speed(query.get("speed", Speed.SLOW))
    stages = [_whole("stage", text) for text in query.getlist("stage")[:100]]
    rolls = _whole("rolls", query["rolls"]) if "rolls" in query else None
    pool = _whole("pool", query.get("pool", ""))
    return await _report(lambda: report.countdown_report(pool, speed, stages=stages, rolls=rolls))


async def odds_race(api: Api, request: Request) -> Response:
    """Say a race's odds: `?situation=3&threat=15&chance=1/2&efforts=1&rounds_per_effort=1/2`."""
    query = request.query_params
    situation, threat = _whole("situation", query.get("situation", "")), _whole("threat", query.get("threat", ""))
    return await _report(
        lambda: report.race_report(
            situation,
            threat,
            _one_or_each([report.read_fraction(text) for text in query.getlist("chance")[:100]]),
            efforts=_one_or_each([_whole("efforts", text) for text in query.getlist("efforts")[:100]] or [1]),
            rounds_per_effort=report.read_fraction(query.get("rounds_per_effort", "0")),
        )
    )


async def _report(ask: Callable[[], object]) -> Response:
    """Work an answer out aside; a question with no answer, or too large a one, is refused with its limit."""
    try:
        return JSONResponse(await asyncio.to_thread(ask))
    except ValueError as error:
        raise Refused(Code.BAD_REQUEST, problem=str(error).rstrip(".")) from None


def _one_or_each(numbers: list[_Number]) -> _Number | list[_Number]:
    """Return a single number as one for all challenges, several as one for each."""
    return numbers[0] if len(numbers) == 1 else numbers


def _whole(name: str, text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 6:
        raise Refused(Code.BAD_REQUEST, problem=f"{name} must be a whole number")
    return int(text)


def _speed(text: str) -> Speed:
    if text not in list(Speed):
        raise Refused(Code.BAD_REQUEST, problem="speed must be slow, medium or fast")
    return Speed(text)


def routes(api: Api) -> list[Route]:
    """Return the calls that need no token."""
    table: dict[str, Callable[[Api, Request], Awaitable[Response]]] = {
        "/": landing,
        "/r/{room}": landing,
        "/healthz": healthz,
        "/readyz": readyz,
        "/metrics": metrics,
        "/openapi.json": openapi,
        "/api/odds/countdown": odds_countdown,
        "/api/odds/race": odds_race,
    }
    return [Route(path, guarded(api, endpoint), methods=["GET"]) for path, endpoint in table.items()]
