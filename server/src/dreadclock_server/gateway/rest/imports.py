"""The REST call that imports an export (a file with the log of a room) into a new room."""

from typing import IO

import structlog
from pydantic import TypeAdapter
from starlette.requests import Request

from dreadclock.wire.base import ChosenName
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.rest import RoomOpening
from dreadclock_server.core.families.continuing import Continue
from dreadclock_server.gateway.limits.in_flight import InFlightBudget
from dreadclock_server.gateway.limits.rates import Limits
from dreadclock_server.gateway.rest.calls import chunks_of
from dreadclock_server.gateway.rest.room_calls import opened
from dreadclock_server.gateway.rest.workers import MOST_GIVEN_BYTES, Calculations, answer_of, program, unnamed_file
from dreadclock_server.import_worker import Findings
from dreadclock_server.rooms.registry import Rooms

_WORKER = program("import_worker")
_TOO_MUCH = "checking the export takes more time or memory than an import may"
_log = structlog.get_logger()
_TITLE: TypeAdapter[str] = TypeAdapter(ChosenName)


async def continuation(export: IO[bytes], title: str | None) -> Continue:
    """Return the first command of a room that continues an export. Raises Refused if the export is invalid."""
    findings = Findings.model_validate_json(await answer_of(_WORKER, export, too_much=_TOO_MUCH))
    if findings.view is None:
        raise Refused(Code.BAD_REQUEST, problem=findings.problem or "the export holds no room")
    if findings.remarks:
        _log.info("an imported export has remarks", remarks=findings.remarks)
    chosen = _TITLE.validate_python(title) if title else findings.view.title
    return Continue(chosen, findings.view, findings.origins)


async def import_room(
    request: Request, base_url: str, rooms: Rooms, limits: Limits, in_flight: InFlightBudget, import_queue: Calculations
) -> RoomOpening:
    """Open a room from an export in the body. `?title=` replaces the title.

    Raises Refused if the export is invalid or too large, or if too many imports wait.
    """
    title = request.query_params.get("title")
    with import_queue.place(), unnamed_file() as export:  # take a place in the queue before the large body is read
        async for chunk in chunks_of(in_flight, request, MOST_GIVEN_BYTES):
            export.write(chunk)
        export.seek(0)
        async with import_queue.turn:
            command = await continuation(export, title)
    return await opened(rooms, limits, base_url, command)
