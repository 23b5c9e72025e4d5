"""Opening a room that goes on from an export."""

from pydantic import TypeAdapter
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dreadclock.audit import audit
from dreadclock.export import Export, read_export, start_of
from dreadclock.wire.base import Channel, ChosenName
from dreadclock.wire.errors import Code, Refused
from dreadclock.wire.things import Origin
from dreadclock_server.core.continuing import Continue
from dreadclock_server.core.people import GM_SEAT
from dreadclock_server.gateway.calls import Api, body_of, host_of, limited
from dreadclock_server.gateway.http import opened, require_operator
from dreadclock_server.gateway.limits import demand

MAX_EXPORT_BYTES = 16 * 1024 * 1024
_TITLE: TypeAdapter[str] = TypeAdapter(ChosenName)


def continuation(data: bytes, title: str | None) -> Continue:
    """Return what a room opens with that goes on from an export. Raises Refused if that does not hold."""
    report = audit(data)
    if not report.sound:
        raise Refused(Code.BAD_REQUEST, problem=f"the export does not hold at {report.faults[0]}")
    export = read_export(data)
    view = start_of(export.header)
    for step in export.steps():
        view = step.after
    if view.public.title is None or GM_SEAT not in view.seats:
        raise Refused(Code.BAD_REQUEST, problem="the export holds no room with a gm")
    return Continue(_TITLE.validate_python(title) if title else view.public.title, view, _origins(export))


def _origins(export: Export) -> dict[Channel, Origin]:
    header = export.header
    return {
        channel: Origin(room=header.room, log_id=header.log_id, seq=head.seq, hash=head.hash)
        for channel, head in header.heads.items()
    }


async def import_room(api: Api, request: Request) -> Response:
    """Open a room from an export in the body; `?title=` gives it another title."""
    require_operator(api, request)
    demand(api.limits.imports, host_of(request))
    demand(api.limits.rooms, host_of(request))
    title = request.query_params.get("title")
    with api.imports.place():  # before the body is read, which is large
        data = await body_of(api.freight, request, MAX_EXPORT_BYTES)
        command = await api.imports.in_turn(lambda: continuation(data, title))
    return await opened(api, request, command)


def routes(api: Api) -> list[Route]:
    """Return the REST call that imports."""
    return [Route("/api/rooms/import", limited(api, import_room), methods=["POST"])]
