"""The REST calls for operators and tools: health, readiness, metrics, the API's description and schemas."""

import asyncio
from collections.abc import Callable
from typing import Any

from starlette.responses import PlainTextResponse, Response

from dreadclock.wire.errors import Code, Refused
from dreadclock_server.gateway.health import Health
from dreadclock_server.gateway.metrics import show_metrics
from dreadclock_server.gateway.rest import schemas
from dreadclock_server.gateway.rest.openapi import described


def healthz() -> Response:
    """Answer that the process is alive, whatever the state of the store. Pages of any site may load the answer."""
    return PlainTextResponse("ok\n", headers={"Cross-Origin-Resource-Policy": "cross-origin"})


def readyz(health: Health) -> Response:
    """Answer whether this process can serve now: 503 if the store takes no writes, or if the process shuts down."""
    objection = health.objection
    return PlainTextResponse("ready\n") if objection is None else PlainTextResponse(f"{objection}\n", 503)


def openapi() -> Response:
    """Return the description of the REST calls in the OpenAPI format."""
    return Response(described(), media_type="application/json")


async def schema(name: str) -> Response:
    """Return a JSON Schema of the wire format. Raises Refused if there is no schema of this name."""
    if name not in schemas.MODELS:
        raise Refused(Code.UNKNOWN, kind="schema", id=name[:40])
    text = await asyncio.to_thread(schemas.written, name)  # slow at the first call
    return Response(text, media_type="application/schema+json")


HANDLERS: dict[str, Callable[..., Any]] = {
    "/healthz": healthz,
    "/readyz": readyz,
    "/metrics": show_metrics,
    "/openapi.json": openapi,
    "/schemas/v1/{name}.json": schema,
}
