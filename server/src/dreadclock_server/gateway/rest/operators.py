"""The REST calls that need no token: health, readiness, metrics, the API's description and schemas, odds."""

import asyncio

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from dreadclock.wire.errors import Code, Refused
from dreadclock_server.gateway.metrics import answer
from dreadclock_server.gateway.rest import odds, schemas
from dreadclock_server.gateway.rest.calls import Api, Endpoint, with_problems
from dreadclock_server.gateway.rest.openapi import described


async def healthz(api: Api, request: Request) -> Response:
    """Say that the process answers, whatever the store does. Pages of any origin may learn that it does."""
    return PlainTextResponse("ok\n", headers={"Cross-Origin-Resource-Policy": "cross-origin"})


async def readyz(api: Api, request: Request) -> Response:
    """Say whether this process can serve now, from what was measured within the last second or so."""
    objection = api.health.objection
    return PlainTextResponse("ready\n") if objection is None else PlainTextResponse(f"{objection}\n", 503)


async def metrics(api: Api, request: Request) -> Response:
    """Show figures for Prometheus."""
    return answer(api.metrics, request, [key for key in (api.metrics_key, api.operator_key) if key is not None])


async def openapi(api: Api, request: Request) -> Response:
    """Describe the REST calls."""
    return Response(described(), media_type="application/json")


async def schema(api: Api, request: Request) -> Response:
    """Describe what is on the wire as JSON Schema."""
    name = request.path_params["name"]
    if name not in schemas.MODELS:
        raise Refused(Code.UNKNOWN, kind="schema", id=name[:40])
    text = await asyncio.to_thread(schemas.written, name)  # the first time it takes a while
    return Response(text, media_type="application/schema+json")


def routes(api: Api) -> list[Route]:
    """Return the calls that need no token."""
    table: dict[str, Endpoint] = {
        "/healthz": healthz,
        "/readyz": readyz,
        "/metrics": metrics,
        "/openapi.json": openapi,
        "/schemas/v1/{name}.json": schema,
        **odds.CALLS,
    }
    return [Route(path, with_problems(api, endpoint), methods=["GET"]) for path, endpoint in table.items()]
