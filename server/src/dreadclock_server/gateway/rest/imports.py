"""The REST call that opens a room which goes on from an export."""

import asyncio
import os
import sys
import tempfile
from asyncio.subprocess import PIPE, Process
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
from dreadclock_server.import_worker import Findings

MAX_EXPORT_BYTES = 16 * 1024 * 1024
PATIENCE_S = 120.0  # on a machine that does much else; the worker's own limit is one of CPU time
_WORKER = ("-P", "-m", "dreadclock_server.import_worker")  # -P: the working directory holds no modules of ours
# Of the environment, which may hold secrets: what it takes to find Python and what is installed.
_OF_PYTHON = ("PYTHONPATH", "PYTHONHOME", "PYTHONUSERBASE", "PYTHONPLATLIBDIR")
_NEEDED = ("PATH", "LD_LIBRARY_PATH", "LANG", "TMPDIR", "HOME", "SYSTEMROOT", *_OF_PYTHON)
_MOST_SAID = 2000  # characters of what a worker says of its mistake
_TITLE: TypeAdapter[str] = TypeAdapter(ChosenName)
_log = structlog.get_logger()


async def continuation(export: IO[bytes], title: str | None) -> Continue:
    """Return what a room opens with that goes on from an export. Raises Refused if that does not hold."""
    found = Findings.model_validate_json(await _examined(export))
    if found.view is None:
        raise Refused(Code.BAD_REQUEST, problem=found.problem or "the export holds no room")
    chosen = _TITLE.validate_python(title) if title else found.view.title
    return Continue(chosen, found.view, found.origins)


async def _examined(export: IO[bytes]) -> bytes:
    """Have an export checked in a process of its own. Raises Refused if that takes more than it may.

    Raises RuntimeError if the process failed by a mistake of ours.
    """
    environment = {name: os.environ[name] for name in _NEEDED if name in os.environ}
    process = await asyncio.create_subprocess_exec(
        sys.executable, *_WORKER, stdin=export, stdout=PIPE, stderr=PIPE, env=environment
    )
    answer = said = b""
    try:
        async with asyncio.timeout(PATIENCE_S):
            answer, said = await process.communicate()
    except TimeoutError:
        pass
    finally:
        await _end(process)
    if process.returncode == 1:
        raise RuntimeError(f"an import failed: {said.decode(errors='replace')[-_MOST_SAID:]}")
    if process.returncode != 0:
        _log.warning("an import was given up", exit_code=process.returncode)
        raise Refused(Code.BAD_REQUEST, problem="to check the export takes more time or memory than an import may")
    return answer


def _file() -> IO[bytes]:
    """Make a file without a name, for another process to read; on Linux it is in memory and not on a disk."""
    return os.fdopen(os.memfd_create("export"), "w+b") if sys.platform == "linux" else tempfile.TemporaryFile()


async def _end(process: Process) -> None:
    if process.returncode is None:
        process.kill()
        await process.wait()


async def import_room(api: Api, request: Request) -> Response:
    """Open a room from an export in the body; `?title=` gives it another title."""
    require_operator(api, request)
    demand(api.limits.imports, host_of(request))
    demand(api.limits.rooms, host_of(request))
    title = request.query_params.get("title")
    with api.imports.place(), _file() as export:  # a place before the body is read, which is large
        async for chunk in chunks_of(api.in_flight, request, MAX_EXPORT_BYTES):
            export.write(chunk)
        export.seek(0)
        async with api.imports.turn:
            command = await continuation(export, title)
    return await opened(api, request, command)


def routes(api: Api) -> list[Route]:
    """Return the REST call that imports."""
    return [Route("/api/rooms/import", limited(api, import_room), methods=["POST"])]
