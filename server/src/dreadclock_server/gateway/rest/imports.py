"""The REST call that opens a room which goes on from an export."""

from typing import IO

import structlog
from pydantic import TypeAdapter
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dreadclock.wire.base import ChosenName
from dreadclock.wire.errors import Code, Refused
from dreadclock_server.core.families.continuing import Continue
from dreadclock_server.gateway.limits.rates import demand
from dreadclock_server.gateway.rest.calls import Api, chunks_of, host_of, limited
from dreadclock_server.gateway.rest.room_calls import opened, require_operator
from dreadclock_server.gateway.rest.workers import MOST_GIVEN_BYTES, answer_of, program, unnamed_file
from dreadclock_server.import_worker import Findings

_WORKER = program("import_worker")
_TOO_MUCH = "to check the export takes more time or memory than an import may"
_log = structlog.get_logger()
_TITLE: TypeAdapter[str] = TypeAdapter(ChosenName)


async def continuation(export: IO[bytes], title: str | None) -> Continue:
    """Return what a room opens with that goes on from an export. Raises Refused if that does not hold."""
    found = Findings.model_validate_json(await answer_of(_WORKER, export, too_much=_TOO_MUCH))
    if found.view is None:
        raise Refused(Code.BAD_REQUEST, problem=found.problem or "the export holds no room")
    if found.remarks:
        _log.info("an imported export has remarks", remarks=found.remarks)
    chosen = _TITLE.validate_python(title) if title else found.view.title
    return Continue(chosen, found.view, found.origins)


async def import_room(api: Api, request: Request) -> Response:
    """Open a room from an export in the body; `?title=` gives it another title."""
    require_operator(api, request)
    demand(api.limits.imports, host_of(request))
    demand(api.limits.rooms, host_of(request))
    title = request.query_params.get("title")
    with api.imports.place(), unnamed_file() as export:  # a place before the body is read, which is large
        async for chunk in chunks_of(api.in_flight, request, MOST_GIVEN_BYTES):
            export.write(chunk)
        export.seek(0)
        async with api.imports.turn:
            command = await continuation(export, title)
    return await opened(api, request, command)


def routes(api: Api) -> list[Route]:
    """Return the REST call that imports."""
    return [Route("/api/rooms/import", limited(api, import_room), methods=["POST"])]
